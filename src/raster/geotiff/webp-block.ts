/** Unpacks WebP blocks. */
import { unpackPicture } from '../support/picture-library.ts';
import { DamagedBlock } from './damaged-block.ts';
import { createUnsupportedError } from './tiff-directory.ts';
import { countSamplesPerBlockPixel, type TiffImage } from './tiff-image.ts';

export async function unpackWebp(image: TiffImage, packed: Buffer, height: number): Promise<Uint8Array> {
  const bands = countSamplesPerBlockPixel(image);
  if (image.bits !== 8 || (bands !== 3 && bands !== 4)) {
    throw createUnsupportedError(image.file, `it uses WebP compression with ${bands} bands of ${image.bits} bits`);
  }
  const size = readWebpSize(packed);
  if (
    size === undefined ||
    size.width !== image.blockWidth ||
    size.height > image.blockHeight ||
    size.height < height
  ) {
    throw new DamagedBlock('WebP: the decoded size does not match the block');
  }
  return unpackPicture(packed, { bands, ...size });
}

/** Supports the three forms of WebP; returns undefined for anything else. */
function readWebpSize(packed: Buffer): { readonly width: number; readonly height: number } | undefined {
  if (packed.length < 30 || packed.toString('latin1', 0, 4) !== 'RIFF' || packed.toString('latin1', 8, 12) !== 'WEBP') {
    return undefined;
  }
  switch (packed.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: packed.readUInt16LE(26) & 0x3fff, height: packed.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = packed.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: packed.readUIntLE(24, 3) + 1, height: packed.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
