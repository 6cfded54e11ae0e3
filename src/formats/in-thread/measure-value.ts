/** Measures the work of encoding a value, in positions of geometries. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { Value } from '../../vector/port/port.ts';
import { countPositions } from '../writing/writable-geometry.ts';

/** Encoding a position takes as long as this many characters or bytes. Short texts are part of the work of a feature. */
const CHARACTERS_PER_POSITION = 64;

export function measureValue(value: Value | Geometry | undefined): number {
  if (typeof value === 'string' || value instanceof Uint8Array)
    return Math.floor(value.length / CHARACTERS_PER_POSITION);
  return countPositions(value);
}
