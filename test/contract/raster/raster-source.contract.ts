/** The contract of all raster source drivers. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RasterSource, WindowRequest } from '../../../src/raster/port/port.ts';
import { sampleTypes } from '../../../src/raster/port/samples.ts';

/** A source with known content. */
export interface SourceUnderTest {
  readonly source: RasterSource;
  /** All its coverages, in the order of the data. */
  readonly coverageNames: readonly string[];
  /** A coverage of at least 20 by 20 pixels. */
  readonly name: string;
  /** Releases the resources of the source. */
  destroy(): Promise<void>;
}

export function rasterSourceContract(driver: string, create: () => Promise<SourceUnderTest>): void {
  describe(`raster source on ${driver}`, () => {
    let under: SourceUnderTest;
    const never = new AbortController().signal;

    beforeEach(async () => {
      under = await create();
    });
    afterEach(async () => {
      await under.source.close();
      await under.destroy();
    });

    const read = (request: WindowRequest) => under.source.read(under.name, request, never);

    test('lists its coverages', async () => {
      const coverages = await under.source.listCoverages(never);

      expect(coverages.map(({ name }) => name)).toEqual(under.coverageNames);
    });

    test('describes every coverage that it lists', async () => {
      for (const { name } of await under.source.listCoverages(never)) {
        const description = await under.source.describe(name, never);

        expect(description?.name).toBe(name);
        expect(description?.grid.width).toBeGreaterThan(0);
        expect(description?.grid.height).toBeGreaterThan(0);
        expect(description?.bands.length).toBeGreaterThan(0);
        expect(new Set(description?.bands.map((band) => band.name)).size).toBe(description?.bands.length);
        expect(description?.dimensions.every(({ values }) => values.length > 0)).toBe(true);
      }
    });

    test('describes the position of its grid, consistent with the bounds', async () => {
      const grid = (await under.source.describe(under.name, never))?.grid;
      const { transform, bounds, width = 0, height = 0 } = grid ?? {};

      expect(bounds).toBeDefined();
      expect(transform?.originX).toBeCloseTo(bounds?.minX ?? Number.NaN, 6);
      expect(transform?.originY).toBeCloseTo(bounds?.maxY ?? Number.NaN, 6);
      expect((transform?.originX ?? 0) + width * (transform?.columnX ?? 0)).toBeCloseTo(bounds?.maxX ?? Number.NaN, 6);
      expect((transform?.originY ?? 0) + height * (transform?.rowY ?? 0)).toBeCloseTo(bounds?.minY ?? Number.NaN, 6);
    });

    test('returns nothing for an unknown coverage', async () => {
      expect(await under.source.describe('no such coverage', never)).toBeUndefined();
      await expect(under.source.read('no such coverage', {}, never)).rejects.toMatchObject({
        code: 'raster-coverage-unknown',
        status: 404,
      });
    });

    test('reads every band completely, in arrays of the declared types', async () => {
      const description = await under.source.describe(under.name, never);
      const { width = 0, height = 0 } = description?.grid ?? {};

      const window = await read({});

      expect([window.width, window.height]).toEqual([width, height]);
      expect(window.bands).toHaveLength(description?.bands.length ?? 0);
      for (const [index, { samples, mask }] of window.bands.entries()) {
        expect(samples).toBeInstanceOf(sampleTypes[description?.bands[index]?.type ?? 'uint8']);
        expect(samples).toHaveLength(width * height);
        if (mask !== undefined) expect(mask).toHaveLength(width * height);
      }
    });

    test('returns the same samples for a part as for the whole', async () => {
      const whole = await read({});

      const part = await read({ window: { column: 3, row: 5, width: 11, height: 7 } });

      const { samples } = part.bands[0] ?? {};
      for (let row = 0; row < 7; row += 1) {
        const from = (row + 5) * whole.width + 3;
        const expected = whole.bands[0]?.samples.slice(from, from + 11);
        expect(samples?.slice(row * 11, row * 11 + 11)).toEqual(expected);
      }
    });

    test('returns the center samples for a coarser image', async () => {
      const window = { column: 2, row: 1, width: 18, height: 12 };
      const part = await read({ window });

      const coarse = await read({ window, size: { width: 6, height: 4 } });

      const expected = Array.from({ length: 24 }, (_, index) => {
        const column = (index % 6) * 3 + 1;
        const row = Math.floor(index / 6) * 3 + 1;
        return part.bands[0]?.samples[row * 18 + column];
      });
      expect([...(coarse.bands[0]?.samples ?? [])]).toEqual(expected);
    });

    test('repeats samples for a finer image', async () => {
      const window = { column: 2, row: 1, width: 3, height: 2 };
      const part = await read({ window });

      const fine = await read({ window, size: { width: 6, height: 4 } });

      const expected = Array.from({ length: 24 }, (_, index) => {
        const column = Math.floor((index % 6) / 2);
        const row = Math.floor(index / 12);
        return part.bands[0]?.samples[row * 3 + column];
      });
      expect([...(fine.bands[0]?.samples ?? [])]).toEqual(expected);
    });

    test('returns the samples at given columns and rows', async () => {
      const whole = await read({});
      const columns = Float64Array.of(2.9, 3, 4.5, 3.1, 3.1, 17.999);
      const rows = Float64Array.of(6.2, 5.9, 9);

      const { width, height, bands } = await read({ positions: { columns, rows, reduction: 1 } });

      expect([width, height]).toEqual([6, 3]);
      const expected = [6, 5, 9].flatMap((row) =>
        [2, 3, 4, 3, 3, 17].map((column) => whole.bands[0]?.samples[row * whole.width + column]),
      );
      expect([...(bands[0]?.samples ?? [])]).toEqual(expected);
    });

    test.each([
      ['outside of the coverage', [-0.1], 'exceeds the coverage'],
      ['undefined', [Number.NaN], 'must be integers'],
      ['missing', [], 'it has no pixels'],
    ])('rejects positions that are %s', async (_, columns, message) => {
      const positions = { columns: Float64Array.from(columns), rows: Float64Array.of(1), reduction: 1 };

      await expect(read({ positions })).rejects.toThrow(message);
    });

    test('returns the same band several times on request', async () => {
      const window = { column: 0, row: 0, width: 4, height: 4 };

      const { bands } = await read({ window, bands: [0, 0] });

      expect(bands).toHaveLength(2);
      expect(bands[1]?.samples).toEqual(bands[0]?.samples);
    });

    test('returns equal samples for repeated and parallel reads', async () => {
      const [first, second] = await Promise.all([read({}), read({})]);

      expect(second).toEqual(first);
    });

    test.for([
      { window: { column: -1, row: 0, width: 2, height: 2 } },
      { window: { column: 0, row: 0, width: 1_000_000, height: 1 } },
      { window: { column: 0, row: 0, width: 0, height: 1 } },
      { window: { column: 0.5, row: 0, width: 1, height: 1 } },
      { window: { column: 0, row: 0, width: 1, height: 1 }, size: { width: 1, height: 0 } },
      { bands: [] },
      { bands: [99] },
      { slice: { nowhere: 1 } },
    ] as readonly WindowRequest[])('rejects an invalid selection: %j', async (request) => {
      await expect(read(request)).rejects.toMatchObject({ code: 'raster-window-invalid', status: 400 });
    });

    test('rejects results that exceed the size limit', async () => {
      await expect(read({ size: { width: 100_000, height: 100_000 } })).rejects.toMatchObject({
        code: 'raster-window-too-large',
        status: 400,
      });
    });

    test('reads nothing for an aborted signal', async () => {
      const aborted = AbortSignal.abort(new Error('no longer wanted'));

      await expect(under.source.listCoverages(aborted)).rejects.toThrow('no longer wanted');
      await expect(under.source.describe(under.name, aborted)).rejects.toThrow('no longer wanted');
      await expect(under.source.read(under.name, {}, aborted)).rejects.toThrow('no longer wanted');
    });

    test('rejects reads after it is closed, and can be closed twice', async () => {
      await under.source.close();
      await under.source.close();

      await expect(under.source.listCoverages(never)).rejects.toThrow('closed');
      await expect(under.source.describe(under.name, never)).rejects.toThrow('closed');
      await expect(read({})).rejects.toThrow('closed');
    });
  });
}
