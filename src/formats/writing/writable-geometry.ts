/** Distinguishes geometries from values, and writable geometries from invalid ones. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { Value } from '../../vector/port/port.ts';

export function isGeometry(value: Value | Geometry | undefined): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}

/**
 * Returns null for a value that is not a geometry, and for a geometry with invalid coordinates, which no format
 * supports.
 */
export function toWritableGeometry(value: Value | Geometry | undefined): Geometry | null {
  return isGeometry(value) && (hasFinitePositions(value) || isEmptyPoint(value)) ? value : null;
}

function hasFinitePositions({ ordinates, dimension, members = [] }: Geometry): boolean {
  const size = dimension.length;
  let sum = 0;
  // A single infinity or NaN makes the sum NaN.
  for (let at = 0; at < ordinates.length; at += size) sum += ((ordinates[at] ?? 0) + (ordinates[at + 1] ?? 0)) * 0;
  return sum === 0 && members.every((member) => hasFinitePositions(member) || isEmptyPoint(member));
}

/** Well-known binary encodes an empty point with NaN. */
function isEmptyPoint({ type, ordinates }: Geometry): boolean {
  return type === 'Point' && Number.isNaN(ordinates[0]) && Number.isNaN(ordinates[1]);
}

export function isEmptyGeometry(geometry: Geometry): boolean {
  return (geometry.ordinates.length === 0 || isEmptyPoint(geometry)) && (geometry.members ?? []).every(isEmptyGeometry);
}

/** Returns 0 for a value that is not a geometry. */
export function countPositions(value: Value | Geometry | undefined): number {
  if (!isGeometry(value)) return 0;
  const { ordinates, dimension, members = [] } = value;
  return members.reduce((sum, member) => sum + countPositions(member), ordinates.length / dimension.length);
}
