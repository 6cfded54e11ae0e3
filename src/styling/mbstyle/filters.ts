/** Translates filters, in both notations: expressions, and the older one with attribute names. */
import type { Expression } from '../../filter/model/expression.ts';
import type { ComparisonOperator, Constant, Filter } from '../../filter/model/filter.ts';
import { joinFilters, negateFilter } from '../../filter/model/join-filters.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { type DocumentValue, isList } from '../documents/document-value.ts';
import { findGeometryComparison } from './build-expression.ts';
import { type ExpressionContext, enterInput } from './expression-inputs.ts';
import { translateExpression } from './expressions.ts';

const comparisons: ReadonlyMap<string, ComparisonOperator> = new Map([
  ['==', 'equal'],
  ['!=', 'notEqual'],
  ['<', 'less'],
  ['<=', 'lessOrEqual'],
  ['>', 'greater'],
  ['>=', 'greaterOrEqual'],
]);

const include: Constant = { kind: 'include' };
const exclude: Constant = { kind: 'exclude' };

/** Returns undefined after an error or a warning; then the layer is not drawn. */
export function translateFilter(value: DocumentValue, context: ExpressionContext): Filter | Constant | undefined {
  if (value === true || (isList(value) && value.length === 0)) return include;
  if (value === false) return exclude;
  if (!isList(value)) {
    context.complaints.add(context.path, 'expected a filter such as ["==", ["get", "kind"], "main"]');
    return undefined;
  }
  const [operator, ...inputs] = value;
  const comparison = typeof operator === 'string' ? comparisons.get(operator) : undefined;
  if (comparison !== undefined) return translateComparison(comparison, inputs, context);
  switch (operator) {
    case 'all':
      return translateJoined('and', inputs, context);
    case 'any':
      return translateJoined('or', inputs, context);
    case 'none':
      return negate(translateJoined('or', inputs, context));
    case '!':
      return negate(translateJoined('and', requireInput(inputs, context), context));
    case 'has':
    case '!has':
      return translateHas(operator, inputs, context);
    case 'in':
    case '!in':
      return translateMembership(operator, inputs, context);
    default:
      return toFilter(translateExpression(value, { ...context, kind: 'boolean' }));
  }
}

function requireInput(inputs: readonly DocumentValue[], { complaints, path }: ExpressionContext) {
  if (inputs.length !== 1) complaints.add(path, 'a negation needs one input');
  return inputs;
}

function negate(filter: Filter | Constant | undefined): Filter | Constant | undefined {
  return filter && negateFilter(filter);
}

function toFilter(condition: Expression | undefined): Filter | undefined {
  return condition && { kind: 'comparison', operator: 'equal', left: condition, right: createLiteral('true') };
}

function translateJoined(
  kind: 'and' | 'or',
  inputs: readonly DocumentValue[],
  context: ExpressionContext,
): Filter | Constant | undefined {
  const all = inputs.map((input, index) => translateFilter(input, enterInput(context, index)));
  return all.every((each) => each !== undefined) ? joinFilters(kind, all) : undefined;
}

function translateComparison(
  operator: ComparisonOperator,
  inputs: readonly DocumentValue[],
  context: ExpressionContext,
): Filter | Constant | undefined {
  const geometry = findGeometryComparison(inputs);
  if (geometry !== undefined) return { kind: 'comparison', operator, ...geometry };
  const [first, second] = inputs;
  if (first === undefined || second === undefined) {
    context.complaints.add(context.path, 'a comparison needs two inputs');
    return undefined;
  }
  // A text and a constant: the older notation, in which the text is the name of an attribute.
  const isOld = typeof first === 'string' && !isList(second);
  const left = isOld ? toAttribute(first) : translateExpression(first, enterInput(context, 0, 'text'));
  if (second === null) return left && compareWithNull(operator, left);
  const right = translateExpression(second, enterInput(context, 1, 'text'));
  return left && right && { kind: 'comparison', operator, left, right };
}

function compareWithNull(operator: ComparisonOperator, value: Expression): Filter {
  const isNull: Filter = { kind: 'isNull', value };
  return operator === 'notEqual' ? { kind: 'not', filter: isNull } : isNull;
}

function toAttribute(name: string): Expression {
  return name === '$id' ? { kind: 'function', name: 'id', arguments: [] } : { kind: 'property', name };
}

function translateHas(
  operator: 'has' | '!has',
  inputs: readonly DocumentValue[],
  context: ExpressionContext,
): Filter | undefined {
  const [name] = inputs;
  if (typeof name !== 'string') {
    context.complaints.add(context.path, 'expected the name of an attribute');
    return undefined;
  }
  const isNull: Filter = { kind: 'isNull', value: toAttribute(name) };
  return operator === '!has' ? isNull : { kind: 'not', filter: isNull };
}

function translateMembership(
  operator: 'in' | '!in',
  inputs: readonly DocumentValue[],
  context: ExpressionContext,
): Filter | Constant | undefined {
  const [first, second] = inputs;
  const isNegated = operator === '!in';
  if (typeof first !== 'string' || isList(second)) {
    const membership = toFilter(translateExpression(['in', ...inputs], { ...context, kind: 'boolean' }));
    return isNegated ? negate(membership) : membership;
  }
  const alternatives = inputs
    .slice(1)
    .flatMap((each) => findGeometryComparison([first, each]) ?? [])
    .map((each): Filter => ({ kind: 'comparison', operator: 'equal', ...each }));
  if (first === '$type') {
    const joined = joinFilters('or', alternatives);
    return isNegated ? negate(joined) : joined;
  }
  const list = inputs.slice(1).map((each) => createLiteral(String(each)));
  if (list.length === 0) return isNegated ? include : exclude;
  const membership: Filter = { kind: 'membership', value: toAttribute(first), list };
  return isNegated ? { kind: 'not', filter: membership } : membership;
}
