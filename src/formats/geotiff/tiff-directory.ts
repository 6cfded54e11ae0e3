/** Writes directories of TIFF files. */

/** The value types of a directory with their sizes. */
export const SHORT = { code: 3, bytes: 2 };
export const LONG = { code: 4, bytes: 4 };
export const DOUBLE = { code: 12, bytes: 8 };
export const ASCII = { code: 2, bytes: 1 };

export interface Entry {
  readonly tag: number;
  readonly type: typeof SHORT;
  readonly values: readonly number[] | string;
}

/** Values of more than four bytes follow the directory. */
function isOutside({ type: { bytes }, values }: Entry): boolean {
  return bytes * values.length > 4;
}

export function measureDirectory(entries: readonly Entry[]): {
  readonly ownBytes: number;
  readonly totalBytes: number;
} {
  const ownBytes = roundUpToEven(2 + entries.length * 12 + 4);
  const outside = entries.filter(isOutside).map(({ type: { bytes }, values }) => roundUpToEven(bytes * values.length));
  return { ownBytes, totalBytes: outside.reduce((sum, bytes) => sum + bytes, ownBytes) };
}

/** `next` is the offset of the next directory; 0 for none. */
export function writeDirectory(head: Buffer, start: number, entries: readonly Entry[], next: number): void {
  head.writeUInt16LE(entries.length, start);
  let outside = start + measureDirectory(entries).ownBytes;
  for (const [index, entry] of entries.entries()) {
    const at = start + 2 + index * 12;
    head.writeUInt16LE(entry.tag, at);
    head.writeUInt16LE(entry.type.code, at + 2);
    head.writeUInt32LE(entry.values.length, at + 4);
    if (isOutside(entry)) {
      head.writeUInt32LE(outside, at + 8);
      writeValues(head, outside, entry.type, entry.values);
      outside += roundUpToEven(entry.type.bytes * entry.values.length);
    } else {
      writeValues(head, at + 8, entry.type, entry.values);
    }
  }
  head.writeUInt32LE(next, start + 2 + entries.length * 12);
}

function roundUpToEven(length: number): number {
  return length + (length % 2);
}

function writeValues(head: Buffer, at: number, { code, bytes }: Entry['type'], values: Entry['values']): void {
  if (typeof values === 'string') {
    head.write(values, at, 'latin1');
    return;
  }
  for (const [index, value] of values.entries()) {
    if (code === SHORT.code) head.writeUInt16LE(value, at + index * bytes);
    else if (code === LONG.code) head.writeUInt32LE(value, at + index * bytes);
    else head.writeDoubleLE(value, at + index * bytes);
  }
}
