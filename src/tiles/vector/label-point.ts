/** Finds the point at which a client draws the label of a feature. */
import type { Geometry } from '../../geometry/geometry.ts';
import { computeInteriorPoint } from '../../geometry/planar.ts';
import { toSimpleParts } from '../../geometry/simple-parts.ts';

/**
 * Returns a point within the largest polygon, in the middle of the longest line, or the point itself. It belongs to the
 * whole geometry, so that all tiles with a part of the feature have the same point. Undefined for an empty geometry.
 */
export function findLabelPoint(geometry: Geometry): Geometry | undefined {
  const parts = toSimpleParts(geometry);
  if (parts.some(({ dimension }) => dimension === 2)) return computeInteriorPoint(geometry);
  const lines = parts.flatMap(({ dimension, lines: own }) => (dimension === 1 ? own : []));
  const [longest] = lines.toSorted((one, other) => measureLine(other) - measureLine(one));
  return longest === undefined ? computeInteriorPoint(geometry) : createPoint(findMiddle(longest));
}

function measureLine(line: Float64Array): number {
  let length = 0;
  for (let at = 0; at + 3 < line.length; at += 2) length += measureSegment(line, at);
  return length;
}

function measureSegment(line: Float64Array, at: number): number {
  const [x = 0, y = 0, toX = 0, toY = 0] = line.subarray(at, at + 4);
  return Math.hypot(toX - x, toY - y);
}

function findMiddle(line: Float64Array): readonly [number, number] {
  let rest = measureLine(line) / 2;
  for (let at = 0; at + 3 < line.length; at += 2) {
    const length = measureSegment(line, at);
    const [x = 0, y = 0, toX = 0, toY = 0] = line.subarray(at, at + 4);
    if (length > 0 && rest <= length) return [x + ((toX - x) * rest) / length, y + ((toY - y) * rest) / length];
    rest -= length;
  }
  return [line[0] ?? 0, line[1] ?? 0];
}

function createPoint([x, y]: readonly [number, number]): Geometry {
  return { type: 'Point', dimension: 'XY', ordinates: Float64Array.of(x, y), ends: [], parts: [] };
}
