/** Reads one version of an index of granules in the database that nodes share, through a cursor of the database. */
import type { PoolClient } from 'pg';
import { errorCode } from '../../../lib/error-code.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { compilePredicate } from '../../filter/predicate.ts';
import type { ResolvedFilter } from '../../filter/resolved-filter.ts';
import { postgresDialect, type SqlFilter, writeSqlFilter } from '../../filter/sql.ts';
import { geometryBounds, unionBounds } from '../../vector/geometry-bounds.ts';
import { type Asker, cursorOver, rowsOf, type TextRow } from '../database-access.ts';
import { columnOf, sqlTableOf, valueAttributes } from '../embedded/index-table.ts';
import { granuleReader, rowColumns, shownValue } from '../embedded/rows.ts';
import { granuleAccess } from '../filter-schema.ts';
import type { Granule, GranuleIndex, GranuleQuery, GranuleSchema, GranuleValue } from '../port.ts';
import { findIndexTable, type MosaicPlace, type SharedIndexTable } from './index-tables.ts';

/** A table that was dropped right after it was looked up. */
const NO_SUCH_TABLE = '42P01';

export function sharedIndex(asker: Asker, place: MosaicPlace, schema: GranuleSchema, version: number): GranuleIndex {
  /** Of a table that is not there nothing is told. */
  const withTable = <T>(
    signal: AbortSignal,
    none: T,
    work: (client: PoolClient, table: SharedIndexTable) => Promise<T>,
  ): Promise<T> =>
    asker.ask(signal, async (client) => {
      const table = await findIndexTable(client, place, schema);
      if (table === undefined) return none;
      try {
        return await work(client, table);
      } catch (error) {
        if (errorCode(error) === NO_SUCH_TABLE) return none;
        throw error;
      }
    });

  const list = (query: GranuleQuery, signal: AbortSignal): AsyncGenerator<readonly Granule[]> =>
    asker.during(signal, async function* (client) {
      const table = await findIndexTable(client, place, schema);
      if (table !== undefined && (query.limit ?? 1) > 0) yield* fitting(client, table, version, query);
    });

  /** Values of an attribute of what this version shows. */
  const values = (attribute: string, signal: AbortSignal, select: (column: string) => string, tail = '') =>
    withTable<readonly GranuleValue[]>(signal, [], async (client, { relation }) => {
      const column = columnOf(schema, attribute) ?? 'NULL';
      const shown = `${shownAt(version)} AND ${column} IS NOT NULL`;
      const rows = await rowsOf(client, `SELECT ${select(column)} FROM ${relation} AS g WHERE ${shown}${tail}`, []);
      return rows.flat().flatMap((text) => (text === null ? [] : [shownValue(text, typeOf(schema, attribute))]));
    });

  return {
    schema,
    list,
    async find(id, signal) {
      for await (const [granule] of list({ filter: { kind: 'identifiers', identifiers: [id] } }, signal))
        return granule;
      return undefined;
    },
    async count(filter, signal) {
      if (needsMemory(filter, schema)) {
        let count = 0;
        const query = filter === undefined ? {} : { filter };
        for await (const batch of list(query, signal)) count += batch.length;
        return count;
      }
      return withTable(signal, 0, async (client, { relation }) => {
        const { sql, parameters } = conditionOf(filter, schema, version);
        const [row] = await rowsOf(client, `SELECT count(*) FROM ${relation} AS g WHERE ${sql}`, parameters);
        return Number(row?.[0] ?? 0);
      });
    },
    async bounds(query, signal): Promise<Bounds | undefined> {
      if (needsMemory(query.filter, schema)) {
        let bounds: Bounds | undefined;
        for await (const batch of list(query, signal)) {
          for (const { footprint } of batch) bounds = unionBounds(bounds, geometryBounds(footprint));
        }
        return bounds;
      }
      return withTable<Bounds | undefined>(signal, undefined, async (client, { relation }) => {
        const { sql, parameters } = conditionOf(query.filter, schema, version);
        const [row = []] = await rowsOf(
          client,
          `SELECT min(minx), min(miny), max(maxx), max(maxy)
           FROM (SELECT g.* FROM ${relation} AS g WHERE ${sql} ${pageOf(query)}) AS page`,
          parameters,
        );
        if (row[0] === null || row[0] === undefined) return undefined;
        const [minX = 0, minY = 0, maxX = 0, maxY = 0] = row.map(Number);
        return { minX, minY, maxX, maxY };
      });
    },
    async extremes(attribute, signal) {
      const [least, greatest] = await values(attribute, signal, (column) => `min(${column}), max(${column})`);
      return least === undefined || greatest === undefined ? undefined : [least, greatest];
    },
    distinct: (attribute, limit, signal) =>
      values(attribute, signal, (column) => `DISTINCT ${column}`, ` ORDER BY 1 LIMIT ${Math.trunc(limit)}`),
  };
}

/** The ids of what fits, in pieces. */
export async function* matchingIds(
  client: PoolClient,
  table: SharedIndexTable,
  version: number,
  filter: ResolvedFilter | undefined,
): AsyncGenerator<readonly string[]> {
  const query = filter === undefined ? {} : { filter };
  for await (const batch of fitting(client, table, version, query)) {
    yield batch.map(({ id }) => id.slice(table.schema.name.length + 1));
  }
}

/** In the order they came, and only those that fit. */
async function* fitting(
  client: PoolClient,
  { schema, relation }: SharedIndexTable,
  version: number,
  query: GranuleQuery,
): AsyncGenerator<readonly Granule[]> {
  const { sql, parameters, remainder } = conditionOf(query.filter, schema, version);
  const fits = remainder === undefined ? undefined : await compilePredicate(remainder, granuleAccess(schema));
  const read = granuleReader(schema);
  let skip = fits === undefined ? 0 : (query.offset ?? 0);
  let left = fits === undefined ? Number.POSITIVE_INFINITY : (query.limit ?? Number.POSITIVE_INFINITY);
  const columns = ['id', 'gid', ...rowColumns(schema)].map((name) => `g.${name}`).join(', ');
  const page = pageOf(fits === undefined ? query : {});
  const select = `SELECT ${columns} FROM ${relation} AS g WHERE ${sql} ${page}`;
  for await (const rows of cursorOver(client, select, parameters)) {
    const found = rows.map((row) => read(withBytes(row))).filter((granule) => fits === undefined || fits(granule));
    const batch = found.slice(skip, skip + left);
    skip -= Math.min(skip, found.length);
    left -= batch.length;
    if (batch.length > 0) yield batch;
    if (left <= 0) return;
  }
}

/** Where the footprint stands in a row with its ids. */
const FOOTPRINT_AT = 2 + rowColumns({ name: '', attributes: [], domains: [] }).indexOf('footprint');

/** Bytes come as hexadecimal digits after two other characters. */
function withBytes(row: TextRow): readonly (string | Uint8Array<ArrayBuffer> | null)[] {
  return row.map((text, at) => (at === FOOTPRINT_AT && text !== null ? Buffer.from(text.slice(2), 'hex') : text));
}

function shownAt(version: number): string {
  return `g.since <= ${version} AND g.until > ${version}`;
}

function conditionOf(filter: ResolvedFilter | undefined, schema: GranuleSchema, version: number): SqlFilter {
  const shown = shownAt(version);
  if (filter === undefined) return { sql: shown, parameters: [], remainder: undefined };
  const table = sqlTableOf({ number: 0, schema, axes: undefined }, 'without boxes');
  const written = writeSqlFilter(filter, postgresDialect, table);
  return { ...written, sql: `${shown} AND ${written.sql}` };
}

function needsMemory(filter: ResolvedFilter | undefined, schema: GranuleSchema): boolean {
  return conditionOf(filter, schema, 0).remainder !== undefined;
}

function pageOf({ limit, offset = 0 }: GranuleQuery): string {
  const rows = limit === undefined || limit >= Number.MAX_SAFE_INTEGER ? '' : ` LIMIT ${Math.trunc(limit)}`;
  return `ORDER BY g.id${rows} OFFSET ${Math.trunc(offset)}`;
}

function typeOf(schema: GranuleSchema, attribute: string) {
  const value = valueAttributes(schema).find(({ name }) => name === attribute);
  return value?.type ?? (columnOf(schema, attribute) === 'imageindex' ? 'integer' : 'string');
}
