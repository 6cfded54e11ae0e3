/** Evaluates an expression for a feature. */
import type { Geometry } from '../../geometry/geometry.ts';
import { encodeWkt } from '../../geometry/wkt-encode.ts';
import type { Arithmetic, ArithmeticOperator, Expression, FunctionCall, Literal } from '../model/expression.ts';
import { flattenLiteral } from '../model/flatten-literal.ts';
import type { GeometryLiteral } from '../model/geometry-literal.ts';
import { classifyingFunctions } from './functions/classifying.ts';
import { colorFunctions } from './functions/color.ts';
import { decidingFunctions } from './functions/deciding.ts';
import { type FunctionDescription, functionTable } from './functions/function-table.ts';
import { type FunctionValue, type GeometryFunction, geometryFunctions, parseWkt } from './functions/geometry.ts';
import { jsonFunctions } from './functions/json.ts';
import { formatList, listFunctions, parseList } from './functions/lists.ts';
import { mathFunctions } from './functions/math.ts';
import type { StyleFunction, StyleFunctions } from './functions/style-function.ts';
import { textFunctions } from './functions/text.ts';
import { timeFunctions } from './functions/time.ts';
import {
  type FeatureValues,
  featureIdentifier,
  geometryAccess,
  type StyleValue,
  toBoolean,
  toNumber,
  toText,
} from './values/style-value.ts';

/**
 * Returns null for a missing value, such as an absent attribute. Returns undefined if the value is unknown: an unknown
 * function without a fallback, or a geometry that is not available. Computed geometries become well-known text.
 */
export function evaluateExpression(expression: Expression, feature: FeatureValues): StyleValue | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'property':
      return readProperty(feature, expression.name);
    case 'arithmetic':
      return evaluateArithmetic(expression, feature);
    case 'concatenation': {
      const parts = expression.parts.map((part) => evaluateExpression(part, feature));
      return parts.every((part) => part !== undefined) ? parts.map(toText).join('') : undefined;
    }
    case 'function': {
      const value = evaluateCall(expression, feature);
      return typeof value === 'object' && value !== null ? encodeWkt(value) : value;
    }
    case 'geometry':
      return undefined;
  }
}

/** Finds the value by the name as written, or by its last step if it is a path or has a prefix. */
function readProperty(feature: FeatureValues, name: string): StyleValue {
  if (Object.hasOwn(feature, name)) return feature[name] ?? null;
  const local = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
  return Object.hasOwn(feature, local) ? (feature[local] ?? null) : null;
}

function evaluateArithmetic({ operator, left, right }: Arithmetic, feature: FeatureValues): StyleValue | undefined {
  const [leftValue, rightValue] = [evaluateExpression(left, feature), evaluateExpression(right, feature)];
  return leftValue === undefined || rightValue === undefined
    ? undefined
    : computeArithmetic(operator, leftValue, rightValue);
}

/** Returns null if an operand or the result is not a number. */
export function computeArithmetic(operator: ArithmeticOperator, left: StyleValue, right: StyleValue): StyleValue {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a === undefined || b === undefined) return null;
  const result = calculate(operator, a, b);
  return Number.isFinite(result) ? result : null;
}

function calculate(operator: ArithmeticOperator, a: number, b: number): number {
  switch (operator) {
    case 'add':
      return a + b;
    case 'subtract':
      return a - b;
    case 'multiply':
      return a * b;
    case 'divide':
      return a / b;
  }
}

/** Returns a value or a geometry. */
function evaluateCall(call: FunctionCall, feature: FeatureValues): FunctionValue {
  const result = computeCall(call, feature);
  return result ?? call.fallback ?? result;
}

function computeCall(call: FunctionCall, feature: FeatureValues): FunctionValue {
  const { name, arguments: given } = call;
  const key = name.toLowerCase();
  const scalar = scalarFunctions.get(key);
  if (scalar !== undefined) return scalar(given.map((each) => evaluateExpression(each, feature)));
  const geometric = geometryFunctions.get(key);
  if (geometric !== undefined) return computeGeometric(geometric, call, feature);
  return featureFunctions.get(key)?.(feature, given);
}

function computeGeometric(
  { geometries, compute, ofNull }: GeometryFunction,
  call: FunctionCall,
  feature: FeatureValues,
): FunctionValue {
  const { arguments: given } = call;
  if (given.length < geometries) return undefined;
  const found: Geometry[] = [];
  let isNull = false;
  for (const expression of given.slice(0, geometries)) {
    const geometry = evaluateGeometry(expression, feature);
    if (geometry === undefined) return undefined;
    if (geometry === null) isNull = true;
    else found.push(geometry);
  }
  if (isNull) return ofNull;
  return compute(
    found,
    given.slice(geometries).map((each) => evaluateExpression(each, feature)),
    call,
  );
}

/** Returns null for a missing geometry, and undefined if the geometries of the feature are unknown. */
export function evaluateGeometry(expression: Expression, feature: FeatureValues): Geometry | null | undefined {
  switch (expression.kind) {
    case 'property':
      return findGeometry(feature, expression.name);
    case 'literal':
      return expression.value === '' ? findGeometry(feature, undefined) : readFixedGeometry(expression);
    case 'geometry':
      return readFixedGeometry(expression);
    case 'function': {
      const { name, arguments: given } = expression;
      if (name.toLowerCase() === 'if_then_else') return evaluateChoice(given, feature);
      const result = evaluateCall(expression, feature);
      if (typeof result === 'string') return parseWkt(result);
      return typeof result === 'object' || result === undefined ? result : null;
    }
    default:
      return null;
  }
}

function evaluateChoice([condition, yes, no]: readonly Expression[], feature: FeatureValues) {
  const chosen = condition && toBoolean(evaluateExpression(condition, feature)) ? yes : no;
  return chosen && evaluateGeometry(chosen, feature);
}

function findGeometry(feature: FeatureValues, name: string | undefined): Geometry | null | undefined {
  const find = feature[geometryAccess];
  return find && (find(name) ?? null);
}

/** Geometries that are written in the style, so that they are converted once. */
const fixedGeometries = new WeakMap<Expression, { readonly geometry: Geometry | null }>();

function readFixedGeometry(expression: Literal | GeometryLiteral): Geometry | null {
  const known = fixedGeometries.get(expression);
  if (known !== undefined) return known.geometry;
  const geometry = expression.kind === 'literal' ? parseWkt(expression.value) : flattenLiteral(expression);
  fixedGeometries.set(expression, { geometry });
  return geometry;
}

const scalarFunctions: StyleFunctions = new Map([
  ...textFunctions,
  ...mathFunctions,
  ...decidingFunctions,
  ...classifyingFunctions,
  ...colorFunctions,
  ...timeFunctions,
  ...jsonFunctions,
  ...listFunctions,
]);

/** In styles of rasters, statistics of the raster replace the calls. Names are in lower case. */
export const statisticsFunctions: readonly string[] = ['gridcoveragestats', 'bandstats'];

export function isStatistics(part: object): boolean {
  const { kind, name } = part as Partial<FunctionCall>;
  return kind === 'function' && statisticsFunctions.includes(name?.toLowerCase() ?? '');
}

/** Functions that depend on the feature beyond their arguments. Keys are in lower case. */
const featureFunctions: ReadonlyMap<string, (feature: FeatureValues, given: readonly Expression[]) => FunctionValue> =
  new Map<string, (feature: FeatureValues, given: readonly Expression[]) => FunctionValue>([
    [
      'property',
      (feature, [name]) => {
        const value = name && evaluateExpression(name, feature);
        return typeof value === 'string' ? readProperty(feature, value) : undefined;
      },
    ],
    [
      'propertyexists',
      (feature, [name]) => {
        const value = name && evaluateExpression(name, feature);
        return typeof value === 'string' ? Object.hasOwn(feature, value) : undefined;
      },
    ],
    ['id', (feature) => (Object.hasOwn(feature, featureIdentifier) ? feature[featureIdentifier] : undefined)],
    ['geometry', (feature) => findGeometry(feature, undefined)],
    [
      'geomfromwkt',
      (feature, [text]) => {
        if (text?.kind === 'literal') return readFixedGeometry(text);
        const value = text && evaluateExpression(text, feature);
        return typeof value === 'string' ? parseWkt(value) : value === undefined ? undefined : null;
      },
    ],
    ['lapply', applyToItems],
    ['iscoverage', () => false],
    ...statisticsFunctions.map((name) => [name, () => undefined] as const),
    ['language', () => null],
  ]);

/** The name of the current item in an expression of `lapply`. */
const ITEM = '.';

/** Calls are not nested, because their cost would multiply. */
function applyToItems(feature: FeatureValues, [list, expression]: readonly Expression[]): FunctionValue {
  if (list === undefined || expression === undefined || Object.hasOwn(feature, ITEM)) return undefined;
  const value = evaluateExpression(list, feature);
  const items = parseList(value);
  if (items === undefined) return value === undefined ? undefined : null;
  const results = items.map((item) => evaluateExpression(expression, { ...feature, [ITEM]: item }));
  const known = results.filter((result) => result !== undefined);
  return known.length === results.length ? formatList(known) : undefined;
}

/** Whether the function exists, with any kind of arguments. */
export function isKnownFunction(name: string): boolean {
  return knownFunctions.has(name.toLowerCase());
}

const knownFunctions: ReadonlyMap<string, FunctionDescription> = new Map(
  functionTable.map((each) => [each.name.toLowerCase(), each]),
);

/** Returns the names in their usual case. */
export function listFunctionNames(): readonly string[] {
  return functionTable.map(({ name }) => name);
}

/** Finds a function of values by its name in any case; functions of geometries and features are not included. */
export function findFunction(name: string): StyleFunction | undefined {
  return scalarFunctions.get(name.toLowerCase());
}

/** Whether the value depends on a geometry of the feature, or needs the geometry library. */
export function findGeometryUse({ name }: Pick<FunctionCall, 'name'>): 'geometry' | 'library' | undefined {
  const key = name.toLowerCase();
  if (key === 'geometry') return 'geometry';
  const found = geometryFunctions.get(key);
  return found && (found.needsLibrary ? 'library' : 'geometry');
}

/** The number of leading arguments that are geometries. */
export function countGeometryArguments({ name }: FunctionCall): number {
  return geometryFunctions.get(name.toLowerCase())?.geometries ?? 0;
}
