/** Converts lines with a width to the edges of the covered area: a box for each segment, and joins between them. */
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
  const stretches = isClosed ? count : count - 1;
  for (let index = 0; index < stretches; index += 1) {
    const [x, y] = getPosition(line, index);
    const [toX, toY] = getPosition(line, index + 1);
    const [unitX, unitY] = computeDirection(x, y, toX, toY);
    const before = !isClosed && index === 0 && cap === 'square' ? half : 0;
    const after = !isClosed && index === stretches - 1 && cap === 'square' ? half : 0;
    addBox(
      coverage,
      x - unitX * before,
      y - unitY * before,
      toX + unitX * after,
      toY + unitY * after,
      -unitY * half,
      unitX * half,
    );
    if (isClosed || index < stretches - 1) {
      const [nextX, nextY] = getPosition(line, index + 2);
      addCorner(coverage, toX, toY, unitX, unitY, computeDirection(toX, toY, nextX, nextY), half, join);
    }
  }
  if (!isClosed && cap === 'round') {
    const [x, y] = getPosition(line, 0);
    const [endX, endY] = getPosition(line, count - 1);
    const [startX, startY] = computeDirection(x, y, ...getPosition(line, 1));
    const [lastX, lastY] = computeDirection(...getPosition(line, count - 2), endX, endY);
    addFan(coverage, x, y, startY * half, -startX * half, -Math.PI);
    addFan(coverage, endX, endY, -lastY * half, lastX * half, -Math.PI);
  }
}

function getPosition(line: ArrayLike<number>, index: number): readonly [number, number] {
  const at = (index * 2) % line.length;
  return [line[at] ?? 0, line[at + 1] ?? 0];
}

function computeDirection(x: number, y: number, toX: number, toY: number): readonly [number, number] {
  const length = Math.hypot(toX - x, toY - y);
  return [(toX - x) / length, (toY - y) / length];
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
  if (cap === 'square') addBox(coverage, x - half, y, x + half, y, 0, half);
  if (cap === 'round') addFan(coverage, x, y, half, 0, -2 * Math.PI);
}

/** All pieces have the same orientation, so that overlaps never cancel out. */
function addBox(
  coverage: ScanlineRasterizer,
  x: number,
  y: number,
  toX: number,
  toY: number,
  sideX: number,
  sideY: number,
): void {
  coverage.addEdge(x + sideX, y + sideY, toX + sideX, toY + sideY);
  coverage.addEdge(toX + sideX, toY + sideY, toX - sideX, toY - sideY);
  coverage.addEdge(toX - sideX, toY - sideY, x - sideX, y - sideY);
  coverage.addEdge(x - sideX, y - sideY, x + sideX, y + sideY);
}

/** Adds the wedge between the ends of two boxes, on the outer side of the turn. */
function addCorner(
  coverage: ScanlineRasterizer,
  x: number,
  y: number,
  unitX: number,
  unitY: number,
  [nextX, nextY]: readonly [number, number],
  half: number,
  join: Pen['join'],
): void {
  const turn = unitX * nextY - unitY * nextX;
  const along = unitX * nextX + unitY * nextY;
  if (Math.abs(turn) < 1e-9 && along > 0) return;
  const side = turn > 0 ? -half : half;
  const fromX = -unitY * side;
  const fromY = unitX * side;
  const toX = -nextY * side;
  const toY = nextX * side;
  if (join === 'round') {
    addFan(coverage, x, y, fromX, fromY, Math.atan2(turn, along));
    return;
  }
  // The cosine of half the turn: the tip is farther out than half the width by its inverse.
  const halfCosine = Math.sqrt(Math.max(0, (1 + along) / 2));
  if (join === 'miter' && halfCosine * MITER_LIMIT >= 1) {
    const reach = 1 / (1 + along);
    const tipX = (fromX + toX) * reach;
    const tipY = (fromY + toY) * reach;
    addTriangle(coverage, x, y, fromX, fromY, tipX, tipY);
    addTriangle(coverage, x, y, tipX, tipY, toX, toY);
  } else {
    addTriangle(coverage, x, y, fromX, fromY, toX, toY);
  }
}

/** Adds a fan around a position, from a radius vector through an angle. */
function addFan(coverage: ScanlineRasterizer, x: number, y: number, fromX: number, fromY: number, angle: number): void {
  const radius = Math.hypot(fromX, fromY);
  const perStep = 2 * Math.acos(Math.max(0, 1 - FLATNESS / Math.max(radius, FLATNESS)));
  const steps = Math.min(MAX_ROUND_STEPS, Math.max(1, Math.ceil(Math.abs(angle) / perStep)));
  const cosine = Math.cos(angle / steps);
  const sine = Math.sin(angle / steps);
  let [placeX, placeY] = [fromX, fromY];
  for (let step = 0; step < steps; step += 1) {
    const nextX = placeX * cosine - placeY * sine;
    const nextY = placeX * sine + placeY * cosine;
    addTriangle(coverage, x, y, placeX, placeY, nextX, nextY);
    [placeX, placeY] = [nextX, nextY];
  }
}

/** Adds a triangle of a position and two offsets, in the orientation of the boxes. */
function addTriangle(
  coverage: ScanlineRasterizer,
  x: number,
  y: number,
  firstX: number,
  firstY: number,
  secondX: number,
  secondY: number,
): void {
  const isTurned = firstX * secondY - firstY * secondX > 0;
  const [ax, ay, bx, by] = isTurned ? [secondX, secondY, firstX, firstY] : [firstX, firstY, secondX, secondY];
  coverage.addEdge(x, y, x + ax, y + ay);
  coverage.addEdge(x + ax, y + ay, x + bx, y + by);
  coverage.addEdge(x + bx, y + by, x, y);
}
