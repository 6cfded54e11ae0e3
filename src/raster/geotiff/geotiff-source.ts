/** A GeoTIFF file as a raster source: one coverage with the name of the file. */

import { matchWkt } from '../../crs/match-wkt.ts';
import { problem } from '../../lib/problems/problem.ts';
import { createGrid } from '../port/grid.ts';
import type { CoverageDescription, GridTransform, RasterSource } from '../port/port.ts';
import { openRasterFile, type RasterFile } from '../port/raster-file.ts';
import { BlockCache } from '../support/block-cache.ts';
import { getStem, readCompanion } from '../support/companions.ts';
import { readMetaFile, readWorldFile } from '../support/world-file.ts';
import { describeBands } from './describe-bands.ts';
import { readGeoKeys } from './geo-keys.ts';
import { resolveKeyCrs } from './key-crs.ts';
import { readTiffWindow } from './read-window.ts';
import { readTiff, type TiffFile } from './tiff-directory.ts';
import { tags } from './tiff-image.ts';
import { sortPictures, type TiffPictures } from './tiff-pictures.ts';
import { readTransform } from './tiff-transform.ts';

export function openGeotiff(path: string): RasterSource {
  return createGeotiffSource({
    name: getStem(path),
    openFile: () => openRasterFile(path),
    readGeoreference: (file, pictures) => readGeoreference(path, file, pictures),
  });
}

export interface GeotiffParts {
  /** The name of its coverage. */
  readonly name: string;
  readonly openFile: () => RasterFile;
  readonly readGeoreference: (file: RasterFile, pictures: TiffPictures) => Promise<Georeference>;
}

export function createGeotiffSource({ name, openFile, readGeoreference }: GeotiffParts): RasterSource {
  const blocks = new BlockCache();
  let isClosed = false;
  let opened: { readonly tiff: TiffFile; readonly pictures: TiffPictures } | undefined;

  /** Keeps the file open until the source is closed, because a description usually follows a listing. */
  const withTiff = async <T>(
    signal: AbortSignal,
    work: (tiff: TiffFile, pictures: TiffPictures) => Promise<T>,
  ): Promise<T> => {
    if (isClosed) throw new Error('The raster source is closed.');
    signal.throwIfAborted();
    opened ??= openTiff(openFile());
    return work(opened.tiff, opened.pictures);
  };

  return {
    listCoverages: (signal) => withTiff(signal, async () => [{ name }]),
    describe: (wanted, signal) =>
      withTiff(signal, async (tiff, pictures) =>
        wanted === name ? describePictures(name, pictures, await readGeoreference(tiff.file, pictures)) : undefined,
      ),
    read: (wanted, request, signal) =>
      withTiff(signal, async (tiff, pictures) => {
        if (wanted !== name) throw problem('raster-coverage-unknown', { name: wanted });
        return readTiffWindow(name, { tiff, pictures, bands: describeBands(pictures.image), blocks }, request);
      }),
    async close() {
      isClosed = true;
      opened?.tiff.file.close();
    },
  };
}

function openTiff(file: RasterFile): { readonly tiff: TiffFile; readonly pictures: TiffPictures } {
  try {
    const tiff = readTiff(file);
    return { tiff, pictures: sortPictures(tiff) };
  } catch (error) {
    file.close();
    throw error;
  }
}

export type Georeference = Pick<CoverageDescription['grid'], 'crs'> & { readonly transform: GridTransform | undefined };

/** Returns the georeference of the file, or else that of its world file and .prj file. */
async function readGeoreference(path: string, file: RasterFile, { image }: TiffPictures): Promise<Georeference> {
  const keys = readGeoKeys(image.directory, file);
  const known = readTransform(image.directory, keys) ?? readWorldFile(path);
  const transform = known ?? readMetaFile(path, image);
  const prj = keys.size === 0 ? readCompanion(path, ['prj']) : undefined;
  if (prj !== undefined) return { transform, crs: await matchWkt(prj) };
  // A .meta file contains longitudes and latitudes.
  const isFromMeta = known === undefined && transform !== undefined && keys.size === 0;
  return { transform, crs: isFromMeta ? { code: 'EPSG:4326' } : await resolveKeyCrs(keys) };
}

/** Uses the headers only. */
export function describePictures(
  name: string,
  { image, levels, masks }: TiffPictures,
  { transform, crs }: Georeference,
): CoverageDescription {
  const madeAt = parseDate(image.directory.readText(tags.dateTime));
  return {
    name,
    ...(madeAt === undefined ? {} : { madeAt }),
    grid: createGrid(image, transform, crs),
    bands: describeBands(image),
    overviews: levels.slice(1).map(({ width, height }) => ({ width, height })),
    dimensions: [],
    hasMask: masks.length > 0,
  };
}

/** Parses `2008:10:31 12:30:15` as in the specification; returns undefined for anything else. */
function parseDate(text: string | undefined): string | undefined {
  const [, year, month, day, time] = /^(\d{4}):(\d{2}):(\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(text?.trim() ?? '') ?? [];
  const date = new Date(`${year}-${month}-${day}T${time}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
