/** Tables as they were a moment ago, for who asks for the same one many times a second: looking it up takes as long as a tile. */
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import type { Connections } from '../connection/connections.ts';
import type { Table } from '../table/table.ts';
import { getTable, type PostgisContext } from './read.ts';

/** Longer than it takes to ask for the tiles of a map; what is told of a table meanwhile is a little behind. */
const RECENT_MS = 2_000;

const tables = new WeakMap<Connections, Map<string, { readonly table: Table; readonly atMs: number }>>();

export async function getRecentTable(place: PostgisContext, name: string, signal: AbortSignal): Promise<Table> {
  const known = tables.get(place.connections)?.get(name);
  return known !== undefined && performance.now() - known.atMs < RECENT_MS
    ? known.table
    : loadCurrentTable(place, name, signal);
}

/** For who has found that it has changed. */
export async function loadCurrentTable(place: PostgisContext, name: string, signal: AbortSignal): Promise<Table> {
  const table = await getTable(place, name, signal);
  const known = tables.get(place.connections) ?? new Map();
  tables.set(place.connections, known);
  known.set(name, { table, atMs: performance.now() });
  return table;
}

/** Columns and tables that are not there any more. */
const unknownThings: ReadonlySet<string> = new Set(['42703', '42P01']);

/** Whether an error of the database tells that a table is not as it was. */
export function isOutdated(error: unknown): boolean {
  return unknownThings.has(findErrorCode(error) ?? '');
}
