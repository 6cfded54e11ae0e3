/** The size of batches of rows. */
import type { SQLOutputValue } from 'node:sqlite';

/** Small to save memory, as for shapefiles. */
export const BATCH_ROWS = 64;
export const BATCH_BYTES = 1_048_576;

export function measureRow(row: readonly SQLOutputValue[]): number {
  let bytes = 0;
  for (const value of row) bytes += value instanceof Uint8Array || typeof value === 'string' ? value.length : 8;
  return bytes;
}
