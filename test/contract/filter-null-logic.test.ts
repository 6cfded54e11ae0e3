/** Filters with null values follow the three-valued logic of SQL, in every language and every source. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeEcqlFilter } from '../../src/filter/ecql/ecql.ts';
import type { Expression } from '../../src/filter/model/expression.ts';
import type { Comparison, Constant, Filter } from '../../src/filter/model/filter.ts';
import type { ResolvedFilter } from '../../src/filter/model/resolved-filter.ts';
import { createTemporalCondition } from '../../src/filter/model/temporal.ts';
import { compilePredicate } from '../../src/filter/predicate/predicate.ts';
import { readFilterFor, type WrittenFilter } from '../../src/filter/read-filter.ts';
import { resolveFilter } from '../../src/filter/resolve/resolve.ts';
import { createMysqlRows, createPostgisRows, createSqliteRows, type RowDatabase } from '../support/filter-databases.ts';
import { Unspeakable, writeCql2Json, writeCql2Text, writeXmlFilter } from '../support/filter-languages.ts';
import { rowSchema, type TestRow, testFilters, testRowAccess, testRows } from '../support/filter-rows.ts';
import { describeWithMariadb } from '../support/with-mariadb.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const RUNS = Number(process.env['FILTER_FUZZ_CASES'] ?? '8');

const languages: readonly ((filter: Filter) => WrittenFilter)[] = [
  (filter) => ({ language: 'ecql', text: writeEcqlFilter(filter) }),
  (filter) => ({ language: 'filter-xml', text: writeXmlFilter(filter, '1.1') }),
  (filter) => ({ language: 'filter-xml', text: writeXmlFilter(filter, '2.0') }),
  (filter) => ({ language: 'cql2-text', text: writeCql2Text(filter) }),
  (filter) => ({ language: 'cql2-json', text: writeCql2Json(filter) }),
];

/** Undefined is unknown. */
type Truth = boolean | undefined;

const matchers = new WeakMap<object, (row: TestRow) => boolean>();

/** Prepares the in-memory tests of all conditions that the expected result is derived from. */
async function prepare(condition: Filter): Promise<void> {
  const outcome = await resolveFilter(condition, rowSchema);
  if (outcome.kind === 'resolved') matchers.set(condition, await compilePredicate(outcome.filter, testRowAccess));
}

/** A condition with the null tests of its operands: it is unknown if one of them is null. */
interface Atom {
  readonly condition: Filter;
  readonly nullTests: readonly Filter[];
}

type Logic =
  | { readonly kind: 'atom'; readonly atom: Atom }
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Logic[] }
  | { readonly kind: 'not'; readonly part: Logic };

function toLogic(filter: Filter | Constant): Logic {
  const compareAll = (kind: 'and' | 'or', comparisons: readonly Comparison[]): Logic => ({
    kind,
    parts: comparisons.map(toLogic),
  });
  switch (filter.kind) {
    case 'include':
    case 'exclude':
      return { kind: 'constant', value: filter.kind === 'include' };
    case 'and':
    case 'or':
      return { kind: filter.kind, parts: filter.filters.map(toLogic) };
    case 'not':
      return { kind: 'not', part: toLogic(filter.filter) };
    case 'between': {
      const { value: left, lower, upper } = filter;
      return compareAll('and', [
        { kind: 'comparison', operator: 'greaterOrEqual', left, right: lower },
        { kind: 'comparison', operator: 'lessOrEqual', left, right: upper },
      ]);
    }
    case 'membership': {
      const { value: left, list } = filter;
      return compareAll(
        'or',
        list.map((right) => ({ kind: 'comparison', operator: 'equal', left, right })),
      );
    }
    case 'temporal':
      return toLogic(createTemporalCondition(filter) ?? { kind: 'exclude' });
    default:
      return { kind: 'atom', atom: { condition: filter, nullTests: listNullTests(filter) } };
  }
}

function listNullTests(filter: Filter): readonly Filter[] {
  const operands: readonly (Expression | undefined)[] =
    filter.kind === 'comparison' || filter.kind === 'spatial' || filter.kind === 'relate' || filter.kind === 'distance'
      ? [filter.left, filter.right]
      : filter.kind === 'like'
        ? [filter.value]
        : filter.kind === 'boundingBox'
          ? [filter.geometry ?? { kind: 'property', name: 'geom' }]
          : [];
  return operands.flatMap((value): readonly Filter[] =>
    value === undefined || value.kind === 'literal' || value.kind === 'geometry' ? [] : [{ kind: 'isNull', value }],
  );
}

async function prepareAll(logic: Logic): Promise<void> {
  if (logic.kind === 'atom') {
    for (const each of [logic.atom.condition, ...logic.atom.nullTests]) await prepare(each);
  } else if (logic.kind === 'not') await prepareAll(logic.part);
  else if (logic.kind !== 'constant') for (const part of logic.parts) await prepareAll(part);
}

function decide(logic: Logic, row: TestRow): Truth {
  switch (logic.kind) {
    case 'constant':
      return logic.value;
    case 'not': {
      const inner = decide(logic.part, row);
      return inner === undefined ? undefined : !inner;
    }
    case 'and':
    case 'or': {
      const decisive = logic.kind === 'or';
      const parts = logic.parts.map((part) => decide(part, row));
      return parts.includes(decisive) ? decisive : parts.includes(undefined) ? undefined : !decisive;
    }
    case 'atom': {
      const { condition, nullTests } = logic.atom;
      const isUnknown = nullTests.some((each) => matchers.get(each)?.(row) === true);
      return isUnknown ? undefined : matchers.get(condition)?.(row);
    }
  }
}

async function readIn(write: (filter: Filter) => WrittenFilter, filter: Filter): Promise<ResolvedFilter | undefined> {
  try {
    return await readFilterFor(write(filter), rowSchema);
  } catch (error) {
    if (error instanceof Unspeakable) return undefined;
    throw error;
  }
}

const memory = (rows: readonly TestRow[]) => async (filter: ResolvedFilter) => {
  const fits = await compilePredicate(filter, testRowAccess);
  return rows.filter(fits).map(({ id }) => id);
};

/** Selects with the filter and with its negation; unknown rows must be in neither result. */
async function checkRandomFilters(database: RowDatabase, numRuns: number): Promise<void> {
  const counts = { compared: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(testRows, fc.array(testFilters, { minLength: 10, maxLength: 10 }), async (rows, filters) => {
      await database.fill(rows);
      for (const filter of filters) {
        if ((await resolveFilter(filter, rowSchema)).kind === 'refused') continue;
        const logic = toLogic(filter);
        await prepareAll(logic);
        const results = rows.map((row) => ({ id: row.id, truth: decide(logic, row) }));
        counts.unknown += results.filter(({ truth }) => truth === undefined).length;
        for (const wanted of [true, false]) {
          const asked: Filter = wanted ? filter : { kind: 'not', filter };
          const expected = results.filter(({ truth }) => truth === wanted).map(({ id }) => id);
          for (const write of languages) {
            const read = await readIn(write, asked);
            if (read === undefined) continue;
            const { ids, sql } = await database.select(read);
            expect(await memory(rows)(read), JSON.stringify(asked)).toEqual(expected);
            expect(ids, `${JSON.stringify(asked)} as ${sql}`).toEqual(expected);
            counts.compared += 1;
          }
        }
      }
    }),
    { numRuns, endOnFailure: true },
  );
  expect(counts.compared).toBeGreaterThan(numRuns * 20);
  expect(counts.unknown).toBeGreaterThan(numRuns * 5);
}

describe('filter in a GeoPackage', () => {
  test('is unknown for null values in every language, and so is its negation', () =>
    checkRandomFilters(createSqliteRows(), RUNS));
});

const rowWith = (id: number, more: Partial<TestRow>): TestRow => ({
  ...{ id, name: null, code: null, pop: null, area: null, open: null, time: null, until: null, geom: null },
  ...more,
});
const point = (x: number): TestRow['geom'] => ({
  type: 'Point',
  dimension: 'XY',
  ordinates: Float64Array.of(x, 0),
  ends: [],
  parts: [],
});
const sparseRows: readonly TestRow[] = [
  rowWith(1, {}),
  rowWith(2, { name: 'ab', pop: 1, area: 0.5, open: true, time: Date.UTC(2020, 0, 1), geom: point(1) }),
  rowWith(3, { name: 'b', pop: 5, area: 7, open: false, time: Date.UTC(2021, 0, 1), geom: point(9) }),
  rowWith(4, { name: 'ab', pop: null, area: 7, time: Date.UTC(2022, 0, 1) }),
  rowWith(5, { code: 'ab', pop: 9, area: 9, open: true, geom: point(1) }),
];

/** Conditions in ECQL and CQL2 with the SQL of PostgreSQL that they mean. */
const conditions: readonly (readonly [ecql: string, cql2: string, sql: string])[] = [
  ['pop = 5', 'pop = 5', 'pop = 5'],
  ['pop <> 5', 'pop <> 5', 'pop <> 5'],
  ['pop < 5', 'pop < 5', 'pop < 5'],
  ['pop <= 5', 'pop <= 5', 'pop <= 5'],
  ['pop > 1', 'pop > 1', 'pop > 1'],
  ['pop >= 5', 'pop >= 5', 'pop >= 5'],
  ['pop + 1 < area', 'pop + 1 < area', 'pop + 1 < area'],
  ['pop BETWEEN 1 AND 5', 'pop BETWEEN 1 AND 5', 'pop BETWEEN 1 AND 5'],
  ['pop NOT BETWEEN 1 AND 4', 'pop NOT BETWEEN 1 AND 4', 'pop NOT BETWEEN 1 AND 4'],
  ['area BETWEEN pop AND 8', 'area BETWEEN pop AND 8', 'area BETWEEN pop AND 8'],
  ["name LIKE 'a%'", "name LIKE 'a%'", "name LIKE 'a%'"],
  ["name NOT LIKE 'a%'", "name NOT LIKE 'a%'", "name NOT LIKE 'a%'"],
  ["name ILIKE 'A%'", "CASEI(name) LIKE CASEI('A%')", "name ILIKE 'A%'"],
  ['pop IN (1, 2)', 'pop IN (1, 2)', 'pop IN (1, 2)'],
  ['pop NOT IN (1, 2)', 'pop NOT IN (1, 2)', 'pop NOT IN (1, 2)'],
  ["name IN ('ab')", "name IN ('ab')", "name IN ('ab')"],
  ['name IS NULL', 'name IS NULL', 'name IS NULL'],
  ['name IS NOT NULL', 'name IS NOT NULL', 'name IS NOT NULL'],
  ['name = code', 'name = code', 'name = "the ""code"""'],
  ['open = true', 'open = true', 'open = true'],
  ['time AFTER 2020-06-01T00:00:00Z', "T_AFTER(time, TIMESTAMP('2020-06-01T00:00:00Z'))", "time > '2020-06-01Z'"],
  [
    'time DURING 2020-06-01T00:00:00Z/2021-06-01T00:00:00Z',
    "T_DURING(time, INTERVAL('2020-06-01T00:00:00Z', '2021-06-01T00:00:00Z'))",
    "time > '2020-06-01Z' AND time < '2021-06-01Z'",
  ],
  ['INTERSECTS(geom, POINT(1 0))', 'S_INTERSECTS(geom, POINT(1 0))', 'ST_X(geom) = 1'],
  ['DISJOINT(geom, POINT(1 0))', 'S_DISJOINT(geom, POINT(1 0))', 'ST_X(geom) <> 1'],
  ['pop = 1 AND area > 6', 'pop = 1 AND area > 6', 'pop = 1 AND area > 6'],
  ['pop = 1 OR area > 6', 'pop = 1 OR area > 6', 'pop = 1 OR area > 6'],
  ['strLength(name) = 2', "CASEI(name) = CASEI('AB')", 'length(name) = 2'],
];

describeWithPostgis('filter in PostGIS', (postgis) => {
  let database: RowDatabase;
  beforeAll(async () => {
    database = await createPostgisRows(postgis);
  });

  test('is unknown for null values in every language, and so is its negation', () =>
    checkRandomFilters(database, Math.ceil(RUNS / 2)));

  test.each(conditions)('selects the rows that PostgreSQL selects: %s', async (ecql, cql2, sql) => {
    const sqlite = createSqliteRows();
    await database.fill(sparseRows);
    await sqlite.fill(sparseRows);
    for (const negate of [(text: string) => text, (text: string) => `NOT (${text})`]) {
      const selected = await postgis.query(`SELECT id FROM rows WHERE ${negate(sql)} ORDER BY id`);
      const expected = selected.map(({ id }) => id);
      for (const written of [
        { language: 'ecql', text: negate(ecql) },
        { language: 'cql2-text', text: negate(cql2) },
      ] as const) {
        const read = await readFilterFor(written, rowSchema);
        expect(await memory(sparseRows)(read), written.text).toEqual(expected);
        expect((await sqlite.select(read)).ids, written.text).toEqual(expected);
        expect((await database.select(read)).ids, written.text).toEqual(expected);
      }
    }
  });
});

describeWithMariadb('filter in MariaDB', (mariadb) => {
  test('is unknown for null values in every language, and so is its negation', async () =>
    checkRandomFilters(await createMysqlRows(mariadb), Math.ceil(RUNS / 2)));
});
