/** Stores texts as bytes outside the heap: a hundred thousand strings would multiply the size of the heap. */

/** A range of bytes that contains text. */
export class TextSlice {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** In bytes. */
  get size(): number {
    return this.#end - this.#start;
  }

  toString(): string {
    return this.#bytes.toString('utf8', this.#start, this.#end);
  }

  /** Returns the end offset. */
  copyTo(target: Buffer, start: number): number {
    return start + this.#bytes.copy(target, start, this.#start, this.#end);
  }

  isSame(other: TextSlice): boolean {
    return (
      other.size === this.size &&
      this.#bytes.compare(other.#bytes, other.#start, other.#end, this.#start, this.#end) === 0
    );
  }
}

/** Many texts share one buffer. */
const PIECE_BYTES = 1_048_576;

export class TextBuffer {
  #bytes = Buffer.alloc(0);
  #used = 0;

  append(text: string): TextSlice {
    const size = Buffer.byteLength(text);
    if (this.#used + size > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, size));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += this.#bytes.write(text, start);
    return new TextSlice(this.#bytes, start, this.#used);
  }
}
