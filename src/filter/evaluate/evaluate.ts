/** Public interface of the evaluation module: values of expressions and filters for a feature. */

export {
  computeArithmetic,
  evaluateExpression,
  findFunction,
  isKnownFunction,
  listFunctionNames,
} from './expression.ts';
export { evaluateFilter } from './filter.ts';
export {
  type FeatureValues,
  featureIdentifier,
  type StyleValue,
  toBoolean,
  toNumber,
  toText,
} from './values/style-value.ts';
