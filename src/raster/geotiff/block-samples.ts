/** Reads one block of an image as samples. */
import { endianness } from 'node:os';
import { MAX_BLOCK_BYTES } from '../port/limits.ts';
import { createSamples, createSamplesView, type Samples } from '../port/samples.ts';
import { undoPredictor } from './predictor.ts';
import { createMalformedError } from './tiff-directory.ts';
import {
  compressions,
  computeBlockNumber,
  computeRowBytes,
  countSamplesPerBlockPixel,
  type TiffImage,
  tags,
} from './tiff-image.ts';
import { unpackBlock } from './unpack.ts';

/** Returns the samples interleaved by pixel; undefined if the file omits the block, which means no data. */
export async function readBlock(
  image: TiffImage,
  across: number,
  down: number,
  plane: number,
): Promise<Samples | undefined> {
  const stored = locate(image, across, down, plane);
  if (stored === undefined) return undefined;
  const { position, length, height } = stored;
  const packed = image.file.read(position, length);
  const rows = await unpackBlock(image, packed, height);
  const expected = computeRowBytes(image) * height;
  if (rows.length < expected)
    throw createMalformedError(image.file, `a block has ${rows.length} bytes instead of ${expected}`);
  // Copy: the bytes may be shared, and are modified in place.
  return toSamples(image, new Uint8Array(rows.subarray(0, expected)), height);
}

/** Announces blocks that will be read, so that a remote file reads neighbouring ones at once. */
export function announceBlocks(
  image: TiffImage,
  blocks: readonly { readonly across: number; readonly down: number; readonly plane: number }[],
): void {
  image.file.announce?.(blocks.flatMap(({ across, down, plane }) => locate(image, across, down, plane) ?? []));
}

interface StoredBlock {
  readonly position: number;
  readonly length: number;
  readonly height: number;
}

function locate(image: TiffImage, across: number, down: number, plane: number): StoredBlock | undefined {
  const { directory, file, isTiled, blockHeight, rowsPerStrip } = image;
  const number = computeBlockNumber(image, across, down, plane);
  const offset = directory.readNumber(isTiled ? tags.tileOffsets : tags.stripOffsets, number);
  if (offset === undefined) throw createMalformedError(file, `the offset of block ${number} is missing`);
  const height = isTiled ? blockHeight : Math.min(blockHeight, image.height - down * blockHeight);
  const length = directory.readNumber(isTiled ? tags.tileByteCounts : tags.stripByteCounts, number);
  if (offset === 0 || length === 0) return undefined;
  if (image.compression === compressions.none) {
    const firstRow = isTiled ? 0 : (down * blockHeight) % rowsPerStrip;
    return { position: offset + firstRow * computeRowBytes(image), length: computeRowBytes(image) * height, height };
  }
  // Without a length, a block may extend to the end of the file.
  const packed = length ?? file.sizeBytes - offset;
  if (packed > MAX_BLOCK_BYTES)
    throw createMalformedError(file, `block ${number} has an invalid size of ${packed} bytes`);
  return { position: offset, length: packed, height };
}

function toSamples(image: TiffImage, bytes: Uint8Array, height: number): Samples {
  const { bits, type } = image;
  if (image.directory.readNumber(tags.fillOrder) === 2 && image.compression === compressions.none) reverseBits(bytes);
  if (![8, 16, 32, 64].includes(bits)) return unpackBits(image, bytes, height);
  // A floating-point predictor stores the highest byte first, regardless of the byte order of the file.
  const isNative = isSelfOrdered(image) || (image.isLittleEndian && endianness() === 'LE');
  if (image.predictor === 3) {
    undoPredictor(image, bytes, height);
    swapBytes(bytes, bits);
  } else {
    if (!isNative) swapBytes(bytes, bits);
    undoPredictor(image, bytes, height);
  }
  return image.format === 'float' && bits === 16 ? fromHalves(bytes) : createSamplesView(type, bytes);
}

/** LERC returns numbers in the byte order of this machine; image decoders return bytes. */
function isSelfOrdered(image: TiffImage): boolean {
  return image.compression === 34887;
}

function swapBytes(bytes: Uint8Array, bits: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bits === 16) buffer.swap16();
  if (bits === 32) buffer.swap32();
  if (bits === 64) buffer.swap64();
}

function reverseBits(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    byte = ((byte & 0xf0) >> 4) | ((byte & 0x0f) << 4);
    byte = ((byte & 0xcc) >> 2) | ((byte & 0x33) << 2);
    bytes[at] = ((byte & 0xaa) >> 1) | ((byte & 0x55) << 1);
  }
}

/** Unpacks samples that are not whole bytes, highest bit first; each row begins at a byte. */
function unpackBits(image: TiffImage, bytes: Uint8Array, height: number): Samples {
  const { bits, format, type } = image;
  const perRow = image.blockWidth * countSamplesPerBlockPixel(image);
  const stride = computeRowBytes(image);
  const samples = createSamples(type, perRow * height);
  const top = 2 ** (bits - 1);
  for (let row = 0; row < height; row += 1) {
    let at = row * stride * 8;
    for (let index = 0; index < perRow; index += 1) {
      let value = 0;
      let wanted = bits;
      while (wanted > 0) {
        const free = 8 - (at & 7);
        const taken = Math.min(free, wanted);
        const part = ((bytes[at >>> 3] ?? 0) >> (free - taken)) & ((1 << taken) - 1);
        value = value * 2 ** taken + part;
        at += taken;
        wanted -= taken;
      }
      samples[row * perRow + index] = format === 'signed' && value >= top ? value - 2 * top : value;
    }
  }
  return samples;
}

function fromHalves(bytes: Uint8Array): Float32Array {
  const halves = createSamplesView('uint16', bytes);
  return Float32Array.from(halves as Uint16Array, decodeHalf);
}

function decodeHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
