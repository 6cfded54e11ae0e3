/** Unpacks TIFF LZW: codes of 9 to 12 bits, highest bit first, widened one code early. */
import { DamagedBlock } from './damaged-block.ts';

const CLEAR = 256;
const END = 257;
const FIRST_FREE = 258;
/** The size of the table in the TIFF specification. */
const MAX_CODES = 4_096;

export function unpackLzw(packed: Uint8Array, length: number): Uint8Array {
  const unpacked = new Uint8Array(length);
  // A code stands for the bytes of another code, followed by one byte.
  const before = new Uint16Array(MAX_CODES);
  const last = new Uint8Array(MAX_CODES);
  const lengths = new Uint16Array(MAX_CODES);
  for (let code = 0; code < CLEAR; code += 1) {
    last[code] = code;
    lengths[code] = 1;
  }
  let free = FIRST_FREE;
  let width = 9;
  let previous = -1;
  let filled = 0;
  let bits = 0;
  let bitCount = 0;
  let at = 0;

  /** Writes the bytes of a code from the end and returns the first one. */
  const write = (code: number): number => {
    const size = lengths[code] ?? 0;
    let rest = code;
    for (let place = filled + size - 1; place > filled; place -= 1) {
      if (place < length) unpacked[place] = last[rest] ?? 0;
      rest = before[rest] ?? 0;
    }
    const first = last[rest] ?? 0;
    if (filled < length) unpacked[filled] = first;
    filled += size;
    return first;
  };

  while (filled < length) {
    while (bitCount < width) {
      // Some writers omit the end code.
      if (at >= packed.length) return unpacked.subarray(0, filled);
      bits = ((bits << 8) | (packed[at] ?? 0)) & 0xffffff;
      at += 1;
      bitCount += 8;
    }
    const code = (bits >> (bitCount - width)) & ((1 << width) - 1);
    bitCount -= width;
    if (code === END) break;
    if (code === CLEAR) {
      free = FIRST_FREE;
      width = 9;
      previous = -1;
      continue;
    }
    if (previous < 0) {
      if (code > CLEAR) throw new DamagedBlock('LZW: undefined code');
      write(code);
    } else {
      if (code > free || (code === free && free >= MAX_CODES)) throw new DamagedBlock('LZW: undefined code');
      if (free < MAX_CODES) {
        before[free] = previous;
        lengths[free] = (lengths[previous] ?? 0) + 1;
        last[free] = code === free ? findFirstByte(previous) : findFirstByte(code);
        free += 1;
      }
      write(code);
    }
    previous = code;
    if (free + 1 >= 1 << width && width < 12) width += 1;
  }
  return filled >= length ? unpacked : unpacked.subarray(0, filled);

  function findFirstByte(code: number): number {
    let rest = code;
    while (rest >= CLEAR) rest = before[rest] ?? 0;
    return rest;
  }
}
