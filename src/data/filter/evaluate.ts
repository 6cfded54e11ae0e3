/** What expressions and filters come to for a feature, at the edge of its module. */

export { evaluateExpression, functionNames, isKnownFunction } from './evaluate/expression.ts';
export { evaluateFilter } from './evaluate/filter.ts';
export { type FeatureValues, featureIdentifier, type StyleValue, toNumber, toText } from './evaluate/style-value.ts';
