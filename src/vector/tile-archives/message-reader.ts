/** Reads protocol buffers within their bytes. */
import { TileArchiveError } from './model/tile-archive.ts';

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Reads the fields of a message of protocol buffers. */
export class MessageReader {
  readonly #bytes: Uint8Array;
  #position = 0;
  #wire = 0;
  #field = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The number of the current field. */
  get field(): number {
    return this.#field;
  }

  /** The position in the message. */
  get position(): number {
    return this.#position;
  }

  hasMore(): boolean {
    return this.#position < this.#bytes.length;
  }

  /** Moves to the next field, whose value must then be read or skipped; returns false at the end. */
  next(): boolean {
    if (!this.hasMore()) return false;
    const tag = this.readVarint();
    this.#field = Math.floor(tag / 8);
    this.#wire = tag & 7;
    return true;
  }

  skip(): void {
    if (this.#wire === VARINT) this.readVarint();
    else if (this.#wire === BYTES) this.readBytes();
    else if (this.#wire === FIXED64) this.#take(8);
    else if (this.#wire === FIXED32) this.#take(4);
    else throw createDamagedError();
  }

  readBytes(): Uint8Array {
    if (this.#wire !== BYTES) throw createDamagedError();
    return this.#take(this.readVarint());
  }

  readFixed(length: 4 | 8): Uint8Array {
    if (this.#wire !== (length === 4 ? FIXED32 : FIXED64)) throw createDamagedError();
    return this.#take(length);
  }

  readNumber(): number {
    if (this.#wire !== VARINT) throw createDamagedError();
    return this.readVarint();
  }

  /** Reads a number without a field. Numbers above 2^53 are rounded. */
  readVarint(): number {
    let value = 0;
    let scale = 1;
    for (let length = 0; length < 10; length += 1) {
      const byte = this.#bytes[this.#position];
      if (byte === undefined) throw createDamagedError();
      this.#position += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw createDamagedError();
  }

  #take(length: number): Uint8Array {
    const end = this.#position + length;
    if (end > this.#bytes.length) throw createDamagedError();
    const taken = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return taken;
  }
}

export function createDamagedError(): TileArchiveError {
  return new TileArchiveError('one of its vector tiles is damaged');
}
