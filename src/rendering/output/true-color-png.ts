/**
 * Encodes pictures whose neighbouring pixels have similar colours, such as rasters, as PNG files with the differences of
 * pixels. One filter for all rows, which a few rows select, takes a third of the time of a library that compresses the
 * colours, and the files are smaller.
 */
import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import { freeBytes } from '../../lib/files/free-bytes.ts';
import type { RasterSize } from '../../raster/port/port.ts';
import { toStraight } from '../rasterizer/picture.ts';
import { assemblePng, type ColoredPixels, colorTypes } from './png-file.ts';

/** Differences are compressed quickly; a higher level saves less than a fifth. */
const LEVEL = 1;
/** Compressed pictures are large, so that small pieces of them would have to be joined. */
const PIECE_BYTES = 262_144;
const options = { level: LEVEL, memLevel: 9, chunkSize: PIECE_BYTES };

/** The difference of a byte to that of no other pixel, of the pixel to the left or of the pixel above. */
const filters = { none: 0, left: 1, above: 2 } as const;
type Filter = keyof typeof filters;
const filterNames = Object.keys(filters) as Filter[];

/** Of each group of rows, the first few are compressed with each filter. */
const GROUP_ROWS = 128;
const SAMPLED_ROWS = 2;

/** Returns undefined if colours are smaller than differences, as in most maps of shapes. Compresses outside the event loop. */
export async function encodeTrueColorPng(colored: ColoredPixels): Promise<Buffer | undefined> {
  const compress = promisify(deflate);
  const picture = straighten(colored);
  const sizes = filterNames.map(async (filter) => (await compress(sampleRows(picture, filter), options)).length);
  const filter = selectFilter(await Promise.all(sizes));
  if (filter === 'none') return undefined;
  return buildPng(picture, await compress(filterRows(picture, filter), options));
}

/** Encodes synchronously, for worker threads. */
export function encodeTrueColorPngSync(colored: ColoredPixels): Buffer | undefined {
  const picture = straighten(colored);
  const sizes = filterNames.map((filter) => deflateSync(sampleRows(picture, filter), options).length);
  const filter = selectFilter(sizes);
  if (filter === 'none') return undefined;
  const rows = filterRows(picture, filter);
  const png = buildPng(picture, deflateSync(rows, options));
  freeBytes(rows);
  return png;
}

/** Straight colours, one element per pixel. */
interface StraightPicture extends RasterSize {
  readonly pixels: Int32Array;
  readonly hasOpacity: boolean;
}

function straighten({ width, height, pixels, isPremultiplied }: ColoredPixels): StraightPicture {
  let all = -1;
  for (let at = 0; at < pixels.length; at += 1) all &= pixels[at] ?? 0;
  const hasOpacity = all >>> 24 !== 255;
  if (!hasOpacity || !isPremultiplied) return { width, height, pixels, hasOpacity };
  const straight = toStraight(new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength));
  return { width, height, pixels: new Int32Array(straight.buffer), hasOpacity };
}

function selectFilter(sizes: readonly number[]): Filter {
  return filterNames[sizes.indexOf(Math.min(...sizes))] ?? 'none';
}

function sampleRows(picture: StraightPicture, filter: Filter): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let first = 0; first < picture.height; first += GROUP_ROWS) {
    parts.push(filterRows(picture, filter, [first, Math.min(picture.height, first + SAMPLED_ROWS)]));
  }
  return Buffer.concat(parts);
}

/** Each row begins with the type of its filter. */
function filterRows(
  { width, height, pixels, hasOpacity }: StraightPicture,
  filter: Filter,
  [first, end]: readonly [first: number, end: number] = [0, height],
): Uint8Array {
  const rowBytes = width * (hasOpacity ? 4 : 3) + 1;
  const rows = new Uint8Array(rowBytes * (end - first));
  const write = hasOpacity ? writeFour : writeThree;
  for (let row = first; row < end; row += 1) {
    const to = (row - first) * rowBytes;
    // Nothing is above the first row.
    const used = row === 0 && filter === 'above' ? 'none' : filter;
    rows[to] = filters[used];
    write({ pixels, start: row * width, end: (row + 1) * width }, used, rows, to + 1);
  }
  return rows;
}

interface PixelRow {
  readonly pixels: Int32Array;
  readonly start: number;
  readonly end: number;
}

function writeThree({ pixels, start, end }: PixelRow, filter: Filter, rows: Uint8Array, first: number): void {
  const above = start - end;
  let left = 0;
  for (let at = start, to = first; at < end; at += 1, to += 3) {
    const pixel = pixels[at] ?? 0;
    const difference =
      filter === 'none' ? pixel : subtractBytes(pixel, filter === 'left' ? left : (pixels[at + above] ?? 0));
    rows[to] = difference;
    rows[to + 1] = difference >> 8;
    rows[to + 2] = difference >> 16;
    left = pixel;
  }
}

function writeFour({ pixels, start, end }: PixelRow, filter: Filter, rows: Uint8Array, first: number): void {
  const above = start - end;
  let left = 0;
  for (let at = start, to = first; at < end; at += 1, to += 4) {
    const pixel = pixels[at] ?? 0;
    const difference =
      filter === 'none' ? pixel : subtractBytes(pixel, filter === 'left' ? left : (pixels[at + above] ?? 0));
    rows[to] = difference;
    rows[to + 1] = difference >> 8;
    rows[to + 2] = difference >> 16;
    rows[to + 3] = difference >> 24;
    left = pixel;
  }
}

/** Subtracts all four bytes at once: the highest bit of each is set, so that none borrows from the next. */
function subtractBytes(pixel: number, other: number): number {
  return ((pixel | 0x80808080) - (other & 0x7f7f7f7f)) ^ (~(pixel ^ other) & 0x80808080);
}

function buildPng({ width, height, hasOpacity }: StraightPicture, compressed: Buffer): Buffer {
  return assemblePng({ width, height, colorType: hasOpacity ? colorTypes.rgba : colorTypes.rgb }, [], compressed);
}
