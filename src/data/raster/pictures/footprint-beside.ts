/** Footprints that lie beside pictures, as files of the same name: `one.wkt`, `one.wkb` or `one.shp` beside `one.tif`. */
import { basename } from 'node:path';
import { Problem, problem } from '../../../lib/problem.ts';
import type { CrsReference } from '../../crs/crs-reference.ts';
import type { Geometry } from '../../vector/geometry.ts';
import { openShapefileParts } from '../../vector/shapefile/opened-shapefile.ts';
import { readFeatures } from '../../vector/shapefile/read-features.ts';
import { decodeWkb } from '../../vector/wkb-decode.ts';
import { decodeWkt } from '../../vector/wkt-decode.ts';
import { companionOf, readCompanion, stemOf } from '../companions.ts';
import { MAX_TEXT_BYTES } from '../limits.ts';
import { withRasterFile } from '../raster-file.ts';
import type { FileOutline } from './reading-rules.ts';

/** Undefined where there is none; in the system of the picture, unless a shapefile says otherwise. */
export async function footprintBeside(path: string, crs: CrsReference): Promise<FileOutline | undefined> {
  const text = readCompanion(path, ['wkt']);
  if (text !== undefined) return { geometry: polygonOf(path, 'wkt', () => decodeWkt(text.trim())), crs };
  const binary = companionOf(path, ['wkb']);
  if (binary !== undefined) {
    return { geometry: polygonOf(path, 'wkb', () => decodeWkb(bytesOf(binary)).geometry), crs };
  }
  const shapes = companionOf(path, ['shp']);
  return shapes === undefined ? undefined : inShapefile(path, shapes, crs);
}

async function inShapefile(path: string, shp: string, crs: CrsReference): Promise<FileOutline> {
  const prj = companionOf(path, ['prj']);
  const opened = await openShapefileParts(stemOf(path), { shp, ...(prj === undefined ? {} : { prj }) }, undefined);
  try {
    const found: unknown[] = [];
    // A second one is enough to say that there are several.
    for await (const batch of readFeatures(opened, { limit: 2 }, new AbortController().signal)) {
      found.push(...batch.map(({ values: [geometry] }) => geometry));
    }
    if (found.length > 1) throw malformed(path, 'shp', 'more than one shape');
    const geometry = polygonOf(path, 'shp', () => found[0] as Geometry);
    return { geometry, crs: opened.crs.code === undefined && opened.crs.wkt === undefined ? crs : opened.crs };
  } finally {
    await opened.close();
  }
}

function bytesOf(path: string): Buffer {
  return withRasterFile(path, (file) => file.read(0, Math.min(file.sizeBytes, MAX_TEXT_BYTES)));
}

function polygonOf(path: string, ending: string, read: () => Geometry): Geometry {
  let geometry: Geometry | undefined;
  try {
    geometry = read();
  } catch (error) {
    // What is wrong with a disk is nothing that is wrong with a file.
    if (error instanceof Problem) throw error;
  }
  const isPolygon = geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon';
  if (geometry === undefined || !isPolygon || geometry.ends.length === 0) throw malformed(path, ending, 'no polygon');
  return geometry;
}

function malformed(path: string, ending: string, what: string): Problem {
  return problem('raster-file-malformed', {
    file: basename(path),
    reason: `the footprint beside it (${stemOf(path)}.${ending}) is ${what}`,
  });
}
