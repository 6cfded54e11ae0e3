/**
 * Encodes pictures with few colours, such as most maps, as PNG files with one byte per pixel. The encoding is
 * lossless, the files are smaller, and it takes a third of the time of a library that does not know the colours.
 */
import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import { freeBytes } from '../../lib/files/free-bytes.ts';
import { assemblePng, type ColoredPixels, colorTypes } from './png-file.ts';

/** The number of colours that a byte can index. */
const MAX_COLORS = 256;

/** Most maps are viewed once: fast encoding matters more than the last 10 % of file size. */
const LEVEL = 3;

/** Returns undefined if there are more than 256 colours. Compresses outside the event loop. */
export async function encodeIndexedPng(picture: ColoredPixels): Promise<Buffer | undefined> {
  const indexed = indexColors(picture);
  return indexed && buildPng(picture, indexed.colors, await promisify(deflate)(indexed.rows, { level: LEVEL }));
}

/** Encodes synchronously, for worker threads. */
export function encodeIndexedPngSync(picture: ColoredPixels): Buffer | undefined {
  const indexed = indexColors(picture);
  if (indexed === undefined) return undefined;
  const png = buildPng(picture, indexed.colors, deflateSync(indexed.rows, { level: LEVEL }));
  freeBytes(indexed.rows);
  return png;
}

function buildPng({ width, height, isPremultiplied }: ColoredPixels, found: Int32Array, compressed: Buffer): Buffer {
  const { colors, transparency } = buildPalette(found, isPremultiplied);
  const palette = [
    { type: 'PLTE', content: colors },
    ...(transparency === undefined ? [] : [{ type: 'tRNS', content: transparency }]),
  ];
  return assemblePng({ width, height, colorType: colorTypes.palette }, palette, compressed);
}

/** Four times the number of colours, so that most lookups succeed at the first slot. */
const SLOTS = 1_024;
const SLOT_BITS = 10;

/** Scatters similar colours. */
const HASH_MULTIPLIER = 0x9e3779b1;

interface IndexedRows {
  readonly colors: Int32Array;
  /** The palette indexes, row by row. Each row begins with the filter type 0. */
  readonly rows: Uint8Array;
}

function indexColors({ width, height, pixels }: ColoredPixels): IndexedRows | undefined {
  const rows = new Uint8Array((width + 1) * height);
  const [first = 0] = pixels;
  const colors = [first];
  // Unused slots hold the first colour, so it is found in any of them.
  const keys = new Int32Array(SLOTS).fill(first);
  const places = new Uint8Array(SLOTS);
  let last = first;
  let place = 0;
  for (let row = 0, at = 0; row < height; row += 1) {
    const end = at + width;
    while (at < end) {
      const color = pixels[at] ?? 0;
      // Skip the background, which covers most of a map: its index is zero already.
      if (color === first) {
        at = findRunEnd(pixels, at + 1, end, first);
        continue;
      }
      if (color !== last) {
        let slot = Math.imul(color, HASH_MULTIPLIER) >>> (32 - SLOT_BITS);
        while (keys[slot] !== color && places[slot] !== 0) slot = (slot + 1) % SLOTS;
        if (keys[slot] !== color) {
          if (colors.length === MAX_COLORS) return undefined;
          keys[slot] = color;
          places[slot] = colors.length;
          colors.push(color);
        }
        place = places[slot] ?? 0;
        last = color;
      }
      rows[at + row + 1] = place;
      at += 1;
    }
  }
  return { colors: Int32Array.from(colors), rows };
}

/** Returns the end of a run of one colour. Comparing four pixels at a time is twice as fast. */
function findRunEnd(pixels: Int32Array, start: number, end: number, color: number): number {
  let at = start;
  while (at + 4 <= end) {
    const one = (pixels[at] ?? 0) ^ color;
    const two = (pixels[at + 1] ?? 0) ^ color;
    const three = (pixels[at + 2] ?? 0) ^ color;
    const four = (pixels[at + 3] ?? 0) ^ color;
    if ((one | two | three | four) !== 0) break;
    at += 4;
  }
  while (at < end && pixels[at] === color) at += 1;
  return at;
}

/** Omits the opacities if all colours are opaque. */
function buildPalette(
  found: Int32Array,
  isPremultiplied: boolean,
): { readonly colors: Uint8Array; readonly transparency: Uint8Array | undefined } {
  const bytes = new Uint8Array(found.buffer, found.byteOffset, found.byteLength);
  const colors = new Uint8Array(found.length * 3);
  const transparency = new Uint8Array(found.length);
  for (let index = 0; index < found.length; index += 1) {
    const opacity = bytes[index * 4 + 3] ?? 0;
    const factor = isPremultiplied && opacity > 0 ? 255 / opacity : 1;
    transparency[index] = opacity;
    for (let part = 0; part < 3; part += 1) {
      colors[index * 3 + part] = Math.min(255, (bytes[index * 4 + part] ?? 0) * factor + 0.5);
    }
  }
  return { colors, transparency: transparency.every((opacity) => opacity === 255) ? undefined : transparency };
}
