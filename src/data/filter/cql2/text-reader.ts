/** Reads the text form of CQL2. */
import { positionAt } from '../../../lib/text-position.ts';
import { literal } from '../literal.ts';
import type { FilterReadOutcome } from '../read-outcome.ts';
import { beginsGeometry, readBox, readGeometry } from '../text/geometry.ts';
import { TokenStream } from '../text/token-stream.ts';
import { maxTextLength, TextError, type TextToken, unexpected } from '../text/tokens.ts';
import { asFilter, Cql2Error, type Operand, type Places, valueAt } from './operand.ts';
import { operation, refuseListOperation } from './operation.ts';
import { readInterval, readMoment } from './time.ts';

/** A sum of so many parts is a tree as deep, and trees are walked by recursion. */
const maxTerms = 500;

/** Words that can be no names of attributes unless they are quoted. */
const reserved = new Set(['AND', 'OR', 'NOT', 'LIKE', 'IN', 'IS', 'NULL', 'BETWEEN', 'DIV']);

const comparisonSigns = new Set(['=', '<>', '<', '<=', '>', '>=']);

export function readCql2Text(text: string): FilterReadOutcome {
  const whereOf = (offset: number): string => {
    const { line, column } = positionAt(text, offset);
    return `line ${line}, column ${column}`;
  };
  if (text.length > maxTextLength)
    return { kind: 'refused', where: whereOf(0), message: `the text is longer than ${maxTextLength} characters` };
  try {
    const reader = new Cql2TextReader(text);
    const filter = asFilter(reader.readWhole());
    return {
      kind: 'read',
      filter,
      whereOf: (part) => {
        const place = reader.places.get(part);
        return place === undefined ? undefined : whereOf(Number(place));
      },
    };
  } catch (error) {
    if (error instanceof TextError) return { kind: 'refused', where: whereOf(error.offset), message: error.message };
    if (!(error instanceof Cql2Error)) throw error;
    return { kind: 'refused', where: whereOf(Number(error.place)), message: error.message };
  }
}

class Cql2TextReader {
  readonly places: Places = new Map();
  readonly #tokens: TokenStream;

  constructor(text: string) {
    this.#tokens = new TokenStream(text, { cql2: true });
  }

  readWhole(): Operand {
    const operand = this.#readJoined('or');
    this.#tokens.expectEnd();
    return operand;
  }

  #operation(name: string, operands: readonly Operand[], offset: number): Operand {
    return operation(name, operands, offset, this.places);
  }

  #readJoined(kind: 'and' | 'or'): Operand {
    const tokens = this.#tokens;
    const { offset } = tokens.peek();
    const readPart = (): Operand => (kind === 'or' ? this.#readJoined('and') : this.#readNegation());
    const parts = [readPart()];
    while (tokens.takeWord(kind.toUpperCase())) parts.push(readPart());
    const [only] = parts;
    return only !== undefined && parts.length === 1 ? only : this.#operation(kind, parts, offset);
  }

  #readNegation(): Operand {
    const tokens = this.#tokens;
    const { offset } = tokens.peek();
    if (!tokens.takeWord('NOT')) return this.#readPredicate();
    return this.#operation('not', [tokens.nested(() => this.#readNegation())], offset);
  }

  #readPredicate(): Operand {
    const tokens = this.#tokens;
    const left = this.#readSum();
    const { kind, text, offset } = tokens.peek();
    if (kind === 'sign' && comparisonSigns.has(text)) {
      tokens.next();
      return this.#operation(text, [left, this.#readSum()], offset);
    }
    if (tokens.takeWord('IS')) {
      const isNegated = tokens.takeWord('NOT');
      tokens.expectWord('NULL');
      return this.#verdict(isNegated, this.#operation('isNull', [left], offset));
    }
    const isNegated = tokens.takeWord('NOT');
    const word = tokens.peek();
    if (tokens.takeWord('LIKE'))
      return this.#verdict(isNegated, this.#operation('like', [left, this.#readSum()], offset));
    if (tokens.takeWord('IN')) return this.#verdict(isNegated, this.#operation('in', [left, this.#readList()], offset));
    if (tokens.takeWord('BETWEEN')) {
      const lower = this.#readSum();
      tokens.expectWord('AND');
      return this.#verdict(isNegated, this.#operation('between', [left, lower, this.#readSum()], offset));
    }
    if (isNegated) throw unexpected(word, 'LIKE, IN or BETWEEN');
    return left;
  }

  #verdict(isNegated: boolean, operand: Operand): Operand {
    return isNegated ? this.#operation('not', [operand], Number(operand.place)) : operand;
  }

  #readList(): Operand {
    const { offset } = this.#tokens.peek();
    this.#tokens.expectSign('(');
    return { kind: 'list', items: this.#readArguments(), place: offset };
  }

  /** Up to the closing bracket. */
  #readArguments(): readonly Operand[] {
    const tokens = this.#tokens;
    const operands: Operand[] = [];
    if (tokens.takeSign(')')) return operands;
    tokens.nested(() => {
      do operands.push(this.#readJoined('or'));
      while (tokens.takeSign(','));
    });
    tokens.expectSign(')', ' or a comma');
    return operands;
  }

  /** Sums and differences, from left to right. */
  #readSum(): Operand {
    return this.#readChain(['+', '-'], () => this.#readProduct());
  }

  #readProduct(): Operand {
    return this.#readChain(['*', '/', '%', 'div'], () => this.#readPower());
  }

  #readChain(names: readonly string[], readPart: () => Operand): Operand {
    let left = readPart();
    for (let terms = 1; ; terms += 1) {
      const token = this.#tokens.peek();
      const name = token.kind === 'sign' || token.kind === 'word' ? token.text.toLowerCase() : '';
      if (!names.includes(name)) return left;
      if (terms >= maxTerms) throw new TextError(token.offset, `arithmetic has more than ${maxTerms} parts`);
      this.#tokens.next();
      left = this.#operation(name, [left, readPart()], token.offset);
    }
  }

  /** From right to left: `2 ^ 3 ^ 2` is `2 ^ 9`. */
  #readPower(): Operand {
    const tokens = this.#tokens;
    const base = this.#readFactor();
    const { offset } = tokens.peek();
    if (!tokens.takeSign('^')) return base;
    return this.#operation('^', [base, tokens.nested(() => this.#readPower())], offset);
  }

  #readFactor(): Operand {
    const tokens = this.#tokens;
    const { offset } = tokens.peek();
    if (!tokens.isSign('-') && !tokens.isSign('+')) return this.#readPrimary();
    const isNegative = tokens.next().text === '-';
    const number = tokens.peek();
    const operand = tokens.nested(() => this.#readFactor());
    if (!isNegative) return operand;
    if (number.kind === 'number') return valueAt(this.places, offset, literal(`-${number.text}`));
    return this.#operation('*', [valueAt(this.places, offset, literal('-1')), operand], offset);
  }

  #readPrimary(): Operand {
    const tokens = this.#tokens;
    const token = tokens.peek();
    const { kind, text, offset } = token;
    if (tokens.takeSign('(')) {
      const inner = tokens.nested(() => this.#readJoined('or'));
      tokens.expectSign(')');
      return inner;
    }
    switch (kind) {
      case 'string':
      case 'number':
        tokens.next();
        return valueAt(this.places, offset, literal(text));
      case 'name':
        tokens.next();
        if (text === '') throw new TextError(offset, 'the name of an attribute is empty');
        return tokens.isSign('(')
          ? this.#readCall(token)
          : valueAt(this.places, offset, { kind: 'property', name: text });
      case 'word':
        return this.#readWord(token);
      default:
        throw unexpected(token, 'a value or a condition');
    }
  }

  #readWord(token: TextToken): Operand {
    const tokens = this.#tokens;
    const { text, offset } = token;
    const word = text.toUpperCase();
    if (word !== 'ENVELOPE' && beginsGeometry(tokens)) return valueAt(this.places, offset, readGeometry(tokens));
    if (reserved.has(word)) throw unexpected(token, 'a value or a condition');
    tokens.next();
    if (tokens.isSign('(')) {
      if (word === 'BBOX') return valueAt(this.places, offset, readBox(tokens));
      if (word === 'DATE' || word === 'TIMESTAMP') return this.#readMoment(word === 'DATE' ? 'date' : 'timestamp');
      return this.#readCall(token);
    }
    if (word === 'TRUE' || word === 'FALSE') return { kind: 'truth', value: word === 'TRUE', place: offset };
    return valueAt(this.places, offset, { kind: 'property', name: text });
  }

  #readMoment(kind: 'date' | 'timestamp'): Operand {
    const tokens = this.#tokens;
    tokens.expectSign('(');
    const token = tokens.next();
    if (token.kind !== 'string') throw unexpected(token, `a ${kind} in quotes`);
    tokens.expectSign(')');
    return readMoment(kind, token.text, token.offset, this.places);
  }

  #readCall({ kind, text, offset }: TextToken): Operand {
    refuseListOperation(text, offset);
    this.#tokens.expectSign('(');
    const operands = this.#readArguments();
    if (kind === 'word' && text.toUpperCase() === 'INTERVAL') return readInterval(operands, offset, this.places);
    return this.#operation(text, operands, offset);
  }
}
