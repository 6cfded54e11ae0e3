import { describe, expect, test } from 'vitest';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { readEcqlFor } from '../../filter/resolve/resolve.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { createFilterSchema } from '../port/filter-schema.ts';
import type { Attribute, Feature, FeatureTypeDescription, SortKey, VectorSource } from '../port/port.ts';
import { computeFeatureBounds } from './compute-bounds.ts';
import { countFeatures } from './count-features.ts';
import type { FeatureQuery, QueriedType } from './feature-query.ts';
import { queryFeatures } from './query-features.ts';

const attributes: readonly Attribute[] = [
  { name: 'name', nillable: true, kind: 'value', type: 'string' },
  { name: 'rank', nillable: true, kind: 'value', type: 'integer' },
  { name: 'place', nillable: true, kind: 'geometry', type: 'Point', dimension: 'XY', crs: { code: 'EPSG:4326' } },
];

const description: FeatureTypeDescription = {
  name: 'towns',
  attributes,
  defaultGeometry: 'place',
  bounds: { minX: 0, minY: 0, maxX: 9, maxY: 9 },
};

function point(x: number, y: number): Geometry {
  return { type: 'Point', dimension: 'XY', ordinates: Float64Array.of(x, y), ends: [], parts: [] };
}

/** Creates features on a diagonal; every third has no rank, and names are equal in pairs. */
function towns(count: number): readonly Feature[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `towns.${index}`,
    values: [
      `town ${String(index >> 1).padStart(4, '0')}`,
      index % 3 === 2 ? null : count - index,
      point(index, index),
    ],
  }));
}

/** A source that supports only a full read. */
function sourceOf(features: readonly Feature[], batchSize = 4): VectorSource {
  return {
    listTypes: async () => [],
    describe: async () => description,
    async *read(_name, { limit = Number.POSITIVE_INFINITY }) {
      for (let at = 0; at < Math.min(features.length, limit); at += batchSize)
        yield features.slice(at, Math.min(at + batchSize, limit));
    },
    close: async () => undefined,
  };
}

const never = new AbortController().signal;

async function ask(query: FeatureQuery, features = towns(10)) {
  const type: QueriedType = { source: sourceOf(features, features.length > 100 ? 1_024 : 4), description };
  const answer = await queryFeatures(type, query, never);
  const found: Feature[] = [];
  for await (const batch of answer.batches) found.push(...batch);
  return { answer, found, ids: found.map(({ id }) => Number(id.slice(6))) };
}

async function filter(text: string): Promise<ResolvedFilter> {
  const outcome = await readEcqlFor(text, createFilterSchema(attributes));
  if (outcome.kind === 'refused') throw new Error(outcome.complaint.message);
  return outcome.value;
}

function ordinatesOf(feature: Feature | undefined): Float64Array {
  const place = feature?.values[2];
  if (typeof place !== 'object' || place === null || !('ordinates' in place)) throw new Error('It has no geometry.');
  return place.ordinates;
}

const byRank: readonly SortKey[] = [{ attribute: 'rank' }];

describe('queries on a read-only source', () => {
  test('return all features for an empty query', async () => {
    const { ids, answer } = await ask({});

    expect(ids).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(answer.pages()).toEqual({});
  });

  test('apply a filter, also with a box', async () => {
    expect((await ask({ filter: await filter('rank > 5') })).ids).toEqual([0, 1, 3, 4]);
    expect((await ask({ box: { minX: 2.5, minY: 0, maxX: 6, maxY: 5 } })).ids).toEqual([3, 4, 5]);
    expect((await ask({ box: { minX: 2, minY: 0, maxX: 6, maxY: 9 }, filter: await filter('rank > 5') })).ids).toEqual([
      3, 4,
    ]);
  });

  test('apply a box across the antimeridian', async () => {
    expect((await ask({ box: { minX: 8, minY: -9, maxX: 1, maxY: 90 } })).ids).toEqual([0, 1, 8, 9]);
  });

  test('sort nulls first and keep the order of equal features', async () => {
    expect((await ask({ sort: byRank })).ids).toEqual([2, 5, 8, 9, 7, 6, 4, 3, 1, 0]);
    expect((await ask({ sort: [{ attribute: 'rank', isDescending: true }] })).ids).toEqual([
      0, 1, 3, 4, 6, 7, 9, 2, 5, 8,
    ]);
    expect((await ask({ sort: [{ attribute: 'name', isDescending: true }] })).ids).toEqual([
      8, 9, 6, 7, 4, 5, 2, 3, 0, 1,
    ]);
    expect((await ask({ sort: [{ attribute: 'name', isDescending: true }, ...byRank] })).ids).toEqual([
      8, 9, 7, 6, 5, 4, 2, 3, 1, 0,
    ]);
  });

  test('sort before they apply the limit', async () => {
    expect((await ask({ sort: byRank, offset: 2, limit: 3 })).ids).toEqual([8, 9, 7]);
  });

  test('return selected attributes in source order, and filter and sort by others', async () => {
    const { found, answer } = await ask({
      attributes: ['place', 'name'],
      filter: await filter('rank > 5'),
      sort: byRank,
      limit: 1,
    });

    expect(found.map(({ values }) => values)).toEqual([['town 0002', point(4, 4)]]);
    expect(answer.description.attributes.map(({ name }) => name)).toEqual(['name', 'place']);
  });

  test('return no default geometry if it is not requested', async () => {
    const { answer } = await ask({ attributes: ['rank'] });

    expect(answer.description).not.toHaveProperty('defaultGeometry');
  });

  test('return geometries in another CRS', async () => {
    const { found, answer } = await ask({ crs: { code: 'EPSG:3857' }, limit: 2 });

    const [x = 0, y = 0] = ordinatesOf(found[1]);
    expect([Math.round(x), Math.round(y)]).toEqual([111319, 111325]);
    expect(answer.description.attributes[2]).toMatchObject({ crs: { code: 'EPSG:3857' } });
    expect(Math.round(answer.description.bounds?.maxX ?? 0)).toBe(1001875);
  });

  test('limit the pole to the valid area of projections that place it at infinity', async () => {
    const pole = [{ id: 'towns.0', values: ['pole', 1, point(10, -90)] }];

    const { found } = await ask({ crs: { code: 'EPSG:3857' } }, pole);

    expect(ordinatesOf(found[0])[1]).toBeLessThan(-1e8);
  });

  test('simplify nearly straight lines', async () => {
    const line: Geometry = {
      type: 'LineString',
      dimension: 'XY',
      ordinates: Float64Array.of(0, 0, 1, 0.1, 2, 0, 3, 5, 4, 0),
      ends: [5],
      parts: [],
    };

    const { found } = await ask({ tolerance: 0.5 }, [{ id: 'towns.0', values: ['line', 1, line] }]);

    expect(ordinatesOf(found[0])).toEqual(Float64Array.of(0, 0, 2, 0, 3, 5, 4, 0));
  });
});

describe('pages', () => {
  test('link to the next and the previous page', async () => {
    const first = await ask({ limit: 4, sort: byRank });
    const second = await ask({ limit: 4, sort: byRank, after: first.answer.pages().next ?? '' });
    const third = await ask({ limit: 4, sort: byRank, after: second.answer.pages().next ?? '' });
    const back = await ask({ limit: 4, sort: byRank, before: third.answer.pages().previous ?? '' });
    const start = await ask({ limit: 4, sort: byRank, before: back.answer.pages().previous ?? '' });

    expect([first, second, third].map(({ ids }) => ids)).toEqual([
      [2, 5, 8, 9],
      [7, 6, 4, 3],
      [1, 0],
    ]);
    expect(first.answer.pages()).not.toHaveProperty('previous');
    expect(third.answer.pages()).not.toHaveProperty('next');
    expect(back.ids).toEqual(second.ids);
    expect(start.ids).toEqual(first.ids);
    expect(start.answer.pages()).not.toHaveProperty('previous');
  });

  test('can contain everything', async () => {
    const { ids, answer } = await ask({ limit: 10 });

    expect(ids).toHaveLength(10);
    expect(answer.pages()).toEqual({});
  });

  test('can be empty', async () => {
    expect((await ask({ limit: 0 })).ids).toEqual([]);
    expect((await ask({ limit: 3, offset: 50 })).ids).toEqual([]);
  });

  test.each(['', 'x', 'n0', 'n-1', 'k', 'k!', `k${'a'.repeat(10_000)}`])(
    'are rejected for the key %j',
    async (after) => {
      await expect(ask({ limit: 3, after })).rejects.toMatchObject({ code: 'page-key-invalid' });
    },
  );
});

describe('invalid queries', () => {
  test.each<[string, FeatureQuery, string]>([
    ['an unknown attribute', { attributes: ['missing'] }, 'attribute-unknown'],
    ['sorting by an unknown attribute', { sort: [{ attribute: 'missing' }] }, 'attribute-unknown'],
    ['sorting by a geometry', { sort: [{ attribute: 'place' }] }, 'attribute-not-sortable'],
    ['an unknown CRS', { crs: { code: 'EPSG:99999' } }, 'features-not-in-crs'],
  ])('rejects %s', async (_, query, code) => {
    await expect(ask(query)).rejects.toMatchObject({ code });
  });

  test('rejects sorting more features than fit into memory', async () => {
    const many = towns(200_001);

    await expect(ask({ sort: byRank }, many)).rejects.toMatchObject({ code: 'features-not-sortable' });
    expect((await ask({ sort: byRank, limit: 2 }, many)).ids).toEqual([2, 5]);
  });
});

describe('feature counts', () => {
  const type = (source: VectorSource): QueriedType => ({ source, description });

  test('are exact if there is time to count', async () => {
    const limits = { signal: never, timeoutSignal: never };

    expect(await countFeatures(type(sourceOf(towns(10))), {}, limits)).toEqual({ kind: 'exact', count: 10 });
    expect(await countFeatures(type(sourceOf(towns(10))), { filter: await filter('rank > 5') }, limits)).toEqual({
      kind: 'exact',
      count: 4,
    });
  });

  test('are estimated or unknown without time to count', async () => {
    const limits = { signal: never, timeoutSignal: AbortSignal.abort() };
    const estimating = { ...sourceOf(towns(10)), estimateCount: async () => 12 };

    expect(await countFeatures(type(sourceOf(towns(10))), {}, limits)).toEqual({ kind: 'unknown' });
    expect(await countFeatures(type(estimating), {}, limits)).toEqual({ kind: 'estimated', count: 12 });
  });
});

describe('feature bounds', () => {
  const type: QueriedType = { source: sourceOf(towns(10)), description };

  test('are those of the type for an unfiltered query', async () => {
    expect(await computeFeatureBounds(type, {}, never)).toEqual(description.bounds);
  });

  test('are those of the matching features', async () => {
    expect(await computeFeatureBounds(type, { filter: await filter('rank > 5') }, never)).toEqual({
      minX: 0,
      minY: 0,
      maxX: 4,
      maxY: 4,
    });
    expect(await computeFeatureBounds(type, { filter: await filter('rank > 50') }, never)).toBeUndefined();
  });
});
