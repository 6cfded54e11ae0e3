/** A raster source in memory, whose bytes are computed from the column and the row. */
import type { RasterSize, RasterSource } from '../../src/raster/port/port.ts';
import { computeSamplePositions, resolvePositions } from '../../src/raster/support/sampling.ts';

export type Sample = (column: number, row: number) => number;

/** One band for each function, or for each requested band. */
export function createSampledSource(size: RasterSize, samples: readonly Sample[]): Pick<RasterSource, 'read'> {
  return {
    async read(_name, request) {
      const { columns, rows } = computeSamplePositions(size, size, resolvePositions(request, size));
      const [width, height] = [columns.length, rows.length];
      const bands = (request.bands ?? samples.map((_, index) => index)).map((band) => ({
        samples: Uint8Array.from({ length: width * height }, (_, at) =>
          Math.round(samples[band]?.(columns[at % width] ?? 0, rows[Math.floor(at / width)] ?? 0) ?? 0),
        ),
      }));
      return { width, height, bands };
    },
  };
}
