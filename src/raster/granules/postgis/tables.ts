/**
 * The indexes of a mosaic in PostGIS for reading and writing: their tables contain the current state without versions.
 */
import type { PoolClient } from 'pg';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import { createPostgisDialect, type SqlFilter, writeSqlFilter } from '../../../filter/sql/sql.ts';
import type { GranuleRows, IndexSource } from '../database/read-index.ts';
import type { GranuleTables } from '../database/session.ts';
import type { GranuleSchema } from '../port/port.ts';
import {
  createGranuleTable,
  findGranuleTable,
  type GranuleTable,
  type TableLocation,
  toSqlTable,
} from './granule-table.ts';
import { createGranuleReader, formatColumns, listColumnCasts, parseValue, writeSelectColumns } from './rows.ts';

/** The rows that this transaction has inserted. */
const OWN_ROWS = 'xmin::text = (txid_current() % 4294967296)::text';

interface PostgisRows extends GranuleRows {
  readonly table: GranuleTable;
}

export function createPostgisIndexSource(place: TableLocation, schema: GranuleSchema): IndexSource {
  return {
    schema,
    find: (client) => findRows(client, place, schema),
    needsMemory: (filter) => needsMemory(schema, filter),
  };
}

export function createPostgisTables(client: PoolClient, place: TableLocation): GranuleTables<PostgisRows> {
  return {
    find: (schema) => findRows(client, place, schema),
    needsMemory,
    create: (schema) => createGranuleTable(client, place, schema),
    async removeFormer({ from, location }, locations) {
      await client.query(`DELETE FROM ${from} WHERE ${location} = ANY ($1::text[]) AND NOT (${OWN_ROWS})`, [locations]);
    },
    async insert({ from, location, table }, granules) {
      const { schema, imageindex } = table;
      const samePicture = imageindex === undefined ? '' : ` AND g.${quoteName(imageindex)} = given.imageindex`;
      await client.query(
        `DELETE FROM ${from} AS g USING unnest($1::text[], $2::int[]) AS given(location, imageindex)
         WHERE g.${location} = given.location${samePicture}`,
        [granules.map((draft) => draft.location), granules.map((draft) => draft.imageindex)],
      );
      const columns = schema.attributes.map(({ name }) => quoteName(name)).join(', ');
      const given = schema.attributes.map((_, at) => `v${at}`);
      const casts = listColumnCasts(table).map((type, at) => `v${at}::${type}`);
      await client.query(
        `INSERT INTO ${from} (${columns}) SELECT ${casts.join(', ')}
         FROM unnest(${given.map((_, at) => `$${at + 1}::text[]`).join(', ')}) WITH ORDINALITY AS given(${given.join(', ')}, place)
         ORDER BY place`,
        [...formatColumns(table, granules)],
      );
    },
    async removeWhere({ from }, { sql, parameters }) {
      return (await client.query(`DELETE FROM ${from} WHERE ${sql}`, [...parameters])).rowCount ?? 0;
    },
  };
}

async function findRows(
  client: PoolClient,
  place: TableLocation,
  schema: GranuleSchema,
): Promise<PostgisRows | undefined> {
  const table = await findGranuleTable(client, place, schema);
  return table && createRows(table);
}

function createRows(table: GranuleTable): PostgisRows {
  const { schema, relation, key, location, footprint, postgis } = table;
  const writeCorner = (which: string): string => `${qualifyName(postgis, `st_${which}`)}(${quoteName(footprint)})`;
  return {
    table,
    from: relation,
    columns: writeSelectColumns(table),
    read: createGranuleReader(table),
    order: quoteName(key),
    location: quoteName(location),
    corners: [writeCorner('xmin'), writeCorner('ymin'), writeCorner('xmax'), writeCorner('ymax')],
    formatColumn: (attribute) =>
      getValueType(schema, attribute) === 'string' ? `${quoteName(attribute)} COLLATE "C"` : quoteName(attribute),
    parseValue: (text, attribute) => parseValue(text, getValueType(schema, attribute)),
    writeCondition: (filter) => writeFilterCondition(filter, table),
  };
}

function writeFilterCondition(filter: ResolvedFilter | undefined, table: GranuleTable): SqlFilter {
  if (filter === undefined) return { sql: 'TRUE', parameters: [], remainder: undefined };
  return writeSqlFilter(filter, createPostgisDialect(table.postgis), toSqlTable(table));
}

function needsMemory(schema: GranuleSchema, filter: ResolvedFilter): boolean {
  const anywhere: GranuleTable = {
    ...{ schema, relation: '', key: '', footprint: '', location: '', imageindex: undefined },
    ...{ postgis: 'public', srid: 0 },
  };
  return writeFilterCondition(filter, anywhere).remainder !== undefined;
}

function getValueType(schema: GranuleSchema, attribute: string) {
  const found = schema.attributes.find(({ name }) => name === attribute);
  if (found?.role === 'value') return found.type;
  return found?.role === 'imageindex' ? 'integer' : 'string';
}
