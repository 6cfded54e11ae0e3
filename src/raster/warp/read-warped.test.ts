/** Compares warped images with the exact position of every pixel. */
import { describe, expect, it } from 'vitest';
import { createSampledSource } from '../../../test/support/sampled-source.ts';
import { createConversion } from '../../crs/conversion.ts';
import { createGrid } from '../port/grid.ts';
import type { Band, GridTransform, RasterSource } from '../port/port.ts';
import type { Interpolation } from './interpolate.ts';
import { readWarped } from './read-warped.ts';
import { createLocator, type TargetPicture } from './source-positions.ts';

const never = new AbortController().signal;
const bands: readonly Band[] = [{ name: 'Band1', type: 'uint8', colorInterpretation: 'gray' }];
const size = { width: 360, height: 180 };
const globe: GridTransform = { originX: -180, columnX: 1, rowX: 0, originY: 90, columnY: 0, rowY: -1 };
/** Neighbouring samples differ, and none is 0, which is the value without data. */
const sample = (column: number, row: number): number => 1 + ((column * 7 + row * 31) % 255);

interface Image {
  readonly code: string;
  readonly target: TargetPicture;
  readonly transform?: GridTransform;
  readonly interpolation?: Interpolation;
}

const box = (minX: number, minY: number, maxX: number, maxY: number) => ({ minX, minY, maxX, maxY });

async function warp({ code, target, transform = globe, interpolation = 'nearest' }: Image) {
  const grid = createGrid(size, transform, { code: 'EPSG:4326' });
  const source = createSampledSource(size, [sample]);
  let reads = 0;
  const counted: Pick<RasterSource, 'read'> = {
    read: (...request) => {
      reads += 1;
      return source.read(...request);
    },
  };
  const description = { name: 'globe', grid, bands, overviews: [], dimensions: [], hasMask: false };
  const read = await readWarped(counted, description, { target, crs: { code }, interpolation }, never);
  const conversion = await createConversion({ code }, grid.crs);
  const locate = createLocator(target, grid, conversion, true);
  const exact = Array.from({ length: target.width * target.height }, (_, at) => {
    const place = locate((at % target.width) + 0.5, Math.floor(at / target.width) + 0.5);
    const [column = -1, row = -1] = place?.map(Math.floor) ?? [];
    const isOnGrid = column >= 0 && row >= 0 && column < size.width && row < size.height;
    return isOnGrid ? sample(column, row) : 0;
  });
  return { samples: [...(read.bands[0]?.samples ?? [])], mask: read.bands[0]?.mask, exact, reads };
}

describe('warped image', () => {
  it.each<[string, Image, number]>([
    ['in the CRS of the data', { code: 'EPSG:4326', target: { width: 97, height: 71, bounds: box(3, 4, 41, 33) } }, 1],
    ['beyond the coverage', { code: 'EPSG:4326', target: { width: 90, height: 80, bounds: box(-20, 60, 20, 100) } }, 1],
    ['across the date line', { code: 'EPSG:4326', target: { width: 80, height: 20, bounds: box(170, 0, 190, 5) } }, 1],
    ['in Mercator', { code: 'EPSG:3857', target: { width: 300, height: 300, bounds: box(-9e6, 2e6, 6e6, 17e6) } }, 1],
    [
      'of more pixels than are read at once',
      { code: 'EPSG:4326', target: { width: 1_500, height: 1_400, bounds: box(-30, -28, 30, 28) } },
      3,
    ],
  ])('%s has the nearest samples and needs few reads', async (_, image, most) => {
    const { samples, mask, exact, reads } = await warp(image);

    expect(samples).toEqual(exact);
    expect([...(mask ?? [])]).toEqual(exact.map((value) => (value === 0 ? 0 : 255)));
    expect(reads).toBe(most);
  });

  it('has the nearest samples if the coverage is upside down', async () => {
    const transform = { ...globe, originY: -90, rowY: 1 };

    const { samples, exact, reads } = await warp({
      code: 'EPSG:4326',
      target: { width: 50, height: 60, bounds: box(0, 0, 20, 24) },
      transform,
    });

    expect(samples).toEqual(exact);
    expect(reads).toBe(1);
  });

  it.each<[string, Image]>([
    ['in a conic CRS', { code: 'EPSG:3034', target: { width: 60, height: 60, bounds: box(3e6, 1e6, 5e6, 3e6) } }],
    [
      'that is rotated',
      {
        code: 'EPSG:4326',
        target: {
          ...{ width: 60, height: 60, bounds: box(0, 0, 30, 30) },
          transform: { originX: 10, columnX: 0.3, rowX: 0.2, originY: 20, columnY: 0.2, rowY: -0.3 },
        },
      },
    ],
  ])('%s has samples whose positions are interpolated', async (_, image) => {
    const { samples, exact } = await warp(image);

    const differing = samples.filter((value, at) => value !== exact[at]);
    expect(exact).not.toContain(0);
    // Positions have an error of up to a twentieth of a pixel.
    expect(differing.length / exact.length).toBeLessThan(0.05);
  });
});
