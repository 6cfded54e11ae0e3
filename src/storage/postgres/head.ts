/** The one row that tells where the log ends, how often anything was committed or announced, and what time it is. */
import { integerColumn } from '../columns.ts';
import type { Head } from '../rows.ts';
import type { Row } from './statement.ts';

export interface ReadHead extends Head {
  readonly commits: number;
  readonly nowMs: number;
}

export const headColumns =
  'sequence, at_ms, commits, announced, (extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** By its key, which needs no scan. */
export const SELECT_HEAD = `SELECT ${headColumns} FROM head WHERE one`;

export function toHead(row: Row | undefined): ReadHead {
  return {
    position: integerColumn(row?.[0]),
    atMs: integerColumn(row?.[1]),
    commits: integerColumn(row?.[2]),
    announced: integerColumn(row?.[3]),
    nowMs: integerColumn(row?.[4]),
  };
}

/** The clock of the database, which is the same for all nodes, however wrong their own are. */
export class DatabaseClock {
  #offsetMs = 0;

  /** To be told whenever the database has told the time. */
  set(nowMs: number): void {
    this.#offsetMs = nowMs - performance.now();
  }

  now(): number {
    return Math.floor(performance.now() + this.#offsetMs);
  }
}
