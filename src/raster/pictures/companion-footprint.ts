/** Companion footprints of images: `one.wkt`, `one.wkb` or `one.shp` for `one.tif`. */
import { basename } from 'node:path';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { decodeWkb } from '../../geometry/wkb-decode.ts';
import { decodeWkt } from '../../geometry/wkt-decode.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { openShapefileParts } from '../../vector/shapefile/opened-shapefile.ts';
import { readFeatures } from '../../vector/shapefile/read-features.ts';
import { withRasterFile } from '../port/raster-file.ts';
import { findCompanion, getStem } from '../support/companions.ts';
import type { FileOutline } from './outline-pixels.ts';

/** Returns undefined if the image has no footprint. A footprint has the CRS of the image, unless a shapefile defines another one. */
export async function findFootprint(path: string, crs: CrsReference): Promise<FileOutline | undefined> {
  for (const { ending, read } of footprintFormats) {
    const beside = findCompanion(path, [ending]);
    if (beside === undefined) continue;
    const bytes = readFootprintBytes(path, beside, ending);
    return { geometry: readPolygon(path, ending, () => read(bytes)), crs };
  }
  const shapes = findCompanion(path, ['shp']);
  return shapes === undefined ? undefined : readShapefileFootprint(path, shapes, crs);
}

const footprintFormats: readonly { readonly ending: string; readonly read: (bytes: Buffer) => Geometry }[] = [
  { ending: 'wkt', read: (bytes) => decodeWkt(bytes.toString('utf8').trim()) },
  { ending: 'wkb', read: (bytes) => decodeWkb(bytes).geometry },
];

async function readShapefileFootprint(path: string, shp: string, crs: CrsReference): Promise<FileOutline> {
  try {
    return await readOnlyShape(path, shp, crs);
  } catch (error) {
    const isOurs = error instanceof Problem && error.code === 'raster-file-malformed';
    // Problems of a shapefile mention a layer, which does not exist here.
    throw error instanceof Problem && !isOurs
      ? createMalformedError(path, 'shp', 'is not a readable shapefile')
      : error;
  }
}

async function readOnlyShape(path: string, shp: string, crs: CrsReference): Promise<FileOutline> {
  const prj = findCompanion(path, ['prj']);
  const opened = await openShapefileParts(getStem(path), { shp, ...(prj === undefined ? {} : { prj }) }, undefined);
  try {
    const found: unknown[] = [];
    // Two shapes suffice to detect more than one.
    for await (const batch of readFeatures(opened, { limit: 2 }, new AbortController().signal)) {
      found.push(...batch.map(({ values: [geometry] }) => geometry));
    }
    if (found.length > 1) throw createMalformedError(path, 'shp', 'has more than one shape');
    const geometry = readPolygon(path, 'shp', () => found[0] as Geometry);
    return { geometry, crs: opened.crs.code === undefined && opened.crs.wkt === undefined ? crs : opened.crs };
  } finally {
    await opened.close();
  }
}

/** The limit for the outline of one image: about half a million corners. */
const MAX_BYTES = 16_777_216;

function readFootprintBytes(path: string, beside: string, ending: string): Buffer {
  return withRasterFile(beside, (file) => {
    if (file.sizeBytes > MAX_BYTES) throw createMalformedError(path, ending, `exceeds the limit of ${MAX_BYTES} bytes`);
    return file.read(0, file.sizeBytes);
  });
}

function readPolygon(path: string, ending: string, read: () => Geometry): Geometry {
  let geometry: Geometry | undefined;
  try {
    geometry = read();
  } catch (error) {
    // A disk error is not an error of the file.
    if (error instanceof Problem) throw error;
  }
  const isPolygon = geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon';
  if (geometry === undefined || !isPolygon || geometry.ends.length === 0)
    throw createMalformedError(path, ending, 'is not a polygon');
  return geometry;
}

function createMalformedError(path: string, ending: string, what: string): Problem {
  return problem('raster-file-malformed', {
    file: basename(path),
    reason: `its companion footprint (${getStem(path)}.${ending}) ${what}`,
  });
}
