/** Draws wind speeds as barbs: `windbarbs://default(15)[kts]?hemisphere=s`. */
/** The path and its centre, in units of the size of the mark. */
export interface WindBarb {
  readonly path: string;
  readonly isLine?: true;
  readonly middle?: readonly [number, number];
}

const knotsPerUnit: ReadonlyMap<string, number> = new Map([
  ['kt', 1],
  ['kts', 1],
  ['kn', 1],
  ['m/s', 3600 / 1852],
  ['km/h', 1 / 1.852],
  ['mph', 1.609344 / 1.852],
]);

/** The names of the units that a barb can have. */
export const windUnits: readonly string[] = [...knotsPerUnit.keys()];

/** Far above the fastest wind on earth; more flags would have no room. */
const MAX_KNOTS = 500;

/** Half the width of a flag and the distance of two barbs, as parts of the shaft; less if there are many. */
const STEP = 0.1;

/** How far a long barb reaches to the side of the shaft, and how far it leans back. */
const BARB_WIDTH = 0.35;
const BARB_LEAN = 0.12;

/** The speed of samples in legends, where the expression in the name has no value. */
const SAMPLE_KNOTS = 65;

/** Returns undefined if the text is not a barb, or has an unknown unit; knots by default. A barb without a speed is empty. */
export function parseWindBarb(name: string): WindBarb | undefined {
  const [text, written = '', unit = 'kts', query = ''] =
    /^windbarbs:\/\/default\((.*)\)(?:\[([^\]]*)\])?(?:\?(.*))?$/is.exec(name.trim()) ?? [];
  const factor = knotsPerUnit.get(unit.trim().toLowerCase());
  if (text === undefined || factor === undefined) return undefined;
  const knots = written.includes('${') ? SAMPLE_KNOTS : written.trim() === '' ? Number.NaN : Number(written) * factor;
  if (!(knots >= 0)) return { path: '' };
  const isSouthern = /^s/i.test(new URLSearchParams(query.toLowerCase()).get('hemisphere') ?? '');
  return createBarb(Math.min(MAX_KNOTS, Math.round(knots / 5) * 5), isSouthern ? -1 : 1);
}

/** The shaft begins at the position and points to where the wind comes from: up, unless the mark is rotated. */
function createBarb(knots: number, side: 1 | -1): WindBarb {
  if (knots === 0) return { path: 'M-.25 0a.25 .25 0 1 0 .5 0a.25 .25 0 1 0-.5 0Z', isLine: true };
  const [flags, longs, shorts] = [Math.floor(knots / 50), Math.floor((knots % 50) / 10), (knots % 10) / 5];
  // A single short barb keeps its distance from the end, so that it is not read as a long one.
  const start = knots === 5 ? 1 : 0;
  const step = Math.min(STEP, 0.9 / (start + 2 * flags + longs + shorts));
  let along = -1 + start * step;
  let path = 'M0 0V-1';
  const tip = side * BARB_WIDTH;
  for (let flag = 0; flag < flags; flag += 1) {
    path += `M0 ${along}L${tip} ${along}L0 ${along + 1.5 * step}Z`;
    along += 2 * step;
  }
  for (let barb = 0; barb < longs; barb += 1) {
    path += `M0 ${along}L${tip} ${along - BARB_LEAN}`;
    along += step;
  }
  if (shorts > 0) path += `M0 ${along}L${tip / 2} ${along - BARB_LEAN / 2}`;
  const rounded = path.replaceAll(/-?\d+\.\d{5,}(?:e-\d+)?/g, (number) => Number(number).toFixed(4));
  return { path: rounded, middle: [tip / 2, -0.5] };
}
