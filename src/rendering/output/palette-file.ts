/** Reads the palette of a GIF or PNG image, or a list of colours (`.pal`). */
import { extname } from 'node:path/posix';
import type { Color } from '../request/map-request.ts';

/** The extensions of palettes, in the order in which a palette is searched. */
export const paletteExtensions = ['.gif', '.png', '.pal'] as const;

/** Images with a palette are small. */
export const MAX_PALETTE_BYTES = 1_048_576;

/** The number of colours that a byte can index. */
const MAX_COLORS = 256;

/** Longer texts have more than 256 colours. */
const MAX_TEXT_BYTES = 65_536;

/** Returns undefined for a file without a palette. */
export function readPalette(name: string, bytes: Uint8Array): readonly Color[] | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const colors = readColors(extname(name).toLowerCase(), file);
  return colors !== undefined && colors.length > 0 && colors.length <= MAX_COLORS ? colors : undefined;
}

function readColors(extension: string, file: Buffer): readonly Color[] | undefined {
  switch (extension) {
    case '.gif':
      return readGif(file);
    case '.png':
      return readPng(file);
    case '.pal':
      return file.length > MAX_TEXT_BYTES ? undefined : readText(file.toString('latin1'));
    default:
      return undefined;
  }
}

/** The global colour table follows the header of 13 bytes, whose eleventh has its size. */
function readGif(file: Buffer): readonly Color[] | undefined {
  const flags = file[10] ?? 0;
  if (file.toString('latin1', 0, 3) !== 'GIF' || (flags & 0x80) === 0) return undefined;
  return readTriples(file.subarray(13, 13 + 3 * 2 ** ((flags & 7) + 1)));
}

/** Chunks have their length, a type, the content and a checksum. */
function readPng(file: Buffer): readonly Color[] | undefined {
  for (let at = 8; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'PLTE') {
      return length > 3 * MAX_COLORS ? undefined : readTriples(file.subarray(at + 8, at + 8 + length));
    }
    at += 12 + length;
  }
  return undefined;
}

function readTriples(bytes: Buffer): readonly Color[] {
  return Array.from({ length: Math.floor(bytes.length / 3) }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = bytes.subarray(index * 3);
    return { red, green, blue };
  });
}

/** Lines of `#RRGGBB`, `0xRRGGBB` or three numbers. The first three lines may be the header of a JASC palette. */
function readText(text: string): readonly Color[] | undefined {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const isJasc = lines[0] === 'JASC-PAL';
  const colors = lines.slice(isJasc ? 3 : 0).filter((line) => line !== '');
  const parsed = colors.map(parseColor);
  return parsed.every((color) => color !== undefined) ? parsed : undefined;
}

function parseColor(line: string): Color | undefined {
  const [, red, green, blue] = /^(?:#|0x)([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(line) ?? [];
  const digits = [red, green, blue].map((channel) => Number.parseInt(channel ?? '', 16));
  const numbers =
    red === undefined ? line.split(/[\s,;]+/).map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : -1)) : digits;
  const [r = -1, g = -1, b = -1] = numbers;
  const isColor = numbers.length === 3 && numbers.every((channel) => channel >= 0 && channel <= 255);
  return isColor ? { red: r, green: g, blue: b } : undefined;
}
