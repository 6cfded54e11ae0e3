/** The sharp library, which unpacks JPEG, WebP and images of other servers; loaded on first use. */
import { detectPictureFormat } from '../../vector/tile-archives/model/unpack-tile.ts';
import type { RasterSize } from '../port/port.ts';
import { readJpegHead } from './jpeg-head.ts';

export interface PictureShape {
  readonly bands: 1 | 3 | 4;
  readonly width: number;
  readonly height: number;
}

/** Returns red, green, blue and alpha of each pixel of an image in any format; throws if it exceeds `maxPixels`. */
export async function unpackColors(packed: Uint8Array, maxPixels: number): Promise<UnpackedColors> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(packed, { limitInputPixels: maxPixels, failOn: 'error' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: new Uint8Array(data), width: info.width, height: info.height };
}

/** Width and height in the header of a PNG image. */
const PNG_SIZE = { start: 16, end: 24 } as const;

/** Reads the size from the header of an image. Usual formats do not need the library, which takes longer than a tile. */
export async function readPictureSize(packed: Uint8Array): Promise<RasterSize> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const format = detectPictureFormat(packed);
  if (format === 'png' && packed.length >= PNG_SIZE.end) {
    return { width: bytes.readUInt32BE(PNG_SIZE.start), height: bytes.readUInt32BE(PNG_SIZE.start + 4) };
  }
  const jpeg = format === 'jpeg' ? readJpegHead(bytes) : undefined;
  if (jpeg !== undefined) return { width: jpeg.width, height: jpeg.height };
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(packed).metadata();
  return { width, height };
}

export interface UnpackedColors {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Returns 8-bit samples interleaved by pixel. Throws if the image cannot be unpacked or has another shape. */
export async function unpackPicture(packed: Uint8Array, { bands, width, height }: PictureShape): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  // Each thread works on one image, and nothing is read twice.
  sharp.concurrency(1);
  sharp.cache(false);
  const picture = sharp(packed, { limitInputPixels: width * height, failOn: 'error' }).toColourspace(
    bands === 1 ? 'b-w' : 'srgb',
  );
  // A writer may omit the alpha of an opaque block.
  const { data, info } = await (bands === 4 ? picture.ensureAlpha() : picture.removeAlpha())
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.width !== width || info.height !== height || info.channels !== bands) {
    throw new Error(`the decoded image has ${info.width} by ${info.height} pixels in ${info.channels} bands`);
  }
  return data;
}
