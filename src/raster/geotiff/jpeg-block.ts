/** Unpacks JPEG blocks, which share their tables with the other blocks of the file. */

import { readJpegHead } from '../support/jpeg-head.ts';
import { unpackPicture } from '../support/picture-library.ts';
import { DamagedBlock } from './damaged-block.ts';
import { createUnsupportedError } from './tiff-directory.ts';
import { countSamplesPerBlockPixel, photometrics, type TiffImage, tags } from './tiff-image.ts';

export async function unpackJpeg(image: TiffImage, packed: Buffer, height: number): Promise<Uint8Array> {
  if (image.bits !== 8)
    throw createUnsupportedError(image.file, `it uses JPEG compression with ${image.bits} bits per sample`);
  const jpeg = completeJpeg(image, packed);
  const head = readJpegHead(jpeg);
  const bands = countSamplesPerBlockPixel(image);
  if (head === undefined) throw new DamagedBlock('JPEG: no frame found');
  if (head.components !== bands) throw new DamagedBlock(`JPEG: ${head.components} bands instead of ${bands}`);
  // Some writers make the last block of a file lower; it is never larger.
  if (head.width !== image.blockWidth || head.height > image.blockHeight || head.height < height) {
    throw new DamagedBlock(`JPEG: the frame size of ${head.width} by ${head.height} pixels does not match the block`);
  }
  if (bands === 1 || bands === 3) return unpackPicture(jpeg, { bands, width: head.width, height: head.height });
  return unpackRawJpeg(image, packed);
}

/** Assembles a complete JPEG file: the tables of the file, a marker for the colour space, and the block. */
function completeJpeg(image: TiffImage, packed: Buffer): Buffer {
  const tables = image.directory.readBytes(tags.jpegTables);
  const start = Buffer.from([0xff, 0xd8]);
  const shared = tables === undefined || tables.length < 4 ? Buffer.alloc(0) : Buffer.from(tables).subarray(2, -2);
  const isYCbCr = image.photometric === photometrics.yCbCr && !image.isPlanar;
  return Buffer.concat([start, createAdobeMarker(isYCbCr), shared, packed.subarray(2)]);
}

/** Without this marker, decoders assume that three components are YCbCr. */
function createAdobeMarker(isYCbCr: boolean): Buffer {
  return Buffer.from([0xff, 0xee, 0, 14, ...Buffer.from('Adobe', 'latin1'), 0, 100, 0, 0, 0, 0, isYCbCr ? 1 : 0]);
}

/** Unpacks components that are not colours: two of them, or four and more. */
async function unpackRawJpeg(image: TiffImage, packed: Buffer): Promise<Uint8Array> {
  const { decodeWithGeotiff } = await import('./geotiff-library.ts');
  return decodeWithGeotiff(image, packed, { JPEGTables: image.directory.readBytes(tags.jpegTables) });
}
