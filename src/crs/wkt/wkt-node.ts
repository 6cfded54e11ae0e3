/** WKT as a tree: a keyword with values and child nodes in brackets, without interpretation. */

export interface WktNode {
  readonly keyword: string;
  /** Texts, numbers and bare words directly in the brackets of this node, in order. */
  readonly values: readonly (string | number)[];
  readonly children: readonly WktNode[];
}

/** A definition has a few hundred characters, or a few thousand with remarks; anything longer is rejected. */
const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 32;

const TOKEN = /\s*(?:"((?:[^"]|"")*)"|([A-Za-z_]\w*)|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([[(])|([\])])|(,))/y;

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'open' | 'close' | 'comma' };

/** The remaining tokens. */
interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
}

/** Parses the first node of the text; returns undefined if it is not WKT. A vertical system after it is ignored. */
export function parseWkt(text: string): WktNode | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const cursor: Cursor = { tokens: tokenize(text), at: 0 };
  const first = cursor.tokens[cursor.at++];
  return first?.kind === 'word' && isAt(cursor, 'open') ? readNode(first.word, cursor, 0) : undefined;
}

/** Returns the first child with one of the keywords. */
export function findChildNode(node: WktNode | undefined, ...keywords: readonly string[]): WktNode | undefined {
  return node?.children.find((child) => keywords.includes(child.keyword));
}

export function readNodeText(node: WktNode | undefined, index = 0): string | undefined {
  const value = node?.values[index];
  return value === undefined ? undefined : String(value);
}

export function readNodeNumber(node: WktNode | undefined, index: number): number | undefined {
  const value = node?.values[index];
  // Some writers put quotes around numbers.
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function readNode(word: string, cursor: Cursor, depth: number): WktNode | undefined {
  const values: (string | number)[] = [];
  const children: WktNode[] = [];
  if (depth > MAX_DEPTH) return undefined;
  do {
    // Skips the opening bracket or the comma.
    cursor.at += 1;
    const token = cursor.tokens[cursor.at++];
    if (token?.kind === 'text') values.push(token.text);
    else if (token?.kind === 'number') values.push(token.number);
    else if (token?.kind !== 'word') return undefined;
    else if (!isAt(cursor, 'open')) values.push(token.word);
    else {
      const child = readNode(token.word, cursor, depth + 1);
      if (child === undefined) return undefined;
      children.push(child);
    }
  } while (isAt(cursor, 'comma'));
  if (!isAt(cursor, 'close')) return undefined;
  cursor.at += 1;
  return { keyword: word.toUpperCase(), values, children };
}

function isAt(cursor: Cursor, kind: Token['kind']): boolean {
  return cursor.tokens[cursor.at]?.kind === kind;
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, quoted, word, number, open, close] = match;
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll('""', '"') });
    else if (word !== undefined) tokens.push({ kind: 'word', word });
    else if (number !== undefined) tokens.push({ kind: 'number', number: Number(number) });
    else tokens.push({ kind: open !== undefined ? 'open' : close !== undefined ? 'close' : 'comma' });
  }
  return tokens;
}
