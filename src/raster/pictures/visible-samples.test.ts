import { expect, test } from 'vitest';
import { createGrid, createUprightTransform } from '../port/grid.ts';
import type { RasterSource } from '../port/port.ts';
import { limitToAreas } from './visible-samples.ts';

const size = { width: 8, height: 8 };
const bounds = { minX: 0, minY: 0, maxX: 8, maxY: 8 };
const grid = createGrid(size, createUprightTransform(size, bounds), { code: 'EPSG:4326' });
const overviews = [{ width: 4, height: 4 }];
const west = 'POLYGON ((0 0, 3 0, 3 8, 0 8, 0 0))';
const whole = 'POLYGON ((0 0, 8 0, 8 8, 0 8, 0 0))';

const source: Pick<RasterSource, 'read'> = {
  read: async (_, { size: { width, height } = size }) => ({
    width,
    height,
    bands: [{ samples: new Uint8Array(width * height) }],
  }),
};

/** Reads a coverage with an overview of half its size, and returns the mask of the first row. */
async function readMask(geometry: string, columns: number, interpolation: 'nearest' | 'bilinear') {
  const areas = [{ geometry, crs: 'EPSG:4326' }];
  const limited = limitToAreas(source, { grid, overviews }, { interpolation, areas });
  const { bands } = await limited.read('relief', { size: { width: columns, height: columns } }, AbortSignal.any([]));
  return bands[0]?.mask && [...bands[0].mask.subarray(0, columns)];
}

test.each(['nearest', 'bilinear'] as const)(
  'samples of overviews that stand for samples outside of the area are hidden, with interpolation %s',
  async (interpolation) => {
    expect(await readMask(west, 4, interpolation)).toEqual([255, 0, 0, 0]);
  },
);

test('samples of overviews up to the edge of the coverage are visible if the area has its extent', async () => {
  expect(await readMask(whole, 4, 'nearest')).toEqual([255, 255, 255, 255]);
});

test('samples at full resolution are hidden only if they are interpolated', async () => {
  expect(await readMask(west, 8, 'bilinear')).toEqual([255, 255, 255, 0, 0, 0, 0, 0]);
  expect(await readMask(west, 8, 'nearest')).toBeUndefined();
});
