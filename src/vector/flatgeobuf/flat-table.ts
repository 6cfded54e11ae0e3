/** Reads FlatBuffers tables; every offset is validated before it is followed. */

/** A malformed message, with the offset in bytes from its start. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
  readonly offset: number;

  constructor(reason: string, offset = 0) {
    super(reason);
    this.offset = offset;
  }
}

export class FlatTable {
  readonly #bytes: Buffer;
  readonly #at: number;
  readonly #layout: number;
  readonly #layoutBytes: number;

  private constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
    this.#layout = at - checkRange(bytes, at, 4).readInt32LE(at);
    this.#layoutBytes = checkRange(bytes, this.#layout, 2).readUInt16LE(this.#layout);
  }

  /** Reads the root table of a message. */
  static readRoot(bytes: Buffer): FlatTable {
    return new FlatTable(bytes, checkRange(bytes, 0, 4).readUInt32LE(0));
  }

  /** Returns the offset of a field, or undefined if it has its default. */
  #findField(id: number): number | undefined {
    const entry = 4 + id * 2;
    if (entry + 2 > this.#layoutBytes) return undefined;
    const place = this.#layout + entry;
    const offset = checkRange(this.#bytes, place, 2).readUInt16LE(place);
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
    return this.readList(id, 1)?.toString('utf8');
  }

  /** Returns the bytes of a list of numbers, as a view of the message. */
  readList(id: number, itemBytes: number): Buffer | undefined {
    const list = this.#findList(id, itemBytes);
    return list && this.#bytes.subarray(list.from, list.from + list.count * itemBytes);
  }

  readDoubles(id: number): readonly number[] {
    const list = this.readList(id, 8);
    return Array.from({ length: (list?.length ?? 0) / 8 }, (_, index) => list?.readDoubleLE(index * 8) ?? 0);
  }

  readIntegers(id: number): readonly number[] {
    const list = this.readList(id, 4);
    return Array.from({ length: (list?.length ?? 0) / 4 }, (_, index) => list?.readUInt32LE(index * 4) ?? 0);
  }

  readTable(id: number): FlatTable | undefined {
    const at = this.#findField(id);
    return at === undefined ? undefined : this.#follow(at);
  }

  /** Counts the items of a list of tables or of integers. */
  countItems(id: number): number {
    return this.#findList(id, 4)?.count ?? 0;
  }

  *readTables(id: number): Generator<FlatTable> {
    const { from, count } = this.#findList(id, 4) ?? { from: 0, count: 0 };
    for (let index = 0; index < count; index += 1) yield this.#follow(from + index * 4);
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
    throw new MalformedMessageError('an offset points beyond its message', Math.max(0, offset));
  return bytes;
}
