/** The six comparisons of two values. */
import type { ComparisonOperator } from '../filter.ts';
import { compareValues, type StyleValue } from './style-value.ts';

/** With null nothing is equal, less or greater, and everything is not equal; undefined if a value cannot be known. */
export function compare(
  operator: ComparisonOperator,
  left: StyleValue | undefined,
  right: StyleValue | undefined,
  matchCase = true,
): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  const order = compareValues(left, right, matchCase);
  if (order === undefined) return operator === 'notEqual';
  switch (operator) {
    case 'equal':
      return order === 0;
    case 'notEqual':
      return order !== 0;
    case 'less':
      return order < 0;
    case 'lessOrEqual':
      return order <= 0;
    case 'greater':
      return order > 0;
    case 'greaterOrEqual':
      return order >= 0;
  }
}
