/** Sources over shapefiles that a test describes: each in a separate folder, with one type called `it`. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { VectorSource } from '../../src/vector/port/port.ts';
import { openShapefile } from '../../src/vector/shapefile/shapefile-source.ts';
import { type ShapefileBytes, type ShapefileSpec, shapefileBytes, writeShapefile } from './shapefile-bytes.ts';
import { useTemporaryFolder } from './temporary-folder.ts';
import { listCoordinates, readAllFeatures, readGeometry } from './vector-reading.ts';

export interface ShapefileSources {
  /** The parent of the folders. */
  readonly folder: string;
  source(files: ShapefileBytes | ShapefileSpec, charset?: string): Promise<VectorSource>;
  /** The path of the .shp file that was written last. */
  lastPath(): string;
}

export function useShapefileSources(): ShapefileSources {
  const folder = useTemporaryFolder('shapefile');
  let made = 0;
  let lastPath = '';
  return {
    folder,
    lastPath: () => lastPath,
    source: async (files, charset) => {
      made += 1;
      const directory = join(folder, String(made));
      await mkdir(directory);
      const bytes = 'records' in files ? shapefileBytes(files as ShapefileSpec) : (files as ShapefileBytes);
      lastPath = await writeShapefile(directory, 'it', bytes);
      return openShapefile({ path: lastPath, ...(charset === undefined ? {} : { charset }) });
    },
  };
}

/** The coordinates of all its shapes, nested as in GeoJSON. */
export async function listShapes(source: VectorSource): Promise<readonly unknown[]> {
  const features = await readAllFeatures(source, 'it');
  return features.map((feature) => {
    const geometry = readGeometry(feature);
    return geometry === null ? null : listCoordinates(geometry);
  });
}
