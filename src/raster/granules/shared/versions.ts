/** The versions of a mosaic in the shared database. */
import type { PoolClient } from 'pg';
import { queryRows } from '../database/access.ts';
import { NOT_REMOVED } from '../embedded/index-table.ts';
import { listRowColumns } from '../embedded/rows.ts';
import { formatListTable, listIndexTables, type MosaicLocation, type SharedIndexTable } from './index-tables.ts';

/**
 * Returns a number that was never committed. If the record refers to an earlier version than the last, that one is
 * restored first.
 */
export async function beginVersion(
  client: PoolClient,
  place: MosaicLocation,
  base: number,
  atMs: number,
): Promise<number> {
  const list = formatListTable(place, 'versions');
  const add = async (): Promise<number> => {
    const [row] = await queryRows(
      client,
      `INSERT INTO ${list} (mosaic, version, made_at_ms)
       SELECT $1, 1 + greatest($2::bigint, (SELECT max(version) FROM ${list} WHERE mosaic = $1)), $3 RETURNING version`,
      [place.mosaic, String(base), String(atMs)],
    );
    return Number(row?.[0]);
  };
  const first = await add();
  if (base === first - 1) return first;
  for (const table of await listIndexTables(client, place)) await repeatVersion(client, table, base, first);
  return add();
}

/** Removes the additions of later versions, and inserts their removals again as new rows. */
async function repeatVersion(
  client: PoolClient,
  { relation, schema }: SharedIndexTable,
  from: number,
  version: number,
): Promise<void> {
  const columns = listRowColumns(schema).join(', ');
  await client.query(
    `UPDATE ${relation} SET until = ${version} WHERE since > ${from} AND since < ${version} AND until = ${NOT_REMOVED}`,
  );
  await client.query(
    `INSERT INTO ${relation} (since, until, origin, ${columns})
     SELECT ${version}, ${NOT_REMOVED}, gid, ${columns} FROM ${relation}
     WHERE since <= ${from} AND until > ${from} AND until < ${version} ORDER BY id`,
  );
}
