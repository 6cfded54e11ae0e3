/** Derives a column condition from the value of an expression, so that a database can evaluate it. */
import type { Expression } from '../../../filter/model/expression.ts';
import type { Filter } from '../../../filter/model/filter.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import { findAttributeByName } from '../../../filter/model/schema.ts';
import type { Attribute, ValueType } from '../../port/port.ts';

/**
 * Returns a condition that selects at least all rows for which an expression has one of the values; undefined if no
 * column determines it, `exclude` if no row can have any of them.
 */
export function buildCondition(
  expressions: readonly Expression[],
  values: readonly string[],
  attributes: readonly Attribute[],
): Filter | 'exclude' | undefined {
  const parts: Filter[] = [];
  for (const expression of expressions) {
    if (expression.kind === 'function' && expression.name.toLowerCase() === 'getid') {
      parts.push({ kind: 'identifiers', identifiers: values });
      continue;
    }
    const inverted = invertExpression(expression, attributes);
    if (inverted === undefined) return undefined;
    const { attribute, prefix, suffix } = inverted;
    const fits = patterns[attribute.type];
    if (fits === undefined) return undefined;
    const list = values
      .filter(
        (each) => each.length >= prefix.length + suffix.length && each.startsWith(prefix) && each.endsWith(suffix),
      )
      .map((each) => each.slice(prefix.length, each.length - suffix.length))
      .filter((each) => fits.test(each))
      .map(createLiteral);
    if (list.length > 0) parts.push({ kind: 'membership', value: { kind: 'property', name: attribute.name }, list });
  }
  const [first] = parts;
  if (first === undefined) return 'exclude';
  return parts.length === 1 ? first : { kind: 'or', filters: parts };
}

/** Canonical text forms of column values, for which equal texts mean equal values. */
const patterns: Readonly<Partial<Record<ValueType, RegExp>>> = {
  string: /^/,
  short: /^-?\d{1,5}$/,
  integer: /^-?\d{1,10}$/,
  long: /^-?\d{1,19}$/,
  decimal: /^-?\d+(?:\.\d+)?$/,
};

interface InvertedExpression {
  readonly attribute: Extract<Attribute, { kind: 'value' }>;
  readonly prefix: string;
  readonly suffix: string;
}

/** Supports a column, optionally with constant texts around it. */
function invertExpression(expression: Expression, attributes: readonly Attribute[]): InvertedExpression | undefined {
  if (expression.kind === 'property') {
    const schema = { attributes: attributes.map(({ name }) => ({ name, type: 'text' as const })) };
    const found = findAttributeByName(schema, expression.name);
    const attribute = attributes.find(({ name }) => name === found?.name);
    return attribute?.kind === 'value' ? { attribute, prefix: '', suffix: '' } : undefined;
  }
  const parts = listConcatenatedParts(expression);
  const at = parts?.findIndex(({ kind }) => kind !== 'literal') ?? -1;
  const middle = parts?.[at];
  if (parts === undefined || middle === undefined) return undefined;
  const [before, after] = [joinLiterals(parts.slice(0, at)), joinLiterals(parts.slice(at + 1))];
  const inner = before === undefined || after === undefined ? undefined : invertExpression(middle, attributes);
  return inner && { ...inner, prefix: `${before}${inner.prefix}`, suffix: `${inner.suffix}${after}` };
}

function listConcatenatedParts(expression: Expression): readonly Expression[] | undefined {
  if (expression.kind === 'concatenation') return expression.parts;
  const isJoining = expression.kind === 'function' && /^(?:strconcat|concatenate|concat)$/i.test(expression.name);
  return isJoining ? expression.arguments : undefined;
}

function joinLiterals(parts: readonly Expression[]): string | undefined {
  return parts.every((part) => part.kind === 'literal') ? parts.map(({ value }) => value).join('') : undefined;
}
