/** Describes and reads a shapefile of 100,000 polygons, compared with GDAL on the same file. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openShapefile } from '../src/vector/shapefile/shapefile-source.ts';
import { writePolygonShapefile } from './polygon-shapefile.ts';

const run = promisify(execFile);

export interface ShapefileReading {
  readonly polygons: number;
  /** In a warm process, as in a server. */
  readonly describeMs: number;
  /** The first time, including loading the CRS registry. */
  readonly firstDescribeMs: number;
  readonly ogrinfoMs: number;
  readonly readMs: number;
  /** `ogr2ogr` to CSV, discarded. */
  readonly ogr2ogrMs: number;
  /** Target: at most 1.0. */
  readonly readRatio: number;
}

const ROUNDS = 5;

/** The directory may be anywhere; a file of 50 MB remains in it. */
export async function measureShapefileReading(directory: string, polygons = 100_000): Promise<ShapefileReading> {
  const path = await writePolygonShapefile(directory, 'polygons', polygons);
  const source = openShapefile({ path });
  const { signal } = new AbortController();
  const describe = async (): Promise<void> => {
    const description = await source.describe('polygons', signal);
    if (description?.count !== polygons) throw new Error(`The description was ${JSON.stringify(description)}`);
  };
  const read = async (): Promise<void> => {
    let count = 0;
    for await (const batch of source.read('polygons', {}, signal)) count += batch.length;
    if (count !== polygons) throw new Error(`${count} features were read`);
  };
  const gdal =
    (program: string, ...args: readonly string[]): (() => Promise<unknown>) =>
    () =>
      run(program, args, { maxBuffer: 1_073_741_824 });

  const firstDescribeMs = await timed(describe);
  const describeMs = await best(describe);
  const readMs = await best(read);
  const ogrinfoMs = await best(gdal('ogrinfo', '-so', '-al', path));
  const ogr2ogrMs = await best(gdal('ogr2ogr', '-f', 'CSV', '/vsistdout/', path));
  await source.close();
  return { polygons, describeMs, firstDescribeMs, ogrinfoMs, readMs, ogr2ogrMs, readRatio: readMs / ogr2ogrMs };
}

/** The best of a few runs excludes other load of the machine. */
async function best(work: () => Promise<unknown>): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) found = Math.min(found, await timed(work));
  return found;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
