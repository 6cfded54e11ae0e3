/** Caches table descriptions briefly, because a lookup takes as long as a tile. */
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import type { Connections } from '../connection/connections.ts';
import type { Table } from '../table/table.ts';
import { getTable, type PostgisContext } from './read.ts';

/** Longer than loading the tiles of a map; descriptions can be outdated by this time. */
const RECENT_MS = 2_000;

const tables = new WeakMap<Connections, Map<string, { readonly table: Table; readonly atMs: number }>>();

export async function getRecentTable(place: PostgisContext, name: string, signal: AbortSignal): Promise<Table> {
  const known = tables.get(place.connections)?.get(name);
  return known !== undefined && performance.now() - known.atMs < RECENT_MS
    ? known.table
    : loadCurrentTable(place, name, signal);
}

/** Bypasses the cache after a change was detected. */
export async function loadCurrentTable(place: PostgisContext, name: string, signal: AbortSignal): Promise<Table> {
  const table = await getTable(place, name, signal);
  const known = tables.get(place.connections) ?? new Map();
  tables.set(place.connections, known);
  known.set(name, { table, atMs: performance.now() });
  return table;
}

/** Error codes for missing columns and tables. */
const unknownThings: ReadonlySet<string> = new Set(['42703', '42P01']);

/** Whether an error indicates an outdated table description. */
export function isOutdated(error: unknown): boolean {
  return unknownThings.has(findErrorCode(error) ?? '');
}
