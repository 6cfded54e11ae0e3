/** Writes text as bytes in chunks: numbers and ASCII text go directly into a buffer, without intermediate strings. */
import { setImmediate as othersFirst } from 'node:timers/promises';

/** The chunk size: small enough to buffer many, large enough for few transfers. */
const PIECE_BYTES = 65_536;

/** Room for a feature at the end of a chunk; only larger features require more. */
const ROOM_BYTES = PIECE_BYTES * 2;

/** The maximum length of a number. */
const NUMBER_BYTES = 32;

/** The maximum number of decimals for which the digits fit into 32 bits. */
const FAST_DECIMALS = 9;
const MOST_DECIMALS = 15;

const ASCII_END = 0x80;
const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;

/** The characters that must be escaped, and the function that escapes them. */
export interface Escaping {
  /** By ASCII code, 1 if special; `escape` handles all other characters. */
  readonly special: Uint8Array;
  readonly escape: (text: string) => string;
}

export function createSpecialCharacterTable(isSpecial: (character: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: ASCII_END }, (_, code) => (isSpecial(String.fromCharCode(code)) ? 1 : 0));
}

/** A list of which only the first items are written. */
interface PendingList {
  readonly count: number;
  readonly writeItem: (index: number) => void;
  next: number;
}

export class TextWriter {
  readonly #decimals: number;
  readonly #scale: number;
  #bytes = Buffer.allocUnsafeSlow(ROOM_BYTES);
  #length = 0;
  /** The earlier output: bytes, and lists with items that are still to be written. */
  #before: (Uint8Array | PendingList)[] = [];

  /** Numbers are rounded to this number of decimals. */
  constructor(decimals: number) {
    this.#decimals = Math.max(0, Math.min(decimals, MOST_DECIMALS));
    this.#scale = 10 ** this.#decimals;
  }

  /** Whether there is enough for a chunk. */
  get isFull(): boolean {
    return this.#length >= PIECE_BYTES || this.#before.length > 0;
  }

  /**
   * Writes as many items of a list as fit into a chunk; the rest is written in place when the next chunks are
   * requested. Long lists therefore neither block other requests nor use much memory.
   */
  writeEach(count: number, writeItem: (index: number) => void): void {
    this.#continueList({ count, writeItem, next: 0 });
  }

  /** Returns the whole output and yields to other requests while it writes. */
  async flushAll(): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (; this.isFull; await othersFirst()) pieces.push(this.flush());
    pieces.push(this.flush());
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  #continueList(list: PendingList): void {
    while (list.next < list.count) {
      list.writeItem(list.next);
      list.next += 1;
      // Not immediately at the chunk size, because most chunks would then end in the middle of a small list.
      if ((this.#length >= ROOM_BYTES || this.#before.length > 0) && list.next < list.count) {
        this.#queueWritten();
        this.#before.push(list);
        return;
      }
    }
  }

  /** Moves the current bytes to the queue, so that further output follows them. */
  #queueWritten(): void {
    if (this.#length > 0) this.#before.push(this.#flushBuffer());
  }

  /** Returns the next chunk; more follow while the writer is full. */
  flush(): Uint8Array {
    const first = this.#before.shift();
    if (first === undefined) return this.#flushBuffer();
    if (first instanceof Uint8Array) return first;
    this.#queueWritten();
    const behind = this.#before;
    this.#before = [];
    this.#continueList(first);
    if (behind.length > 0) {
      this.#queueWritten();
      this.#before.push(...behind);
    }
    return this.flush();
  }

  /**
   * Returns a copy of exactly the written bytes: a larger shared buffer would stay in memory as long as any chunk of
   * it.
   */
  #flushBuffer(): Uint8Array {
    const piece = Buffer.allocUnsafeSlow(this.#length);
    piece.set(this.#bytes.subarray(0, this.#length));
    if (this.#bytes.length > ROOM_BYTES) this.#bytes = Buffer.allocUnsafeSlow(ROOM_BYTES);
    this.#length = 0;
    return piece;
  }

  writeRaw(text: string): void {
    const { length } = text;
    this.#reserve(length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= ASCII_END) {
        this.#writeEncoded(text);
        return;
      }
      bytes[at] = code;
      at += 1;
    }
    this.#length = at;
  }

  writeEscaped(text: string, { special, escape: escapeText }: Escaping): void {
    const { length } = text;
    this.#reserve(length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= ASCII_END || special[code] === 1) {
        this.#writeEncoded(escapeText(text));
        return;
      }
      bytes[at] = code;
      at += 1;
    }
    this.#length = at;
  }

  /** Writes a finite coordinate: rounded, without trailing zeros, and never `-0`. */
  writeNumber(value: number): void {
    const size = Math.abs(value);
    const scaled = Math.round(size * this.#scale);
    const whole = Math.floor(scaled / this.#scale);
    if (this.#decimals > FAST_DECIMALS || whole > 0x7fff_ffff) {
      // Numbers beyond the exact integers have no decimals to round.
      const rounded = scaled <= Number.MAX_SAFE_INTEGER ? scaled / this.#scale : size;
      this.writeRaw(String(value < 0 && rounded !== 0 ? -rounded : rounded));
      return;
    }
    this.#reserve(NUMBER_BYTES);
    if (value < 0 && scaled > 0) this.#writeByte(MINUS);
    this.#writeDigits(whole | 0, 1);
    let fraction = (scaled - whole * this.#scale) | 0;
    if (fraction === 0) return;
    let places = this.#decimals;
    while (fraction % 10 === 0) {
      fraction = (fraction / 10) | 0;
      places -= 1;
    }
    this.#writeByte(POINT);
    this.#writeDigits(fraction, places);
  }

  #writeByte(code: number): void {
    this.#bytes[this.#length] = code;
    this.#length += 1;
  }

  /** Pads with leading zeros to the given number of places. */
  #writeDigits(value: number, places: number): void {
    const bytes = this.#bytes;
    let count = places;
    for (let most = 10 ** places; value >= most; most *= 10) count += 1;
    const end = this.#length + count;
    let rest = value;
    for (let at = end - 1; at >= this.#length; at -= 1) {
      const tenth = (rest / 10) | 0;
      bytes[at] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.#length = end;
  }

  #writeEncoded(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#length + count));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
