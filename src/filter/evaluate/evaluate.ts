/** What expressions and filters come to for a feature, at the edge of its module. */

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
