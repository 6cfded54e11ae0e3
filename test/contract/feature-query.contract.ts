/** A source that evaluates parts of a query returns the same features as one that evaluates nothing. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeEcqlFilter } from '../../src/filter/ecql/ecql.ts';
import type { Filter } from '../../src/filter/model/filter.ts';
import { hasIdFilter } from '../../src/filter/model/list-attributes.ts';
import type { ResolvedFilter } from '../../src/filter/model/resolved-filter.ts';
import { resolveFilter } from '../../src/filter/resolve/resolve.ts';
import { createFilterSchema } from '../../src/vector/port/filter-schema.ts';
import type { Feature, VectorSource } from '../../src/vector/port/port.ts';
import type { SqlView } from '../../src/vector/port/sql-view.ts';
import { computeFeatureBounds } from '../../src/vector/query/compute-bounds.ts';
import { countFeatures } from '../../src/vector/query/count-features.ts';
import type { FeatureQuery, QueriedType } from '../../src/vector/query/feature-query.ts';
import { queryFeatures } from '../../src/vector/query/query-features.ts';
import { type TestRow, testFilters, testRows } from '../support/filter-rows.ts';

/** The rows of `test/support/filter-rows.ts` as a type named `rows`, as far as the source can store them. */
export interface RowsUnderTest {
  readonly source: VectorSource;
  readonly view?: SqlView;
  /** The type name in the source; `rows` by default. */
  readonly typeName?: string;
  destroy(): Promise<void>;
}

/** The attributes that the source stores; all by default. */
export interface RowsShown {
  readonly sortable?: readonly string[];
  /** The name of the geometry attribute. */
  readonly geometry?: string;
  readonly numRuns?: number;
  /** Fewer for a source that needs long for each. */
  readonly queriesPerRun?: number;
}

const allSortable = ['name', 'code', 'pop', 'area', 'open', 'time', 'until'];

const never = new AbortController().signal;

export function featureQueryContract(
  driver: string,
  create: (rows: readonly TestRow[]) => Promise<RowsUnderTest>,
  { sortable = allSortable, geometry = 'geom', numRuns = 8, queriesPerRun = 40 }: RowsShown = {},
): void {
  describe(`queries on ${driver}`, () => {
    const inOwnNames = (filter: Filter): Filter =>
      JSON.parse(JSON.stringify(filter), (_, part) =>
        part?.kind === 'property' && part.name === 'geom' ? { ...part, name: geometry } : part,
      );
    const queries = fc.record(
      {
        filter: testFilters.map((each) => (geometry === 'geom' ? each : inOwnNames(each))),
        box: fc
          .tuple(fc.integer({ min: -1, max: 6 }), fc.integer({ min: -1, max: 6 }), fc.integer({ min: 0, max: 16 }))
          .map(([x, y, size]) => ({ minX: x, minY: y, maxX: x + size / 4, maxY: y + size / 4 })),
        sort: fc.uniqueArray(fc.record({ attribute: fc.constantFrom(...sortable), isDescending: fc.boolean() }), {
          minLength: 1,
          maxLength: 3,
          selector: ({ attribute }) => attribute,
        }),
        offset: fc.integer({ min: 0, max: 6 }),
        limit: fc.integer({ min: 0, max: 12 }),
        attributes: fc.uniqueArray(fc.constantFrom(...sortable, geometry), { maxLength: 4 }),
      },
      { requiredKeys: [] },
    );

    const listQueries = (length: number) => fc.array(queries, { minLength: length, maxLength: length });

    /** Random filters may match nothing; this one matches every feature. */
    const everything: typeof queries extends fc.Arbitrary<infer Q> ? Q : never = {};

    test('queries return the same features as a source that evaluates nothing itself', async () => {
      const counts = { run: 0, found: 0, there: 0 };

      await fc.assert(
        fc.asyncProperty(testRows, listQueries(queriesPerRun), async (rows, wanted) => {
          const under = await create(rows);
          try {
            const type = await typeOf(under);
            const plain = { ...type, source: await plainSource(type) };
            counts.there += rows.length;
            for (const { filter, ...rest } of [everything, ...wanted]) {
              const resolved = filter && (await resolveFilter(filter, createFilterSchema(type.description.attributes)));
              if (resolved?.kind === 'refused' || asksForIdsInVain(type, resolved?.filter)) continue;
              const query = { ...rest, ...(resolved === undefined ? {} : { filter: resolved.filter }) };
              const title = `${filter === undefined ? '' : writeEcqlFilter(filter)} ${JSON.stringify(rest)}`;
              const [expected, found] = [await answer(plain, query), await answer(type, query)];

              const isOrdered = query.limit !== undefined || query.offset !== undefined || query.sort !== undefined;
              expect(isOrdered ? found.features : byId(found.features), title).toEqual(
                isOrdered ? expected.features : byId(expected.features),
              );
              expect(Object.keys(found.pages), title).toEqual(Object.keys(expected.pages));
              await compareSummaries(type, plain, query, title);
              counts.run += 1;
              counts.found += found.features.length;
            }
          } finally {
            await under.source.close();
            await under.destroy();
          }
        }),
        { numRuns, endOnFailure: true },
      );

      expect(counts.run).toBeGreaterThan((queriesPerRun / 4) * numRuns);
      expect(counts.found).toBeGreaterThanOrEqual(counts.there);
    }, 300_000);

    test('queries return every feature once when paging forwards and backwards', async () => {
      await fc.assert(
        fc.asyncProperty(testRows, listQueries(Math.ceil(queriesPerRun / 4)), async (rows, wanted) => {
          const under = await create(rows);
          try {
            const type = await typeOf(under);
            for (const { filter, box, sort } of wanted) {
              const resolved = filter && (await resolveFilter(filter, createFilterSchema(type.description.attributes)));
              if (resolved?.kind === 'refused' || asksForIdsInVain(type, resolved?.filter)) continue;
              const query: FeatureQuery = {
                ...(box === undefined ? {} : { box }),
                ...(sort === undefined ? {} : { sort }),
                ...(resolved === undefined ? {} : { filter: resolved.filter }),
              };
              const title = `${filter === undefined ? '' : writeEcqlFilter(filter)} ${JSON.stringify(sort)}`;
              const { features: all } = await answer(type, { ...query, limit: 1_000 });

              const { forth, back } = await pagesOf(type, query);

              expect(forth.flat(), title).toEqual(all);
              expect(back, title).toEqual(forth.slice(0, -1).toReversed());
            }
          } finally {
            await under.source.close();
            await under.destroy();
          }
        }),
        { numRuns: Math.ceil(numRuns / 2), endOnFailure: true },
      );
    }, 300_000);
  });
}

/** Features without a key have no stable ids, so no query by id is possible. */
function asksForIdsInVain({ description }: QueriedType, filter: ResolvedFilter | undefined): boolean {
  return description.isKeyless === true && filter !== undefined && hasIdFilter(filter);
}

async function typeOf({ source, view, typeName = 'rows' }: RowsUnderTest): Promise<QueriedType> {
  const description =
    view === undefined ? await source.describe(typeName, never) : await source.describeView?.(view, never);
  if (description === undefined) throw new Error('There is no type of rows.');
  return { source, description, ...(view === undefined ? {} : { view }) };
}

/** The same features from a source that evaluates nothing. */
async function plainSource({ source, description, view }: QueriedType): Promise<VectorSource> {
  const features: Feature[] = [];
  const reading = view === undefined ? source.read(description.name, {}, never) : source.readView?.(view, {}, never);
  for await (const batch of reading ?? []) features.push(...batch);
  return {
    listTypes: async () => [],
    describe: async () => description,
    async *read(_name, { limit }) {
      if (features.length > 0) yield features.slice(0, limit);
    },
    async *readView(_view, { limit }) {
      if (features.length > 0) yield features.slice(0, limit);
    },
    close: async () => undefined,
  };
}

async function answer(type: QueriedType, query: FeatureQuery) {
  const { batches, pages, description } = await queryFeatures(type, query, never);
  const features: Feature[] = [];
  for await (const batch of batches)
    for (const { key: _key, document: _document, ...feature } of batch) features.push(feature);
  expect(features.every(({ values }) => values.length === description.attributes.length)).toBe(true);
  return { features, pages: pages() };
}

function byId(features: readonly Feature[]): readonly Feature[] {
  return features.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

async function compareSummaries(
  type: QueriedType,
  plain: QueriedType,
  { filter, box }: FeatureQuery,
  title: string,
): Promise<void> {
  const query = { ...(filter === undefined ? {} : { filter }), ...(box === undefined ? {} : { box }) };
  const limits = { signal: never, timeoutSignal: never };
  expect(await countFeatures(type, query, limits), title).toEqual(await countFeatures(plain, query, limits));
  expect(await computeFeatureBounds(type, query, never), title).toEqual(
    await computeFeatureBounds(plain, query, never),
  );
}

async function pagesOf(
  type: QueriedType,
  query: FeatureQuery,
): Promise<{ readonly forth: (readonly Feature[])[]; readonly back: (readonly Feature[])[] }> {
  const forth: (readonly Feature[])[] = [];
  let page = await answer(type, { ...query, limit: 3 });
  for (;;) {
    forth.push(page.features);
    const { next } = page.pages;
    if (next === undefined) break;
    page = await answer(type, { ...query, limit: 3, after: next });
  }
  const back: (readonly Feature[])[] = [];
  for (let { previous } = page.pages; previous !== undefined; ) {
    const before = await answer(type, { ...query, limit: 3, before: previous });
    back.push(before.features);
    ({ previous } = before.pages);
  }
  return { forth, back };
}
