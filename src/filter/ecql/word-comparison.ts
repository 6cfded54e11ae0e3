/** Reads ECQL conditions that use keywords: LIKE, IN, BETWEEN, EXISTS and the temporal ones. */
import type { Expression } from '../model/expression.ts';
import type { Filter, Period, TemporalFilter } from '../model/filter.ts';
import { isDuration, parseMoment, resolvePeriod } from '../model/moment.ts';
import type { ReadExpression, TokenStream } from '../text/token-stream.ts';
import { createUnexpectedError, TextError, type TextToken } from '../text/tokens.ts';
import { type Operand, toExpression } from './operand.ts';

/** Returns undefined if the next token is not such a keyword. */
export function readWordComparison(
  tokens: TokenStream,
  left: Operand,
  readExpression: ReadExpression,
): Filter | undefined {
  const { kind, text } = tokens.peek();
  switch (kind === 'word' ? text.toUpperCase() : '') {
    case 'LIKE':
      return readLike(tokens, toExpression(left), true);
    case 'ILIKE':
      return readLike(tokens, toExpression(left), false);
    case 'IN':
      return readMembership(tokens, toExpression(left), readExpression);
    case 'BETWEEN': {
      tokens.next();
      const lower = readExpression(tokens);
      tokens.expectWord('AND');
      return { kind: 'between', value: toExpression(left), lower, upper: readExpression(tokens) };
    }
    case 'EXISTS':
      tokens.next();
      return createExistenceFilter(left);
    case 'DOES':
      tokens.next();
      for (const word of ['NOT', 'EXIST']) {
        tokens.expectSign('-');
        tokens.expectWord(word);
      }
      return { kind: 'not', filter: createExistenceFilter(left) };
    case 'BEFORE':
    case 'AFTER':
    case 'TEQUALS':
    case 'DURING':
      return readTemporal(tokens, toExpression(left), readExpression);
    default:
      return undefined;
  }
}

function readLike(tokens: TokenStream, subject: Expression, matchCase: boolean): Filter {
  tokens.next();
  const pattern = tokens.next();
  if (pattern.kind !== 'string') throw createUnexpectedError(pattern, "a pattern such as 'A%'");
  return {
    kind: 'like',
    value: subject,
    pattern: pattern.text,
    wildCard: '%',
    singleCharacter: '_',
    escape: '\\',
    ...(matchCase ? {} : { matchCase }),
  };
}

function readMembership(tokens: TokenStream, value: Expression, readExpression: ReadExpression): Filter {
  tokens.next();
  return { kind: 'membership', value, list: readList(tokens, () => readExpression(tokens)) };
}

function createExistenceFilter(operand: Operand): Filter {
  const property = toExpression(operand);
  if (property.kind !== 'property')
    throw new TextError(operand.offset, 'an attribute name was expected before EXISTS or DOES-NOT-EXIST');
  return { kind: 'exists', property };
}

/** `IN ('states.1', 'states.2')` without a value before it selects feature identifiers. */
export function readIdentifiers(tokens: TokenStream): Filter {
  tokens.next();
  const identifiers = readList(tokens, () => {
    const token = tokens.next();
    if (token.kind !== 'string' && token.kind !== 'number') throw createUnexpectedError(token, 'a feature identifier');
    return token.text;
  });
  return { kind: 'identifiers', identifiers };
}

function readList<T>(tokens: TokenStream, read: () => T): readonly T[] {
  tokens.expectSign('(');
  const items = [read()];
  while (tokens.acceptSign(',')) items.push(read());
  tokens.expectSign(')', ' or a comma');
  return items;
}

function readTemporal(tokens: TokenStream, value: Expression, readExpression: ReadExpression): TemporalFilter {
  const word = tokens.next().text.toUpperCase();
  const isFollowedBy = (other: string): boolean => {
    const isThere = tokens.isWord('OR') && tokens.isWord(other, 1);
    if (isThere) for (const _ of ['OR', other]) tokens.next();
    return isThere;
  };
  const createDuring = (operator: TemporalFilter['operator']): TemporalFilter => ({
    kind: 'temporal',
    operator,
    value,
    time: readPeriod(tokens),
  });
  if (word === 'DURING') return createDuring(isFollowedBy('AFTER') ? 'duringOrAfter' : 'during');
  if (word === 'BEFORE' && isFollowedBy('DURING')) return createDuring('beforeOrDuring');
  const operator = word === 'BEFORE' ? 'before' : word === 'AFTER' ? 'after' : 'tequals';
  const time = operator !== 'tequals' && isPeriodStart(tokens) ? readPeriod(tokens) : readExpression(tokens);
  return { kind: 'temporal', operator, value, time };
}

/** Distinguishes `2020-01-01/P1D` from `first / 2`. */
function isPeriodStart(tokens: TokenStream): boolean {
  return tokens.isSign('/', 1) && [tokens.peek(), tokens.peek(2)].every(isTime);
}

function isTime({ kind, text }: TextToken): boolean {
  return kind === 'date' || (kind === 'word' && isDuration(text));
}

function readPeriod(tokens: TokenStream): Period {
  const [start, slash, end] = [tokens.next(), tokens.next(), tokens.next()];
  if (!isTime(start)) throw createUnexpectedError(start, 'a date, or a duration such as P1D,');
  if (slash.text !== '/') throw createUnexpectedError(slash, "'/' between the start and the end of a period");
  if (!isTime(end) || (start.kind === 'word' && end.kind === 'word')) throw createUnexpectedError(end, 'a date');
  for (const { kind, text, offset } of [start, end]) {
    if (kind === 'date' && parseMoment(text) === undefined) throw new TextError(offset, `invalid date '${text}'`);
  }
  if (resolvePeriod(start.text, end.text) !== undefined) return { kind: 'period', start: start.text, end: end.text };
  const isWritten = start.kind === 'date' && end.kind === 'date';
  throw new TextError(
    start.offset,
    isWritten ? 'the end of the period is before its start' : 'the period exceeds the years 1 to 9999',
  );
}
