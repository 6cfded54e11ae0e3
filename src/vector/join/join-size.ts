/** The estimated memory of a join: its features, and the rows that they are combined to. */
import { countPositions } from '../../geometry/simple-parts.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { FairSemaphore } from '../../workers/fair-semaphore.ts';
import type { Feature } from '../port/port.ts';
import { isGeometry } from '../support/match-columns.ts';

/** Joins of feature types are in memory until they are sent. */
export interface JoinServices {
  readonly places: FairSemaphore;
  /** The memory of one join. */
  readonly maxBytes: number;
}

const FEATURE_BYTES = 100;
const VALUE_BYTES = 16;
const CHARACTER_BYTES = 2;
/** Of up to four ordinates. */
const POSITION_BYTES = 32;

export interface JoinSize {
  /** Throws a Problem if the join becomes too large. */
  addFeatures(features: readonly Feature[]): void;
  /** Rows share the values of their features. */
  addRows(rows: readonly Feature[]): void;
}

export function createJoinSize(maxBytes: number): JoinSize {
  let bytes = 0;
  const add = (more: number): void => {
    bytes += more;
    if (bytes > maxBytes) throw problem('wfs-join-too-large', { what: 'bytes', most: maxBytes, field: 'filter' });
  };
  return {
    addFeatures(features) {
      for (const { values } of features)
        add(FEATURE_BYTES + values.reduce<number>((sum, value) => sum + estimateBytes(value), 0));
    },
    addRows(rows) {
      for (const { values } of rows) add(FEATURE_BYTES + VALUE_BYTES * values.length);
    },
  };
}

function estimateBytes(value: Feature['values'][number]): number {
  if (typeof value === 'string') return VALUE_BYTES + CHARACTER_BYTES * value.length;
  if (value === null) return VALUE_BYTES;
  if (value instanceof Uint8Array) return VALUE_BYTES + value.length;
  return isGeometry(value) ? FEATURE_BYTES + POSITION_BYTES * countPositions(value) : VALUE_BYTES;
}
