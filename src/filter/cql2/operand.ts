/** The parsed parts of CQL2, shared by the text and JSON readers. */
import { foldCase } from '../evaluate/values/case-folding.ts';
import type { Expression } from '../model/expression.ts';
import type { Constant, Filter, Period } from '../model/filter.ts';
import { createLiteral } from '../model/literal.ts';

/** An offset in text, or a path in JSON. */
export type SourcePosition = number | string;

export type Operand = { readonly place: SourcePosition } & (
  | {
      readonly kind: 'value';
      readonly value: Expression;
      /** Whether comparisons ignore case. */
      readonly isFolded?: true;
    }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'period'; readonly period: Period }
  | { readonly kind: 'list'; readonly items: readonly Operand[] }
  | { readonly kind: 'condition'; readonly filter: Filter | Constant }
);

/** Aborts the reading of a filter. It stays inside this module; callers get an outcome. */
export class Cql2Error extends Error {
  override readonly name = 'Cql2Error';
  readonly place: SourcePosition;

  constructor(place: SourcePosition, message: string) {
    super(message);
    this.place = place;
  }
}

/** Source positions of the parts of a filter. */
export type SourcePositions = Map<object, SourcePosition>;

/** Creates a value operand and records its source position. */
export function createValue(places: SourcePositions, place: SourcePosition, value: Expression): Operand {
  places.set(value, place);
  return { kind: 'value', value, place };
}

export function toFilter(operand: Operand): Filter | Constant {
  switch (operand.kind) {
    case 'condition':
      return operand.filter;
    case 'truth':
      return { kind: operand.value ? 'include' : 'exclude' };
    case 'value':
      // A boolean function is a condition by itself.
      if (operand.value.kind === 'function')
        return { kind: 'comparison', operator: 'equal', left: operand.value, right: createLiteral('true') };
      throw new Cql2Error(operand.place, 'a condition such as a = 1 was expected, but a value was found');
    default:
      throw new Cql2Error(operand.place, `a condition was expected, but ${formatKind(operand)} was found`);
  }
}

/** Returns the expression of an operand, with case folding applied if comparisons ignore case. */
export function toExpression(operand: Operand): Expression {
  switch (operand.kind) {
    case 'value':
      return operand.isFolded ? foldExpression(operand.value) : operand.value;
    case 'truth':
      return createLiteral(String(operand.value));
    default:
      throw new Cql2Error(operand.place, `a value was expected, but ${formatKind(operand)} was found`);
  }
}

function foldExpression(value: Expression): Expression {
  if (value.kind === 'literal') return createLiteral(foldCase(value.value));
  return { kind: 'function', name: 'casei', arguments: [value] };
}

function formatKind({ kind }: Operand): string {
  return kind === 'period' ? 'an interval' : kind === 'list' ? 'a list' : 'a condition';
}
