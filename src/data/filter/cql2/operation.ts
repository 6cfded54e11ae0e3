/** The operations of CQL2 by their names, which text and JSON share. */

import { excerpt } from '../../../lib/excerpt.ts';
import { counted } from '../../../lib/wording.ts';
import { withoutAccents } from '../evaluate/functions/text.ts';
import type { ArithmeticOperator, Expression } from '../expression.ts';
import type { ComparisonOperator, Constant, Filter, SpatialOperator, TemporalOperator } from '../filter.ts';
import { joined, negated } from '../join.ts';
import { literal } from '../literal.ts';
import { asExpression, asFilter, Cql2Error, type Operand, type Place, type Places, valueAt } from './operand.ts';

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

/** Operators that are spelled as functions elsewhere. */
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

/** Before its operands are read, which may be such as nobody else takes. */
export function refuseListOperation(name: string, place: Place): void {
  if (onLists.has(name.toLowerCase()))
    throw new Cql2Error(place, `'${excerpt(name)}' compares lists, and there are no attributes that hold lists`);
}

/** Names are written in any case. One that is no operation is a function, known or not. */
export function operation(name: string, operands: readonly Operand[], place: Place, places: Places): Operand {
  const key = name.toLowerCase();
  refuseListOperation(name, place);
  const take = (count: number): readonly Operand[] => {
    if (operands.length === count) return operands;
    const noun = count === 1 ? 'operand' : 'operands';
    throw new Cql2Error(place, `'${excerpt(name)}' has ${count} ${noun}, but ${counted(operands.length)}`);
  };
  const condition = (filter: Filter | Constant): Operand => {
    places.set(filter, place);
    return { kind: 'condition', filter, place };
  };

  const comparison = own(comparisons, key);
  if (comparison !== undefined) return condition(compared(comparison, take(2)));
  const calculation = own(arithmetic, key);
  if (calculation !== undefined) {
    const [left, right] = values(take(2));
    return valueAt(places, place, { kind: 'arithmetic', operator: calculation, left, right });
  }
  const relation = own(spatial, key);
  if (relation !== undefined) {
    const [left, right] = values(take(2));
    return condition({ kind: 'spatial', operator: relation, left, right });
  }
  const order = own(temporal, key);
  if (order !== undefined) {
    const [value, time] = pair(take(2).map((each) => (each.kind === 'period' ? each.period : asExpression(each))));
    return condition({ kind: 'temporal', operator: order, value, time });
  }
  switch (key) {
    case 'and':
    case 'or':
      if (operands.length < 2) take(2);
      return condition(joined(key, operands.map(asFilter)));
    case 'not': {
      const [only] = take(1).map(asFilter);
      return condition(negated(only ?? { kind: 'include' }));
    }
    case 'isnull': {
      const [value] = take(1).map(asExpression);
      return condition({ kind: 'isNull', value: value ?? literal('') });
    }
    case 'between': {
      const [value, lower, upper] = take(3).map(asExpression);
      if (value === undefined || lower === undefined || upper === undefined) throw new Error('There are three.');
      return condition({ kind: 'between', value, lower, upper });
    }
    case 'like':
      return condition(like(take(2)));
    case 'in':
      return condition(membership(take(2)));
    case 'casei':
    case 'accenti':
      return transformed(key, take(1), places);
    default: {
      const called = own(functions, key);
      if (called !== undefined) take(2);
      const inputs = operands.map(asExpression);
      return valueAt(places, place, { kind: 'function', name: called ?? name, arguments: inputs });
    }
  }
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Of two that were counted before. */
function pair<T>([first, second]: readonly T[]): readonly [T, T] {
  if (first === undefined || second === undefined) throw new Error('There are two.');
  return [first, second];
}

function values(operands: readonly Operand[]): readonly [Expression, Expression] {
  return pair(operands.map(asExpression));
}

function isFolded(operand: Operand): operand is Extract<Operand, { kind: 'value' }> {
  return operand.kind === 'value' && operand.isFolded === true;
}

/** Where both sides are without regard to case, the comparison is. */
function compared(operator: ComparisonOperator, operands: readonly Operand[]): Filter {
  const [left, right] = pair(operands);
  if (isFolded(left) && isFolded(right))
    return { kind: 'comparison', operator, left: left.value, right: right.value, matchCase: false };
  const [one, other] = values(operands);
  return { kind: 'comparison', operator, left: one, right: other };
}

function like(operands: readonly Operand[]): Filter {
  const [subject, pattern] = pair(operands);
  const areFolded = isFolded(subject) && isFolded(pattern);
  const [value, written] = areFolded ? [subject.value, pattern.value] : values(operands);
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

function membership(operands: readonly Operand[]): Filter {
  const [value, list] = pair(operands);
  if (list.kind !== 'list') throw new Cql2Error(list.place, 'a list of values was expected');
  if (list.items.length === 0) throw new Cql2Error(list.place, 'the list is empty');
  return { kind: 'membership', value: asExpression(value), list: list.items.map(asExpression) };
}

/** `CASEI` and `ACCENTI`, in any order; of a literal the accents go at once. */
function transformed(key: 'casei' | 'accenti', operands: readonly Operand[], places: Places): Operand {
  const [operand] = operands;
  if (operand?.kind !== 'value')
    throw new Cql2Error(operand?.place ?? 0, 'text, or an attribute that holds text, was expected');
  if (key === 'casei') return { ...operand, isFolded: true };
  const { value, place } = operand;
  const plain: Expression =
    value.kind === 'literal'
      ? literal(withoutAccents(value.value))
      : { kind: 'function', name: 'strStripAccents', arguments: [value] };
  places.set(plain, place);
  return { ...operand, value: plain };
}
