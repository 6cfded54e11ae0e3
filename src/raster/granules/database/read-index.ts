/** Reads a granule index in PostgreSQL through a cursor, for any table layout. */
import type { PoolClient } from 'pg';
import type { Bounds } from '../../../crs/bounds.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { FilterRunner } from '../../../filter/run/filter-runner.ts';
import type { SqlFilter } from '../../../filter/sql/sql.ts';
import { computeGeometryBounds, mergeBounds } from '../../../geometry/geometry-bounds.ts';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import { createGranuleAccess } from '../port/filter-schema.ts';
import type { Granule, GranuleIndex, GranuleQuery, GranuleSchema, GranuleValue } from '../port/port.ts';
import { type QueryRunner, queryRows, readCursor, type TextRow } from './access.ts';

/** The layout of a granule table; all texts are SQL. */
export interface GranuleRows {
  /** The table with its alias. */
  readonly from: string;
  /** The columns that `read` needs. */
  readonly columns: string;
  read(row: TextRow): Granule;
  /** The sort order: insertion order. */
  readonly order: string;
  readonly location: string;
  /** The corners of a footprint. */
  readonly corners: readonly [minX: string, minY: string, maxX: string, maxY: string];
  /** The column of an attribute, with text in byte order, and the parser of its values. */
  formatColumn(attribute: string): string;
  parseValue(text: string | null, attribute: string): GranuleValue;
  /** Writes the condition for visible rows that match the filter. */
  writeCondition(filter: ResolvedFilter | undefined): SqlFilter;
}

export interface IndexSource {
  readonly schema: GranuleSchema;
  /** Returns undefined if the table does not exist; then the index is empty. */
  find(client: PoolClient): Promise<GranuleRows | undefined>;
  /** Returns whether SQL alone cannot evaluate the filter. */
  needsMemory(filter: ResolvedFilter): boolean;
}

/** A table that was dropped right after it was found. */
const NO_SUCH_TABLE = '42P01';

export function createDatabaseIndex(
  asker: QueryRunner,
  { schema, find, needsMemory }: IndexSource,
  filterRunner: FilterRunner,
): GranuleIndex {
  const withRows = <T>(
    signal: AbortSignal,
    none: T,
    work: (client: PoolClient, rows: GranuleRows) => Promise<T>,
  ): Promise<T> =>
    asker.run(signal, async (client) => {
      const rows = await find(client);
      if (rows === undefined) return none;
      try {
        return await work(client, rows);
      } catch (error) {
        if (findErrorCode(error) === NO_SUCH_TABLE) return none;
        throw error;
      }
    });

  const list = (query: GranuleQuery, signal: AbortSignal): AsyncGenerator<readonly Granule[]> =>
    asker.stream(signal, async function* (client) {
      const rows = await find(client);
      if (rows !== undefined && (query.limit ?? 1) > 0)
        yield* readMatchingGranules({ client, schema, rows }, query, filterRunner, signal);
    });

  /** Reads non-null values of an attribute. */
  const readValues = (attribute: string, signal: AbortSignal, select: (column: string) => string, tail = '') =>
    withRows<readonly GranuleValue[]>(signal, [], async (client, rows) => {
      const column = rows.formatColumn(attribute);
      const { sql, parameters } = rows.writeCondition(undefined);
      const text = `SELECT ${select(column)} FROM ${rows.from} WHERE ${sql} AND ${column} IS NOT NULL${tail}`;
      const found = (await queryRows(client, text, parameters)).flat();
      return found.flatMap((each) => (each === null ? [] : [rows.parseValue(each, attribute)]));
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
      if (filter !== undefined && needsMemory(filter)) {
        let count = 0;
        for await (const batch of list({ filter }, signal)) count += batch.length;
        return count;
      }
      return withRows(signal, 0, async (client, rows) => {
        const { sql, parameters } = rows.writeCondition(filter);
        const [row] = await queryRows(client, `SELECT count(*) FROM ${rows.from} WHERE ${sql}`, parameters);
        return Number(row?.[0] ?? 0);
      });
    },
    async findBounds(query, signal): Promise<Bounds | undefined> {
      if (query.filter !== undefined && needsMemory(query.filter)) {
        let bounds: Bounds | undefined;
        for await (const batch of list(query, signal)) {
          for (const { footprint } of batch) bounds = mergeBounds(bounds, computeGeometryBounds(footprint));
        }
        return bounds;
      }
      return withRows<Bounds | undefined>(signal, undefined, async (client, rows) => {
        const { sql, parameters } = rows.writeCondition(query.filter);
        const [left, bottom, right, top] = rows.corners;
        const corners = `${left} AS left, ${bottom} AS bottom, ${right} AS right, ${top} AS top`;
        const page = `SELECT ${corners} FROM ${rows.from} WHERE ${sql} ${writePaging(query, rows)}`;
        const around = 'min(page.left), min(page.bottom), max(page.right), max(page.top)';
        const [row = []] = await queryRows(client, `SELECT ${around} FROM (${page}) AS page`, parameters);
        if (row[0] === null || row[0] === undefined) return undefined;
        const [minX = 0, minY = 0, maxX = 0, maxY = 0] = row.map(Number);
        return { minX, minY, maxX, maxY };
      });
    },
    async findExtremes(attribute, signal) {
      const [least, greatest] = await readValues(attribute, signal, (column) => `min(${column}), max(${column})`);
      return least === undefined || greatest === undefined ? undefined : [least, greatest];
    },
    listDistinct: (attribute, limit, signal) =>
      readValues(attribute, signal, (column) => `DISTINCT ${column}`, ` ORDER BY 1 LIMIT ${Math.trunc(limit)}`),
  };
}

/** Reads matching granules in insertion order. */
async function* readMatchingGranules(
  { client, schema, rows }: { readonly client: PoolClient; readonly schema: GranuleSchema; readonly rows: GranuleRows },
  query: GranuleQuery,
  filterRunner: FilterRunner,
  signal: AbortSignal,
): AsyncGenerator<readonly Granule[]> {
  const { sql, parameters, remainder } = rows.writeCondition(query.filter);
  const match =
    remainder === undefined ? undefined : await filterRunner.start(remainder, createGranuleAccess(schema), signal);
  const page = writePaging(match === undefined ? query : {}, rows);
  let skip = match === undefined ? 0 : (query.offset ?? 0);
  let left = match === undefined ? Number.POSITIVE_INFINITY : (query.limit ?? Number.POSITIVE_INFINITY);
  const select = `SELECT ${rows.columns} FROM ${rows.from} WHERE ${sql} ${page}`;
  for await (const some of readCursor(client, select, parameters)) {
    const read = some.map((row) => rows.read(row));
    const found = match === undefined ? read : await match(read);
    const batch = found.slice(skip, skip + left);
    skip -= Math.min(skip, found.length);
    left -= batch.length;
    if (batch.length > 0) yield batch;
    if (left <= 0) return;
  }
}

function writePaging({ limit, offset = 0 }: GranuleQuery, { order }: GranuleRows): string {
  const rows = limit === undefined || limit >= Number.MAX_SAFE_INTEGER ? '' : ` LIMIT ${Math.trunc(limit)}`;
  return `ORDER BY ${order}${rows} OFFSET ${Math.trunc(offset)}`;
}
