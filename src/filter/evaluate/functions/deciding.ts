/** Boolean functions and functions that select a value by a condition. */
import type { ComparisonOperator } from '../../model/filter.ts';
import { compare, toBoolean } from '../values/style-value.ts';
import type { StyleFunction, StyleFunctions } from './style-function.ts';

const createComparison = (operator: ComparisonOperator): StyleFunction => {
  return ([left, right]) => compare(operator, left, right);
};

/** Returns whether the first value equals one of the others. */
const isOneOf: StyleFunction = ([value, ...others]) => {
  const results = others.map((other) => compare('equal', value, other));
  return results.includes(true) ? true : results.includes(undefined) ? undefined : false;
};

export const decidingFunctions: StyleFunctions = new Map<string, StyleFunction>([
  [
    'if_then_else',
    ([condition, yes, no]) => {
      const decided = condition === null ? false : toBoolean(condition);
      return decided === undefined ? undefined : decided ? yes : no;
    },
  ],
  [
    'not',
    ([condition]) => {
      const decided = toBoolean(condition);
      return decided === undefined ? undefined : !decided;
    },
  ],
  ['isnull', ([value]) => (value === undefined ? undefined : value === null)],
  // The request environment is not available here, so each variable has its default.
  ['env', ([name, byDefault]) => (name === undefined ? undefined : (byDefault ?? null))],
  ['coalesce', (values) => (values.includes(undefined) ? undefined : (values.find((value) => value !== null) ?? null))],
  ['equalto', createComparison('equal')],
  ['notequalto', createComparison('notEqual')],
  ['lessthan', createComparison('less')],
  ['lessequalthan', createComparison('lessOrEqual')],
  ['greaterthan', createComparison('greater')],
  ['greaterequalthan', createComparison('greaterOrEqual')],
  [
    'between',
    ([value, lower, upper]) => {
      const [above, below] = [compare('greaterOrEqual', value, lower), compare('lessOrEqual', value, upper)];
      return above === undefined || below === undefined ? undefined : above && below;
    },
  ],
  ['in', isOneOf],
  ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((count) => [`in${count}`, isOneOf] as const),
  ['parseboolean', ([value]) => (value === null ? null : toBoolean(value))],
]);
