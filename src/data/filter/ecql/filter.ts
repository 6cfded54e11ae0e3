/** Reads the conditions of ECQL, joined by AND, OR and NOT. */
import type { Expression } from '../expression.ts';
import type { ComparisonOperator, Filter } from '../filter.ts';
import { EcqlError, unexpected } from './ecql-error.ts';
import { readExpression, readSum } from './expression.ts';
import { asExpression, asFilter, condition, joined, negated, type Operand } from './operand.ts';
import type { TokenStream } from './token-stream.ts';

const operators: Readonly<Record<string, ComparisonOperator>> = {
  '=': 'equal',
  '<>': 'notEqual',
  '!=': 'notEqual',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
};

/** A value or a condition, whichever it is; `(a + b) > c` and `(a > b) AND c = d` begin alike. */
export function readFilterOperand(tokens: TokenStream): Operand {
  return readJoined(tokens, 'or', (inner) => readJoined(inner, 'and', readNegation));
}

function readJoined(tokens: TokenStream, kind: 'and' | 'or', readPart: (tokens: TokenStream) => Operand): Operand {
  const first = readPart(tokens);
  const word = kind.toUpperCase();
  if (!tokens.isWord(word)) return first;
  const parts = [asFilter(first)];
  while (tokens.takeWord(word)) parts.push(asFilter(readPart(tokens)));
  return condition(joined(kind, parts), first.offset);
}

function readNegation(tokens: TokenStream): Operand {
  const { offset } = tokens.peek();
  if (!tokens.isWord('NOT')) return readComparison(tokens);
  tokens.next();
  return condition(negated(asFilter(tokens.nested(() => readNegation(tokens)))), offset);
}

function readComparison(tokens: TokenStream): Operand {
  const { offset } = tokens.peek();
  if (tokens.isWord('IN') && tokens.isSign('(', 1)) return condition(readIdentifiers(tokens), offset);
  const left = readSum(tokens);
  const { kind, text } = tokens.peek();

  const operator = kind === 'sign' ? operators[text] : undefined;
  if (operator !== undefined) {
    tokens.next();
    const right = readExpression(tokens);
    return condition({ kind: 'comparison', operator, left: asExpression(left), right }, offset);
  }
  if (tokens.isWord('IS')) {
    tokens.next();
    const isNegated = tokens.takeWord('NOT');
    tokens.expectWord('NULL');
    return verdict(isNegated, { kind: 'isNull', value: asExpression(left) }, offset);
  }
  const isNegated = tokens.isWord('NOT') && left.kind === 'value';
  if (isNegated) tokens.next();
  const filter = readWordComparison(tokens, left);
  if (filter !== undefined) return verdict(isNegated, filter, offset);
  if (isNegated) throw unexpected(tokens.peek(), 'LIKE, ILIKE, IN or BETWEEN');
  return left;
}

function verdict(isNegated: boolean, filter: Filter, offset: number): Operand {
  return condition(isNegated ? { kind: 'not', filter } : filter, offset);
}

function readWordComparison(tokens: TokenStream, left: Operand): Filter | undefined {
  const { kind, text } = tokens.peek();
  switch (kind === 'word' ? text.toUpperCase() : '') {
    case 'LIKE':
      return readLike(tokens, asExpression(left), true);
    case 'ILIKE':
      return readLike(tokens, asExpression(left), false);
    case 'IN':
      return readMembership(tokens, asExpression(left));
    case 'BETWEEN': {
      tokens.next();
      const lower = readExpression(tokens);
      tokens.expectWord('AND');
      return { kind: 'between', value: asExpression(left), lower, upper: readExpression(tokens) };
    }
    case 'BEFORE':
      return readMoment(tokens, asExpression(left), 'less');
    case 'AFTER':
      return readMoment(tokens, asExpression(left), 'greater');
    case 'TEQUALS':
      return readMoment(tokens, asExpression(left), 'equal');
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
function readMembership(tokens: TokenStream, left: Expression): Filter {
  tokens.next();
  const equalities = readList(tokens, () => readExpression(tokens)).map(
    (right): Filter => ({ kind: 'comparison', operator: 'equal', left, right }),
  );
  const [first] = equalities;
  return first !== undefined && equalities.length === 1 ? first : { kind: 'or', filters: equalities };
}

/** `IN ('states.1', 'states.2')` with nothing before it asks for identifiers of features. */
function readIdentifiers(tokens: TokenStream): Filter {
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
function readMoment(tokens: TokenStream, left: Expression, operator: ComparisonOperator): Filter {
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
