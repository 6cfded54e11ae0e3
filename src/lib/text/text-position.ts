/** Converts offsets in a text to lines and columns. */

/** Both start at 1. A column is a code point; `\n`, `\r\n` and `\r` each end a line. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Moves forwards through a text, so that the positions of all its tags cost a single pass. */
export class TextCursor {
  readonly #text: string;
  /** Whether only `\n` ends lines and no character needs two units, as in most texts: then whole lines are skipped. */
  readonly #isPlain: boolean;
  #offset = 0;
  #line = 1;
  #column = 1;
  #lineEnd = -1;

  constructor(text: string) {
    this.#text = text;
    this.#isPlain = !/[\r\uDC00-\uDFFF]/.test(text);
  }

  /** Returns the position of an offset (in UTF-16 units), which must not be before the previous one. */
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

  /** Searches the end of each line only once. */
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
