import { expect, test } from 'vitest';
import type { TransformedMap } from '../model/transformed-data.ts';
import { rasterAsPointCollection } from './raster-as-point-collection.ts';

const crs = { code: 'EPSG:4326' };
const map: TransformedMap = {
  box: { minX: 14, minY: 49, maxX: 18, maxY: 51 },
  width: 2,
  height: 1,
  crs,
  dataCrs: crs,
  shifts: [0],
  mapUnitsPerDataUnit: 1,
  isTiled: false,
};
const grid = {
  kind: 'coverage',
  width: 2,
  height: 1,
  bounds: map.box,
  crs,
  bands: [{ band: { name: 'speed', type: 'float32', colorInterpretation: 'gray' }, samples: Float32Array.of(1, 2) }],
} as const;

async function transform(targetCRS: string) {
  const points = await rasterAsPointCollection.run([grid], new Map([['targetcrs', [targetCRS]]]), map);
  if (points.kind !== 'features') throw new Error('The result has no features.');
  return { columns: points.columns, values: points.batches.map((batch) => batch.columns[2]) };
}

test('targetCRS adds the angle from true north to the north of that CRS', async () => {
  const { columns, values } = await transform('EPSG:32633');

  expect(columns).toEqual(['speed', 'GRAY_INDEX', 'gridConvergenceAngleCorrection']);
  // Two degrees east of the central meridian, at 50 degrees north: tan(angle) = tan(2°) sin(50°).
  const expected = (Math.atan(Math.tan(Math.PI / 90) * Math.sin((50 * Math.PI) / 180)) * 180) / Math.PI;
  expect(Number(values[0]?.[0])).toBeCloseTo(0, 6);
  expect(Number(values[0]?.[1])).toBeCloseTo(expected, 2);
});

test('the angle is zero in a CRS with parallel meridians', async () => {
  expect((await transform('EPSG:3857')).values.map((each) => [...(each ?? [])])).toEqual([[0, 0]]);
});

test('rejects an unknown targetCRS', async () => {
  await expect(transform('EPSG:1')).rejects.toThrow("parameter 'targetCRS' is an unknown CRS: EPSG:1");
});
