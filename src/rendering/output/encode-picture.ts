/** Pictures as files. The library is loaded with the first, and works in threads of its own. */

import type { Pixels } from '../request/map-request.ts';
import { encodeIndexedPng } from './indexed-png.ts';

export const pictureFormats = ['png', 'png8', 'jpeg', 'webp', 'gif', 'tiff'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export interface EncodingOptions {
  /** 1 to 100, for formats that lose something. */
  readonly quality?: number;
  /** Whether the background shines through nowhere: files get by without opacity then. */
  readonly isOpaque?: boolean;
}

/** Maps are drawn once and seen once: writing them fast counts for more than the last tenth of their size. */
const PNG_LEVEL = 3;
/** Looking at the colours of more would keep others waiting. */
const MAX_INDEXED_PIXELS = 2_097_152;

const JPEG_QUALITY = 85;
const WEBP_QUALITY = 85;

export async function encodePicture(
  { width, height, bytes }: Pixels,
  format: PictureFormat,
  { quality, isOpaque = false }: EncodingOptions = {},
): Promise<Buffer> {
  if ((format === 'png' || format === 'png8') && width * height <= MAX_INDEXED_PIXELS) {
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    const pixels = new Int32Array(aligned.buffer, aligned.byteOffset, width * height);
    const png = await encodeIndexedPng({ width, height, pixels, isPremultiplied: false });
    if (png !== undefined) return png;
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
