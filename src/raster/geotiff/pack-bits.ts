/** Unpacks PackBits: repeated bytes and literal bytes. */

export function unpackPackBits(packed: Uint8Array, length: number): Uint8Array {
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
