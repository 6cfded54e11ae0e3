/** Decodes and encodes PNG with the sharp library, which is loaded on first use. */
import { MAP_PIXELS } from './map-request.ts';

/** Red, green, blue and alpha of each pixel, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Throws an error with a message for people if the bytes are no PNG of the requested size. */
export async function decodePng(bytes: Buffer): Promise<Picture> {
  // No other decoder sees the bytes of a foreign server.
  if (!bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) throw new Error('The response is not a PNG.');
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(bytes, { limitInputPixels: MAP_PIXELS * MAP_PIXELS, failOn: 'error' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw new Error(`The PNG is unreadable: ${error instanceof Error ? error.message : String(error)}.`);
    });
  if (info.width !== MAP_PIXELS || info.height !== MAP_PIXELS) {
    throw new Error(
      `The map has ${info.width} x ${info.height} pixels instead of ${MAP_PIXELS} x ${MAP_PIXELS} pixels.`,
    );
  }
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

export async function encodePng({ width, height, pixels }: Picture): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}
