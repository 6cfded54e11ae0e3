/** Numeric functions. */
import { type StyleValue, toNumber } from '../values/style-value.ts';
import { type Arguments, createNumberFunction, type StyleFunction, type StyleFunctions } from './style-function.ts';

const toDegrees = 180 / Math.PI;

export const mathFunctions: StyleFunctions = new Map<string, StyleFunction>([
  ...['abs', 'abs_2', 'abs_3', 'abs_4'].map((name) => [name, createNumberFunction(1, Math.abs)] as const),
  ...['max', 'max_2', 'max_3', 'max_4'].map((name) => [name, createNumberFunction(1, Math.max)] as const),
  ...['min', 'min_2', 'min_3', 'min_4'].map((name) => [name, createNumberFunction(1, Math.min)] as const),
  ...['round', 'round_2', 'rounddouble'].map((name) => [name, createNumberFunction(1, Math.round)] as const),
  ['ceil', createNumberFunction(1, Math.ceil)],
  ['floor', createNumberFunction(1, Math.floor)],
  ['rint', createNumberFunction(1, roundToEven)],
  ['sqrt', createNumberFunction(1, Math.sqrt)],
  ['exp', createNumberFunction(1, Math.exp)],
  ['log', createNumberFunction(1, Math.log)],
  ['pow', createNumberFunction(2, Math.pow)],
  ['modulo', createNumberFunction(2, (a, b) => a % b)],
  ['div', createNumberFunction(2, (a, b) => Math.trunc(a / b))],
  ['sin', createNumberFunction(1, Math.sin)],
  ['cos', createNumberFunction(1, Math.cos)],
  ['tan', createNumberFunction(1, Math.tan)],
  ['asin', createNumberFunction(1, Math.asin)],
  ['acos', createNumberFunction(1, Math.acos)],
  ['atan', createNumberFunction(1, Math.atan)],
  ['atan2', createNumberFunction(2, Math.atan2)],
  ['ieeeremainder', createNumberFunction(2, (a, b) => a - b * roundToEven(a / b))],
  ['random', () => Math.random()],
  ['double2bool', ([value]) => toTruth(value)],
  ['int2bbool', ([value]) => toTruth(value)],
  ['int2ddouble', createNumberFunction(1, (value) => value)],
  ['pi', () => Math.PI],
  ['todegrees', createNumberFunction(1, (angle) => angle * toDegrees)],
  ['todirection', findDirection],
  ['toradians', createNumberFunction(1, (angle) => angle / toDegrees)],
  ...['parseint', 'parselong'].map((name) => [name, createNumberFunction(1, Math.trunc)] as const),
  ['parsedouble', createNumberFunction(1, (value) => value)],
]);

const compassPoints = [
  'N',
  'NNE',
  'NE',
  'ENE',
  'E',
  'ESE',
  'SE',
  'SSE',
  'S',
  'SSW',
  'SW',
  'WSW',
  'W',
  'WNW',
  'NW',
  'NNW',
];

/** Returns null for another number of points than 4, 8 and 16. */
function findDirection([degrees, points = compassPoints.length]: Arguments): StyleValue | undefined {
  if (degrees === undefined) return undefined;
  const [angle, count] = [toNumber(degrees), toNumber(points)];
  if (angle === undefined || !Number.isFinite(angle) || count === undefined || ![4, 8, 16].includes(count)) return null;
  const place = ((Math.round((angle / 360) * count) % count) + count) % count;
  return compassPoints[place * (compassPoints.length / count)] ?? null;
}

function toTruth(value: StyleValue | undefined): StyleValue | undefined {
  if (value === undefined) return undefined;
  const number = toNumber(value);
  return number === undefined ? null : number !== 0;
}

function roundToEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}
