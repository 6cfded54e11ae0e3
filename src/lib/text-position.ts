/** Turns offsets in a text into the lines and columns that people count. */

/** Both begin at 1; a column is a code point, and `\n`, `\r\n` and `\r` each end a line. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Walks a text forwards, so that asking for the positions of all its tags costs one pass in all. */
export class TextCursor {
  readonly #text: string;
  #offset = 0;
  #line = 1;
  #column = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The position of an offset (in UTF-16 units) that is not before the one last asked for. */
  moveTo(offset: number): TextPosition {
    const text = this.#text;
    const end = Math.min(offset, text.length);
    let line = this.#line;
    let column = this.#column;
    for (let at = this.#offset; at < end; at += 1) {
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
}

export function positionAt(text: string, offset: number): TextPosition {
  return new TextCursor(text).moveTo(offset);
}
