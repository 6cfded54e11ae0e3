/** Reads ECQL values and conditions, which can contain each other in brackets. */
import type { ArithmeticOperator, Expression } from '../model/expression.ts';
import type { ComparisonOperator, Filter } from '../model/filter.ts';
import { joinFilters, negateFilter } from '../model/join-filters.ts';
import { createLiteral } from '../model/literal.ts';
import { isGeometryStart, readGeometry } from '../text/geometry.ts';
import type { TokenStream } from '../text/token-stream.ts';
import { createUnexpectedError, TextError } from '../text/tokens.ts';
import { createConditionOperand, createValueOperand, type Operand, toExpression, toFilter } from './operand.ts';
import { isPredicateStart, readPredicate } from './predicate.ts';
import { readIdentifiers, readWordComparison } from './word-comparison.ts';

/** A sum of n terms is a tree of depth n, and trees are traversed recursively. */
const maxTerms = 500;

/** Words that are attribute names only in quotes. */
const reserved = new Set(['AND', 'OR', 'NOT', 'LIKE', 'ILIKE', 'IN', 'IS', 'NULL', 'BETWEEN']);

const comparisons: Readonly<Record<string, ComparisonOperator>> = {
  '=': 'equal',
  '<>': 'notEqual',
  '!=': 'notEqual',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
};

/** Reads a value or a condition; `(a + b) > c` and `(a > b) AND c = d` have the same start. */
export function readOperand(tokens: TokenStream): Operand {
  return readJoined(tokens, 'or', (inner) => readJoined(inner, 'and', readNegation));
}

function readJoined(tokens: TokenStream, kind: 'and' | 'or', readPart: (tokens: TokenStream) => Operand): Operand {
  const first = readPart(tokens);
  const word = kind.toUpperCase();
  if (!tokens.isWord(word)) return first;
  const parts = [toFilter(first)];
  while (tokens.acceptWord(word)) parts.push(toFilter(readPart(tokens)));
  return createConditionOperand(joinFilters(kind, parts), first.offset);
}

function readNegation(tokens: TokenStream): Operand {
  const { offset } = tokens.peek();
  if (!tokens.isWord('NOT')) return readComparison(tokens);
  tokens.next();
  return createConditionOperand(negateFilter(toFilter(tokens.readNested(() => readNegation(tokens)))), offset);
}

function readComparison(tokens: TokenStream): Operand {
  const { offset } = tokens.peek();
  if (tokens.isWord('IN') && tokens.isSign('(', 1)) return createConditionOperand(readIdentifiers(tokens), offset);
  const left = readSum(tokens);
  const { kind, text } = tokens.peek();

  const operator = kind === 'sign' ? comparisons[text] : undefined;
  if (operator !== undefined) {
    tokens.next();
    const right = readExpression(tokens);
    return createConditionOperand({ kind: 'comparison', operator, left: toExpression(left), right }, offset);
  }
  if (tokens.isWord('IS')) {
    tokens.next();
    const isNegated = tokens.acceptWord('NOT');
    tokens.expectWord('NULL');
    return negateIf(isNegated, { kind: 'isNull', value: toExpression(left) }, offset);
  }
  const isNegated = tokens.isWord('NOT') && left.kind === 'value';
  if (isNegated) tokens.next();
  const filter = readWordComparison(tokens, left, readExpression);
  if (filter !== undefined) return negateIf(isNegated, filter, offset);
  if (isNegated) throw createUnexpectedError(tokens.peek(), 'LIKE, ILIKE, IN or BETWEEN');
  return left;
}

function negateIf(isNegated: boolean, filter: Filter, offset: number): Operand {
  return createConditionOperand(isNegated ? { kind: 'not', filter } : filter, offset);
}

export function readExpression(tokens: TokenStream): Expression {
  return toExpression(readSum(tokens));
}

/** Left-associative. */
function readSum(tokens: TokenStream): Operand {
  return readChain(tokens, readProduct, { '+': 'add', '-': 'subtract' });
}

function readProduct(tokens: TokenStream): Operand {
  return readChain(tokens, readFactor, { '*': 'multiply', '/': 'divide' });
}

function readChain(
  tokens: TokenStream,
  readPart: (tokens: TokenStream) => Operand,
  operators: Readonly<Record<string, ArithmeticOperator>>,
): Operand {
  let left = readPart(tokens);
  for (let terms = 1; ; terms += 1) {
    const { kind, text, offset } = tokens.peek();
    const operator = kind === 'sign' ? operators[text] : undefined;
    if (operator === undefined) return left;
    if (terms >= maxTerms) throw new TextError(offset, `the arithmetic expression has more than ${maxTerms} terms`);
    tokens.next();
    const right = toExpression(readPart(tokens));
    left = createValueOperand({ kind: 'arithmetic', operator, left: toExpression(left), right }, left.offset);
  }
}

function readFactor(tokens: TokenStream): Operand {
  const { offset } = tokens.peek();
  if (!tokens.isSign('-') && !tokens.isSign('+')) return readPrimary(tokens);
  const isNegative = tokens.next().text === '-';
  const operand = tokens.readNested(() => toExpression(readFactor(tokens)));
  if (!isNegative) return createValueOperand(operand, offset);
  if (operand.kind === 'literal' && /^[\d.]/.test(operand.value))
    return createValueOperand(tokens.recordOffset(createLiteral(`-${operand.value}`), offset), offset);
  return createValueOperand(
    { kind: 'arithmetic', operator: 'multiply', left: createLiteral('-1'), right: operand },
    offset,
  );
}

function readPrimary(tokens: TokenStream): Operand {
  const token = tokens.peek();
  const { offset } = token;
  if (tokens.isSign('(') || tokens.isSign('[')) {
    const closing = tokens.next().text === '(' ? ')' : ']';
    const inner = tokens.readNested(() => readOperand(tokens));
    tokens.expectSign(closing);
    return inner;
  }
  switch (token.kind) {
    case 'string':
    case 'number':
    case 'date':
      tokens.next();
      return createValueOperand(tokens.recordOffset(createLiteral(token.text), offset), offset);
    case 'name':
      tokens.next();
      if (token.text === '') throw new TextError(offset, 'the attribute name is empty');
      return tokens.isSign('(')
        ? readCall(tokens, token.text, offset)
        : createValueOperand(tokens.recordOffset(createProperty(token.text), offset), offset);
    case 'variable':
      tokens.next();
      return createValueOperand(tokens.recordOffset(createProperty(token.text), offset), offset);
    case 'word':
      return readWord(tokens);
    default:
      throw createUnexpectedError(token, 'a value or a condition');
  }
}

function readWord(tokens: TokenStream): Operand {
  const token = tokens.peek();
  const { offset, text } = token;
  const word = text.toUpperCase();
  if (isGeometryStart(tokens)) return createValueOperand(tokens.recordOffset(readGeometry(tokens), offset), offset);
  if (isPredicateStart(tokens))
    return createConditionOperand(tokens.recordOffset(readPredicate(tokens, readExpression), offset), offset);
  if (reserved.has(word)) throw createUnexpectedError(token, 'a value or a condition');
  tokens.next();
  if (tokens.isSign('(')) return readCall(tokens, text, offset);
  if (word === 'TRUE' || word === 'FALSE')
    return createValueOperand(tokens.recordOffset(createLiteral(word.toLowerCase()), offset), offset, true);
  if (word === 'INCLUDE') return createConditionOperand({ kind: 'include' }, offset);
  if (word === 'EXCLUDE') return createConditionOperand({ kind: 'exclude' }, offset);
  return createValueOperand(tokens.recordOffset(createProperty(text), offset), offset);
}

function createProperty(name: string): Expression {
  return { kind: 'property', name };
}

function readCall(tokens: TokenStream, name: string, offset: number): Operand {
  tokens.expectSign('(');
  const inputs: Expression[] = [];
  if (!tokens.acceptSign(')')) {
    tokens.readNested(() => {
      do inputs.push(readExpression(tokens));
      while (tokens.acceptSign(','));
    });
    tokens.expectSign(')', ' or a comma');
  }
  return createValueOperand(tokens.recordOffset({ kind: 'function', name, arguments: inputs }, offset), offset);
}
