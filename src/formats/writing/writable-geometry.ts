/** Tells geometries from values, and those that can be written from those that cannot. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { Value } from '../../vector/port/port.ts';

export function isGeometry(value: Value | Geometry | undefined): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}

/** Null for what is no geometry, and for one with a place that is none: no format has words for that. */
export function toWritableGeometry(value: Value | Geometry | undefined): Geometry | null {
  return isGeometry(value) && (hasFinitePositions(value) || isEmptyPoint(value)) ? value : null;
}

function hasFinitePositions({ ordinates, dimension, members = [] }: Geometry): boolean {
  const size = dimension.length;
  let sum = 0;
  // One infinity or one that is no number makes the sum neither zero nor anything else.
  for (let at = 0; at < ordinates.length; at += size) sum += ((ordinates[at] ?? 0) + (ordinates[at + 1] ?? 0)) * 0;
  return sum === 0 && members.every((member) => hasFinitePositions(member) || isEmptyPoint(member));
}

/** Well-known binary has no other way to say so. */
function isEmptyPoint({ type, ordinates }: Geometry): boolean {
  return type === 'Point' && Number.isNaN(ordinates[0]) && Number.isNaN(ordinates[1]);
}

/** Whether there is no position in it. */
export function isEmptyGeometry(geometry: Geometry): boolean {
  return (geometry.ordinates.length === 0 || isEmptyPoint(geometry)) && (geometry.members ?? []).every(isEmptyGeometry);
}

/** How many positions are in it; none in a value that is no geometry. */
export function countPositions(value: Value | Geometry | undefined): number {
  if (!isGeometry(value)) return 0;
  const { ordinates, dimension, members = [] } = value;
  return members.reduce((sum, member) => sum + countPositions(member), ordinates.length / dimension.length);
}
