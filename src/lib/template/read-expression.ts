/** Reads the expressions of templates. */
import { builtIns } from './built-ins.ts';
import { type BinaryOperator, type TemplateExpression, TemplateSyntaxError } from './template.ts';

/** Deeper expressions would exhaust the stack, and each operator and member is one level of the evaluation. */
const MAX_DEPTH = 50;
const MAX_OPERATIONS = 500;

const NAME = /[\p{L}_$@][\p{L}\p{N}_$@]*/uy;
const NUMBER = /\d+(?:\.\d+)?/y;
const SPACE = /(?:\s|<#--[\s\S]*?-->)+/y;

/** From the weakest to the strongest; words are older forms of `<` and `>`, which would end a tag. */
const levels: readonly (readonly (readonly [written: RegExp, operator: BinaryOperator])[])[] = [
  [[/\|\|/y, '||']],
  [[/&&|&amp;&amp;/y, '&&']],
  [
    [/==?/y, '=='],
    [/!=/y, '!='],
  ],
  [
    [/<=|lte\b/y, '<='],
    [/>=|gte\b/y, '>='],
    [/<|lt\b/y, '<'],
    [/>|gt\b/y, '>'],
  ],
  [
    [/\+/y, '+'],
    [/-/y, '-'],
  ],
  [
    [/\*/y, '*'],
    [/\//y, '/'],
    [/%/y, '%'],
  ],
];

/** The end of the surrounding tag: an operator with this character is only allowed in parentheses. */
export type ExpressionEnd = '}' | '>';

export class ExpressionReader {
  readonly #text: string;
  readonly #end: ExpressionEnd;
  /** In UTF-16 units. */
  offset: number;
  #depth = 0;
  #operations = 0;
  #brackets = 0;

  constructor(text: string, offset: number, end: ExpressionEnd) {
    this.#text = text;
    this.offset = offset;
    this.#end = end;
  }

  read(): TemplateExpression {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.createError(`expressions may be nested ${MAX_DEPTH} levels deep`);
    const expression = this.#readLevel(0);
    this.#depth -= 1;
    return expression;
  }

  readName(): string {
    this.skipSpace();
    return this.#match(NAME) ?? this.#fail('expected a name');
  }

  /** Reads a character or word if it comes next. */
  accept(token: string): boolean {
    this.skipSpace();
    if (!this.#text.startsWith(token, this.offset)) return false;
    const isWord = /^\w+$/.test(token);
    if (isWord && /^[\w]/.test(this.#text.slice(this.offset + token.length, this.offset + token.length + 1)))
      return false;
    this.offset += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.accept(token)) this.#fail(`expected '${token}'`);
  }

  skipSpace(): void {
    this.#match(SPACE);
  }

  createError(reason: string, offset = this.offset): TemplateSyntaxError {
    return new TemplateSyntaxError(reason, offset);
  }

  #countOperation(): void {
    this.#operations += 1;
    if (this.#operations > MAX_OPERATIONS) {
      throw this.createError(
        `an expression may have ${MAX_OPERATIONS} operators and members. Assign parts to variables`,
      );
    }
  }

  #fail(expected: string): never {
    const found = this.#text.slice(this.offset, this.offset + 1);
    throw this.createError(`${expected}, found ${found === '' ? 'the end of the template' : `'${found}'`}`);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.offset += found.length;
    return found;
  }

  #readLevel(level: number): TemplateExpression {
    const operators = levels[level];
    if (operators === undefined) return this.#readUnary();
    let left = this.#readOperand(level);
    for (;;) {
      this.skipSpace();
      const operator = this.#acceptOperator(operators);
      if (operator === undefined) return left;
      this.#countOperation();
      left = { kind: 'binary', operator, left, right: this.#readOperand(level) };
    }
  }

  /** A range binds weaker than sums. */
  #readOperand(level: number): TemplateExpression {
    const from = this.#readLevel(level + 1);
    if (level !== 3 || !this.accept('..')) return from;
    return { kind: 'range', from, to: this.#readLevel(level + 1) };
  }

  #acceptOperator(operators: (typeof levels)[number]): BinaryOperator | undefined {
    const isTagEnd =
      this.#end === '>' && this.#brackets === 0 && /^\/?>/.test(this.#text.slice(this.offset, this.offset + 2));
    if (isTagEnd) return undefined;
    return operators.find(([written]) => this.#match(written) !== undefined)?.[1];
  }

  #readUnary(): TemplateExpression {
    this.skipSpace();
    if (this.accept('!')) return { kind: 'not', of: this.#readNested(() => this.#readUnary()) };
    if (this.accept('-')) return { kind: 'negative', of: this.#readNested(() => this.#readUnary()) };
    return this.#readPostfix(this.#readPrimary());
  }

  #readNested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.createError(`expressions may be nested ${MAX_DEPTH} levels deep`);
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #readPrimary(): TemplateExpression {
    if (this.accept('(')) {
      this.#brackets += 1;
      const inside = this.read();
      this.#brackets -= 1;
      this.expect(')');
      return inside;
    }
    if (this.accept('[')) return { kind: 'sequence', items: this.#readList(']') };
    const quote = this.#text[this.offset];
    if (quote === '"' || quote === "'") return { kind: 'literal', value: this.#readString(quote) };
    const number = this.#match(NUMBER);
    if (number !== undefined) return { kind: 'literal', value: Number(number) };
    const name = this.#match(NAME) ?? this.#fail('expected an expression');
    return name === 'true' || name === 'false'
      ? { kind: 'literal', value: name === 'true' }
      : { kind: 'name', name: name };
  }

  #readPostfix(start: TemplateExpression): TemplateExpression {
    let of = start;
    for (;;) {
      this.skipSpace();
      this.#countOperation();
      const next = this.#text.slice(this.offset, this.offset + 2);
      if (next === '??') {
        this.offset += 2;
        of = { kind: 'exists', of };
      } else if (next.startsWith('?')) {
        this.offset += 1;
        of = this.#readBuiltIn(of);
      } else if (next.startsWith('!') && next !== '!=') {
        this.offset += 1;
        of = { kind: 'default', of, otherwise: this.#readDefault() };
      } else if (next.startsWith('.') && next !== '..') {
        this.offset += 1;
        of = { kind: 'member', of, key: { kind: 'literal', value: this.readName() } };
      } else if (next.startsWith('[')) {
        this.offset += 1;
        this.#brackets += 1;
        of = { kind: 'member', of, key: this.read() };
        this.#brackets -= 1;
        this.expect(']');
      } else return of;
    }
  }

  /** The value after `!` is optional. */
  #readDefault(): TemplateExpression {
    this.skipSpace();
    const next = this.#text[this.offset] ?? '';
    if (!/["'([\d\p{L}_$@]/u.test(next)) return { kind: 'literal', value: '' };
    return this.#readNested(() => this.#readPostfix(this.#readPrimary()));
  }

  #readBuiltIn(of: TemplateExpression): TemplateExpression {
    const at = this.offset;
    const name = this.readName();
    const builtIn = builtIns.get(name);
    if (builtIn === undefined) {
      throw this.createError(`unknown built-in '?${name}'. Available: ${[...builtIns.keys()].sort().join(', ')}`, at);
    }
    const parameters = this.accept('(') ? this.#readList(')') : [];
    const [least, most] = builtIn.parameters;
    if (parameters.length < least || parameters.length > most) {
      const count = least === most ? `${least}` : `${least} to ${most}`;
      throw this.createError(`'?${name}' needs ${count} parameters`, at);
    }
    return { kind: 'builtIn', name, of, parameters };
  }

  #readList(close: string): readonly TemplateExpression[] {
    const items: TemplateExpression[] = [];
    this.#brackets += 1;
    while (!this.accept(close)) {
      if (items.length > 0) this.expect(',');
      items.push(this.read());
    }
    this.#brackets -= 1;
    return items;
  }

  #readString(quote: string): string {
    const start = this.offset;
    this.offset += 1;
    let value = '';
    for (;;) {
      const character = this.#text[this.offset];
      if (character === undefined) throw this.createError('the string has no end', start);
      this.offset += 1;
      if (character === quote) break;
      value += character === '\\' ? this.#readEscape() : character;
    }
    if (value.includes('${')) throw this.createError("a string cannot contain '${'. Join the parts with +", start);
    return value;
  }

  #readEscape(): string {
    const character = this.#text[this.offset] ?? '';
    this.offset += 1;
    return { n: '\n', r: '\r', t: '\t', l: '<', g: '>', a: '&' }[character] ?? character;
  }
}
