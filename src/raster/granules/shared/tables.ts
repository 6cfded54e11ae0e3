/** The indexes of a mosaic in the shared database for reading and writing at one version. */
import type { PoolClient } from 'pg';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import { postgresDialect, type SqlFilter, writeSqlFilter } from '../../../filter/sql/sql.ts';
import type { TextRow } from '../database/access.ts';
import type { GranuleRows, IndexSource } from '../database/read-index.ts';
import type { GranuleTables } from '../database/session.ts';
import { findColumn, listValueAttributes, NOT_REMOVED, toSqlTable } from '../embedded/index-table.ts';
import { computeDraftBounds, createGranuleReader, fromStoredValue, listRowColumns, toRow } from '../embedded/rows.ts';
import type { GranuleSchema } from '../port/port.ts';
import {
  createIndexTable,
  findIndexTable,
  listTypedColumns,
  type MosaicLocation,
  type SharedIndexTable,
} from './index-tables.ts';

interface SharedRows extends GranuleRows {
  readonly table: SharedIndexTable;
}

export function createSharedIndexSource(place: MosaicLocation, schema: GranuleSchema, version: number): IndexSource {
  return {
    schema,
    find: (client) => findRows(client, place, schema, version),
    needsMemory: (filter) => needsMemory(schema, filter),
  };
}

/** Changes are visible in this version and later ones. */
export function createSharedTables(
  client: PoolClient,
  place: MosaicLocation,
  version: number,
): GranuleTables<SharedRows> {
  return {
    find: (schema) => findRows(client, place, schema, version),
    needsMemory,
    async create(schema) {
      if ((await findIndexTable(client, place, schema)) === undefined) await createIndexTable(client, place, schema);
    },
    async removeFormer({ table }, locations) {
      await client.query(
        `UPDATE ${table.relation} SET until = ${version}
         WHERE location = ANY ($1::text[]) AND since < ${version} AND until = ${NOT_REMOVED}`,
        [locations],
      );
    },
    async insert({ table: { relation, schema } }, granules) {
      await client.query(
        `DELETE FROM ${relation} AS g USING unnest($1::text[], $2::bigint[]) AS given(location, imageindex)
         WHERE g.location = given.location AND g.imageindex = given.imageindex AND g.since = ${version}`,
        [granules.map(({ location }) => location), granules.map(({ imageindex }) => imageindex)],
      );
      const columns = listTypedColumns(schema);
      const names = columns.map(([name]) => name).join(', ');
      const given = columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
      const casts = columns.map(([name, type]) => `given.${name}::${type}`).join(', ');
      const rows = granules.map((draft) => toRow(schema, draft, computeDraftBounds(draft)).map(formatValue));
      await client.query(
        `INSERT INTO ${relation} (since, until, ${names}) SELECT ${version}, ${NOT_REMOVED}, ${casts}
         FROM unnest(${given}) WITH ORDINALITY AS given(${names}, place) ORDER BY place`,
        columns.map((_, at) => rows.map((row) => row[at] ?? null)),
      );
    },
    async removeWhere({ from }, { sql, parameters }) {
      const own = await client.query(`DELETE FROM ${from} WHERE ${sql} AND g.since = ${version}`, [...parameters]);
      const former = await client.query(`UPDATE ${from} SET until = ${version} WHERE ${sql}`, [...parameters]);
      return (own.rowCount ?? 0) + (former.rowCount ?? 0);
    },
  };
}

async function findRows(
  client: PoolClient,
  place: MosaicLocation,
  schema: GranuleSchema,
  version: number,
): Promise<SharedRows | undefined> {
  const table = await findIndexTable(client, place, schema);
  return table && createRows(table, version);
}

function createRows(table: SharedIndexTable, version: number): SharedRows {
  const { schema, relation } = table;
  const read = createGranuleReader(schema);
  return {
    table,
    from: `${relation} AS g`,
    columns: ['id', 'gid', ...listRowColumns(schema)].map((name) => `g.${name}`).join(', '),
    read: (row) => read(decodeFootprint(row)),
    order: 'g.id',
    location: 'g.location',
    corners: ['g.minx', 'g.miny', 'g.maxx', 'g.maxy'],
    // Texts are already in byte order.
    formatColumn: (attribute) => findColumn(schema, attribute) ?? 'NULL',
    parseValue: (text, attribute) => fromStoredValue(text, getValueType(schema, attribute)),
    writeCondition: (filter) => writeFilterCondition(filter, schema, version),
  };
}

/** The position of the footprint in a row with its ids. */
const FOOTPRINT_INDEX = 2 + listRowColumns({ name: '', attributes: [], domains: [] }).indexOf('footprint');

/** Bytes are hexadecimal digits after a prefix of two characters. */
function decodeFootprint(row: TextRow): readonly (string | Uint8Array<ArrayBuffer> | null)[] {
  return row.map((text, at) => (at === FOOTPRINT_INDEX && text !== null ? Buffer.from(text.slice(2), 'hex') : text));
}

function formatValue(value: ReturnType<typeof toRow>[number]): string | null {
  if (value === null) return null;
  if (!ArrayBuffer.isView(value)) return String(value);
  return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}

function writeFilterCondition(filter: ResolvedFilter | undefined, schema: GranuleSchema, version: number): SqlFilter {
  const shown = `g.since <= ${version} AND g.until > ${version}`;
  if (filter === undefined) return { sql: shown, parameters: [], remainder: undefined };
  const table = toSqlTable({ number: 0, schema, axes: undefined }, 'without boxes');
  const written = writeSqlFilter(filter, postgresDialect, table);
  return { ...written, sql: `${shown} AND ${written.sql}` };
}

function needsMemory(schema: GranuleSchema, filter: ResolvedFilter): boolean {
  return writeFilterCondition(filter, schema, 0).remainder !== undefined;
}

function getValueType(schema: GranuleSchema, attribute: string) {
  const value = listValueAttributes(schema).find(({ name }) => name === attribute);
  return value?.type ?? (findColumn(schema, attribute) === 'imageindex' ? 'integer' : 'string');
}
