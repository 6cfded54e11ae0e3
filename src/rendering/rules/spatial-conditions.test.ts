import { describe, expect, test } from 'vitest';
import { readEcqlFilter } from '../../filter/ecql/ecql.ts';
import { type FilterRunner, inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import { decodeWkt } from '../../geometry/wkt-decode.ts';
import type { Rule } from '../../styling/model/model.ts';
import type { Feature } from '../../vector/port/port.ts';
import { packFeatures } from '../../vector/support/pack-features.ts';
import { FeatureCursor } from './feature-cursor.ts';
import { compileSpatialTests, resolveSpatialConditions, startSpatialTests } from './spatial-conditions.ts';

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

describe('spatial conditions of rules, evaluated for batches of features', () => {
  test('match the same features as the tests of the painter', async () => {
    const conditions = await resolveSpatialConditions(rules, { description }, never);
    const inPlace = await startSpatialTests(conditions, { description }, never);
    const painted = await compileSpatialTests(conditions);
    const cursor = new FeatureCursor({ values: [], geometries: ['geom'] });
    const batch = packFeatures(features, { geometries: [0], values: [], hasIds: false });
    const decide = (tests: typeof painted) =>
      features.map((_, index) => {
        cursor.moveTo(batch, index);
        return [...tests.values()].map((takes) => takes(cursor));
      });

    await inPlace.load(features);

    expect(decide(inPlace.tests)).toEqual(decide(painted));
    expect(decide(inPlace.tests)).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [false, false],
    ]);
  });

  test('are delegated to the filter runner of the source, with its signal', async () => {
    const started: AbortSignal[] = [];
    const filterRunner: FilterRunner = {
      ...inlineFilterRunner,
      start(filter, access, signal) {
        started.push(signal);
        return inlineFilterRunner.start(filter, access, signal);
      },
    };
    const conditions = await resolveSpatialConditions(rules, { description, filterRunner }, never);

    await startSpatialTests(conditions, { description, filterRunner }, never);

    expect(started).toEqual([never, never]);
  });
});
