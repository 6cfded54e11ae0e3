/** The GeoKeys of a GeoTIFF file, which define its coordinate reference system. */
import type { RasterFile } from '../port/raster-file.ts';
import { createMalformedError, type TiffDirectory } from './tiff-directory.ts';
import { tags } from './tiff-image.ts';

export type GeoKeys = ReadonlyMap<number, number | string>;

/** Terminates concatenated texts. */
const SEPARATOR = /\|[\s\S]*$/;

export function readGeoKeys(directory: TiffDirectory, file: RasterFile): GeoKeys {
  const keys = new Map<number, number | string>();
  const entries = directory.readNumbers(tags.geoKeyDirectory);
  if (entries === undefined) return keys;
  const count = entries[3] ?? 0;
  if (entries.length < 4 || count * 4 > entries.length - 4) {
    throw createMalformedError(file, `its GeoKey directory declares ${count} keys, but is too short to hold them`);
  }
  const texts = directory.readText(tags.geoAsciiParams) ?? '';
  for (let at = 4; at < 4 + count * 4; at += 4) {
    const [key = 0, place = 0, length = 0, value = 0] = entries.slice(at, at + 4);
    if (place === 0) keys.set(key, value);
    if (place === tags.geoDoubleParams) {
      const double = directory.readNumber(tags.geoDoubleParams, value);
      if (double !== undefined) keys.set(key, double);
    }
    if (place === tags.geoAsciiParams) keys.set(key, texts.slice(value, value + length).replace(SEPARATOR, ''));
  }
  return keys;
}
