/** Creates vector tile layers in the database, so that features are not transferred one by one. */
import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { SqlParameter } from '../../../filter/sql/sql.ts';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import type { SourceTile } from '../../port/port.ts';
import type { SqlView } from '../../port/sql-view.ts';
import type { Connections } from '../connection/connections.ts';
import { parseDeclaredForm } from '../table/columns.ts';
import { estimateRows } from '../table/estimate.ts';
import { oneStatement, withQueryTable } from '../table/query-table.ts';
import { listKeyColumns, type Table } from '../table/table.ts';
import type { PostgisContext } from './read.ts';
import { getRecentTable, isOutdated, loadCurrentTable } from './recent-table.ts';
import { hasJumps, queryJumps, writeJumpQuery } from './tile-jumps.ts';
import {
  findTileParts,
  type Sampling,
  type TileParts,
  type TileStatement,
  writeBoxOverlap,
  writeTileStatement,
} from './tile-statement.ts';

/** Returns undefined if a part must be evaluated in memory, or the database cannot create an equivalent tile. */
export async function createVectorTile(
  place: PostgisContext,
  named: string | SqlView,
  tile: SourceTile,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (typeof named !== 'string') {
    const made = await place.connections.withClient(signal, (client) =>
      withQueryTable(client, named, async (table) => {
        const parts = findTileParts(table, tile);
        if (parts === undefined) return undefined;
        const jumps = writeJumpQuery(table, parts, tile, tile.box);
        if (jumps !== undefined && (await queryJumps(client, jumps))) return undefined;
        return reduceTile(tile, parts, { limit: tile.limit }, (how) =>
          queryDatabase(client, writeTileStatement(table, tile, parts, how)),
        );
      }),
    );
    return made === 'outdated' ? undefined : made?.bytes;
  }
  const recent = await getRecentTable(place, named, signal);
  const made = await createTableTile(place, recent, tile, signal);
  if (made !== 'outdated') return made;
  const current = await loadCurrentTable(place, named, signal);
  const again = await createTableTile(place, current, tile, signal);
  return again === 'outdated' ? undefined : again;
}

/** The tolerance for uneven distribution before a tile is checked for too many features. */
const CROWDING = 4;

async function createTableTile(
  place: PostgisContext,
  table: Table,
  tile: SourceTile,
  signal: AbortSignal,
): Promise<Uint8Array | undefined | 'outdated'> {
  const parts = findTileParts(table, tile);
  if (parts === undefined || (await hasJumps(place, table, { tile, parts }, signal))) return undefined;
  const { limit } = tile;
  const queryTile = (how: Sampling, isUsual = false) => {
    const statement = writeTileStatement(table, tile, parts, how);
    const known = isUsual ? prepareStatement(place.connections, statement) : statement;
    return place.connections.withClient(signal, (client) => queryDatabase(client, known));
  };
  const mayBeMany = (table.estimatedRows ?? 0) > limit && listKeyColumns(table).length > 0;
  if (mayBeMany && (estimateFeatures(table, tile) ?? Number.POSITIVE_INFINITY) * CROWDING <= limit) {
    // One more than the limit shows whether there are more.
    const made = await queryTile({ limit: limit + 1 }, parts.condition === undefined);
    if (made === undefined || made === 'outdated') return made;
    if (made.rows <= limit && made.bytes.length <= tile.maxBytes) return made.bytes;
  }
  const share = mayBeMany ? await computeSampledShare(place, table, { tile, parts }, signal) : undefined;
  const made = await reduceTile(tile, parts, { limit, share }, queryTile);
  return made === undefined || made === 'outdated' ? made : made.bytes;
}

/** Estimates differ from the actual size, so that several attempts may be necessary. */
const MAX_ATTEMPTS = 6;

/** The part of the size to aim for: texts that features share make their average size uncertain. */
const AIMED_SHARE = 0.95;

/** Repeats the query for fewer features until the tile fits. */
async function reduceTile(
  { maxBytes }: SourceTile,
  { drawn }: TileParts,
  how: Sampling,
  query: (how: Sampling) => Promise<DatabaseTile | undefined | 'outdated'>,
): Promise<DatabaseTile | undefined | 'outdated'> {
  const isPoint = parseDeclaredForm(drawn)?.type === 'Point';
  let made = await query(how);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (made === undefined || made === 'outdated' || made.bytes.length <= maxBytes) return made;
    // Simplification may be sufficient, but points cannot be simplified.
    const isSimplified = attempt === 0 && !isPoint;
    const thinnedTo = Math.max(1, Math.floor((maxBytes / made.bytes.length) * AIMED_SHARE * made.rows));
    made = await query({ ...how, isSimplified: true, ...(isSimplified ? {} : { thinnedTo }) });
  }
  return made;
}

/** Estimates the features of a tile for an even distribution over the extent; undefined if unknown. */
function estimateFeatures({ estimatedRows = 0 }: Table, { box, extent }: SourceTile): number | undefined {
  if (extent === undefined) return undefined;
  const computeOverlap = (low: number, high: number, least: number, most: number): number =>
    most > least ? Math.max(0, Math.min(high, most) - Math.max(low, least)) / (most - least) : 1;
  return (
    estimatedRows *
    computeOverlap(box.minX, box.maxX, extent.minX, extent.maxX) *
    computeOverlap(box.minY, box.maxY, extent.minY, extent.maxY)
  );
}

/** More would use too much memory in the database. */
const MOST_PREPARED = 100;

/** By statement text. */
const preparedNames = new WeakMap<Connections, Map<string, string>>();

/** Prepared once per connection: for tiles with few features, which are found by the index in any case. */
function prepareStatement(connections: Connections, statement: TileStatement): TileStatement {
  const names = preparedNames.get(connections) ?? new Map<string, string>();
  preparedNames.set(connections, names);
  const { text } = statement;
  if (!names.has(text) && names.size < MOST_PREPARED) names.set(text, `tile-${hash('sha256', text).slice(0, 32)}`);
  const name = names.get(text);
  return name === undefined ? statement : { ...statement, name };
}

/** Returns the share of smaller features to draw if there are too many; otherwise undefined. */
async function computeSampledShare(
  { connections }: PostgisContext,
  table: Table,
  { tile: { box, limit }, parts: { drawn, condition } }: { readonly tile: SourceTile; readonly parts: TileParts },
  signal: AbortSignal,
): Promise<number | undefined> {
  if ((table.estimatedRows ?? 0) <= limit || listKeyColumns(table).length === 0) return undefined;
  const parameters: SqlParameter[] = [...(condition?.parameters ?? [])];
  const sql = [...(condition === undefined ? [] : [condition.sql]), writeBoxOverlap(drawn, box, parameters)].join(
    ' AND ',
  );
  const rows = await estimateRows(connections, table, { sql, parameters }, signal);
  return rows <= limit ? undefined : limit / rows;
}

interface DatabaseTile {
  readonly bytes: Uint8Array;
  /** The number of rows used, visible or not. */
  readonly rows: number;
}

async function queryDatabase(
  client: PoolClient,
  { values, ...statement }: TileStatement,
): Promise<DatabaseTile | undefined | 'outdated'> {
  try {
    const { rows } = await client.query<{ tile: Buffer | null; rows: number }>({
      ...statement,
      values: [...values],
      ...oneStatement,
    });
    return { bytes: rows[0]?.tile ?? new Uint8Array(0), rows: rows[0]?.rows ?? 0 };
  } catch (error) {
    const code = findErrorCode(error) ?? '';
    if (unsupportedErrorCodes.test(code)) return undefined;
    if (isOutdated(error)) return 'outdated';
    throw error;
  }
}

/**
 * Errors for which the built-in encoder is used: positions without a counterpart, unknown CRSs, and PostGIS without
 * tile support.
 */
const unsupportedErrorCodes = /^(?:XX000|22|42883)/;
