/** Reads the conditions of ECQL that are spelled with a word: LIKE, IN, BETWEEN, and those on time. */
import type { Expression } from '../expression.ts';
import type { ComparisonOperator, Filter } from '../filter.ts';
import { asExpression, type Operand } from './operand.ts';
import type { ReadExpression, TokenStream } from './token-stream.ts';
import { EcqlError, unexpected } from './tokens.ts';

/** Undefined where no such word comes next. */
export function readWordComparison(
  tokens: TokenStream,
  left: Operand,
  readExpression: ReadExpression,
): Filter | undefined {
  const { kind, text } = tokens.peek();
  switch (kind === 'word' ? text.toUpperCase() : '') {
    case 'LIKE':
      return readLike(tokens, asExpression(left), true);
    case 'ILIKE':
      return readLike(tokens, asExpression(left), false);
    case 'IN':
      return readMembership(tokens, asExpression(left), readExpression);
    case 'BETWEEN': {
      tokens.next();
      const lower = readExpression(tokens);
      tokens.expectWord('AND');
      return { kind: 'between', value: asExpression(left), lower, upper: readExpression(tokens) };
    }
    case 'BEFORE':
      return readMoment(tokens, asExpression(left), 'less', readExpression);
    case 'AFTER':
      return readMoment(tokens, asExpression(left), 'greater', readExpression);
    case 'TEQUALS':
      return readMoment(tokens, asExpression(left), 'equal', readExpression);
    case 'DURING':
      return readPeriod(tokens, asExpression(left));
    default:
      return undefined;
  }
}

function readLike(tokens: TokenStream, subject: Expression, matchCase: boolean): Filter {
  tokens.next();
  const pattern = tokens.next();
  if (pattern.kind !== 'string') throw unexpected(pattern, "a pattern such as 'A%'");
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

/** There is no list in the model: one of several equalities means the same. */
function readMembership(tokens: TokenStream, left: Expression, readExpression: ReadExpression): Filter {
  tokens.next();
  const equalities = readList(tokens, () => readExpression(tokens)).map(
    (right): Filter => ({ kind: 'comparison', operator: 'equal', left, right }),
  );
  const [first] = equalities;
  return first !== undefined && equalities.length === 1 ? first : { kind: 'or', filters: equalities };
}

/** `IN ('states.1', 'states.2')` with nothing before it asks for identifiers of features. */
export function readIdentifiers(tokens: TokenStream): Filter {
  tokens.next();
  const identifiers = readList(tokens, () => {
    const token = tokens.next();
    if (token.kind !== 'string' && token.kind !== 'number') throw unexpected(token, 'an identifier of a feature');
    return token.text;
  });
  return { kind: 'identifiers', identifiers };
}

function readList<T>(tokens: TokenStream, read: () => T): readonly T[] {
  tokens.expectSign('(');
  const items = [read()];
  while (tokens.takeSign(',')) items.push(read());
  tokens.expectSign(')', ' or a comma');
  return items;
}

/** Moments are compared as they are written, which is right for ISO 8601 in one time zone. */
function readMoment(
  tokens: TokenStream,
  left: Expression,
  operator: ComparisonOperator,
  readExpression: ReadExpression,
): Filter {
  tokens.next();
  return { kind: 'comparison', operator, left, right: readExpression(tokens) };
}

function readPeriod(tokens: TokenStream, left: Expression): Filter {
  tokens.next();
  const [start, slash, end] = [tokens.next(), tokens.next(), tokens.next()];
  if (start.kind !== 'date') throw unexpected(start, 'a date');
  if (slash.text !== '/') throw unexpected(slash, "'/' between two dates");
  if (end.kind !== 'date') throw unexpected(end, 'a date');
  if (start.text > end.text) throw new EcqlError(start.offset, 'the period ends before it begins');
  const bound = (operator: ComparisonOperator, text: string): Filter => ({
    kind: 'comparison',
    operator,
    left,
    right: { kind: 'literal', value: text },
  });
  return { kind: 'and', filters: [bound('greater', start.text), bound('less', end.text)] };
}
