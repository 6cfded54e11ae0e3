/** The formats that samples are given out in, and how they are written. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { type WrittenRaster, writeGeotiff } from '../../formats/geotiff/geotiff.ts';
import { problem } from '../../lib/problems/problem.ts';

export const coverageFormats = {
  tiff: { mediaType: 'image/tiff', extension: 'tif' },
  gml: { mediaType: 'application/gml+xml', extension: 'gml' },
  png: { mediaType: 'image/png', extension: 'png' },
  jpeg: { mediaType: 'image/jpeg', extension: 'jpg' },
} as const;

export type CoverageFormat = keyof typeof coverageFormats;

/** Those that hold nothing but samples. */
export type SampleFormat = Exclude<CoverageFormat, 'gml'>;

const otherNames: Readonly<Record<string, CoverageFormat>> = {
  geotiff: 'tiff',
  tiff: 'tiff',
  'image/geotiff': 'tiff',
  'image/tiff;application=geotiff': 'tiff',
  'image/tiff;subtype="geotiff"': 'tiff',
  'application/gml xml': 'gml',
  gml: 'gml',
  png: 'png',
  jpeg: 'jpeg',
};

/** By any of the names that clients have for it; a plus sign that is not escaped arrives as a blank. */
export function findCoverageFormat(text: string): CoverageFormat | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/\s*;\s*/g, ';');
  const found = (Object.keys(coverageFormats) as CoverageFormat[]).find(
    (each) => coverageFormats[each].mediaType === name,
  );
  return found ?? otherNames[name];
}

/** The level is that of a GeoTIFF: how hard it is packed, from 0, not at all, to 9; undefined for what is quick. */
export function writeSamples(raster: WrittenRaster, format: SampleFormat, level: number | undefined): Promise<Buffer> {
  return format === 'tiff' ? writeGeotiff(raster, level) : writePicture(raster, format);
}

/** So many are laid out before others have their turn: some milliseconds. */
const SAMPLES_PER_TURN = 500_000;

/** What pictures can hold. */
const pictures = {
  png: { bands: [1, 2, 3, 4], types: ['uint8', 'uint16'], takes: 'one to four bands of uint8 or uint16' },
  jpeg: { bands: [1, 3], types: ['uint8'], takes: 'one or three bands of uint8' },
} as const;

/** The samples as they are: a picture that is read again has the same, except for what JPEG rounds. */
async function writePicture({ width, height, bands }: WrittenRaster, format: 'png' | 'jpeg'): Promise<Buffer> {
  const { takes, ...limits } = pictures[format];
  const { mediaType } = coverageFormats[format];
  const type = bands[0]?.described.type ?? 'float64';
  const isSuited = limits.types.some((each) => each === type) && limits.bands.some((each) => each === bands.length);
  if (!isSuited) {
    throw problem('wcs-format-unsuited', { format: mediaType, takes, bands: bands.length, type, field: 'format' });
  }
  const pixels = new (type === 'uint8' ? Uint8Array : Uint16Array)(width * height * bands.length);
  for (const [index, { samples }] of bands.entries()) {
    for (let place = 0, at = index; place < width * height; place += 1, at += bands.length) {
      if (place % SAMPLES_PER_TURN === 0) await othersFirst();
      pixels[at] = Number(samples[place] ?? 0);
    }
  }
  const { default: sharp } = await import('sharp');
  const channels = bands.length as 1 | 2 | 3 | 4;
  const picture = sharp(pixels, { raw: { width, height, channels }, limitInputPixels: width * height });
  const colored = type === 'uint16' ? picture.toColourspace(channels < 3 ? 'grey16' : 'rgb16') : picture;
  const written = channels < 3 && type === 'uint8' ? colored.toColourspace('b-w') : colored;
  return format === 'png' ? written.png({ compressionLevel: 3 }).toBuffer() : written.jpeg({ quality: 90 }).toBuffer();
}
