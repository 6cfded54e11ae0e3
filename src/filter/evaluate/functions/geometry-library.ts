/** The geometry operations for functions: loaded before they are used, and limited to geometries that are not large. */
import type { Geometry } from '../../../geometry/geometry.ts';
import { type GeometryOperations, loadGeometryOperations } from '../../../geometry/geometry-operations.ts';
import { countPositions } from '../../../geometry/simple-parts.ts';

/** A buffer of so many positions takes half a second. */
const MAX_POSITIONS = 10_000;

let operations: GeometryOperations | undefined;

/** Must be called before an operation is used. */
export async function loadGeometryLibrary(): Promise<void> {
  operations = await loadGeometryOperations();
}

/** Returns undefined if the library is not loaded, and null for geometries that are too large, empty or invalid. */
export function useOperations<T>(
  geometries: readonly Geometry[],
  operate: (used: GeometryOperations) => T,
): T | null | undefined {
  if (operations === undefined) return undefined;
  const count = geometries.reduce((sum, each) => sum + countPositions(each), 0);
  return count > MAX_POSITIONS ? null : operate(operations);
}
