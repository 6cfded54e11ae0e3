import { expect, test } from 'vitest';
import { readEcqlFilter } from '../../filter/ecql/ecql.ts';
import { decodeWkt } from '../../geometry/wkt-decode.ts';
import type { Rule } from '../../styling/model/model.ts';
import type { Feature } from '../../vector/port/port.ts';
import { packFeatures } from '../../vector/support/pack-features.ts';
import { FeatureCursor } from './feature-cursor.ts';
import { compileSpatialTests, resolveSpatialConditions } from './spatial-conditions.ts';

const description = {
  name: 'places',
  attributes: [
    { name: 'geom', kind: 'geometry', type: 'Geometry', dimension: 'XY', crs: { code: 'EPSG:4326' }, nillable: true },
  ],
  defaultGeometry: 'geom',
} as const;

const never = new AbortController().signal;

const features: readonly Feature[] = ['POINT (1 1)', 'POINT (5 5)', 'LINESTRING (0 0, 9 9)', undefined].map(
  (text, index) => ({ id: `places.${index}`, values: [text === undefined ? null : decodeWkt(text)] }),
);

const rules: readonly Rule[] = [
  'INTERSECTS(geom, POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0)))',
  'INTERSECTS(geom, LINESTRING (4 5, 6 5))',
].map((text) => {
  const outcome = readEcqlFilter(text);
  if (outcome.kind !== 'read') throw new Error(text);
  return { symbolizers: [], filter: outcome.value } as unknown as Rule;
});

test('spatial conditions of rules match the features of a batch', async () => {
  const tests = await compileSpatialTests(await resolveSpatialConditions(rules, { description }, never));
  const cursor = new FeatureCursor({ values: [], geometries: ['geom'] });
  const batch = packFeatures(features, { geometries: [0], values: [], hasIds: false });

  const matches = features.map((_, index) => {
    cursor.moveTo(batch, index);
    return [...tests.values()].map((isMatch) => isMatch(cursor));
  });

  expect(matches).toEqual([
    [true, false],
    [false, true],
    [true, true],
    [false, false],
  ]);
});
