/** Public interface of the evaluation module: values of expressions and filters for a feature. */

export {
  computeArithmetic,
  countGeometryArguments,
  evaluateExpression,
  evaluateGeometry,
  findFunction,
  findGeometryUse,
  isKnownFunction,
  isStatistics,
  listFunctionNames,
  statisticsFunctions,
} from './expression.ts';
export { evaluateFilter } from './filter.ts';
export { type FunctionDescription, functionTable } from './functions/function-table.ts';
export { loadGeometryLibrary } from './functions/geometry-library.ts';
export { isReprojection, listReprojections, loadReprojections } from './functions/reprojection.ts';
export {
  type FeatureValues,
  featureIdentifier,
  type GeometryAccess,
  geometryAccess,
  type StyleValue,
  toBoolean,
  toNumber,
  toText,
} from './values/style-value.ts';
