/** Unpacks LERC blocks, which may be compressed again with deflate or Zstandard. */
import { inflateSync, zstdDecompressSync } from 'node:zlib';
import { MAX_BLOCK_BYTES } from '../port/limits.ts';
import { DamagedBlock } from './damaged-block.ts';
import { createUnsupportedError } from './tiff-directory.ts';
import { countSamplesPerBlockPixel, type TiffImage, tags } from './tiff-image.ts';

export async function unpackLerc(image: TiffImage, packed: Buffer, height: number): Promise<Uint8Array> {
  const further = image.directory.readNumber(tags.lercParameters, 1) ?? 0;
  const lerc = unpackFurther(image, packed, further);
  checkHead(image, lerc, height);
  const { decodeWithGeotiff } = await import('./geotiff-library.ts');
  return decodeWithGeotiff(image, lerc, { LercParameters: [4, 0] });
}

function unpackFurther(image: TiffImage, packed: Buffer, further: number): Buffer {
  switch (further) {
    case 0:
      return packed;
    case 1:
      return inflateSync(packed, { maxOutputLength: MAX_BLOCK_BYTES });
    case 2:
      return zstdDecompressSync(packed, { maxOutputLength: MAX_BLOCK_BYTES });
    default:
      throw createUnsupportedError(image.file, `it uses LERC with the unknown additional compression ${further}`);
  }
}

/** The library allocates memory as declared in the header, so the header must match the file. */
function checkHead(image: TiffImage, lerc: Buffer, height: number): void {
  if (lerc.length < 34 || lerc.toString('latin1', 0, 6) !== 'Lerc2 ') {
    throw createUnsupportedError(image.file, 'it uses LERC version 1');
  }
  const version = lerc.readInt32LE(6);
  let at = version >= 3 ? 14 : 10;
  const rows = lerc.readInt32LE(at);
  const columns = lerc.readInt32LE(at + 4);
  at += 8;
  const depth = version >= 4 ? lerc.readInt32LE(at) : 1;
  if (version > 5) throw createUnsupportedError(image.file, `it uses LERC version ${version}`);
  if (
    columns !== image.blockWidth ||
    rows < height ||
    rows > image.blockHeight ||
    depth !== countSamplesPerBlockPixel(image)
  ) {
    throw new DamagedBlock('LERC: the decoded size does not match the block');
  }
}
