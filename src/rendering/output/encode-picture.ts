/** Encodes pictures as files. The library is loaded with the first picture, and uses its own threads. */

import { measureWork } from '../../lib/measure/measure-work.ts';
import type { Pixels } from '../request/map-request.ts';
import { encodeIndexedPng } from './indexed-png.ts';
import { encodeTrueColorPng } from './true-color-png.ts';

export const pictureFormats = ['png', 'png8', 'jpeg', 'webp', 'gif', 'tiff'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export interface EncodingOptions {
  /** 1 to 100, for lossy formats. */
  readonly quality?: number;
  /** Whether all pixels are opaque, so that the file needs no alpha channel. */
  readonly isOpaque?: boolean;
}

/** Most maps are viewed once: fast encoding matters more than the last 10 % of file size. */
const PNG_LEVEL = 3;
/** Counting the colours of larger pictures would block the event loop too long. */
const MAX_INDEXED_PIXELS = 2_097_152;
/** Filtering the rows of larger pictures would, too: a library does it in a thread of its own. */
const MAX_FILTERED_PIXELS = 786_432;

const JPEG_QUALITY = 85;
const WEBP_QUALITY = 85;

export function encodePicture(pixels: Pixels, format: PictureFormat, options: EncodingOptions = {}): Promise<Buffer> {
  return measureWork({ stage: 'encode', kind: format }, () => encodePixels(pixels, format, options));
}

async function encodePixels(
  { width, height, bytes, isVaried = false }: Pixels,
  format: PictureFormat,
  { quality, isOpaque = false }: EncodingOptions,
): Promise<Buffer> {
  if ((format === 'png' || format === 'png8') && !isVaried && width * height <= MAX_INDEXED_PIXELS) {
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    const pixels = new Int32Array(aligned.buffer, aligned.byteOffset, width * height);
    const colored = { width, height, pixels, isPremultiplied: false };
    const png = await encodeIndexedPng(colored);
    if (png !== undefined) return png;
    const isFiltered = format === 'png' && width * height <= MAX_FILTERED_PIXELS;
    const filtered = isFiltered ? await encodeTrueColorPng(colored) : undefined;
    if (filtered !== undefined) return filtered;
  }
  const { default: sharp } = await import('sharp');
  const whole = sharp(bytes, { raw: { width, height, channels: 4 }, limitInputPixels: width * height });
  const picture = isOpaque ? whole.removeAlpha() : whole;
  switch (format) {
    case 'png':
      return picture.png({ compressionLevel: PNG_LEVEL, adaptiveFiltering: false }).toBuffer();
    case 'png8':
      return picture.png({ palette: true, effort: 1, compressionLevel: PNG_LEVEL }).toBuffer();
    case 'jpeg':
      return whole
        .flatten({ background: '#ffffff' })
        .jpeg({ quality: quality ?? JPEG_QUALITY })
        .toBuffer();
    case 'webp':
      return picture.webp({ quality: quality ?? WEBP_QUALITY, effort: 1 }).toBuffer();
    case 'gif':
      return picture.gif({ effort: 1 }).toBuffer();
    case 'tiff':
      return picture.tiff({ compression: 'deflate' }).toBuffer();
  }
}
