import { expect, it } from 'vitest';
import { geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import type { Feature } from '../port/port.ts';
import { type JoinedFeatures, joinFeatures, MAX_CANDIDATES, MAX_ROWS } from './join-features.ts';
import { createJoinSize } from './join-size.ts';

const signal = new AbortController().signal;

function createType(alias: string, features: readonly Feature[]): JoinedFeatures {
  return { names: [`${alias}/n`, `${alias}/${geometryColumn().name}`], features };
}

const attribute = (name: string, type: 'number' | 'geometry') => ({ kind: 'attribute', type, name }) as const;

const sameNumber: ResolvedFilter = {
  kind: 'comparison',
  operator: 'equal',
  left: attribute('b/n', 'number'),
  right: attribute('a/n', 'number'),
};

const intersecting: ResolvedFilter = {
  kind: 'relation',
  relation: 'intersects',
  left: attribute('b/the_geom', 'geometry'),
  right: attribute('a/the_geom', 'geometry'),
};

async function listPairs(
  types: readonly [JoinedFeatures, ...JoinedFeatures[]],
  conditions: readonly ResolvedFilter[],
): Promise<readonly string[]> {
  return (
    await joinFeatures(types, {
      conditions,
      runner: inlineFilterRunner,
      size: createJoinSize(Number.MAX_SAFE_INTEGER),
      signal,
    })
  ).map(({ id }) => id);
}

it('finds by boxes the same pairs as by comparing all geometries', async () => {
  let state = 7;
  const random = (): number => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const createBoxes = (name: string, count: number, size: number): readonly Feature[] =>
    Array.from({ length: count }, (_, index) => {
      const [x, y] = [random() * 100, random() * 100];
      const [right, upper] = [x + random() * size, y + random() * size];
      const box = `POLYGON ((${x} ${y}, ${right} ${y}, ${right} ${upper}, ${x} ${upper}, ${x} ${y}))`;
      return { id: `${name}.${index}`, values: [index, index % 17 === 0 ? null : wkt(box)] };
    });
  const [a, b] = [createType('a', createBoxes('a', 60, 8)), createType('b', createBoxes('b', 80, 60))];
  // Conditions in `or` have no index.
  const unindexed: ResolvedFilter = { kind: 'or', filters: [intersecting, { kind: 'constant', value: false }] };

  const found = await listPairs([a, b], [intersecting]);

  expect(found.length).toBeGreaterThan(100);
  expect(found).toEqual(await listPairs([a, b], [unindexed]));
});

it('joins more than two types, each condition as soon as its types are known', async () => {
  const create = (alias: string, numbers: readonly (number | null)[]): JoinedFeatures =>
    createType(
      alias,
      numbers.map((n, index) => ({ id: `${alias}${index}`, values: [n, null] })),
    );
  const last: ResolvedFilter = { ...sameNumber, left: attribute('c/n', 'number') };

  expect(
    await listPairs([create('a', [1, 2, null]), create('b', [2, 1, 2, null]), create('c', [2, 3])], [last, sameNumber]),
  ).toEqual(['a1+b0+c0', 'a1+b2+c0']);
});

it('rejects joins with too many pairs or rows', async () => {
  const create = (alias: string, count: number): JoinedFeatures =>
    createType(
      alias,
      Array.from({ length: count }, (_, index) => ({ id: `${index}`, values: [0, null] })),
    );
  const never: ResolvedFilter = { ...sameNumber, operator: 'less' };
  const side = Math.ceil(Math.sqrt(MAX_CANDIDATES)) + 1;

  await expect(listPairs([create('a', 500), create('b', 500)], [])).rejects.toThrow(`limit of ${MAX_ROWS} rows`);
  await expect(listPairs([create('a', side), create('b', side)], [never])).rejects.toThrow(
    `limit of ${MAX_CANDIDATES} pairs to compare`,
  );
});
