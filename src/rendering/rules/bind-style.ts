/** Replaces expressions in parts of styles by values: variables for a map, attributes for a feature. */
import {
  evaluateExpression,
  type FeatureValues,
  findGeometryUse,
  loadGeometryLibrary,
  toText,
} from '../../filter/evaluate/evaluate.ts';
import type { Expression, FunctionCall } from '../../filter/model/expression.ts';
import type { SpatialFilter } from '../../filter/model/filter.ts';
import { hasInnerPart, replaceInnerParts } from '../../filter/model/inner-parts.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { languageVariable } from '../request/map-request.ts';

/** Keys that are not evaluated here: geometries are resolved separately, and colour replacements are not supported. */
const excludedKeys: ReadonlySet<string> = new Set(['geometry', 'colorReplacements', 'legendGraphic']);

/** Replaces calls of `env` and `language` by the values of the variables; calls without a value keep their default. */
export function bindVariables<T extends object>(part: T, variables: Readonly<Record<string, string>>): T {
  return replaceExpressions(part, (expression) => {
    const key = findVariableName(expression);
    if (key === undefined) return undefined;
    const value = Object.hasOwn(variables, key) ? variables[key] : undefined;
    return value === undefined ? undefined : createLiteral(value);
  }) as T;
}

function findVariableName(expression: Expression): string | undefined {
  if (expression.kind !== 'function') return undefined;
  const called = expression.name.toLowerCase();
  if (called === 'language') return languageVariable;
  if (called !== 'env') return undefined;
  const [name] = expression.arguments;
  return name?.kind === 'literal' ? name.value : undefined;
}

/** Replaces expressions that depend on the feature by their values. Returns the same object if none does. */
export function bindFeature<T extends object>(part: T, feature: FeatureValues): T {
  return replaceExpressions(part, (expression) => {
    if (!isFeatureDependent(expression)) return undefined;
    const value = evaluateExpression(expression, feature);
    // Omit the property, so that its default applies.
    return value === undefined || value === null ? null : createLiteral(toText(value));
  }) as T;
}

/** Returns the attribute names that a part references, as written, without duplicates. */
export function listAttributeNames(part: object): readonly string[] {
  const names = new Set<string>();
  collectNames(part, names);
  return [...names];
}

function collectNames(part: object, names: Set<string>): void {
  if (isExpression(part)) {
    if (part.kind === 'property') names.add(part.name);
    const named = part.kind === 'function' ? findCalledAttribute(part) : undefined;
    if (named !== undefined) names.add(named);
  }
  hasInnerPart(part, (inner) => {
    collectNames(inner, names);
    return false;
  });
}

/** `property('name')` is an alternative notation for the attribute. */
function findCalledAttribute({ name, arguments: [first] }: FunctionCall): string | undefined {
  return name.toLowerCase() === 'property' && first?.kind === 'literal' ? first.value : undefined;
}

export function isFeatureDependent(part: object): boolean {
  if (isExpression(part)) {
    if (part.kind === 'property') return true;
    if (part.kind === 'function' && featureFunctions.has(part.name.toLowerCase())) return true;
  }
  return hasInnerPart(part, (inner, key) => !excludedKeys.has(key) && isFeatureDependent(inner));
}

/** Functions that depend on the feature beyond their arguments. */
const featureFunctions: ReadonlySet<string> = new Set(['property', 'propertyexists', 'id', 'geometry']);

/** Whether a value depends on a geometry of the feature, and whether that needs the geometry library. */
export function findGeometryUses(part: object): ReadonlySet<'geometry' | 'library'> {
  const uses = new Set<'geometry' | 'library'>();
  collectGeometryUses(part, uses);
  return uses;
}

/** Other spatial conditions have separate tests. */
function isComputedRelation(part: object): boolean {
  const { kind, left, right } = part as Partial<SpatialFilter>;
  const isRelation = kind === 'spatial' || kind === 'relate' || kind === 'distance';
  return isRelation && (left?.kind === 'function' || right?.kind === 'function');
}

/** Loads what the functions of a style need. */
export async function loadStyleFunctions(parts: readonly object[]): Promise<void> {
  if (parts.some((part) => findGeometryUses(part).has('library'))) await loadGeometryLibrary();
}

function collectGeometryUses(part: object, uses: Set<'geometry' | 'library'>): void {
  if (isComputedRelation(part)) uses.add('library');
  const use = isExpression(part) && part.kind === 'function' ? findGeometryUse(part) : undefined;
  if (use !== undefined) uses.add(use);
  hasInnerPart(part, (inner) => {
    collectGeometryUses(inner, uses);
    return false;
  });
}

const expressionKinds: ReadonlySet<string> = new Set([
  'literal',
  'property',
  'function',
  'arithmetic',
  'concatenation',
  'geometry',
]);

function isExpression(part: object): part is Expression {
  return 'kind' in part && typeof part.kind === 'string' && expressionKinds.has(part.kind);
}

/** Returns null to remove the expression, undefined to keep it. */
type ExpressionReplacer = (expression: Expression) => Expression | null | undefined;

/** Returns the same object if nothing in it changes. */
function replaceExpressions(part: object, replace: ExpressionReplacer): object | undefined {
  if (isExpression(part)) {
    const other = replace(part);
    if (other !== undefined) return other ?? undefined;
  }
  return replaceInnerParts(part, (inner, key) => (excludedKeys.has(key) ? inner : replaceExpressions(inner, replace)));
}
