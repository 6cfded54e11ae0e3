/** The output formats of coverages and their encoders. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { type WrittenRaster, writeGeotiff } from '../../../formats/geotiff/geotiff.ts';
import { problem } from '../../../lib/problems/problem.ts';

export const coverageFormats = {
  tiff: { mediaType: 'image/tiff', extension: 'tif' },
  gml: { mediaType: 'application/gml+xml', extension: 'gml' },
  png: { mediaType: 'image/png', extension: 'png' },
  jpeg: { mediaType: 'image/jpeg', extension: 'jpg' },
  /** A GeoTIFF with tiles and overviews of any size. */
  cog: { mediaType: 'image/tiff;application=geotiff;profile=cloud-optimized', extension: 'tif' },
} as const;

export type CoverageFormat = keyof typeof coverageFormats;

/** Formats that contain samples only. */
export type SampleFormat = Exclude<CoverageFormat, 'gml'>;

const otherNames: Readonly<Record<string, CoverageFormat>> = {
  geotiff: 'tiff',
  tiff: 'tiff',
  'image/geotiff': 'tiff',
  'image/tiff;application=geotiff': 'tiff',
  'image/tiff;subtype="geotiff"': 'tiff',
  'application/gml xml': 'gml',
  cog: 'cog',
  'image/tiff;profile=cloud-optimized': 'cog',
  gml: 'gml',
  png: 'png',
  jpeg: 'jpeg',
};

/** Finds a format by name or alias; an unescaped plus sign is decoded as a space. */
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

/** `level` is the compression level of a GeoTIFF from 0 (none) to 9; undefined for a fast default. */
export function writeSamples(raster: WrittenRaster, format: SampleFormat, level: number | undefined): Promise<Buffer> {
  return format === 'tiff' || format === 'cog'
    ? writeGeotiff(raster, { level, isCloudOptimized: format === 'cog' })
    : writePicture(raster, format);
}

/** Yields to other requests after this many samples, which take some milliseconds. */
const SAMPLES_PER_TURN = 500_000;

/** The bands and sample types that image formats support. */
const pictures = {
  png: { bands: [1, 2, 3, 4], types: ['uint8', 'uint16'], takes: 'one to four bands of uint8 or uint16' },
  jpeg: { bands: [1, 3], types: ['uint8'], takes: 'one or three bands of uint8' },
} as const;

/** Writes samples unchanged, apart from JPEG compression. */
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
