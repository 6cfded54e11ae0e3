/** Reading rules, tested on samples. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { decodeWkt } from '../../geometry/wkt-decode.ts';
import { createGrid } from '../port/grid.ts';
import { type PicturesRequest, readPictures } from './read-pictures.ts';

const folder = useTemporaryFolder('reading-rules');

const crs = { code: 'EPSG:4326' };
/** Four by four pixels of a degree. */
const whole = { width: 4, height: 4, bounds: { minX: 0, minY: 0, maxX: 4, maxY: 4 } };

/** Returns the samples of the first band row by row; null for no data. */
async function samples(
  value: (index: number) => number,
  bands: number,
  request: Partial<PicturesRequest>,
  outline?: string,
): Promise<readonly (readonly (number | null)[])[]> {
  const path = join(folder, 'it.tif');
  await writeFile(path, granuleBytes({ left: 0, top: 4, pixel: 1, epsg: 4326, bands, value }));
  const geometry = outline === undefined ? undefined : decodeWkt(outline);
  const file = { type: 'GeoTIFF', path, picture: { number: 0 }, ...(geometry ? { outline: { geometry, crs } } : {}) };
  const read = await readPictures({ files: [file], target: whole, crs, interpolation: 'nearest', ...request });
  const [band] = read.bands;
  const { width, height } = read;
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (__, column) => {
      const at = row * width + column;
      return band?.mask?.[at] === 0 ? null : Number(band?.samples[at]);
    }),
  );
}

describe('transparent input colour', () => {
  it('compares three bands together even if only one of them is requested', async () => {
    // Pixels alternate between 1, 2, 3 and 1, 2, 4.
    const value = (index: number): number => [1, 2, index % 6 < 3 ? 3 : 4][index % 3] ?? 0;
    const rules = { inputTransparent: [1, 2, 3] } as const;

    expect((await samples(value, 3, { rules }))[0]).toEqual([null, 1, null, 1]);
    expect((await samples(value, 3, { rules, bands: [2] }))[0]).toEqual([null, 4, null, 4]);
    expect((await samples(value, 3, { rules: { outputTransparent: [1, 2, 4] } }))[0]).toEqual([1, null, 1, null]);
  });

  it('is a shade of grey in a single band', async () => {
    const rules = { inputTransparent: [2, 2, 2] } as const;

    expect((await samples((index) => index, 1, { rules }))[0]).toEqual([0, 1, null, 3]);
    expect((await samples((index) => index, 1, { rules: { inputTransparent: [2, 2, 3] } }))[0]).toEqual([0, 1, 2, 3]);
  });
});

it('pixels whose centre is outside the outline are transparent', async () => {
  const triangle = await samples(() => 9, 1, {}, 'POLYGON ((0 0, 4.2 0, 0 4.2, 0 0))');

  expect(triangle).toEqual([
    [9, null, null, null],
    [9, 9, null, null],
    [9, 9, 9, null],
    [9, 9, 9, 9],
  ]);
});

it('an outline can have holes and a CRS that differs from the image', async () => {
  const ring = await samples(() => 9, 1, {}, 'POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1))');
  const degree = 20_037_508.342789244 / 180;
  const mercator = {
    crs: { code: 'EPSG:3857' },
    target: { ...whole, bounds: { minX: 0, minY: 0, maxX: 4 * degree, maxY: 4 * degree } },
  };

  const inMercator = await samples(() => 9, 1, mercator, 'POLYGON ((0 0, 2 0, 2 4, 0 4, 0 0))');

  expect(ring).toEqual([
    [9, 9, 9, 9],
    [9, null, null, 9],
    [9, null, null, 9],
    [9, 9, 9, 9],
  ]);
  expect(inMercator).toEqual(Array.from({ length: 4 }, () => [9, 9, null, null]));
});

it('positions that no file covers have the background value', async () => {
  const grid = createGrid(
    { width: 6, height: 4 },
    { originX: 0, columnX: 1, rowX: 0, originY: 4, columnY: 0, rowY: -1 },
    crs,
  );
  const wider = { ...whole, width: 8, bounds: { ...whole.bounds, maxX: 8 } };

  const read = await samples(() => 9, 1, { target: wider, rules: { background: { values: [7], grid } } });

  expect(read[0]).toEqual([9, 9, 9, 9, 7, 7, null, null]);
});
