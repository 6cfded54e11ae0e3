/** Writes size-prefixed FlatBuffers messages: tables of numbered fields, followed by their references. */

/** Fields by number; undefined fields are omitted and have their default. */
export type FlatFields = readonly (FlatValue | undefined)[];

export type FlatValue =
  | { readonly kind: 'byte' | 'short' | 'int' | 'long'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'doubles'; readonly value: ArrayLike<number> }
  | { readonly kind: 'integers'; readonly value: readonly number[] }
  | { readonly kind: 'table'; readonly value: FlatFields }
  | { readonly kind: 'tables'; readonly value: readonly FlatFields[] };

const scalarBytes = { byte: 1, short: 2, int: 4, long: 8 } as const;
const REFERENCE_BYTES = 4;
/** The size of the widest number; everything is aligned to it, so that messages can be read in place. */
const ALIGNMENT = 8;

/** Reused for many messages, so that each allocates only its own bytes. */
export class FlatWriter {
  #bytes = Buffer.alloc(512);
  /** The size and the root offset precede the content. */
  #length = 8;

  /** The message length is a multiple of eight. */
  writeMessage(root: FlatFields): Buffer {
    this.#bytes.fill(0, 0, this.#length);
    this.#length = 8;
    const start = this.#writeTable(root);
    this.#bytes.writeUInt32LE(start - 4, 4);
    this.#align(ALIGNMENT);
    this.#bytes.writeUInt32LE(this.#length - 4, 0);
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  /** Returns the offset of the table: its vtable, its fields, and then what they refer to. */
  #writeTable(fields: FlatFields): number {
    const layoutBytes = 4 + fields.length * 2;
    this.#align(2);
    const layout = this.#reserve(layoutBytes);
    this.#align(ALIGNMENT);
    const start = this.#reserve(4);
    this.#bytes.writeInt32LE(start - layout, start);
    const places = fields.map((field) => {
      if (field === undefined) return 0;
      const size = getByteSize(field);
      this.#align(size);
      return this.#reserve(size);
    });
    this.#bytes.writeUInt16LE(layoutBytes, layout);
    this.#bytes.writeUInt16LE(this.#length - start, layout + 2);
    for (const [index, place] of places.entries()) {
      this.#bytes.writeUInt16LE(place === 0 ? 0 : place - start, layout + 4 + index * 2);
    }
    for (const [index, field] of fields.entries()) {
      if (field !== undefined) this.#writeValue(field, places[index] ?? 0);
    }
    return start;
  }

  #writeValue(field: FlatValue, place: number): void {
    switch (field.kind) {
      case 'byte':
        this.#bytes.writeUInt8(field.value, place);
        return;
      case 'short':
        this.#bytes.writeUInt16LE(field.value, place);
        return;
      case 'int':
        this.#bytes.writeInt32LE(field.value, place);
        return;
      case 'long':
        this.#bytes.writeBigUInt64LE(BigInt(field.value), place);
        return;
      default:
        this.#writeReference(place, this.#writeReferred(field));
    }
  }

  #writeReferred(field: Exclude<FlatValue, { kind: keyof typeof scalarBytes }>): number {
    switch (field.kind) {
      case 'text': {
        const text = Buffer.from(field.value);
        const start = this.#writeVector(text.length, text.length + 1, 1);
        this.#bytes.set(text, start + 4);
        return start;
      }
      case 'bytes': {
        const start = this.#writeVector(field.value.length, field.value.length, 1);
        this.#bytes.set(field.value, start + 4);
        return start;
      }
      case 'doubles': {
        const { value } = field;
        const start = this.#writeVector(value.length, value.length * 8, 8);
        for (let index = 0; index < value.length; index += 1)
          this.#bytes.writeDoubleLE(value[index] ?? 0, start + 4 + index * 8);
        return start;
      }
      case 'integers': {
        const start = this.#writeVector(field.value.length, field.value.length * 4, 4);
        for (const [index, value] of field.value.entries()) this.#bytes.writeUInt32LE(value, start + 4 + index * 4);
        return start;
      }
      case 'table':
        return this.#writeTable(field.value);
      case 'tables': {
        const start = this.#writeVector(field.value.length, field.value.length * REFERENCE_BYTES, 4);
        for (const [index, fields] of field.value.entries()) {
          this.#writeReference(start + 4 + index * REFERENCE_BYTES, this.#writeTable(fields));
        }
        return start;
      }
    }
  }

  /** Writes a count and reserves aligned space for the items after it. */
  #writeVector(count: number, bytes: number, itemBytes: number): number {
    this.#align(4);
    while ((this.#length + 4) % itemBytes !== 0) this.#reserve(4);
    const start = this.#reserve(4 + bytes);
    this.#bytes.writeUInt32LE(count, start);
    return start;
  }

  /** References are relative offsets. */
  #writeReference(from: number, to: number): void {
    this.#bytes.writeUInt32LE(to - from, from);
  }

  #align(size: number): void {
    const over = this.#length % size;
    if (over !== 0) this.#reserve(size - over);
  }

  #reserve(bytes: number): number {
    const start = this.#length;
    if (start + bytes > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(this.#bytes.length * 2, start + bytes));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#length += bytes;
    return start;
  }
}

function getByteSize(field: FlatValue): number {
  switch (field.kind) {
    case 'byte':
    case 'short':
    case 'int':
    case 'long':
      return scalarBytes[field.kind];
    default:
      return REFERENCE_BYTES;
  }
}
