/** Decodes runs of small integers: levels and positions in dictionaries. */

/** Wider values would need dictionaries with more than 16 million entries. */
const MAX_WIDTH = 24;

/** Fills the target from the bytes between `start` and `end`; a run that is longer than the target is cut. */
export function decodeRuns(
  bytes: Uint8Array,
  { start, end, width }: { readonly start: number; readonly end: number; readonly width: number },
  target: Uint8Array | Int32Array,
): void {
  if (width > MAX_WIDTH) throw new RangeError('The values are too wide.');
  const valueBytes = (width + 7) >> 3;
  let [at, filled] = [start, 0];
  while (filled < target.length) {
    let [header, shift] = [0, 0];
    for (;;) {
      const byte = bytes[at] ?? 0;
      if (at >= end || shift > 28) throw new RangeError('The runs end too early.');
      at += 1;
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
      shift += 7;
    }
    const length = Math.floor(header / 2);
    if (length === 0) throw new RangeError('A run is empty.');
    if (header % 2 === 1) {
      const count = Math.min(length * 8, target.length - filled);
      if (at + Math.ceil((count * width) / 8) > end) throw new RangeError('A run ends too early.');
      unpackBits(bytes, { at, width, count, filled }, target);
      at += length * width;
      filled += count;
    } else {
      if (at + valueBytes > end) throw new RangeError('A run ends too early.');
      let value = 0;
      for (let index = 0; index < valueBytes; index += 1) value |= (bytes[at + index] ?? 0) << (8 * index);
      const stop = Math.min(filled + length, target.length);
      target.fill(value, filled, stop);
      at += valueBytes;
      filled = stop;
    }
  }
}

function unpackBits(
  bytes: Uint8Array,
  run: { readonly at: number; readonly width: number; readonly count: number; readonly filled: number },
  target: Uint8Array | Int32Array,
): void {
  const mask = 2 ** run.width - 1;
  let [at, buffer, bits] = [run.at, 0, 0];
  for (let index = run.filled; index < run.filled + run.count; index += 1) {
    while (bits < run.width) {
      buffer |= (bytes[at] ?? 0) << bits;
      at += 1;
      bits += 8;
    }
    target[index] = buffer & mask;
    buffer >>>= run.width;
    bits -= run.width;
  }
}
