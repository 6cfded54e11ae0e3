/** Functions on numbers. */
import { onNumbers, type StyleFunctions } from './style-function.ts';

const toDegrees = 180 / Math.PI;

export const mathFunctions: StyleFunctions = new Map([
  ...['abs', 'abs_2', 'abs_3', 'abs_4'].map((name) => [name, onNumbers(1, Math.abs)] as const),
  ...['max', 'max_2', 'max_3', 'max_4'].map((name) => [name, onNumbers(1, Math.max)] as const),
  ...['min', 'min_2', 'min_3', 'min_4'].map((name) => [name, onNumbers(1, Math.min)] as const),
  ...['round', 'round_2', 'rounddouble'].map((name) => [name, onNumbers(1, Math.round)] as const),
  ['ceil', onNumbers(1, Math.ceil)],
  ['floor', onNumbers(1, Math.floor)],
  ['rint', onNumbers(1, roundToEven)],
  ['sqrt', onNumbers(1, Math.sqrt)],
  ['exp', onNumbers(1, Math.exp)],
  ['log', onNumbers(1, Math.log)],
  ['pow', onNumbers(2, Math.pow)],
  ['modulo', onNumbers(2, (a, b) => a % b)],
  ['div', onNumbers(2, (a, b) => Math.trunc(a / b))],
  ['sin', onNumbers(1, Math.sin)],
  ['cos', onNumbers(1, Math.cos)],
  ['tan', onNumbers(1, Math.tan)],
  ['asin', onNumbers(1, Math.asin)],
  ['acos', onNumbers(1, Math.acos)],
  ['atan', onNumbers(1, Math.atan)],
  ['atan2', onNumbers(2, Math.atan2)],
  ['pi', () => Math.PI],
  ['todegrees', onNumbers(1, (angle) => angle * toDegrees)],
  ['toradians', onNumbers(1, (angle) => angle / toDegrees)],
  ...['parseint', 'parselong'].map((name) => [name, onNumbers(1, Math.trunc)] as const),
  ['parsedouble', onNumbers(1, (value) => value)],
]);

function roundToEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}
