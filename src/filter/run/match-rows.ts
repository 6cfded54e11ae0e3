/** Thread task that decides which rows match, within the remaining CPU time of the query. */
import { deserialize } from 'node:v8';
import type { Task } from '../../workers/task.ts';
import { markTransferable } from '../../workers/transferables.ts';
import type { ResolvedFilter } from '../model/resolved-filter.ts';
import { compilePredicate, type Predicate } from '../predicate/predicate.ts';
import { createCpuLimit } from './cpu-limit.ts';
import { createPackedAccess, type PackedNames, type PackedRows } from './packed-rows.ts';

export interface MatchInput {
  /** Identifies the query, for which the compiled filter is cached. */
  readonly reading: string;
  /** The V8-serialized filter in shared memory, because it can be large and is sent with each batch. */
  readonly filter: SharedArrayBuffer;
  readonly names: PackedNames;
  readonly rows: PackedRows;
  readonly cpuLeftMs: number;
}

export interface MatchOutput {
  /** 1 for each row that matches. */
  readonly matches: Uint8Array;
  readonly cpuMs: number;
}

interface PreparedFilter {
  readonly reading: string;
  readonly matches: Predicate<number>;
  rows: PackedRows;
}

/** The number of compiled filters that a thread caches, for interleaved queries. */
const MOST_READY = 8;
const ready: PreparedFilter[] = [];

export const matchingRows: Task<MatchInput, MatchOutput> = {
  module: import.meta.url,
  name: 'matchRows',
  work: matchRows,
};

export async function matchRows({ reading, filter, names, rows, cpuLeftMs }: MatchInput): Promise<MatchOutput> {
  const limit = createCpuLimit(cpuLeftMs);
  const known = ready.find((each) => each.reading === reading) ?? (await prepareFilter(reading, filter, names, rows));
  known.rows = rows;
  const matches = new Uint8Array(rows.count);
  for (let row = 0; row < rows.count; row += 1) {
    if (known.matches(row)) matches[row] = 1;
    limit.check(row);
  }
  known.rows = { count: 0, columns: [], identifiers: undefined };
  return markTransferable({ matches, cpuMs: limit.getUsedMs() }, [matches.buffer]);
}

async function prepareFilter(
  reading: string,
  shared: SharedArrayBuffer,
  names: PackedNames,
  rows: PackedRows,
): Promise<PreparedFilter> {
  // From a copy, because V8 does not deserialize shared memory.
  const filter = deserialize(Uint8Array.from(new Uint8Array(shared))) as ResolvedFilter;
  const access = createPackedAccess(names, () => made.rows);
  const made: PreparedFilter = { reading, matches: await compilePredicate(filter, access), rows };
  ready.unshift(made);
  ready.length = Math.min(ready.length, MOST_READY);
  return made;
}
