/** A parsed part of ECQL: a value or a condition, which only the following tokens distinguish. */
import type { Expression } from '../model/expression.ts';
import type { Constant, Filter } from '../model/filter.ts';
import { createLiteral } from '../model/literal.ts';
import { TextError } from '../text/tokens.ts';

export type EcqlFilter = Filter | Constant;

export type Operand =
  | { readonly kind: 'value'; readonly value: Expression; readonly offset: number; readonly isTruth: boolean }
  | { readonly kind: 'condition'; readonly condition: EcqlFilter; readonly offset: number };

export function createValueOperand(expression: Expression, offset: number, isTruth = false): Operand {
  return { kind: 'value', value: expression, offset, isTruth };
}

export function createConditionOperand(filter: EcqlFilter, offset: number): Operand {
  return { kind: 'condition', condition: filter, offset };
}

export function toExpression(operand: Operand): Expression {
  if (operand.kind === 'value') return operand.value;
  throw new TextError(operand.offset, 'a value was expected, but a condition was found');
}

/** Boolean functions, TRUE and FALSE are conditions by themselves. */
export function toFilter(operand: Operand): EcqlFilter {
  if (operand.kind === 'condition') return operand.condition;
  const { value: expression, isTruth, offset } = operand;
  if (isTruth && expression.kind === 'literal') return { kind: expression.value === 'true' ? 'include' : 'exclude' };
  if (expression.kind === 'function')
    return { kind: 'comparison', operator: 'equal', left: expression, right: createLiteral('true') };
  throw new TextError(offset, 'a condition such as a = 1 was expected, but a value was found');
}
