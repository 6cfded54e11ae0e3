/** Filters that forms can show: comparisons of attributes with values, all of them or any of them. Others are text. */

/** In ECQL, which CSS has between brackets. */
export const operators = ['=', '<>', '<', '<=', '>', '>=', 'LIKE', 'IS NULL', 'IS NOT NULL'] as const;
export type Operator = (typeof operators)[number];

export interface FilterRow {
  readonly attribute: string;
  readonly operator: Operator;
  /** Empty for `IS NULL` and `IS NOT NULL`. */
  readonly value: string;
  /** Whether the value is written as a text, also if it looks like a number. */
  readonly isText: boolean;
}

export interface FilterRows {
  readonly join: 'AND' | 'OR';
  readonly rows: readonly FilterRow[];
}

export const noRows: FilterRows = { join: 'AND', rows: [] };

export function hasValue(operator: Operator): boolean {
  return operator !== 'IS NULL' && operator !== 'IS NOT NULL';
}

/** Codes such as 007 are texts. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/** Sets the value of a row. It stays a text if the last one looked like a number and was written as a text. */
export function setValue(row: FilterRow, value: string): FilterRow {
  return { ...row, value, isText: row.isText && NUMBER.test(row.value) };
}

/** Whether a form can write the row: these characters end texts or rules of styles. */
export function isWritable({ attribute, value }: FilterRow): boolean {
  return attribute.trim() !== '' && !/["\\\n\r]/.test(attribute) && !/[\\\n\r]/.test(value);
}

interface Token {
  readonly kind: 'name' | 'word' | 'text' | 'number' | 'sign';
  readonly value: string;
}

const tokenPattern =
  /\s*(?:"((?:[^"\\]|"")+)"|'((?:[^'\\]|'')*)'|(-?\d{1,15}(?:\.\d{1,15})?)(?![\w.])|(<>|<=|>=|=|<|>)|([A-Za-z_]\w*))\s*/y;
const kinds = ['name', 'text', 'number', 'sign', 'word'] as const;

function tokenize(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const found = tokenPattern.exec(text);
    if (found === null) return undefined;
    const at = found.slice(1).findIndex((part) => part !== undefined);
    const kind = kinds[at] ?? 'word';
    const quote = kind === 'name' ? '"' : "'";
    tokens.push({ kind, value: (found[at + 1] ?? '').replaceAll(quote + quote, quote) });
  }
  return tokens;
}

const keywords = /^(?:AND|OR|NOT|LIKE|ILIKE|IS|NULL|IN|BETWEEN|TRUE|FALSE|INCLUDE|EXCLUDE|DIV|EXISTS)$/i;

/** Returns undefined for filters beyond rows. */
export function parseRows(ecql: string): FilterRows | undefined {
  const tokens = tokenize(ecql);
  if (tokens === undefined) return undefined;
  const rows: FilterRow[] = [];
  const joins = new Set<string>();
  for (let at = 0; ; at += 1) {
    const found = readRow(tokens, at);
    if (found === undefined) return undefined;
    rows.push(found.row);
    at = found.next;
    const join = tokens[at];
    if (join === undefined) break;
    if (join.kind !== 'word' || !/^(?:AND|OR)$/i.test(join.value)) return undefined;
    joins.add(join.value.toUpperCase());
  }
  return joins.size > 1 ? undefined : { join: joins.has('OR') ? 'OR' : 'AND', rows };
}

function readRow(tokens: readonly Token[], at: number): { readonly row: FilterRow; readonly next: number } | undefined {
  const [name, sign, literal, last] = tokens.slice(at, at + 4);
  if (name === undefined || sign === undefined || literal === undefined) return undefined;
  if (name.kind !== 'name' && (name.kind !== 'word' || keywords.test(name.value))) return undefined;
  const attribute = name.value;
  const word = sign.kind === 'word' ? sign.value.toUpperCase() : '';
  const isWord = (token: Token | undefined, wanted: string) =>
    token?.kind === 'word' && token.value.toUpperCase() === wanted;
  if (word === 'IS') {
    const isNot = isWord(literal, 'NOT');
    if (!isWord(isNot ? last : literal, 'NULL')) return undefined;
    const operator = isNot ? 'IS NOT NULL' : 'IS NULL';
    return { row: { attribute, operator, value: '', isText: false }, next: at + (isNot ? 4 : 3) };
  }
  const operator = operators.find((each) => each === (sign.kind === 'sign' ? sign.value : word));
  if (operator === undefined || !hasValue(operator)) return undefined;
  const isBoolean = literal.kind === 'word' && /^(?:true|false)$/i.test(literal.value);
  const isText = literal.kind === 'text';
  if (operator === 'LIKE' ? !isText : !isText && literal.kind !== 'number' && !isBoolean) return undefined;
  return { row: { attribute, operator, value: literal.value, isText }, next: at + 3 };
}

export function formatRows({ join, rows }: FilterRows): string {
  return rows.map(formatRow).join(` ${join} `);
}

function formatRow({ attribute, operator, value, isText }: FilterRow): string {
  const name = /^[A-Za-z_]\w*$/.test(attribute) && !keywords.test(attribute) ? attribute : `"${attribute}"`;
  if (!hasValue(operator)) return `${name} ${operator}`;
  const isPlain = !isText && operator !== 'LIKE' && (NUMBER.test(value) || /^(?:true|false)$/i.test(value));
  return `${name} ${operator} ${isPlain ? value : `'${value.replaceAll("'", "''")}'`}`;
}

interface Selector {
  readonly rows: FilterRows;
  /** The brackets with scales, which forms keep. */
  readonly scales: readonly string[];
}

/** Returns undefined for selectors beyond brackets with rows and scales. */
export function parseSelector(selector: string): Selector | undefined {
  const bracket = /\[((?:[^\]"']|"[^"]*"|'[^']*')*)\]/g;
  if (!/^\*?\s*$/.test(selector.replaceAll(bracket, ''))) return undefined;
  const contents = Array.from(selector.matchAll(bracket), ([, content = '']) => content.trim());
  const scales = contents.filter((content) => content.startsWith('@'));
  const parsed = contents.filter((content) => !content.startsWith('@')).map(parseRows);
  const known = parsed.filter((each) => each !== undefined);
  if (known.length < parsed.length || scales.some((scale) => !/^@\w+\s*[<>=]+\s*[\d.]+\w*$/.test(scale)))
    return undefined;
  const [first = noRows] = known;
  if (known.length < 2) return { rows: first, scales };
  // Several brackets all apply.
  if (known.some(({ join, rows }) => join === 'OR' && rows.length > 1)) return undefined;
  return { rows: { join: 'AND', rows: known.flatMap(({ rows }) => rows) }, scales };
}

export function formatSelector({ rows, scales }: Selector): string {
  const contents = [...(rows.rows.length === 0 ? [] : [formatRows(rows)]), ...scales];
  return contents.length === 0 ? '*' : contents.map((content) => `[${content}]`).join(' ');
}
