/** Well-known text as a tree: a keyword with values and further nodes between brackets, whatever they mean. */

export interface WktNode {
  readonly keyword: string;
  /** Texts, numbers and bare words written directly between this node's brackets, in their order. */
  readonly values: readonly (string | number)[];
  readonly children: readonly WktNode[];
}

/** A definition is a few hundred characters, with every remark a few thousand; more is no definition. */
const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 32;

const TOKEN = /\s*(?:"((?:[^"]|"")*)"|([A-Za-z_]\w*)|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([[(])|([\])])|(,))/y;

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'open' | 'close' | 'comma' };

/** The tokens still to be read. */
interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
}

/** Reads the first node of the text; undefined when that is not well-known text. A vertical system after it is left unread. */
export function parseWkt(text: string): WktNode | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const cursor: Cursor = { tokens: tokenize(text), at: 0 };
  const first = cursor.tokens[cursor.at++];
  return first?.kind === 'word' && isAt(cursor, 'open') ? readNode(first.word, cursor, 0) : undefined;
}

/** The first child with one of the keywords. */
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
    // Past the opening bracket, or past the comma.
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
