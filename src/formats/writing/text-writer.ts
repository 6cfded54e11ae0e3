/** Writes text as bytes, piece by piece: numbers and plain text go straight into a buffer, without strings in between. */
import { setImmediate as othersFirst } from 'node:timers/promises';

/** When a piece is handed on: small enough to hold many, large enough that few are handed on. */
const PIECE_BYTES = 65_536;

/** What ends a piece may be a large feature; only for larger ones there has to be more room. */
const ROOM_BYTES = PIECE_BYTES * 2;

/** Most bytes that a number takes. */
const NUMBER_BYTES = 32;

/** Most digits behind the point for which the digits fit into 32 bits. */
const FAST_DECIMALS = 9;
const MOST_DECIMALS = 15;

const ASCII_END = 0x80;
const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;

/** Which characters cannot stand as they are, and what is written for a text that has one. */
export interface Escaping {
  /** By ASCII code, 1 for those; all others are left to `escape`. */
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
  /** What comes before the bytes that are written now: those of earlier, and items that are still to be written. */
  #before: (Uint8Array | PendingList)[] = [];

  /** Numbers are rounded to so many digits behind the point. */
  constructor(decimals: number) {
    this.#decimals = Math.max(0, Math.min(decimals, MOST_DECIMALS));
    this.#scale = 10 ** this.#decimals;
  }

  /** Whether there is enough for a piece. */
  get isFull(): boolean {
    return this.#length >= PIECE_BYTES || this.#before.length > 0;
  }

  /**
   * Writes the items of a list, as many as fit into a piece; the others when the next pieces are taken, in their place. So
   * nobody waits for a long list, nor holds all of it.
   */
  writeEach(count: number, writeItem: (index: number) => void): void {
    this.#continueList({ count, writeItem, next: 0 });
  }

  /** All that has been written, once others had their turn as often as it takes. */
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
      // Not at the end of a piece at once: then most pieces would end in the middle of a small list.
      if ((this.#length >= ROOM_BYTES || this.#before.length > 0) && list.next < list.count) {
        this.#queueWritten();
        this.#before.push(list);
        return;
      }
    }
  }

  /** What comes now is written behind what is there. */
  #queueWritten(): void {
    if (this.#length > 0) this.#before.push(this.#flushBuffer());
  }

  /** The next piece; there is more of it while the writer is full. */
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
   * What has been written since the last piece, in bytes of its own and no more of them: those that were handed on stay in
   * memory until somebody clears up, which nobody does for the sake of them alone.
   */
  #flushBuffer(): Uint8Array {
    const piece = Buffer.allocUnsafeSlow(this.#length);
    piece.set(this.#bytes.subarray(0, this.#length));
    if (this.#bytes.length > ROOM_BYTES) this.#bytes = Buffer.allocUnsafeSlow(ROOM_BYTES);
    this.#length = 0;
    return piece;
  }

  /** As it is. */
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

  /** A coordinate, which must be finite: rounded, without zeros at the end, and never `-0`. */
  writeNumber(value: number): void {
    const size = Math.abs(value);
    const scaled = Math.round(size * this.#scale);
    const whole = Math.floor(scaled / this.#scale);
    if (this.#decimals > FAST_DECIMALS || whole > 0x7fff_ffff) {
      // What is beyond the exact numbers has no digits behind the point that could be rounded.
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

  /** With zeros in front, up to so many places. */
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
