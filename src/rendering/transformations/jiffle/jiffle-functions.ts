/** The functions of Jiffle scripts, of numbers and of lists. */

type JiffleFunction = (values: readonly number[]) => number;

const ofOne =
  (compute: (value: number) => number): JiffleFunction =>
  ([value = Number.NaN]) =>
    compute(value);

const sum: JiffleFunction = (values) => values.reduce((total, value) => total + value, 0);
const mean: JiffleFunction = (values) => sum(values) / values.length;
const variance: JiffleFunction = (values) => {
  const middle = mean(values);
  return sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1);
};

function sortNumbers(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b);
}

const median: JiffleFunction = (values) => {
  const sorted = sortNumbers(values);
  const half = sorted.length / 2;
  const upper = sorted[Math.floor(half)] ?? Number.NaN;
  return Number.isInteger(half) ? (upper + (sorted[half - 1] ?? Number.NaN)) / 2 : upper;
};

const mode: JiffleFunction = (values) => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [Number.NaN, 0])[0];
};

/** `con(x)`, `con(x, whenTrue)`, `con(x, whenTrue, whenFalse)` and with a fourth value for negative numbers. */
const con: JiffleFunction = ([value = Number.NaN, ...results]) => {
  const [positive = 1, zero = 0, negative = positive] = results;
  if (Number.isNaN(value)) return Number.NaN;
  return value > 0 ? positive : value === 0 ? zero : negative;
};

const log: JiffleFunction = ([value = Number.NaN, base]) =>
  base === undefined ? Math.log(value) : Math.log(value) / Math.log(base);

const round: JiffleFunction = ([value = Number.NaN, unit = 1]) => Math.round(value / unit) * unit;

export const jiffleFunctions: ReadonlyMap<string, JiffleFunction> = new Map<string, JiffleFunction>([
  ['abs', ofOne(Math.abs)],
  ['acos', ofOne(Math.acos)],
  ['asin', ofOne(Math.asin)],
  ['atan', ofOne(Math.atan)],
  ['atan2', ([y = Number.NaN, x = Number.NaN]) => Math.atan2(y, x)],
  ['ceil', ofOne(Math.ceil)],
  ['con', con],
  ['cos', ofOne(Math.cos)],
  ['degtorad', ofOne((value) => (value * Math.PI) / 180)],
  ['exp', ofOne(Math.exp)],
  ['floor', ofOne(Math.floor)],
  ['isinf', ofOne((value) => (Math.abs(value) === Number.POSITIVE_INFINITY ? 1 : 0))],
  ['isnan', ofOne((value) => (Number.isNaN(value) ? 1 : 0))],
  ['isnull', ofOne((value) => (Number.isNaN(value) ? 1 : 0))],
  ['log', log],
  ['max', (values) => Math.max(...values)],
  ['mean', mean],
  ['median', median],
  ['min', (values) => Math.min(...values)],
  ['mode', mode],
  ['pow', ([value = Number.NaN, exponent = Number.NaN]) => value ** exponent],
  ['radtodeg', ofOne((value) => (value * 180) / Math.PI)],
  ['range', (values) => Math.max(...values) - Math.min(...values)],
  ['round', round],
  ['sdev', (values) => Math.sqrt(variance(values))],
  ['sign', ofOne(Math.sign)],
  ['sin', ofOne(Math.sin)],
  ['sqrt', ofOne(Math.sqrt)],
  ['sum', sum],
  ['tan', ofOne(Math.tan)],
  ['variance', variance],
]);
