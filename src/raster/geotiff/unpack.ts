/** Unpacks the bytes of one block, never more than the size of the block. */
import { inflateSync, zstdDecompressSync } from 'node:zlib';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { MAX_BLOCK_BYTES } from '../port/limits.ts';
import { unpackJpeg } from './jpeg-block.ts';
import { unpackLerc } from './lerc-block.ts';
import { unpackLzw } from './lzw.ts';
import { createMalformedError } from './tiff-directory.ts';
import { computeRowBytes, type TiffImage } from './tiff-image.ts';
import { unpackWebp } from './webp-block.ts';

/** `height` is that of this block: the last strip may be lower than the others. */
export async function unpackBlock(image: TiffImage, packed: Buffer, height: number): Promise<Uint8Array> {
  const length = computeRowBytes(image) * height;
  try {
    switch (image.compression) {
      case 5:
        return unpackLzw(packed, length);
      case 7:
        return await unpackJpeg(image, packed, height);
      case 8:
      case 32946:
        return inflateSync(packed, { maxOutputLength: MAX_BLOCK_BYTES });
      case 32773:
        return unpackPackBits(packed, length);
      case 34887:
        return await unpackLerc(image, packed, height);
      case 50000:
        return zstdDecompressSync(packed, { maxOutputLength: MAX_BLOCK_BYTES });
      case 50001:
        return await unpackWebp(image, packed, height);
      default:
        return packed;
    }
  } catch (error) {
    if (error instanceof Problem || !isDataError(error)) throw error;
    throw createMalformedError(image.file, `a block cannot be unpacked (${error.message})`);
  }
}

/** Returns whether the error is one that libraries throw for invalid data, not a programming error. */
function isDataError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = findErrorCode(error);
  return code === undefined || /^(?:Z_|ZSTD_|ERR_BUFFER_TOO_LARGE|ERR_ZLIB)/.test(code);
}

/** Unpacks PackBits: repeated bytes and literal bytes. */
function unpackPackBits(packed: Uint8Array, length: number): Uint8Array {
  const unpacked = new Uint8Array(length);
  let filled = 0;
  let at = 0;
  while (at < packed.length && filled < length) {
    const control = ((packed[at] ?? 0) << 24) >> 24;
    at += 1;
    if (control >= 0) {
      const stretch = packed.subarray(at, Math.min(at + control + 1, at + length - filled));
      unpacked.set(stretch, filled);
      filled += stretch.length;
      at += control + 1;
    } else if (control !== -128) {
      const end = Math.min(filled + 1 - control, length);
      unpacked.fill(packed[at] ?? 0, filled, end);
      filled = end;
      at += 1;
    }
  }
  return unpacked.subarray(0, filled);
}
