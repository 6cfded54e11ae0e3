/** The head row: the end of the log, the numbers of commits and announcements, and the current time. */
import { readIntegerColumn } from '../../port/columns.ts';
import type { Head } from '../../port/rows.ts';
import type { Row } from '../connection/statement.ts';

export interface DatabaseHead extends Head {
  readonly commits: number;
  readonly nowMs: number;
}

export const headColumns =
  'sequence, at_ms, commits, announced, (extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Selects by key, which needs no scan. */
export const SELECT_HEAD = `SELECT ${headColumns} FROM head WHERE one`;

export function toHead(row: Row | undefined): DatabaseHead {
  return {
    position: readIntegerColumn(row?.[0]),
    atMs: readIntegerColumn(row?.[1]),
    commits: readIntegerColumn(row?.[2]),
    announced: readIntegerColumn(row?.[3]),
    nowMs: readIntegerColumn(row?.[4]),
  };
}

/** The clock of the database, which is the same for all nodes. */
export class DatabaseClock {
  #offsetMs = 0;

  /** Must be called whenever the database returns its time. */
  set(nowMs: number): void {
    this.#offsetMs = nowMs - performance.now();
  }

  now(): number {
    return Math.floor(performance.now() + this.#offsetMs);
  }
}
