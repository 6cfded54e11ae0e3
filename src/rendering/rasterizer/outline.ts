/** Converts lines with a width to the outline of the covered area: one side of the line, and back along the other. */
import { MITER_LIMIT } from '../../styling/legend/symbols/pen.ts';
import type { ScanlineRasterizer } from './scanline-rasterizer.ts';
import { addThinOutline } from './thin-outline.ts';

export interface Pen {
  /** In pixels. */
  readonly width: number;
  readonly join: 'miter' | 'round' | 'bevel';
  readonly cap: 'butt' | 'round' | 'square';
}

/** Up to this width, in pixels, the shape of corners is invisible. */
const THIN = 1.5;

/** The maximum deviation of a round corner from a circle, in pixels. */
const FLATNESS = 0.03;

/** The maximum number of segments of a round corner; more are not visible. */
const MAX_ROUND_STEPS = 32;

/**
 * Adds a line through positions of an array (alternating x and y, in pixels), from `start` to before `end`; all by
 * default.
 */
export function addOutline(
  coverage: ScanlineRasterizer,
  places: Float64Array,
  isClosed: boolean,
  { width, join, cap }: Pen,
  start = 0,
  end = places.length,
): void {
  if (hasRepetitions(places, start, end, isClosed)) {
    addOutline(coverage, removeRepetitions(places.subarray(start, end), isClosed), isClosed, { width, join, cap });
    return;
  }
  const count = (end - start) / 2;
  const half = width / 2;
  if (count === 1) {
    addDot(coverage, places[start] ?? 0, places[start + 1] ?? 0, half, cap);
    return;
  }
  if (width <= THIN && cap === 'butt') {
    addThinOutline(coverage, places, start, end, isClosed, width);
    return;
  }
  const line = places.subarray(start, end);
  const last = count - 1;
  size = 0;
  if (isClosed) {
    for (let corner = 0; corner < count; corner += 1)
      addCorner(line, corner === 0 ? last : corner - 1, corner, half, join);
    coverage.addRing(outline, 0, size, true, true);
    size = 0;
    for (let corner = last; corner >= 0; corner -= 1)
      addCorner(line, corner === last ? 0 : corner + 1, corner, half, join);
    coverage.addRing(outline, 0, size, true, true);
    return;
  }
  addEnd(line, 1, 0, half, cap);
  for (let corner = 1; corner < last; corner += 1) addCorner(line, corner - 1, corner, half, join);
  addEnd(line, last - 1, last, half, cap);
  for (let corner = last - 1; corner > 0; corner -= 1) addCorner(line, corner + 1, corner, half, join);
  coverage.addRing(outline, 0, size, true, true);
}

/** The outline of the current line. The buffer is reused for the next. */
let outline = new Float64Array(1_024);
let size = 0;

function addPosition(x: number, y: number): void {
  if (size + 2 > outline.length) {
    const larger = new Float64Array(outline.length * 2);
    larger.set(outline);
    outline = larger;
  }
  outline[size] = x;
  outline[size + 1] = y;
  size += 2;
}

/** Removes repeated positions, so that each segment has a direction. */
function removeRepetitions(places: Float64Array, isClosed: boolean): Float64Array {
  const line: number[] = [];
  for (let at = 0; at + 1 < places.length; at += 2) {
    const [x = 0, y = 0] = [places[at], places[at + 1]];
    if (line.length === 0 || x !== line.at(-2) || y !== line.at(-1)) line.push(x, y);
  }
  while (isClosed && line.length > 2 && line[0] === line.at(-2) && line[1] === line.at(-1)) line.length -= 2;
  return Float64Array.from(line);
}

function hasRepetitions(places: Float64Array, start: number, end: number, isClosed: boolean): boolean {
  const last = end - 2;
  if (isClosed && last > start && places[start] === places[last] && places[start + 1] === places[last + 1]) return true;
  for (let at = start + 2; at <= last; at += 2) {
    if (places[at] === places[at - 2] && places[at + 1] === places[at - 1]) return true;
  }
  return false;
}

/** Draws a line of zero length if its caps extend beyond its ends. */
function addDot(coverage: ScanlineRasterizer, x: number, y: number, half: number, cap: Pen['cap']): void {
  size = 0;
  if (cap === 'square') {
    addPosition(x - half, y - half);
    addPosition(x + half, y - half);
    addPosition(x + half, y + half);
    addPosition(x - half, y + half);
  }
  if (cap === 'round') {
    addPosition(x + half, y);
    addArc(x, y, half, 0, 2 * Math.PI);
  }
  coverage.addRing(outline, 0, size, true, true);
}

/** Adds the end of a line, from its left to its right side. `before` is the position from which the line comes. */
function addEnd(line: Float64Array, before: number, end: number, half: number, cap: Pen['cap']): void {
  const [x, y] = [line[end * 2] ?? 0, line[end * 2 + 1] ?? 0];
  const [dx, dy] = [x - (line[before * 2] ?? 0), y - (line[before * 2 + 1] ?? 0)];
  const scale = half / Math.sqrt(dx * dx + dy * dy);
  const [alongX, alongY] = [dx * scale, dy * scale];
  const [beyondX, beyondY] = cap === 'square' ? [x + alongX, y + alongY] : [x, y];
  addPosition(beyondX - alongY, beyondY + alongX);
  if (cap === 'round') addArc(x, y, -alongY, alongX, -Math.PI);
  addPosition(beyondX + alongY, beyondY - alongX);
}

/**
 * Adds the left side of a corner to which the line comes from `before`. At an inner corner between long segments, the
 * outline turns where both sides meet. Between short segments it passes through the line: the sides of both segments
 * then enclose their areas in the same direction, so that overlaps never cancel out.
 */
function addCorner(line: Float64Array, before: number, corner: number, half: number, join: Pen['join']): void {
  const count = line.length / 2;
  const after = (2 * corner - before + count) % count;
  const x = line[corner * 2] ?? 0;
  const y = line[corner * 2 + 1] ?? 0;
  const inX = x - (line[before * 2] ?? 0);
  const inY = y - (line[before * 2 + 1] ?? 0);
  const outX = (line[after * 2] ?? 0) - x;
  const outY = (line[after * 2 + 1] ?? 0) - y;
  const inLength = Math.sqrt(inX * inX + inY * inY);
  const outLength = Math.sqrt(outX * outX + outY * outY);
  const inScale = half / inLength;
  const outScale = half / outLength;
  // The offsets of the left side before and after the corner.
  const fromX = -inY * inScale;
  const fromY = inX * inScale;
  const toX = -outY * outScale;
  const toY = outX * outScale;
  const square = half * half;
  const turn = (fromX * toY - fromY * toX) / square;
  const along = (fromX * toX + fromY * toY) / square;
  if (Math.abs(turn) < 1e-9 && along > 0) {
    addPosition(x + toX, y + toY);
    return;
  }
  // Both sides meet farther out than half the width by the inverse of the cosine of half the turn, and farther along
  // each segment by its tangent. Another inner corner may need the other half of a segment.
  const isPointed =
    turn > 0
      ? along > -0.5 && 2 * half * turn <= (1 + along) * Math.min(inLength, outLength)
      : join === 'miter' && (1 + along) * MITER_LIMIT * MITER_LIMIT >= 2;
  if (isPointed) {
    addPosition(x + (fromX + toX) / (1 + along), y + (fromY + toY) / (1 + along));
    return;
  }
  addPosition(x + fromX, y + fromY);
  if (turn > 0) addPosition(x, y);
  else if (join === 'round') addArc(x, y, fromX, fromY, Math.atan2(turn, along));
  addPosition(x + toX, y + toY);
}

/** Adds the positions within an arc around a centre, from a radius vector through an angle. */
function addArc(x: number, y: number, fromX: number, fromY: number, angle: number): void {
  const radius = Math.sqrt(fromX * fromX + fromY * fromY);
  const perStep = 2 * Math.acos(Math.max(0, 1 - FLATNESS / Math.max(radius, FLATNESS)));
  const steps = Math.min(MAX_ROUND_STEPS, Math.max(1, Math.ceil(Math.abs(angle) / perStep)));
  const [cosine, sine] = [Math.cos(angle / steps), Math.sin(angle / steps)];
  let [placeX, placeY] = [fromX, fromY];
  for (let step = 1; step < steps; step += 1) {
    [placeX, placeY] = [placeX * cosine - placeY * sine, placeX * sine + placeY * cosine];
    addPosition(x + placeX, y + placeY);
  }
}
