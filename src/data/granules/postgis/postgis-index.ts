/** Reads one index of granules in PostGIS, through a cursor of the database. */
import type { PoolClient } from 'pg';
import type { Bounds } from '../../crs/bounds.ts';
import { compilePredicate } from '../../filter/predicate.ts';
import type { ResolvedFilter } from '../../filter/resolved-filter.ts';
import { postgisDialect, type SqlFilter, writeSqlFilter } from '../../filter/sql.ts';
import { geometryBounds, unionBounds } from '../../vector/geometry-bounds.ts';
import { qualified, quoted } from '../../vector/quoted-sql.ts';
import { type Asker, cursorOver, rowsOf } from '../database-access.ts';
import { granuleAccess } from '../filter-schema.ts';
import type { Granule, GranuleIndex, GranuleQuery, GranuleSchema, GranuleValue } from '../port.ts';
import { findGranuleTable, type GranuleTable, sqlTableOf, type TablePlace } from './granule-table.ts';
import { granuleReader, selectedColumns, shownValue } from './rows.ts';

export function postgisIndex(asker: Asker, place: TablePlace, schema: GranuleSchema): GranuleIndex {
  /** Of a table that is not there nothing is told. */
  const withTable = <T>(
    signal: AbortSignal,
    none: T,
    work: (client: PoolClient, table: GranuleTable) => Promise<T>,
  ): Promise<T> =>
    asker.ask(signal, async (client) => {
      const table = await findGranuleTable(client, place, schema);
      return table === undefined ? none : work(client, table);
    });

  const list = (query: GranuleQuery, signal: AbortSignal): AsyncGenerator<readonly Granule[]> =>
    asker.during(signal, async function* (client) {
      const table = await findGranuleTable(client, place, schema);
      if (table !== undefined && (query.limit ?? 1) > 0) yield* fitting(client, table, query);
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
      if (filter !== undefined && needsMemory(filter, schema)) {
        let count = 0;
        for await (const batch of list({ filter }, signal)) count += batch.length;
        return count;
      }
      return withTable(signal, 0, async (client, table) => {
        const { sql, parameters } = conditionOf(filter, table);
        const [row] = await rowsOf(client, `SELECT count(*) FROM ${table.relation} WHERE ${sql}`, parameters);
        return Number(row?.[0] ?? 0);
      });
    },
    async bounds(query, signal): Promise<Bounds | undefined> {
      if (query.filter !== undefined && needsMemory(query.filter, schema)) {
        let bounds: Bounds | undefined;
        for await (const batch of list(query, signal)) {
          for (const { footprint } of batch) bounds = unionBounds(bounds, geometryBounds(footprint));
        }
        return bounds;
      }
      return withTable<Bounds | undefined>(signal, undefined, async (client, table) => {
        const { sql, parameters } = conditionOf(query.filter, table);
        const corner = (which: string): string => `${qualified(table.postgis, `st_${which}`)}(form)`;
        const [row = []] = await rowsOf(
          client,
          `SELECT min(${corner('xmin')}), min(${corner('ymin')}), max(${corner('xmax')}), max(${corner('ymax')})
           FROM (SELECT ${quoted(table.footprint)} AS form FROM ${table.relation} WHERE ${sql} ${pageOf(query, table)}) AS page`,
          parameters,
        );
        if (row[0] === null || row[0] === undefined) return undefined;
        const [minX = 0, minY = 0, maxX = 0, maxY = 0] = row.map(Number);
        return { minX, minY, maxX, maxY };
      });
    },
    extremes: (attribute, signal) =>
      withTable<readonly [GranuleValue, GranuleValue] | undefined>(signal, undefined, async (client, { relation }) => {
        const column = `${quoted(attribute)}${collationOf(schema, attribute)}`;
        const [row] = await rowsOf(client, `SELECT min(${column}), max(${column}) FROM ${relation}`, []);
        const [least = null, greatest = null] = (row ?? []).map((text) => shownValue(text, typeOf(schema, attribute)));
        return least === null ? undefined : [least, greatest];
      }),
    distinct: (attribute, limit, signal) =>
      withTable<readonly GranuleValue[]>(signal, [], async (client, { relation }) => {
        const column = `${quoted(attribute)}${collationOf(schema, attribute)}`;
        const rows = await rowsOf(
          client,
          `SELECT DISTINCT ${column} FROM ${relation} WHERE ${quoted(attribute)} IS NOT NULL ORDER BY 1 LIMIT ${Math.trunc(limit)}`,
          [],
        );
        return rows.map(([text = null]) => shownValue(text, typeOf(schema, attribute)));
      }),
  };
}

/** In the order they came, and only those that fit. */
async function* fitting(
  client: PoolClient,
  table: GranuleTable,
  query: GranuleQuery,
): AsyncGenerator<readonly Granule[]> {
  const { sql, parameters, remainder } = conditionOf(query.filter, table);
  const page = remainder === undefined ? pageOf(query, table) : pageOf({}, table);
  const fits = remainder === undefined ? undefined : await compilePredicate(remainder, granuleAccess(table.schema));
  const read = granuleReader(table);
  let skip = fits === undefined ? 0 : (query.offset ?? 0);
  let left = fits === undefined ? Number.POSITIVE_INFINITY : (query.limit ?? Number.POSITIVE_INFINITY);
  const select = `SELECT ${selectedColumns(table)} FROM ${table.relation} WHERE ${sql} ${page}`;
  for await (const rows of cursorOver(client, select, parameters)) {
    const found = rows.map(read).filter((granule) => fits === undefined || fits(granule));
    const batch = found.slice(skip, skip + left);
    skip -= Math.min(skip, found.length);
    left -= batch.length;
    if (batch.length > 0) yield batch;
    if (left <= 0) return;
  }
}

export function conditionOf(filter: ResolvedFilter | undefined, table: GranuleTable): SqlFilter {
  if (filter === undefined) return { sql: 'TRUE', parameters: [], remainder: undefined };
  return writeSqlFilter(filter, postgisDialect(table.postgis), sqlTableOf(table));
}

function needsMemory(filter: ResolvedFilter, schema: GranuleSchema): boolean {
  const anywhere: GranuleTable = {
    ...{ schema, relation: '', key: '', footprint: '', location: '', imageindex: undefined },
    ...{ postgis: 'public', srid: 0 },
  };
  return conditionOf(filter, anywhere).remainder !== undefined;
}

function pageOf({ limit, offset = 0 }: GranuleQuery, { key }: GranuleTable): string {
  const rows = limit === undefined || limit >= Number.MAX_SAFE_INTEGER ? '' : ` LIMIT ${Math.trunc(limit)}`;
  return `ORDER BY ${quoted(key)}${rows} OFFSET ${Math.trunc(offset)}`;
}

function typeOf(schema: GranuleSchema, attribute: string) {
  const found = schema.attributes.find(({ name }) => name === attribute);
  if (found?.role === 'value') return found.type;
  return found?.role === 'imageindex' ? 'integer' : 'string';
}

/** Text in the order of its bytes, as everywhere. */
function collationOf(schema: GranuleSchema, attribute: string): string {
  return typeOf(schema, attribute) === 'string' ? ' COLLATE "C"' : '';
}
