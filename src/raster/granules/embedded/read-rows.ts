/** Reads a range of an index in a thread: granules, ids, their number or their bounds. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Bounds } from '../../../crs/bounds.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import { compilePredicate, type Predicate } from '../../../filter/predicate/predicate.ts';
import { type SqlFilter, sqliteDialect, writeSqlFilter } from '../../../filter/sql/sql.ts';
import { computeGeometryBounds, mergeBounds } from '../../../geometry/geometry-bounds.ts';
import { createGranuleAccess } from '../port/filter-schema.ts';
import type { Granule } from '../port/port.ts';
import { selectAccessPath } from './access-path.ts';
import { formatGranulesTable, type IndexTable, toSqlTable } from './index-table.ts';
import { createGranuleReader, writeSelectColumns } from './rows.ts';

/** Above this number of candidates, the index is scanned instead. */
const MAX_CANDIDATES = 200_000;

/** The candidates in order: those with these ids, or all up to the last id. */
export type Candidates =
  | { readonly kind: 'ids'; readonly ids: Float64Array }
  | { readonly kind: 'all'; readonly last: number };

/** Ids of candidates, or a range of ids. */
export type Stretch = { readonly ids: readonly number[] } | { readonly after: number; readonly upTo: number };

export interface StretchQuery {
  readonly filter: ResolvedFilter | undefined;
  readonly version: number;
  readonly stretch: Stretch;
  /** The number of matching granules to skip, and the number to return after them. */
  readonly skip: number;
  readonly wanted: number;
}

export interface StretchResult {
  readonly skipped: number;
  readonly count: number;
  /** The last id that was checked. */
  readonly last: number;
  readonly granules?: readonly Granule[];
  readonly ids?: readonly number[];
  readonly bounds?: Bounds | undefined;
}

export type ResultKind = 'granules' | 'ids' | 'bounds' | 'count';

export function findCandidates(
  database: DatabaseSync,
  table: IndexTable,
  filter: ResolvedFilter | undefined,
  version: number,
): Candidates {
  const path = selectAccessPath(filter, table);
  const name = formatGranulesTable(table.number);
  if (path.kind !== 'walk' && filter !== undefined) {
    const { sql, parameters } =
      path.kind === 'boxes' ? path : writeConditionSql(`SELECT g.id FROM ${name} AS g`, filter, table, version);
    const rows = queryAll(database, `${sql} LIMIT ${MAX_CANDIDATES + 1}`, parameters);
    if (rows.length <= MAX_CANDIDATES) {
      return { kind: 'ids', ids: Float64Array.from(rows, (row) => Number(row[0])).sort() };
    }
  }
  const last = database.prepare(`SELECT max(id) FROM ${name}`, { returnArrays: true }).get()?.[0];
  return { kind: 'all', last: Number(last ?? 0) };
}

function writeConditionSql(
  select: string,
  filter: ResolvedFilter,
  table: IndexTable,
  version: number,
): { readonly sql: string; readonly parameters: readonly SQLInputValue[] } {
  const condition = writeSqlFilter(filter, sqliteDialect, toSqlTable(table, 'with boxes'), 2);
  return {
    sql: `${select} WHERE g.since <= ?1 AND g.until > ?1 AND ${condition.sql}`,
    parameters: [version, ...toInputs(condition)],
  };
}

/** Lists are only used for other databases. */
function toInputs({ parameters }: SqlFilter): SQLInputValue[] {
  return parameters as readonly SQLInputValue[] as SQLInputValue[];
}

export async function readStretch(
  database: DatabaseSync,
  table: IndexTable,
  query: StretchQuery,
  wanted: ResultKind,
): Promise<StretchResult> {
  const { filter, stretch, skip } = query;
  const columns = writeSelectColumns(table.schema);
  // The R-tree was already queried or is not useful.
  const condition =
    filter === undefined
      ? undefined
      : writeSqlFilter(filter, sqliteDialect, toSqlTable(table, 'without boxes'), 'ids' in stretch ? 3 : 4);
  const select = (what: string, tail: string): Selection =>
    createSelection(database, table, query, { condition, select: `SELECT ${what}`, tail });
  if (condition?.remainder !== undefined) {
    const fits = await compilePredicate(condition.remainder, createGranuleAccess(table.schema));
    return selectMatching(table, select(columns, ' ORDER BY g.id').iterate(), fits, { query, wanted });
  }
  const end = getStretchEnd(stretch);
  // SQLite counts skipped rows without reading them.
  const there = skip === 0 ? 0 : Number(select('count(*)', '').all()[0]?.[0]);
  if (skip > 0 && there <= skip) return { skipped: there, count: 0, last: end };
  const page = ` ORDER BY g.id LIMIT ${query.wanted} OFFSET ${skip}`;
  switch (wanted) {
    case 'granules':
    case 'ids': {
      const rows = select(wanted === 'granules' ? columns : 'g.id', page).all();
      const last = rows.length < query.wanted ? end : Number(rows.at(-1)?.[0] ?? end);
      const base = { skipped: skip, count: rows.length, last };
      return wanted === 'granules'
        ? { ...base, granules: rows.map(createGranuleReader(table.schema)) }
        : { ...base, ids: rows.map(([id]) => Number(id)) };
    }
    case 'bounds':
    case 'count': {
      const { sql, parameters } = select('g.minx, g.miny, g.maxx, g.maxy', page);
      const [row = []] = queryAll(
        database,
        `SELECT count(*), min(minx), min(miny), max(maxx), max(maxy) FROM (${sql})`,
        parameters,
      );
      const [count = 0, minX = 0, minY = 0, maxX = 0, maxY = 0] = row.map(Number);
      const bounds = count === 0 ? undefined : { minX, minY, maxX, maxY };
      return { skipped: skip, count, last: end, bounds };
    }
  }
}

type Row = readonly SQLOutputValue[];

interface Selection {
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
  all(): readonly Row[];
  /** Must be read to the end, or left with a `break`. */
  iterate(): Iterable<Row>;
}

/** The statement is configured to return arrays. */
function queryAll(database: DatabaseSync, sql: string, parameters: readonly SQLInputValue[]): readonly Row[] {
  return database.prepare(sql, { returnArrays: true }).all(...parameters) as unknown as readonly Row[];
}

function getStretchEnd(stretch: Stretch): number {
  return 'ids' in stretch ? (stretch.ids.at(-1) ?? 0) : stretch.upTo;
}

function createSelection(
  database: DatabaseSync,
  table: IndexTable,
  { stretch, version }: StretchQuery,
  {
    condition,
    select,
    tail,
  }: { readonly condition: SqlFilter | undefined; readonly select: string; readonly tail: string },
): Selection {
  const name = formatGranulesTable(table.number);
  // Disables other indexes: the candidates are already chosen.
  const from =
    'ids' in stretch
      ? `json_each(?2) AS candidate CROSS JOIN ${name} AS g NOT INDEXED ON g.id = candidate.value`
      : `${name} AS g NOT INDEXED`;
  const where = [
    'g.since <= ?1 AND g.until > ?1',
    ...('ids' in stretch ? [] : ['g.id > ?2 AND g.id <= ?3']),
    ...(condition === undefined ? [] : [condition.sql]),
  ];
  const sql = `${select} FROM ${from} WHERE ${where.join(' AND ')}${tail}`;
  const parameters = [
    version,
    ...('ids' in stretch ? [JSON.stringify(stretch.ids)] : [stretch.after, stretch.upTo]),
    ...(condition === undefined ? [] : toInputs(condition)),
  ];
  return {
    sql,
    parameters,
    all: () => queryAll(database, sql, parameters),
    iterate: () =>
      database.prepare(sql, { returnArrays: true }).iterate(...parameters) as unknown as IterableIterator<Row>,
  };
}

function selectMatching(
  table: IndexTable,
  rows: Iterable<Row>,
  fits: Predicate<Granule>,
  { query: { stretch, skip, wanted: most }, wanted }: { readonly query: StretchQuery; readonly wanted: ResultKind },
): StretchResult {
  const read = createGranuleReader(table.schema);
  const granules: Granule[] = [];
  const ids: number[] = [];
  let bounds: Bounds | undefined;
  let [skipped, count, last] = [0, 0, getStretchEnd(stretch)];
  for (const row of rows) {
    const granule = read(row);
    if (!fits(granule)) continue;
    if (skipped < skip) {
      skipped += 1;
      continue;
    }
    count += 1;
    if (wanted === 'granules') granules.push(granule);
    if (wanted === 'ids') ids.push(Number(row[0]));
    if (wanted === 'bounds') bounds = mergeBounds(bounds, computeGeometryBounds(granule.footprint));
    if (count === most) {
      last = Number(row[0]);
      break;
    }
  }
  return { skipped, count, last, granules, ids, bounds };
}
