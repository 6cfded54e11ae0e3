/** Tables in a buffer as FlatBuffers lays them out: every offset is looked at before it is followed. */
import { FileMistake } from './raw-features.ts';

export class FlatTable {
  readonly #bytes: Buffer;
  readonly #at: number;

  private constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The outermost one of a buffer. */
  static rootOf(bytes: Buffer): FlatTable {
    return new FlatTable(bytes, within(bytes, 0, 4).readUInt32LE(0));
  }

  /** Where a field is; undefined where it has what it has by default. */
  #field(id: number): number | undefined {
    const back = within(this.#bytes, this.#at, 4).readInt32LE(this.#at);
    const layout = this.#at - back;
    const size = within(this.#bytes, layout, 2).readUInt16LE(layout);
    const entry = 4 + id * 2;
    if (entry + 2 > size) return undefined;
    const offset = within(this.#bytes, layout + entry, 2).readUInt16LE(layout + entry);
    return offset === 0 ? undefined : this.#at + offset;
  }

  byte(id: number, absent = 0): number {
    const at = this.#field(id);
    return at === undefined ? absent : within(this.#bytes, at, 1).readUInt8(at);
  }

  short(id: number, absent: number): number {
    const at = this.#field(id);
    return at === undefined ? absent : within(this.#bytes, at, 2).readUInt16LE(at);
  }

  integer(id: number): number {
    const at = this.#field(id);
    return at === undefined ? 0 : within(this.#bytes, at, 4).readInt32LE(at);
  }

  long(id: number): bigint {
    const at = this.#field(id);
    return at === undefined ? 0n : within(this.#bytes, at, 8).readBigUInt64LE(at);
  }

  text(id: number): string | undefined {
    return this.bytes(id)?.toString('utf8');
  }

  bytes(id: number): Buffer | undefined {
    const list = this.#list(id, 1);
    return list && this.#bytes.subarray(list.from, list.from + list.count);
  }

  doubles(id: number): readonly number[] {
    const list = this.#list(id, 8);
    return list === undefined
      ? []
      : Array.from({ length: list.count }, (_, index) => this.#bytes.readDoubleLE(list.from + index * 8));
  }

  integers(id: number): readonly number[] {
    const list = this.#list(id, 4);
    return list === undefined
      ? []
      : Array.from({ length: list.count }, (_, index) => this.#bytes.readUInt32LE(list.from + index * 4));
  }

  table(id: number): FlatTable | undefined {
    const at = this.#field(id);
    return at === undefined ? undefined : this.#follow(at);
  }

  tables(id: number): readonly FlatTable[] {
    const list = this.#list(id, 4);
    return list === undefined
      ? []
      : Array.from({ length: list.count }, (_, index) => this.#follow(list.from + index * 4));
  }

  #follow(at: number): FlatTable {
    return new FlatTable(this.#bytes, at + within(this.#bytes, at, 4).readUInt32LE(at));
  }

  #list(id: number, itemBytes: number): { readonly from: number; readonly count: number } | undefined {
    const at = this.#field(id);
    if (at === undefined) return undefined;
    const start = at + within(this.#bytes, at, 4).readUInt32LE(at);
    const count = within(this.#bytes, start, 4).readUInt32LE(start);
    within(this.#bytes, start + 4, count * itemBytes);
    return { from: start + 4, count };
  }
}

/** The same bytes, if there are so many from there on. */
export function within(bytes: Buffer, offset: number, length: number): Buffer {
  if (offset < 0 || offset + length > bytes.length)
    throw new FileMistake('it points beyond its end', Math.max(0, offset));
  return bytes;
}
