/** Reads the text form of CQL2. */
import { computeTextPosition } from '../../lib/text/text-position.ts';
import { createLiteral } from '../model/literal.ts';
import type { FilterReadOutcome } from '../model/read-outcome.ts';
import { isGeometryStart, readBox, readGeometry } from '../text/geometry.ts';
import { TokenStream } from '../text/token-stream.ts';
import { createUnexpectedError, maxTextLength, TextError, type TextToken } from '../text/tokens.ts';
import { Cql2Error, createValue, type Operand, type SourcePositions, toFilter } from './operand.ts';
import { createOperation, refuseListOperation } from './operation.ts';
import { readInterval, readMoment } from './time.ts';

/** A sum of n terms is a tree of depth n, and trees are traversed recursively. */
const maxTerms = 500;

/** Words that are attribute names only in quotes. */
const reserved = new Set(['AND', 'OR', 'NOT', 'LIKE', 'IN', 'IS', 'NULL', 'BETWEEN', 'DIV']);

const comparisonSigns = new Set(['=', '<>', '<', '<=', '>', '>=']);

export function readCql2Text(text: string): FilterReadOutcome {
  const formatPosition = (offset: number): string => {
    const { line, column } = computeTextPosition(text, offset);
    return `line ${line}, column ${column}`;
  };
  if (text.length > maxTextLength)
    return {
      kind: 'refused',
      where: formatPosition(0),
      message: `the text exceeds ${maxTextLength} characters`,
    };
  try {
    const reader = new Cql2TextReader(text);
    const filter = toFilter(reader.readWhole());
    return {
      kind: 'read',
      filter,
      whereOf: (part) => {
        const place = reader.places.get(part);
        return place === undefined ? undefined : formatPosition(Number(place));
      },
    };
  } catch (error) {
    if (error instanceof TextError)
      return { kind: 'refused', where: formatPosition(error.offset), message: error.message };
    if (!(error instanceof Cql2Error)) throw error;
    return { kind: 'refused', where: formatPosition(Number(error.place)), message: error.message };
  }
}

class Cql2TextReader {
  readonly places: SourcePositions = new Map();
  readonly #tokens: TokenStream;

  constructor(text: string) {
    this.#tokens = new TokenStream(text, { cql2: true });
  }

  readWhole(): Operand {
    const operand = this.#readJoined('or');
    this.#tokens.expectEnd();
    return operand;
  }

  #createOperation(name: string, operands: readonly Operand[], offset: number): Operand {
    return createOperation(name, operands, offset, this.places);
  }

  #readJoined(kind: 'and' | 'or'): Operand {
    const tokens = this.#tokens;
    const { offset } = tokens.peek();
    const readPart = (): Operand => (kind === 'or' ? this.#readJoined('and') : this.#readNegation());
    const parts = [readPart()];
    while (tokens.acceptWord(kind.toUpperCase())) parts.push(readPart());
    const [only] = parts;
    return only !== undefined && parts.length === 1 ? only : this.#createOperation(kind, parts, offset);
  }

  #readNegation(): Operand {
    const tokens = this.#tokens;
    const { offset } = tokens.peek();
    if (!tokens.acceptWord('NOT')) return this.#readPredicate();
    return this.#createOperation('not', [tokens.readNested(() => this.#readNegation())], offset);
  }

  #readPredicate(): Operand {
    const tokens = this.#tokens;
    const left = this.#readSum();
    const { kind, text, offset } = tokens.peek();
    if (kind === 'sign' && comparisonSigns.has(text)) {
      tokens.next();
      return this.#createOperation(text, [left, this.#readSum()], offset);
    }
    if (tokens.acceptWord('IS')) {
      const isNegated = tokens.acceptWord('NOT');
      tokens.expectWord('NULL');
      return this.#negateIf(isNegated, this.#createOperation('isNull', [left], offset));
    }
    const isNegated = tokens.acceptWord('NOT');
    const word = tokens.peek();
    if (tokens.acceptWord('LIKE'))
      return this.#negateIf(isNegated, this.#createOperation('like', [left, this.#readSum()], offset));
    if (tokens.acceptWord('IN'))
      return this.#negateIf(isNegated, this.#createOperation('in', [left, this.#readList()], offset));
    if (tokens.acceptWord('BETWEEN')) {
      const lower = this.#readSum();
      tokens.expectWord('AND');
      return this.#negateIf(isNegated, this.#createOperation('between', [left, lower, this.#readSum()], offset));
    }
    if (isNegated) throw createUnexpectedError(word, 'LIKE, IN or BETWEEN');
    return left;
  }

  #negateIf(isNegated: boolean, operand: Operand): Operand {
    return isNegated ? this.#createOperation('not', [operand], Number(operand.place)) : operand;
  }

  #readList(): Operand {
    const { offset } = this.#tokens.peek();
    this.#tokens.expectSign('(');
    return { kind: 'list', items: this.#readArguments(), place: offset };
  }

  /** Reads up to the closing bracket. */
  #readArguments(): readonly Operand[] {
    const tokens = this.#tokens;
    const operands: Operand[] = [];
    if (tokens.acceptSign(')')) return operands;
    tokens.readNested(() => {
      do operands.push(this.#readJoined('or'));
      while (tokens.acceptSign(','));
    });
    tokens.expectSign(')', ' or a comma');
    return operands;
  }

  /** Left-associative. */
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
      if (terms >= maxTerms)
        throw new TextError(token.offset, `the arithmetic expression has more than ${maxTerms} terms`);
      this.#tokens.next();
      left = this.#createOperation(name, [left, readPart()], token.offset);
    }
  }

  /** Right-associative: `2 ^ 3 ^ 2` is `2 ^ 9`. */
  #readPower(): Operand {
    const tokens = this.#tokens;
    const base = this.#readFactor();
    const { offset } = tokens.peek();
    if (!tokens.acceptSign('^')) return base;
    return this.#createOperation('^', [base, tokens.readNested(() => this.#readPower())], offset);
  }

  #readFactor(): Operand {
    const tokens = this.#tokens;
    const { offset } = tokens.peek();
    if (!tokens.isSign('-') && !tokens.isSign('+')) return this.#readPrimary();
    const isNegative = tokens.next().text === '-';
    const number = tokens.peek();
    const operand = tokens.readNested(() => this.#readFactor());
    if (!isNegative) return operand;
    if (number.kind === 'number') return createValue(this.places, offset, createLiteral(`-${number.text}`));
    return this.#createOperation('*', [createValue(this.places, offset, createLiteral('-1')), operand], offset);
  }

  #readPrimary(): Operand {
    const tokens = this.#tokens;
    const token = tokens.peek();
    const { kind, text, offset } = token;
    if (tokens.acceptSign('(')) {
      const inner = tokens.readNested(() => this.#readJoined('or'));
      tokens.expectSign(')');
      return inner;
    }
    switch (kind) {
      case 'string':
      case 'number':
        tokens.next();
        return createValue(this.places, offset, createLiteral(text));
      case 'name':
        tokens.next();
        if (text === '') throw new TextError(offset, 'the attribute name is empty');
        return tokens.isSign('(')
          ? this.#readCall(token)
          : createValue(this.places, offset, { kind: 'property', name: text });
      case 'word':
        return this.#readWord(token);
      default:
        throw createUnexpectedError(token, 'a value or a condition');
    }
  }

  #readWord(token: TextToken): Operand {
    const tokens = this.#tokens;
    const { text, offset } = token;
    const word = text.toUpperCase();
    if (word !== 'ENVELOPE' && isGeometryStart(tokens)) return createValue(this.places, offset, readGeometry(tokens));
    if (reserved.has(word)) throw createUnexpectedError(token, 'a value or a condition');
    tokens.next();
    if (tokens.isSign('(')) {
      if (word === 'BBOX') return createValue(this.places, offset, readBox(tokens));
      if (word === 'DATE' || word === 'TIMESTAMP') return this.#readMoment(word === 'DATE' ? 'date' : 'timestamp');
      return this.#readCall(token);
    }
    if (word === 'TRUE' || word === 'FALSE') return { kind: 'truth', value: word === 'TRUE', place: offset };
    return createValue(this.places, offset, { kind: 'property', name: text });
  }

  #readMoment(kind: 'date' | 'timestamp'): Operand {
    const tokens = this.#tokens;
    tokens.expectSign('(');
    const token = tokens.next();
    if (token.kind !== 'string') throw createUnexpectedError(token, `a ${kind} in quotes`);
    tokens.expectSign(')');
    return readMoment(kind, token.text, token.offset, this.places);
  }

  #readCall({ kind, text, offset }: TextToken): Operand {
    refuseListOperation(text, offset);
    this.#tokens.expectSign('(');
    const operands = this.#readArguments();
    if (kind === 'word' && text.toUpperCase() === 'INTERVAL') return readInterval(operands, offset, this.places);
    return this.#createOperation(text, operands, offset);
  }
}
