import { expect, test } from 'vitest';
import type { Geometry } from '../../geometry/geometry.ts';
import type { Feature } from './port.ts';
import { MAX_TEXT_CHARACTERS, splitBatch } from './split-batch.ts';

const createFeatures = (...values: Feature['values']): Feature[] =>
  values.map((value, index) => ({ id: `roads.${index}`, values: [value] }));

const countParts = (features: readonly Feature[]) => Array.from(splitBatch(features, 100), ({ length }) => length);

test('a batch of small values is not split', () => {
  const features = createFeatures('a', 1, null, new Date(0), true);

  expect([...splitBatch(features, 100)]).toEqual([features]);
  expect([...splitBatch([])]).toEqual([[]]);
});

test('large texts, bytes and geometries are split, with at least one feature in each part', () => {
  const line = (count: number): Geometry => ({
    type: 'LineString',
    dimension: 'XY',
    ordinates: new Float64Array(count),
    ends: [count / 2],
    parts: [],
  });
  const empty = { dimension: 'XY', ordinates: new Float64Array(), ends: [], parts: [] } as const;
  const collection: Geometry = { ...empty, type: 'GeometryCollection', members: [line(6), line(6)] };

  expect(countParts(createFeatures('x'.repeat(60), 'x'.repeat(40), 'x', 'x'.repeat(500), 'x'))).toEqual([2, 1, 1, 1]);
  expect(countParts(createFeatures(new Uint8Array(60), new Uint8Array(60)))).toEqual([1, 1]);
  expect(countParts(createFeatures(line(10), line(10), collection))).toEqual([1, 1, 1]);
});

test('the parts contain all features in their order', () => {
  const features = createFeatures(...Array.from({ length: 50 }, (_, index) => 'x'.repeat((index * 37) % 120)));

  expect([...splitBatch(features, 100)].flat()).toEqual(features);
});

test('a text beyond the limit is a problem', () => {
  const features = createFeatures('a', 'x'.repeat(MAX_TEXT_CHARACTERS + 1));

  expect(() => [...splitBatch(features)]).toThrow(
    "The feature 'roads.1' has a text of 16777217 characters; the limit is 16777216.",
  );
});
