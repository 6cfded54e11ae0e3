/** CQL2 operations by name, shared by text and JSON. */

import { excerpt } from '../../lib/text/excerpt.ts';
import { formatFoundCount } from '../../lib/text/wording.ts';
import { removeAccents } from '../evaluate/functions/text.ts';
import type { ArithmeticOperator, Expression } from '../model/expression.ts';
import type { ComparisonOperator, Constant, Filter, SpatialOperator, TemporalOperator } from '../model/filter.ts';
import { joinFilters, negateFilter } from '../model/join-filters.ts';
import { createLiteral } from '../model/literal.ts';
import {
  Cql2Error,
  createValue,
  type Operand,
  type SourcePosition,
  type SourcePositions,
  toExpression,
  toFilter,
} from './operand.ts';

const comparisons: Readonly<Record<string, ComparisonOperator>> = {
  '=': 'equal',
  '<>': 'notEqual',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
};

const arithmetic: Readonly<Record<string, ArithmeticOperator>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
};

/** Operators that other languages spell as functions. */
const functions: Readonly<Record<string, string>> = { '^': 'pow', '%': 'modulo', div: 'div' };

const spatial: Readonly<Record<string, SpatialOperator>> = {
  s_intersects: 'intersects',
  s_equals: 'equals',
  s_disjoint: 'disjoint',
  s_touches: 'touches',
  s_within: 'within',
  s_overlaps: 'overlaps',
  s_crosses: 'crosses',
  s_contains: 'contains',
};

const temporal: Readonly<Record<string, TemporalOperator>> = {
  t_after: 'after',
  t_before: 'before',
  t_contains: 'contains',
  t_disjoint: 'disjoint',
  t_during: 'during',
  t_equals: 'tequals',
  t_finishedby: 'finishedBy',
  t_finishes: 'finishes',
  t_intersects: 'intersects',
  t_meets: 'meets',
  t_metby: 'metBy',
  t_overlappedby: 'overlappedBy',
  t_overlaps: 'overlaps',
  t_startedby: 'startedBy',
  t_starts: 'starts',
};

const onLists: ReadonlySet<string> = new Set(['a_equals', 'a_contains', 'a_containedby', 'a_overlaps']);

/** Rejects list operations before their operands are read, because those are invalid elsewhere. */
export function refuseListOperation(name: string, place: SourcePosition): void {
  if (onLists.has(name.toLowerCase()))
    throw new Cql2Error(place, `'${excerpt(name)}' compares lists, but no attribute contains lists`);
}

/** Creates an operation from its name in any case. Names that are not operations are functions. */
export function createOperation(
  name: string,
  operands: readonly Operand[],
  place: SourcePosition,
  places: SourcePositions,
): Operand {
  const key = name.toLowerCase();
  refuseListOperation(name, place);
  const requireOperands = (count: number): readonly Operand[] => {
    if (operands.length === count) return operands;
    const noun = count === 1 ? 'operand' : 'operands';
    throw new Cql2Error(
      place,
      `'${excerpt(name)}' requires ${count} ${noun}, but ${formatFoundCount(operands.length)}`,
    );
  };
  const createCondition = (filter: Filter | Constant): Operand => {
    places.set(filter, place);
    return { kind: 'condition', filter, place };
  };

  const comparison = findOwn(comparisons, key);
  if (comparison !== undefined) return createCondition(createComparison(comparison, requireOperands(2)));
  const calculation = findOwn(arithmetic, key);
  if (calculation !== undefined) {
    const [left, right] = toExpressions(requireOperands(2));
    return createValue(places, place, { kind: 'arithmetic', operator: calculation, left, right });
  }
  const relation = findOwn(spatial, key);
  if (relation !== undefined) {
    const [left, right] = toExpressions(requireOperands(2));
    return createCondition({ kind: 'spatial', operator: relation, left, right });
  }
  const order = findOwn(temporal, key);
  if (order !== undefined) {
    const [value, time] = toPair(
      requireOperands(2).map((each) => (each.kind === 'period' ? each.period : toExpression(each))),
    );
    return createCondition({ kind: 'temporal', operator: order, value, time });
  }
  switch (key) {
    case 'and':
    case 'or':
      if (operands.length < 2) requireOperands(2);
      return createCondition(joinFilters(key, operands.map(toFilter)));
    case 'not': {
      const [only] = requireOperands(1).map(toFilter);
      return createCondition(negateFilter(only ?? { kind: 'include' }));
    }
    case 'isnull': {
      const [value] = requireOperands(1).map(toExpression);
      return createCondition({ kind: 'isNull', value: value ?? createLiteral('') });
    }
    case 'between': {
      const [value, lower, upper] = requireOperands(3).map(toExpression);
      if (value === undefined || lower === undefined || upper === undefined)
        throw new Error('Expected three operands.');
      return createCondition({ kind: 'between', value, lower, upper });
    }
    case 'like':
      return createCondition(createLike(requireOperands(2)));
    case 'in':
      return createCondition(createMembership(requireOperands(2)));
    case 'casei':
    case 'accenti':
      return transformText(key, requireOperands(1), places);
    default: {
      const called = findOwn(functions, key);
      if (called !== undefined) requireOperands(2);
      const inputs = operands.map(toExpression);
      return createValue(places, place, { kind: 'function', name: called ?? name, arguments: inputs });
    }
  }
}

function findOwn<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The caller has checked the count. */
function toPair<T>([first, second]: readonly T[]): readonly [T, T] {
  if (first === undefined || second === undefined) throw new Error('Expected two operands.');
  return [first, second];
}

function toExpressions(operands: readonly Operand[]): readonly [Expression, Expression] {
  return toPair(operands.map(toExpression));
}

function isFolded(operand: Operand): operand is Extract<Operand, { kind: 'value' }> {
  return operand.kind === 'value' && operand.isFolded === true;
}

/** The comparison ignores case if both sides do. */
function createComparison(operator: ComparisonOperator, operands: readonly Operand[]): Filter {
  const [left, right] = toPair(operands);
  if (isFolded(left) && isFolded(right))
    return { kind: 'comparison', operator, left: left.value, right: right.value, matchCase: false };
  const [one, other] = toExpressions(operands);
  return { kind: 'comparison', operator, left: one, right: other };
}

function createLike(operands: readonly Operand[]): Filter {
  const [subject, pattern] = toPair(operands);
  const areFolded = isFolded(subject) && isFolded(pattern);
  const [value, written] = areFolded ? [subject.value, pattern.value] : toExpressions(operands);
  if (written.kind !== 'literal') throw new Cql2Error(pattern.place, "a pattern such as 'A%' was expected");
  const matchCase = areFolded ? { matchCase: false as const } : {};
  return {
    kind: 'like',
    value,
    pattern: written.value,
    wildCard: '%',
    singleCharacter: '_',
    escape: '\\',
    ...matchCase,
  };
}

function createMembership(operands: readonly Operand[]): Filter {
  const [value, list] = toPair(operands);
  if (list.kind !== 'list') throw new Cql2Error(list.place, 'a list of values was expected');
  if (list.items.length === 0) throw new Cql2Error(list.place, 'the list is empty');
  return { kind: 'membership', value: toExpression(value), list: list.items.map(toExpression) };
}

/** Applies `CASEI` and `ACCENTI` in any order. Accents of literals are removed immediately. */
function transformText(key: 'casei' | 'accenti', operands: readonly Operand[], places: SourcePositions): Operand {
  const [operand] = operands;
  if (operand?.kind !== 'value') throw new Cql2Error(operand?.place ?? 0, 'text or a text attribute was expected');
  if (key === 'casei') return { ...operand, isFolded: true };
  const { value, place } = operand;
  const plain: Expression =
    value.kind === 'literal'
      ? createLiteral(removeAccents(value.value))
      : { kind: 'function', name: 'strStripAccents', arguments: [value] };
  places.set(plain, place);
  return { ...operand, value: plain };
}
