/** Turns offsets in a text into the lines and columns that people count. */

/** Both begin at 1; a column is a code point, and `\n`, `\r\n` and `\r` each end a line. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Walks a text forwards, so that asking for the positions of all its tags costs one pass in all. */
export class TextCursor {
  readonly #text: string;
  /** Most texts hold one unit a character and end lines with `\n`: then there is nothing to look at between two of these. */
  readonly #isPlain: boolean;
  #offset = 0;
  #line = 1;
  #column = 1;
  #lineEnd = -1;

  constructor(text: string) {
    this.#text = text;
    this.#isPlain = !/[\r\uDC00-\uDFFF]/.test(text);
  }

  /** The position of an offset (in UTF-16 units) that is not before the one last asked for. */
  moveTo(offset: number): TextPosition {
    const text = this.#text;
    const end = Math.min(offset, text.length);
    let line = this.#line;
    let column = this.#column;
    let at = this.#offset;
    while (this.#isPlain && at < end) {
      const lineEnd = this.#nextLineEnd(at);
      if (lineEnd >= end) {
        column += end - at;
        at = end;
      } else {
        line += 1;
        column = 1;
        at = lineEnd + 1;
      }
    }
    for (; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
        line += 1;
        column = 1;
      } else if (code < 0xdc00 || code > 0xdfff) {
        column += 1;
      }
    }
    this.#offset = end;
    this.#line = line;
    this.#column = column;
    return { line, column };
  }

  /** Looked for once, however many offsets of the line are asked for. */
  #nextLineEnd(from: number): number {
    if (this.#lineEnd < from) {
      const found = this.#text.indexOf('\n', from);
      this.#lineEnd = found < 0 ? this.#text.length : found;
    }
    return this.#lineEnd;
  }
}

export function computeTextPosition(text: string, offset: number): TextPosition {
  return new TextCursor(text).moveTo(offset);
}
