/** Finds shapes that jump over the antimeridian, which the database would draw across the whole tile. */
import type { PoolClient } from 'pg';
import type { Bounds } from '../../../crs/bounds.ts';
import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import type { SqlParameter } from '../../../filter/sql/sql.ts';
import type { SourceTile } from '../../port/port.ts';
import { parseDeclaredForm } from '../table/columns.ts';
import { oneStatement } from '../table/query-table.ts';
import type { Table } from '../table/table.ts';
import type { PostgisContext } from './read.ts';
import { isOutdated } from './recent-table.ts';
import { type TileParts, type TileStatement, writeBoxOverlap } from './tile-statement.ts';

/** Whether a table contains shapes that jump over the antimeridian, as long as its description is used. */
const tablesWithJumps = new WeakMap<Table, boolean>();

/** Whether a shape that jumps over the antimeridian may be in the tile; the built-in encoder draws it on both sides. */
export async function hasJumps(
  { connections }: PostgisContext,
  table: Table,
  { tile, parts }: { readonly tile: SourceTile; readonly parts: TileParts },
  signal: AbortSignal,
): Promise<boolean> {
  const anywhere = writeJumpQuery(table, parts, tile, { minY: -ANY_Y, maxY: ANY_Y });
  const here = writeJumpQuery(table, parts, tile, tile.box);
  if (anywhere === undefined || here === undefined) return false;
  const query = (statement: TileStatement) => connections.withClient(signal, (client) => queryJumps(client, statement));
  try {
    const isKnown = tablesWithJumps.get(table) ?? (await query(anywhere));
    tablesWithJumps.set(table, isKnown);
    return isKnown && (await query(here));
  } catch (error) {
    if (isOutdated(error)) return false;
    throw error;
  }
}

/** Beyond the coordinates of any CRS. */
const ANY_Y = 1e12;

/** Returns undefined if the table cannot have such shapes. */
export function writeJumpQuery(
  table: Table,
  { drawn }: TileParts,
  { jumps }: SourceTile,
  { minY, maxY }: Pick<Bounds, 'minY' | 'maxY'>,
): TileStatement | undefined {
  const type = parseDeclaredForm(drawn)?.type;
  if (jumps === undefined || type === 'Point' || type === 'MultiPoint') return undefined;
  const parameters: SqlParameter[] = [];
  const { west, east, minWidth } = jumps;
  const overlaps = [west, east].map((x) => writeBoxOverlap(drawn, { minX: x, maxX: x, minY, maxY }, parameters));
  const writeSide = (name: string): string => `${qualifyName(drawn.typeSchema, name)}(part.geom)`;
  const parts = `${qualifyName(drawn.typeSchema, 'st_dump')}(${quoteName(drawn.name)})`;
  parameters.push(String(minWidth));
  const isWide = `${writeSide('st_xmax')} - ${writeSide('st_xmin')} > $${parameters.length}::float8`;
  // The parts are in a query of their own, because the table can have columns of the same names.
  const hasWidePart = `EXISTS (SELECT 1 FROM ${parts} AS part WHERE ${isWide})`;
  const found = `SELECT 1 FROM ${table.relation} WHERE ${[...overlaps, hasWidePart].join(' AND ')}`;
  return { text: `SELECT EXISTS (${found}) AS found`, values: parameters };
}

export async function queryJumps(client: PoolClient, { values, text }: TileStatement): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({ text, values: [...values], ...oneStatement });
  return rows[0]?.found === true;
}
