/** Reads PNG images: the header only, or all stored samples. */
import { inflateSync } from 'node:zlib';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { problem } from '../../lib/problems/problem.ts';
import { MAX_BLOCK_BYTES, MAX_SIDE_PIXELS } from '../port/limits.ts';
import type { Band, ColorInterpretation } from '../port/port.ts';
import type { RasterFile } from '../port/raster-file.ts';
import { createSamples, type Samples, type SampleType } from '../port/samples.ts';

export interface PngHead {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly bands: readonly Band[];
  readonly isInterlaced: boolean;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The bands of each colour type, and its valid bit depths. */
const colorTypes: Readonly<Record<number, readonly [colors: readonly ColorInterpretation[], bits: readonly number[]]>> =
  {
    0: [['gray'], [1, 2, 4, 8, 16]],
    2: [
      ['red', 'green', 'blue'],
      [8, 16],
    ],
    3: [['palette'], [1, 2, 4, 8]],
    4: [
      ['gray', 'alpha'],
      [8, 16],
    ],
    6: [
      ['red', 'green', 'blue', 'alpha'],
      [8, 16],
    ],
  };

export function isPng(head: Uint8Array): boolean {
  return SIGNATURE.equals(head.subarray(0, 8));
}

export function readPngHead(file: RasterFile): PngHead {
  const head = file.read(0, 33);
  if (!isPng(head) || head.toString('latin1', 12, 16) !== 'IHDR')
    throw createDamagedError(file, 'its PNG signature is missing');
  const width = head.readUInt32BE(16);
  const height = head.readUInt32BE(20);
  const bits = head.readUInt8(24);
  const [colors, depths] = colorTypes[head.readUInt8(25)] ?? [];
  if (colors === undefined || depths?.includes(bits) !== true || head.readUInt8(26) !== 0 || head.readUInt8(27) !== 0) {
    throw createDamagedError(file, 'its PNG header is invalid');
  }
  if (width < 1 || height < 1 || width > MAX_SIDE_PIXELS || height > MAX_SIDE_PIXELS) {
    throw createDamagedError(file, `its size of ${width} by ${height} pixels is invalid`);
  }
  return { width, height, bits, bands: createBands(file, colors, bits), isInterlaced: head.readUInt8(28) === 1 };
}

/** The chunk tRNS defines a grey value or a colour as transparent; in a palette, each colour has its alpha. */
function createBands(file: RasterFile, colors: readonly ColorInterpretation[], bits: number): readonly Band[] {
  const { transparency, palette } = findSmallChunks(file, colors);
  const type: SampleType = bits === 16 ? 'uint16' : 'uint8';
  return colors.map((colorInterpretation, index) => ({
    name: `Band${index + 1}`,
    type,
    colorInterpretation,
    ...(colorInterpretation === 'gray' && transparency !== undefined && transparency.length >= 2
      ? { noData: transparency.readUInt16BE(0) }
      : {}),
    ...(palette === undefined ? {} : { palette: addAlpha(palette, transparency) }),
  }));
}

function addAlpha(palette: Buffer, alphas: Buffer | undefined): Uint8Array {
  const count = Math.floor(palette.length / 3);
  return Uint8Array.from({ length: count * 4 }, (_, at) => {
    const entry = at >> 2;
    return at % 4 === 3 ? (alphas?.[entry] ?? 255) : (palette[entry * 3 + (at % 4)] ?? 0);
  });
}

function findSmallChunks(
  file: RasterFile,
  colors: readonly ColorInterpretation[],
): { readonly transparency?: Buffer; readonly palette?: Buffer } {
  let transparency: Buffer | undefined;
  let palette: Buffer | undefined;
  for (const { type, position, length } of readChunks(file)) {
    if (type === 'IDAT') break;
    if (type === 'tRNS' && length <= 256) transparency = file.read(position, length);
    if (type === 'PLTE' && length <= 768 && colors[0] === 'palette') palette = file.read(position, length);
  }
  return { ...(transparency === undefined ? {} : { transparency }), ...(palette === undefined ? {} : { palette }) };
}

interface Chunk {
  readonly type: string;
  readonly position: number;
  readonly length: number;
}

function* readChunks(file: RasterFile): Generator<Chunk> {
  let at = 8;
  while (at + 12 <= file.sizeBytes) {
    const head = file.read(at, 8);
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    yield { type, position: at + 8, length };
    if (type === 'IEND') return;
    at += 12 + length;
  }
}

/** Returns all samples interleaved by pixel. */
export function readPngSamples(file: RasterFile, head: PngHead): Samples {
  const perPixel = head.bands.length;
  const passes = head.isInterlaced ? listInterlacedPasses(head) : [{ ...head, left: 0, top: 0, stepX: 1, stepY: 1 }];
  const computeRowBytes = (width: number): number => Math.ceil((width * perPixel * head.bits) / 8);
  const total = passes.reduce((sum, { width, height }) => sum + height * (1 + computeRowBytes(width)), 0);
  if (Math.max(total, head.width * head.height * perPixel * (head.bits === 16 ? 2 : 1)) > MAX_BLOCK_BYTES) {
    throw problem('raster-file-unsupported', {
      file: file.name,
      reason: `its unpacked size of ${total} bytes exceeds the limit`,
    });
  }
  const rows = inflate(file, total);
  const type: SampleType = head.bits === 16 ? 'uint16' : 'uint8';
  const samples = createSamples(type, head.width * head.height * perPixel) as Uint8Array;
  let at = 0;
  for (const { width, height, left, top, stepX, stepY } of passes) {
    const length = computeRowBytes(width);
    let above: Uint8Array = new Uint8Array(length);
    for (let row = 0; row < height; row += 1) {
      const line = rows.subarray(at + 1, at + 1 + length);
      unfilter(file, rows[at] ?? 0, line, above, Math.max(1, (perPixel * head.bits) / 8));
      const first = (top + row * stepY) * head.width + left;
      for (let column = 0; column < width; column += 1) {
        for (let sample = 0; sample < perPixel; sample += 1) {
          samples[(first + column * stepX) * perPixel + sample] = readSample(
            line,
            column * perPixel + sample,
            head.bits,
          );
        }
      }
      above = line;
      at += 1 + length;
    }
  }
  return samples;
}

function readSample(line: Uint8Array, index: number, bits: number): number {
  if (bits === 8) return line[index] ?? 0;
  if (bits === 16) return ((line[index * 2] ?? 0) << 8) | (line[index * 2 + 1] ?? 0);
  const place = index * bits;
  return ((line[place >> 3] ?? 0) >> (8 - bits - (place & 7))) & ((1 << bits) - 1);
}

/** Adam7: seven passes of increasing resolution. */
function listInterlacedPasses({ width, height }: PngHead) {
  const starts = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const;
  return starts
    .map(([left, top, stepX, stepY]) => ({
      ...{ left, top, stepX, stepY },
      width: Math.ceil((width - left) / stepX),
      height: Math.ceil((height - top) / stepY),
    }))
    .filter((pass) => pass.width > 0 && pass.height > 0);
}

function inflate(file: RasterFile, total: number): Uint8Array {
  const parts: Buffer[] = [];
  let packed = 0;
  for (const { type, position, length } of readChunks(file)) {
    if (type !== 'IDAT') continue;
    packed += length;
    if (packed > MAX_BLOCK_BYTES)
      throw createDamagedError(file, 'its compressed samples are larger than the uncompressed samples');
    parts.push(file.read(position, length));
  }
  try {
    const rows = inflateSync(Buffer.concat(parts), { maxOutputLength: total + 65_536 });
    if (rows.length >= total) return rows;
  } catch (error) {
    if (findErrorCode(error) === undefined) throw error;
  }
  throw createDamagedError(file, 'its samples cannot be unpacked');
}

function unfilter(file: RasterFile, filter: number, line: Uint8Array, above: Uint8Array, distance: number): void {
  for (let at = 0; at < line.length; at += 1) {
    const left = at < distance ? 0 : (line[at - distance] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < distance ? 0 : (above[at - distance] ?? 0);
    line[at] = (line[at] ?? 0) + predictSample(file, filter, left, up, corner);
  }
}

function predictSample(file: RasterFile, filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const estimate = left + up - corner;
      const toLeft = Math.abs(estimate - left);
      const toUp = Math.abs(estimate - up);
      const toCorner = Math.abs(estimate - corner);
      return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
    }
    default:
      throw createDamagedError(file, `a row has the unknown filter ${filter}`);
  }
}

function createDamagedError(file: RasterFile, reason: string): Error {
  return problem('raster-file-malformed', { file: file.name, reason });
}
