/** Reads the structure of a CSS style with the positions of its parts. Values stay text. */

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface CssDeclaration extends TextRange {
  readonly kind: 'declaration';
  readonly name: string;
  /** Without spaces and comments at its ends. */
  readonly value: TextRange;
  readonly hasEnd: boolean;
}

export interface CssRule extends TextRange {
  readonly kind: 'rule';
  readonly selector: TextRange;
  /** Between the braces. */
  readonly body: TextRange;
  readonly items: readonly CssItem[];
  /** The comments before the selector. */
  readonly comments: readonly TextRange[];
}

/** For example `@mode 'Flat';`. */
export interface CssDirective extends TextRange {
  readonly kind: 'directive';
}

export type CssItem = CssDeclaration | CssRule | CssDirective;

class CssReader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns undefined for texts whose brackets do not match. */
  readItems(isTop: boolean): readonly CssItem[] | undefined {
    const items: CssItem[] = [];
    for (;;) {
      const comments = this.#skipSpace();
      const next = this.#text[this.#position];
      if (next === undefined) return isTop ? items : undefined;
      if (next === '}') return isTop ? undefined : items;
      if (next === ';') {
        this.#position += 1;
        continue;
      }
      const item = this.#readItem(comments);
      if (item === undefined) return undefined;
      items.push(item);
    }
  }

  #skipSpace(): readonly TextRange[] {
    const comments: TextRange[] = [];
    const pattern = /\s+|\/\*[\s\S]*?\*\//y;
    for (;;) {
      pattern.lastIndex = this.#position;
      const [found] = pattern.exec(this.#text) ?? [];
      if (found === undefined) return comments;
      if (found.startsWith('/*')) comments.push({ from: this.#position, to: this.#position + found.length });
      this.#position += found.length;
    }
  }

  #readItem(comments: readonly TextRange[]): CssItem | undefined {
    const from = this.#position;
    const end = this.#findEnd();
    if (end === undefined) return undefined;
    const mark = this.#text[end];
    if (mark === '{') return this.#readRule(from, end, comments);
    const hasEnd = mark === ';';
    const to = hasEnd ? end + 1 : end;
    this.#position = to;
    if (this.#text[from] === '@') return { kind: 'directive', from, to };
    const [name] = /^[\w-]+(?=\s*:)/.exec(this.#text.slice(from, end)) ?? [];
    if (name === undefined) return undefined;
    const colon = this.#text.indexOf(':', from + name.length);
    return { kind: 'declaration', name, value: this.#trim(colon + 1, end), hasEnd, from, to };
  }

  #readRule(from: number, brace: number, comments: readonly TextRange[]): CssRule | undefined {
    this.#position = brace + 1;
    const items = this.readItems(false);
    if (items === undefined) return undefined;
    const bodyTo = this.#position;
    this.#position += 1;
    return {
      kind: 'rule',
      selector: this.#trim(from, brace),
      body: { from: brace + 1, to: bodyTo },
      items,
      comments,
      from,
      to: this.#position,
    };
  }

  /** The position of the next semicolon or brace outside of brackets, texts and comments. */
  #findEnd(): number | undefined {
    const pattern = /\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|[()[\]{};"']/g;
    pattern.lastIndex = this.#position;
    let depth = 0;
    for (let found = pattern.exec(this.#text); found !== null; found = pattern.exec(this.#text)) {
      const [token] = found;
      if (token === '(' || token === '[') depth += 1;
      else if (token === ')' || token === ']') depth -= 1;
      else if (token === '"' || token === "'") return undefined;
      else if (depth < 0) return undefined;
      else if (depth === 0 && /^[{};]$/.test(token)) return found.index;
    }
    return undefined;
  }

  #trim(from: number, to: number): TextRange {
    const text = this.#text.slice(from, to);
    const [before = ''] = /^(?:\s+|\/\*[\s\S]*?\*\/)*/.exec(text) ?? [];
    const [after = ''] = /(?:\s+|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/.exec(text.slice(before.length)) ?? [];
    return { from: from + before.length, to: to - after.length };
  }
}

export function readCss(text: string): readonly CssItem[] | undefined {
  return new CssReader(text).readItems(true);
}
