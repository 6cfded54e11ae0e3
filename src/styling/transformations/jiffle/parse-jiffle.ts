/** Parses Jiffle scripts. Scripts are interpreted and never become code of the server. */
import { computeTextPosition } from '../../../lib/text/text-position.ts';
import { JiffleError, type JiffleExpression, type JiffleScript, type JiffleStatement } from './jiffle-syntax.ts';

/** The nodes of a script; real ones have about a hundred. */
const MAX_NODES = 1_000;
const MAX_LENGTH = 20_000;
const MAX_DEPTH = 50;

/** From the weakest to the strongest. */
const precedence: readonly (readonly string[])[] = [
  ['||'],
  ['^|'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

const tokenPattern =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|<<|\^\||\|\||&&|[<>=!]=|[+\-*/%^]=|[-+*/%^<>=!?:;,(){}[\]])/y;

export interface JiffleNames {
  readonly sources: readonly string[];
  readonly destination: string;
}

export function parseJiffle(text: string, names: JiffleNames): JiffleScript {
  if (text.length > MAX_LENGTH) throw new JiffleError(`the script is longer than ${MAX_LENGTH} characters`);
  const { tokens, offsets } = splitTokens(text);
  const parser = new JiffleParser(tokens, names);
  try {
    return parser.readScript();
  } catch (error) {
    if (!(error instanceof JiffleError)) throw error;
    throw locateError(error.message, text, offsets[parser.position] ?? text.trimEnd().length);
  }
}

/** Several sources without names are called src, src1 and so on. */
export function listSourceNames(written: readonly string[] | undefined, inputs: number): readonly string[] {
  return Array.from({ length: inputs }, (_, index) => written?.[index] ?? (index === 0 ? 'src' : `src${index}`));
}

function locateError(message: string, text: string, offset: number): JiffleError {
  const { line, column } = computeTextPosition(text, offset);
  return new JiffleError(`line ${line}, column ${column} of the script: ${message}`);
}

/** The tokens, and where each of them begins. */
interface Tokens {
  readonly tokens: readonly string[];
  readonly offsets: readonly number[];
}

function splitTokens(text: string): Tokens {
  const tokens: string[] = [];
  const offsets: number[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const at = tokenPattern.lastIndex;
    const found = tokenPattern.exec(text);
    if (found === null) throw locateError(`unexpected character '${text[at]}'`, text, at);
    if (found[1] === undefined) continue;
    tokens.push(found[1]);
    offsets.push(at);
  }
  return { tokens, offsets };
}

class JiffleParser {
  readonly #tokens: readonly string[];
  readonly #names: JiffleNames;
  #at = 0;
  #nodes = 0;
  #depth = 0;
  #bands = 1;
  #failedAt: number | undefined;

  constructor(tokens: readonly string[], names: JiffleNames) {
    this.#tokens = tokens;
    this.#names = names;
  }

  /** The index of the token that is read, or of the one at which reading has failed. */
  get position(): number {
    return this.#failedAt ?? this.#at;
  }

  readScript(): JiffleScript {
    let outside = Number.NaN;
    const initial: JiffleStatement[] = [];
    const statements: JiffleStatement[] = [];
    while (this.#at < this.#tokens.length) {
      const isBlock = this.#tokens[this.#at + 1] === '{';
      if (isBlock && this.#accept('options')) outside = this.#readOptions() ?? outside;
      else if (isBlock && this.#accept('images')) this.#skipBlock();
      else if (isBlock && this.#accept('init')) initial.push(this.#readStatement());
      else statements.push(this.#readStatement());
    }
    if (statements.length === 0) throw new JiffleError('the script is empty');
    return { initial, statements, outside, bands: this.#bands };
  }

  #readOptions(): number | undefined {
    let outside: number | undefined;
    this.#expect('{');
    while (!this.#accept('}')) {
      const name = this.#next();
      this.#expect('=');
      const sign = this.#accept('-') ? -1 : 1;
      const value = this.#next();
      if (name === 'outside') outside = value === 'null' ? Number.NaN : sign * Number(value);
      this.#expect(';');
    }
    return outside;
  }

  #skipBlock(): void {
    this.#expect('{');
    while (!this.#accept('}')) this.#next();
  }

  #readStatement(): JiffleStatement {
    return this.#nest(() => {
      if (this.#accept('{')) {
        const statements: JiffleStatement[] = [];
        while (!this.#accept('}')) statements.push(this.#readStatement());
        return { kind: 'block', statements };
      }
      if (this.#accept('if')) {
        const condition = this.#readCondition();
        const whenTrue = this.#readStatement();
        return { kind: 'if', condition, whenTrue, whenFalse: this.#accept('else') ? this.#readStatement() : undefined };
      }
      if (this.#accept('while'))
        return { kind: 'loop', condition: this.#readCondition(), endsWhen: false, body: this.#readStatement() };
      if (this.#accept('until'))
        return { kind: 'loop', condition: this.#readCondition(), endsWhen: true, body: this.#readStatement() };
      if (this.#accept('foreach')) return this.#readForEach();
      if (this.#accept('break')) {
        this.#expect(';');
        return { kind: 'break' };
      }
      const statement = this.#readAssignment();
      this.#expect(';');
      return statement;
    });
  }

  #readCondition(): JiffleExpression {
    this.#expect('(');
    const condition = this.#readExpression();
    this.#expect(')');
    return condition;
  }

  #readForEach(): JiffleStatement {
    this.#expect('(');
    const name = this.#readName();
    this.#expect('in');
    const first = this.#readExpression();
    const items = this.#accept(':') ? ([first, this.#readExpression()] as const) : first;
    this.#expect(')');
    return { kind: 'forEach', name, items, body: this.#readStatement() };
  }

  #readAssignment(): JiffleStatement {
    const name = this.#readName();
    if (name === this.#names.destination) {
      const band = this.#accept('[') ? this.#readExpression() : undefined;
      if (band !== undefined) this.#expect(']');
      if (band?.kind === 'number') this.#bands = Math.max(this.#bands, Math.min(64, Math.floor(band.value) + 1));
      this.#expect('=');
      return { kind: 'write', band, value: this.#readExpression() };
    }
    if (this.#accept('<<')) return { kind: 'append', name, value: this.#readExpression() };
    const operator = this.#next();
    if (operator === '=') return { kind: 'assign', name, value: this.#readExpression() };
    const [sign = '', equals] = operator;
    if (equals !== '=' || !'+-*/%^'.includes(sign)) throw this.#reject(`'=' was expected, but '${operator}' was found`);
    const left: JiffleExpression = { kind: 'variable', name };
    const value: JiffleExpression = { kind: 'binary', operator: sign, left, right: this.#readExpression() };
    return { kind: 'assign', name, value };
  }

  #readExpression(): JiffleExpression {
    return this.#nest(() => {
      const condition = this.#readBinary(0);
      if (!this.#accept('?')) return condition;
      const whenTrue = this.#readExpression();
      this.#expect(':');
      return { kind: 'choice', condition, whenTrue, whenFalse: this.#readExpression() };
    });
  }

  #readBinary(level: number): JiffleExpression {
    const operators = precedence[level];
    if (operators === undefined) return this.#readUnary();
    let left = this.#readBinary(level + 1);
    while (operators.includes(this.#tokens[this.#at] ?? '')) {
      const operator = this.#next();
      this.#count();
      left = { kind: 'binary', operator, left, right: this.#readBinary(level + 1) };
    }
    return left;
  }

  #readUnary(): JiffleExpression {
    return this.#nest(() => {
      if (this.#accept('-')) return { kind: 'unary', operator: '-', value: this.#readUnary() };
      if (this.#accept('!')) return { kind: 'unary', operator: '!', value: this.#readUnary() };
      if (this.#accept('+')) return this.#readUnary();
      const base = this.#readPrimary();
      return this.#accept('^') ? { kind: 'binary', operator: '^', left: base, right: this.#readUnary() } : base;
    });
  }

  #readPrimary(): JiffleExpression {
    const token = this.#next();
    if (token === '(') {
      const inner = this.#readExpression();
      this.#expect(')');
      return inner;
    }
    if (token === '[') return { kind: 'list', items: this.#readList(']') };
    if (/^[\d.]/.test(token)) return { kind: 'number', value: Number(token) };
    if (!/^[A-Za-z_]/.test(token)) throw this.#reject(`a value was expected, but '${token}' was found`);
    if (token === 'null' || token === 'NaN') {
      if (this.#accept('(')) this.#expect(')');
      return { kind: 'number', value: Number.NaN };
    }
    if (token === 'true' || token === 'false') return { kind: 'number', value: token === 'true' ? 1 : 0 };
    if (this.#names.sources.includes(token)) return this.#readSource(token);
    if (this.#accept('(')) return { kind: 'call', name: token, arguments: this.#readList(')') };
    return { kind: 'variable', name: token };
  }

  #readSource(name: string): JiffleExpression {
    let band: JiffleExpression | undefined;
    let offset: readonly [JiffleExpression, JiffleExpression] | undefined;
    while (this.#accept('[')) {
      const [first, second] = this.#readList(']');
      if (first === undefined) throw this.#reject(`'${name}[]' has no value`);
      if (second === undefined) band = first;
      else offset = [first, second];
    }
    return { kind: 'source', name, band, offset };
  }

  #readList(end: string): readonly JiffleExpression[] {
    const items: JiffleExpression[] = [];
    if (this.#accept(end)) return items;
    do items.push(this.#readExpression());
    while (this.#accept(','));
    this.#expect(end);
    return items;
  }

  #readName(): string {
    const token = this.#next();
    if (!/^[A-Za-z_]/.test(token)) throw this.#reject(`a name was expected, but '${token}' was found`);
    return token;
  }

  #nest<T>(read: () => T): T {
    this.#count();
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new JiffleError('the script is nested too deeply');
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES * 4) throw new JiffleError('the script is too long');
  }

  #accept(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token))
      throw new JiffleError(`'${token}' was expected, but '${this.#tokens[this.#at] ?? 'the end'}' was found`);
  }

  /** An error in the token that was read last. */
  #reject(message: string): JiffleError {
    this.#failedAt = this.#at - 1;
    return new JiffleError(message);
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new JiffleError('the script ends too early');
    this.#at += 1;
    return token;
  }
}
