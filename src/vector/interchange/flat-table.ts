/** Reads FlatBuffers tables; every offset is validated before it is followed. */
import { MalformedFileError } from './raw-features.ts';

export class FlatTable {
  readonly #bytes: Buffer;
  readonly #at: number;

  private constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Reads the root table of a buffer. */
  static readRoot(bytes: Buffer): FlatTable {
    return new FlatTable(bytes, checkRange(bytes, 0, 4).readUInt32LE(0));
  }

  /** Returns the offset of a field, or undefined if it has its default. */
  #findField(id: number): number | undefined {
    const back = checkRange(this.#bytes, this.#at, 4).readInt32LE(this.#at);
    const layout = this.#at - back;
    const size = checkRange(this.#bytes, layout, 2).readUInt16LE(layout);
    const entry = 4 + id * 2;
    if (entry + 2 > size) return undefined;
    const offset = checkRange(this.#bytes, layout + entry, 2).readUInt16LE(layout + entry);
    return offset === 0 ? undefined : this.#at + offset;
  }

  readByte(id: number, absent = 0): number {
    const at = this.#findField(id);
    return at === undefined ? absent : checkRange(this.#bytes, at, 1).readUInt8(at);
  }

  readShort(id: number, absent: number): number {
    const at = this.#findField(id);
    return at === undefined ? absent : checkRange(this.#bytes, at, 2).readUInt16LE(at);
  }

  readInteger(id: number): number {
    const at = this.#findField(id);
    return at === undefined ? 0 : checkRange(this.#bytes, at, 4).readInt32LE(at);
  }

  readLong(id: number): bigint {
    const at = this.#findField(id);
    return at === undefined ? 0n : checkRange(this.#bytes, at, 8).readBigUInt64LE(at);
  }

  readText(id: number): string | undefined {
    return this.readBytes(id)?.toString('utf8');
  }

  readBytes(id: number): Buffer | undefined {
    const list = this.#findList(id, 1);
    return list && this.#bytes.subarray(list.from, list.from + list.count);
  }

  readDoubles(id: number): readonly number[] {
    const list = this.#findList(id, 8);
    return list === undefined
      ? []
      : Array.from({ length: list.count }, (_, index) => this.#bytes.readDoubleLE(list.from + index * 8));
  }

  readIntegers(id: number): readonly number[] {
    const list = this.#findList(id, 4);
    return list === undefined
      ? []
      : Array.from({ length: list.count }, (_, index) => this.#bytes.readUInt32LE(list.from + index * 4));
  }

  readTable(id: number): FlatTable | undefined {
    const at = this.#findField(id);
    return at === undefined ? undefined : this.#follow(at);
  }

  readTables(id: number): readonly FlatTable[] {
    const list = this.#findList(id, 4);
    return list === undefined
      ? []
      : Array.from({ length: list.count }, (_, index) => this.#follow(list.from + index * 4));
  }

  #follow(at: number): FlatTable {
    return new FlatTable(this.#bytes, at + checkRange(this.#bytes, at, 4).readUInt32LE(at));
  }

  #findList(id: number, itemBytes: number): { readonly from: number; readonly count: number } | undefined {
    const at = this.#findField(id);
    if (at === undefined) return undefined;
    const start = at + checkRange(this.#bytes, at, 4).readUInt32LE(at);
    const count = checkRange(this.#bytes, start, 4).readUInt32LE(start);
    checkRange(this.#bytes, start + 4, count * itemBytes);
    return { from: start + 4, count };
  }
}

/** Returns the bytes after validating the range. */
export function checkRange(bytes: Buffer, offset: number, length: number): Buffer {
  if (offset < 0 || offset + length > bytes.length)
    throw new MalformedFileError('an offset points beyond the end of the file', Math.max(0, offset));
  return bytes;
}
