/**
 * Splits a batch by the size of its content. Rows of a file can refer to the same large text, so that a batch of a small
 * file could exceed the memory when it is copied to another thread.
 */
import type { Geometry } from '../../geometry/geometry.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature } from './port.ts';

/** Larger than a batch of usual features. Several parts are in memory at the same time. */
const MAX_PART_BYTES = 8_388_608;

/** The main thread receives a text in one piece, and formats need up to six characters for each of its characters. */
export const MAX_TEXT_CHARACTERS = 16_777_216;

/** Every part has at least one feature. */
export function* splitBatch(features: readonly Feature[], maxBytes = MAX_PART_BYTES): Generator<readonly Feature[]> {
  let [start, bytes] = [0, 0];
  for (let index = 0; index < features.length; index += 1) {
    const added = countBytes(features[index]);
    if (index > start && bytes + added > maxBytes) {
      yield features.slice(start, index);
      [start, bytes] = [index, 0];
    }
    bytes += added;
  }
  yield start === 0 ? features : features.slice(start);
}

/** Counts what can be large: texts, bytes and ordinates. */
function countBytes({ id, values }: Feature = { id: '', values: [] }): number {
  let bytes = 0;
  for (const value of values) {
    if (typeof value === 'string') {
      const { length: characters } = value;
      if (characters > MAX_TEXT_CHARACTERS)
        throw problem('vector-text-too-long', { feature: id, characters, limit: MAX_TEXT_CHARACTERS });
      bytes += characters;
    } else if (typeof value === 'object' && value !== null) bytes += countObjectBytes(value);
  }
  return bytes;
}

function countObjectBytes(value: Date | Uint8Array | Geometry): number {
  if (value instanceof Uint8Array) return value.length;
  if (!('ordinates' in value)) return 0;
  return (value.members ?? []).reduce((sum, member) => sum + countObjectBytes(member), value.ordinates.byteLength);
}
