/**
 * The granule tables in the shared database: a list of the indexes, a list of the versions, and for each index a table
 * of its granules with the versions that include them. A granule is identified by its `gid`: the id of its first row,
 * which later rows of the granule refer to as their origin.
 */
import { isDeepStrictEqual } from 'node:util';
import type { PoolClient } from 'pg';
import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import { writeBoxSql } from '../../../filter/sql/sql.ts';
import { queryRows } from '../database/access.ts';
import { findColumn, listValueAttributes, NOT_REMOVED } from '../embedded/index-table.ts';
import { listRowColumns } from '../embedded/rows.ts';
import type { GranuleSchema, GranuleValueType } from '../port/port.ts';

/** A mosaic, by the key of its index, and the database schema of its granules. */
export interface MosaicLocation {
  readonly schema: string;
  readonly mosaic: string;
}

export interface SharedIndexTable {
  readonly number: number;
  readonly schema: GranuleSchema;
  /** The qualified name for SQL. */
  readonly relation: string;
}

/** Timestamps are milliseconds since 1970, because the types of the database have a smaller range. */
const valueTypes: Readonly<Record<GranuleValueType, string>> = {
  string: 'text',
  integer: 'bigint',
  long: 'bigint',
  float: 'float8',
  double: 'float8',
  date: 'bigint',
  timestamp: 'bigint',
};

const fixedTypes: Readonly<Record<string, string>> = {
  location: 'text',
  imageindex: 'bigint',
  minx: 'float8',
  miny: 'float8',
  maxx: 'float8',
  maxy: 'float8',
  footprint: 'bytea',
};

/** Returns the columns of a granule, which are those of `listRowColumns`, with their types. */
export function listTypedColumns(schema: GranuleSchema): readonly (readonly [name: string, type: string])[] {
  const ofValues = new Map(listValueAttributes(schema).map(({ type }, at) => [`v${at}`, valueTypes[type]]));
  return listRowColumns(schema).map((name) => [name, fixedTypes[name] ?? ofValues.get(name) ?? 'text'] as const);
}

export function formatListTable({ schema }: Pick<MosaicLocation, 'schema'>, list: 'indexes' | 'versions'): string {
  return qualifyName(schema, `granule_${list}`);
}

/** Earlier versions may have an index of the same name with another schema. */
export async function findIndexTable(
  client: PoolClient,
  place: MosaicLocation,
  schema: GranuleSchema,
): Promise<SharedIndexTable | undefined> {
  const tables = await queryIndexTables(client, place, 'mosaic = $1 AND name = $2', [place.mosaic, schema.name]);
  return tables.find((table) => isDeepStrictEqual(table.schema, schema));
}

export function listIndexTables(client: PoolClient, place: MosaicLocation): Promise<readonly SharedIndexTable[]> {
  return queryIndexTables(client, place, 'mosaic = $1', [place.mosaic]);
}

async function queryIndexTables(
  client: PoolClient,
  place: MosaicLocation,
  condition: string,
  values: readonly string[],
): Promise<readonly SharedIndexTable[]> {
  const list = formatListTable(place, 'indexes');
  const rows = await queryRows(client, `SELECT number, schema FROM ${list} WHERE ${condition} ORDER BY number`, values);
  return rows.map(([number, schema]) => ({
    number: Number(number),
    // The server wrote it.
    schema: JSON.parse(schema ?? '') as GranuleSchema,
    relation: formatRelation(place, Number(number)),
  }));
}

function formatRelation({ schema }: MosaicLocation, number: number): string {
  return qualifyName(schema, `granules_${number}`);
}

/** Runs inside a transaction. */
export async function createIndexTable(
  client: PoolClient,
  place: MosaicLocation,
  schema: GranuleSchema,
): Promise<void> {
  const [row] = await queryRows(
    client,
    `INSERT INTO ${formatListTable(place, 'indexes')} (mosaic, name, schema) VALUES ($1, $2, $3) RETURNING number`,
    [place.mosaic, schema.name, JSON.stringify(schema)],
  );
  const relation = formatRelation(place, Number(row?.[0]));
  const columns = listTypedColumns(schema);
  const types = new Map(columns);
  const domains = schema.domains.flatMap(({ attributes }): readonly string[] => attributes);
  const indexed = new Set(['location', ...domains.flatMap((name) => findColumn(schema, name) ?? [])]);
  const defined = columns.map(([name, type]) => `${name} ${type}${type === 'text' ? ' COLLATE "C"' : ''}`);
  await client.query(
    `CREATE TABLE ${relation} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, origin bigint,
       gid bigint GENERATED ALWAYS AS (coalesce(origin, id)) STORED, since bigint NOT NULL, until bigint NOT NULL,
       ${defined.join(', ')});
     CREATE INDEX ON ${relation} (gid);
     CREATE INDEX ON ${relation} USING gist (${writeBoxSql(quoteName)});
     CREATE INDEX ON ${relation} (until) WHERE until < ${NOT_REMOVED}`,
  );
  // Texts may exceed the size limit of a B-tree entry.
  for (const name of indexed) {
    await client.query(`CREATE INDEX ON ${relation} USING ${types.get(name) === 'text' ? 'hash' : 'btree'} (${name})`);
  }
}

/** Drops the tables of all mosaics, inside a transaction. */
export async function dropAllIndexTables(client: PoolClient, schema: string): Promise<void> {
  const selects = (['indexes', 'versions'] as const).map(
    (list) => `SELECT mosaic FROM ${formatListTable({ schema }, list)}`,
  );
  for (const [mosaic] of await queryRows(client, selects.join(' UNION '), [])) {
    await dropIndexTables(client, { schema, mosaic: mosaic ?? '' });
  }
}

/** Runs inside a transaction. */
export async function dropIndexTables(client: PoolClient, place: MosaicLocation): Promise<void> {
  for (const { relation } of await listIndexTables(client, place)) await client.query(`DROP TABLE ${relation}`);
  for (const list of ['indexes', 'versions'] as const) {
    await client.query(`DELETE FROM ${formatListTable(place, list)} WHERE mosaic = $1`, [place.mosaic]);
  }
}
