import { expect, test } from 'vitest';
import type { CoverageRequest, PictureWindow } from '../../raster/pictures/read-pictures.ts';
import type { DrawnCoverage } from '../../rendering/request/map-request.ts';
import { createRestriction } from '../../security/data-rules/restriction.ts';
import { restrictRaster } from './restrict-raster.ts';

const signal = new AbortController().signal;
const request: CoverageRequest = {
  target: { width: 4, height: 2, bounds: { minX: 0, minY: 0, maxX: 4, maxY: 2 } },
  crs: { code: 'EPSG:4326' },
  bands: [0],
} as unknown as CoverageRequest;

const createSource = (noData?: number): Pick<DrawnCoverage, 'read' | 'find'> => ({
  read: async (): Promise<PictureWindow> =>
    ({
      width: 4,
      height: 2,
      bands: [{ samples: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) }],
      described: [{ name: 'gray', type: 'uint8', ...(noData === undefined ? {} : { noData }) }],
    }) as unknown as PictureWindow,
});

const restrict = (geometry: string | null, rows?: { readonly kind: 'exclude' }) =>
  createRestriction([
    {
      name: 'rule',
      rows,
      writeRows: undefined,
      attributes: {},
      area: geometry === null ? null : { geometry, crs: 'EPSG:4326', mode: 'clip' },
    },
  ]);

test('samples outside of the area have no data', async () => {
  const area = restrict('POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))');
  const picture = await restrictRaster(createSource(99), area).read(request, signal);
  const zero = await restrictRaster(createSource(), area).read(request, signal);

  expect(picture?.bands).toEqual([
    { samples: Uint8Array.of(1, 2, 99, 99, 5, 6, 99, 99), mask: Uint8Array.of(255, 255, 0, 0, 255, 255, 0, 0) },
  ]);
  expect(zero?.bands[0]?.samples).toEqual(Uint8Array.of(1, 2, 0, 0, 5, 6, 0, 0));
});

test('holes of the area are outside', async () => {
  const area = restrict('POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0), (1 1, 3 1, 3 2, 1 2, 1 1))');

  const picture = await restrictRaster(createSource(), area).read(request, signal);

  expect(picture?.bands[0]?.samples).toEqual(Uint8Array.of(1, 0, 0, 4, 5, 6, 7, 8));
});

test('a rule without area shows everything; no rule, other places and conditions on rows show nothing', async () => {
  const source = createSource();

  expect(restrictRaster(source, undefined)).toBe(source);
  expect(restrictRaster(source, restrict(null))).toBe(source);
  for (const restriction of [
    createRestriction([]),
    restrict('POLYGON ((50 50, 60 50, 60 60, 50 50))'),
    restrict(null, { kind: 'exclude' }),
  ]) {
    expect(await restrictRaster(source, restriction).read(request, signal)).toBeUndefined();
  }
});
