/** The parameters of classifications. */
import { parseFlag } from '../../lib/values/flag.ts';
import { classificationMethods } from '../../styling/classification/classes.ts';
import { rampNames, readRampColor } from '../../styling/classification/color-ramps.ts';
import {
  createKind,
  declareOperation,
  declareParameter,
  options,
  type ParameterKind,
  text,
} from '../ows/service-parameters.ts';
import { viewParameters } from '../ows/view-parameters.ts';

/** More classes than this are not distinguishable, and the cost of natural breaks grows with them. */
const MAX_INTERVALS = 100;

/** The maximum number of different values, as in other servers. */
export const MAX_SINGLE_VALUES = 1_024;

/** Limits the size of the style. */
const MAX_RASTER_CLASSES = 10_000;

const flag: ParameterKind<boolean> = createKind('true or false', parseFlagOrEmpty, false, { type: 'boolean' });

/** Clients send `reverse=` for false. */
function parseFlagOrEmpty(value: string): boolean | undefined {
  return value.trim() === '' ? false : parseFlag(value.trim().toLowerCase());
}

function createNumberKind<D extends number | undefined>(
  absent: D,
  minimum = Number.NEGATIVE_INFINITY,
): ParameterKind<number | D> {
  const expected = Number.isFinite(minimum) ? `a number of at least ${minimum}` : 'a number';
  return createKind<number | D>(
    expected,
    (value) => {
      const number = value.trim() === '' ? Number.NaN : Number(value);
      return Number.isFinite(number) && number >= minimum ? number : undefined;
    },
    absent,
    { type: 'number' },
  );
}

function createIntegerKind<D extends number>(absent: D, minimum: number, maximum: number): ParameterKind<number> {
  return createKind<number>(
    `an integer from ${minimum} to ${maximum}`,
    (value) => {
      const number = /^\s*-?\d{1,9}\s*$/.test(value) ? Number(value) : Number.NaN;
      return number >= minimum && number <= maximum ? number : undefined;
    },
    absent,
    { type: 'integer', minimum, maximum },
  );
}

function createWordKind<W extends string>(words: readonly W[], absent: W): ParameterKind<W> {
  return createKind<W>(
    words.join(', '),
    (value) => words.find((word) => word.toLowerCase() === value.trim().toLowerCase()),
    absent,
    { type: 'string', enum: words },
  );
}

function createColorKind<D extends string | undefined>(absent: D): ParameterKind<string | D> {
  return createKind<string | D>('a colour such as #FF0000, 0xFF0000 or red', readRampColor, absent);
}

const colors: ParameterKind<readonly string[]> = createKind<readonly string[]>(
  'colours separated by commas, such as #FF0000,#00FF00',
  (value) => {
    const all = value.split(',').map((each) => readRampColor(each));
    return all.every((each) => each !== undefined) ? all : undefined;
  },
  [],
);

export interface CustomClass {
  readonly min: number;
  readonly max: number;
  readonly color: string;
}

const customClasses: ParameterKind<readonly CustomClass[]> = createKind<readonly CustomClass[]>(
  `at most ${MAX_SINGLE_VALUES} classes such as 0,10,#FF0000;10,20,#00FF00`,
  (value) => {
    const all = value
      .split(';')
      .filter((each) => each.trim() !== '')
      .map(readCustomClass);
    return all.length <= MAX_SINGLE_VALUES && all.every((each) => each !== undefined) ? all : undefined;
  },
  [],
);

function readCustomClass(value: string): CustomClass | undefined {
  const [low = '', high = '', colour = '', ...others] = value.split(',').map((part) => part.trim());
  const [min, max] = [low, high].map((part) => (part === '' ? Number.NaN : Number(part)));
  const color = readRampColor(colour);
  if (min === undefined || max === undefined || color === undefined || others.length > 0) return undefined;
  return Number.isFinite(min) && Number.isFinite(max) && min <= max ? { min, max, color } : undefined;
}

const box: ParameterKind<readonly [number, number, number, number] | undefined> = createKind<
  readonly [number, number, number, number] | undefined
>(
  'four numbers: minimum x, minimum y, maximum x, maximum y',
  (value) => {
    const numbers = value.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
    const [minX, minY, maxX, maxY] = numbers;
    if (numbers.length !== 4 || !numbers.every(Number.isFinite)) return undefined;
    if (minX === undefined || minY === undefined || maxX === undefined || maxY === undefined) return undefined;
    return minX <= maxX && minY <= maxY ? [minX, minY, maxX, maxY] : undefined;
  },
  undefined,
);

const rampParameters = {
  ramp: declareParameter('ramp', createWordKind(rampNames, 'red'), 'The colour ramp. Default: red.'),
  startColor: declareParameter('startColor', createColorKind(undefined), 'The first colour of a custom ramp.'),
  midColor: declareParameter('midColor', createColorKind(undefined), 'The colour in the middle of a custom ramp.'),
  endColor: declareParameter('endColor', createColorKind(undefined), 'The colour at the end of a custom ramp.'),
  colors: declareParameter('colors', colors, 'The colours of a custom ramp, instead of a start and an end.'),
  reverse: declareParameter('reverse', flag, 'Reverse the order of the colours. Default: false.'),
  cache: declareParameter(
    'cache',
    createIntegerKind(600, 0, 31_536_000),
    'How long clients can cache the response, in seconds. Default: 600.',
  ),
} as const;

export const classifyOperation = declareOperation('classify', {
  attribute: declareParameter(
    'attribute',
    text,
    'The attribute to classify; of a coverage the number or name of a band. Default for coverages: 1.',
  ),
  method: declareParameter(
    'method',
    createWordKind(classificationMethods, 'equalInterval'),
    'The classification method. Default: equalInterval.',
  ),
  intervals: declareParameter(
    'intervals',
    createIntegerKind(2, 1, MAX_INTERVALS),
    'The number of classes. Equal values are never divided, so there may be fewer. Default: 2.',
  ),
  intervalsForUnique: declareParameter(
    'intervalsForUnique',
    createIntegerKind(-1, -1, MAX_SINGLE_VALUES),
    `The maximum number of classes of uniqueInterval; more are an error. -1 means ${MAX_SINGLE_VALUES}. Default: -1.`,
  ),
  open: declareParameter('open', flag, 'Whether the first and the last class are unlimited. Default: false.'),
  normalize: declareParameter('normalize', flag, 'No effect: numbers are always compared as numbers.'),
  stddevs: declareParameter(
    'stddevs',
    createNumberKind(undefined, 0),
    'Use only values within this many standard deviations of the mean. Default: all values.',
  ),
  customClasses: declareParameter('customClasses', customClasses, 'Classes to use as they are; nothing is computed.'),
  bbox: declareParameter('bbox', box, 'Use only values in this box, in the CRS of the layer. Default: all values.'),
  viewparams: declareParameter('viewparams', viewParameters, 'Values of the parameters of an SQL view.'),
  env: declareParameter('env', options, 'No effect on classes.'),
  percentages: declareParameter('percentages', flag, 'Append the share of values to titles. Default: false.'),
  percentagesScale: declareParameter(
    'percentagesScale',
    createIntegerKind(1, 0, 10),
    'The number of decimals of percentages. Default: 1.',
  ),
  continuous: declareParameter('continuous', flag, 'Interpolate the colours of a coverage. Default: false.'),
  strokeColor: declareParameter('strokeColor', createColorKind('#000000'), 'The colour of outlines. Default: black.'),
  strokeWeight: declareParameter(
    'strokeWeight',
    createNumberKind(1),
    'The width of outlines and lines in pixels; below 0 no outlines. Default: 1.',
  ),
  pointSize: declareParameter('pointSize', createNumberKind(15, 0), 'The size of points in pixels. Default: 15.'),
  fullSLD: declareParameter('fullSLD', flag, 'Return a complete SLD instead of a list of rules. Default: false.'),
  ...rampParameters,
});

export const colorMapTypes = ['RAMP', 'INTERVALS', 'VALUES'] as const;

export const rasterizeOperation = declareOperation('rasterize', {
  min: declareParameter('min', createNumberKind(0), 'The lowest value. Default: 0.'),
  max: declareParameter('max', createNumberKind(100), 'The highest value. Default: 100.'),
  classes: declareParameter(
    'classes',
    createIntegerKind(100, 1, MAX_RASTER_CLASSES),
    'The number of colours. Default: 100.',
  ),
  digits: declareParameter('digits', createIntegerKind(5, 0, 15), 'The number of decimals of labels. Default: 5.'),
  type: declareParameter('type', createWordKind(colorMapTypes, 'RAMP'), 'The type of the colour map. Default: RAMP.'),
  ...rampParameters,
});

export const classificationOperations = { classify: classifyOperation, rasterize: rasterizeOperation } as const;
