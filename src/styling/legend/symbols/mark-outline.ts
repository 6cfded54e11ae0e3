/**
 * Converts marks to straight outlines: path data in a unit box, scaled, rotated, and with arcs split into segments.
 */
import type { MarkShape } from './well-known-marks.ts';

export interface MarkOutline {
  readonly lines: readonly { readonly places: Float64Array; readonly isClosed: boolean }[];
  /** Whether it has no area to fill. */
  readonly isLine: boolean;
}

/** The segments of a half circle; the deviation is a twentieth of a pixel for a mark of a hundred pixels. */
const ARC_STEPS = 32;

/** Supports the path commands of marks: M, L, H, V, Q, C and Z, and A for half circles, in upper and lower case. */
export function createMarkOutline({ path, isLine }: MarkShape, size: number, radians: number): MarkOutline {
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  const lines = parseSubpaths(path).map(({ places, isClosed }) => {
    const sized = new Float64Array(places.length);
    for (let at = 0; at < places.length; at += 2) {
      const [x, y] = [(places[at] ?? 0) * size, (places[at + 1] ?? 0) * size];
      sized[at] = x * cosine - y * sine;
      sized[at + 1] = x * sine + y * cosine;
    }
    return { places: sized, isClosed };
  });
  return { lines, isLine: isLine === true };
}

interface Subpath {
  readonly places: readonly number[];
  readonly isClosed: boolean;
}

/** The number of parameters of each command. */
const stepNumbers: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, Q: 4, C: 6, A: 7 };

function parseSubpaths(path: string): readonly Subpath[] {
  const found: Subpath[] = [];
  let places: number[] = [];
  let [x, y] = [0, 0];
  const finish = (isClosed: boolean): void => {
    if (places.length >= 4) found.push({ places, isClosed });
    places = [];
  };

  for (const [, letter = '', written = ''] of path.matchAll(/([a-df-zA-DF-Z])([^a-df-zA-DF-Z]*)/g)) {
    const kind = letter.toUpperCase();
    const isRelative = letter !== kind;
    const numbers = (written.match(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g) ?? []).map(Number);
    if (kind === 'Z') {
      [x = x, y = y] = places;
      finish(true);
      places.push(x, y);
    }
    if (kind === 'M') finish(false);
    const size = stepNumbers[kind] ?? numbers.length + 1;
    for (let at = 0; at + size <= numbers.length; at += size) {
      const step = numbers.slice(at, at + size);
      const [baseX, baseY] = isRelative ? [x, y] : [0, 0];
      const toX = kind === 'V' ? x : baseX + (step.at(kind === 'H' ? -1 : -2) ?? 0);
      const toY = kind === 'H' ? y : baseY + (step.at(-1) ?? 0);
      if (kind === 'A') places.push(...computeHalfCircle([x, y], [toX, toY], step[4] === 1));
      if (kind === 'Q' || kind === 'C') {
        const corners = step.map((number, index) => number + (index % 2 === 0 ? baseX : baseY));
        places.push(...sampleCurve([x, y, ...corners]));
      }
      [x, y] = [toX, toY];
      places.push(x, y);
    }
  }
  finish(false);
  return found;
}

/** The segments of a curve; those of outlines from files are short. */
const CURVE_STEPS = 8;

/** Returns the positions between the ends of a Bézier curve with one or two control points. */
function sampleCurve(corners: readonly number[]): readonly number[] {
  return Array.from({ length: CURVE_STEPS - 1 }, (_, index) => {
    const part = (index + 1) / CURVE_STEPS;
    let rest = corners;
    while (rest.length > 2) rest = rest.slice(0, -2).map((value, at) => value + ((rest[at + 2] ?? 0) - value) * part);
    return rest;
  }).flat();
}

/** Returns the positions between two ends, clockwise (y downwards) or counter-clockwise. */
function computeHalfCircle(
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  isClockwise: boolean,
): readonly number[] {
  const [middleX, middleY] = [(x + toX) / 2, (y + toY) / 2];
  const turn = (isClockwise ? Math.PI : -Math.PI) / ARC_STEPS;
  return Array.from({ length: ARC_STEPS - 1 }, (_, index) => {
    const [cosine, sine] = [Math.cos(turn * (index + 1)), Math.sin(turn * (index + 1))];
    const [fromX, fromY] = [x - middleX, y - middleY];
    return [middleX + fromX * cosine - fromY * sine, middleY + fromX * sine + fromY * cosine];
  }).flat();
}
