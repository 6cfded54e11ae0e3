/** Writes the subset of protocol buffers that vector tiles need: varints, texts and nested messages. */

const INITIAL_BYTES = 64;

export class ProtobufWriter {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns the bytes; the writer must not be used afterwards. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes a non-negative integer. */
  writeVarint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes an integer in zigzag encoding, which is short for small absolute values. */
  writeSigned(value: number): void {
    this.writeVarint(value < 0 ? -value * 2 - 1 : value * 2);
  }

  writeNumberField(field: number, value: number): void {
    this.writeVarint(field * 8);
    this.writeVarint(value);
  }

  writeSignedField(field: number, value: number): void {
    this.writeVarint(field * 8);
    this.writeSigned(value);
  }

  writeDoubleField(field: number, value: number): void {
    this.writeVarint(field * 8 + 1);
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  writeTextField(field: number, text: string): void {
    this.writeBytesField(field, Buffer.from(text));
  }

  writeBytesField(field: number, bytes: Uint8Array): void {
    this.writeVarint(field * 8 + 2);
    this.writeVarint(bytes.length);
    this.writeRaw(bytes);
  }

  /** Writes encoded bytes unchanged. */
  writeRaw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#length + more, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
