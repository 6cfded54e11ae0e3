import { expect, test } from 'vitest';
import type { GridTransform, RasterSize } from '../port/port.ts';
import { hasVisiblePixel, hideOutside } from './visible-areas.ts';

const bounds = { minX: 0, minY: 0, maxX: 4, maxY: 2 };
const frame = { target: { width: 4, height: 2, bounds }, crs: { code: 'EPSG:4326' } };

const createPicture = ({ width, height }: RasterSize, noData?: number) => ({
  bands: [
    {
      samples: Uint8Array.from({ length: width * height }, (_, index) => index + 1),
      mask: new Uint8Array(width * height).fill(255),
    },
  ],
  described: [
    {
      name: 'gray',
      type: 'uint8' as const,
      colorInterpretation: 'gray' as const,
      ...(noData === undefined ? {} : { noData }),
    },
  ],
});

const toArea = (geometry: string, crs = 'EPSG:4326') => ({ geometry, crs });

test('samples outside of the area have no data', async () => {
  const [picture, zero] = [createPicture(frame.target, 99), createPicture(frame.target)];
  const area = toArea('POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))');
  await hideOutside(picture, frame, [area]);
  await hideOutside(zero, frame, [area]);

  expect(picture.bands).toEqual([
    { samples: Uint8Array.of(1, 2, 99, 99, 5, 6, 99, 99), mask: Uint8Array.of(255, 255, 0, 0, 255, 255, 0, 0) },
  ]);
  expect(zero.bands[0]?.samples).toEqual(Uint8Array.of(1, 2, 0, 0, 5, 6, 0, 0));
});

test.each([
  [
    'holes are outside',
    [toArea('POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0), (1 1, 3 1, 3 2, 1 2, 1 1))')],
    [1, 0, 0, 4, 5, 6, 7, 8],
  ],
  [
    'several areas are united',
    [toArea('POLYGON ((0 0, 1 0, 1 2, 0 0))'), toArea('POLYGON ((3 0, 4 0, 4 1, 3 1, 3 0))')],
    [0, 0, 0, 0, 5, 0, 0, 8],
  ],
  [
    'a URN has x before y too',
    [toArea('POLYGON ((0 0, 3 0, 3 1, 0 1, 0 0))', 'urn:ogc:def:crs:EPSG::4326')],
    [0, 0, 0, 0, 5, 6, 7, 0],
  ],
  ['no area hides everything', [], [0, 0, 0, 0, 0, 0, 0, 0]],
  [
    'an unknown CRS hides everything',
    [toArea('POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))', 'EPSG:999999')],
    [0, 0, 0, 0, 0, 0, 0, 0],
  ],
])('%s', async (_, areas, expected) => {
  const picture = createPicture(frame.target);
  await hideOutside(picture, frame, areas);

  expect([...(picture.bands[0]?.samples ?? [])]).toEqual(expected);
});

test('edges are straight in the CRS of the area', async () => {
  // The northern edge is a parallel in degrees, and a curve in a conic projection.
  const conic = { code: 'EPSG:3034' };
  const target = {
    width: 1,
    height: 1,
    bounds: { minX: 3_999_000, minY: 2_799_000, maxX: 4_001_000, maxY: 2_801_000 },
  };
  // 10° east, about 51.2° north: north of the straight line between the corners in the projection.
  const below = [toArea('POLYGON ((-60 40, 80 40, 80 50, -60 50, -60 40))')];
  const above = [toArea('POLYGON ((-60 40, 80 40, 80 53, -60 53, -60 40))')];

  expect(await hasVisiblePixel({ frame: { target, crs: conic }, areas: below })).toBe(false);
  expect(await hasVisiblePixel({ frame: { target, crs: conic }, areas: above })).toBe(true);
});

test('an area larger than the domain of the CRS of the picture shows the picture', async () => {
  const crs = { code: 'EPSG:32633' };
  const target = { width: 2, height: 2, bounds: { minX: 5e5, minY: 5e6, maxX: 6e5, maxY: 5.1e6 } };

  const areas = [toArea('POLYGON ((-180 -90, 180 -90, 180 90, -180 90, -180 -90))')];
  expect(await hasVisiblePixel({ frame: { target, crs }, areas })).toBe(true);
});

test('pixels of rotated pictures are hidden where they are', async () => {
  // Columns go north, rows go east: the first row is the western edge.
  const transform: GridTransform = { originX: 0, originY: 0, columnX: 0, columnY: 1, rowX: 1, rowY: 0 };
  const target = { width: 2, height: 4, bounds, transform };
  const picture = createPicture(target);
  await hideOutside(picture, { ...frame, target }, [toArea('POLYGON ((0 0, 1 0, 1 2, 0 2, 0 0))')]);

  expect([...(picture.bands[0]?.samples ?? [])]).toEqual([1, 2, 0, 0, 0, 0, 0, 0]);
});
