/** Replaces expressions in parts of styles by values: variables for a map, attributes for a feature. */
import {
  evaluateExpression,
  type FeatureValues,
  findGeometryUse,
  loadGeometryLibrary,
  toText,
} from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { findCalledAttribute, isExpression, listCallContents } from '../../filter/model/expression-contents.ts';
import type { SpatialFilter } from '../../filter/model/filter.ts';
import { hasInnerPart, replaceInnerParts } from '../../filter/model/inner-parts.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { languageVariable } from '../request/map-request.ts';

/** Keys that are not evaluated here: geometries are resolved separately, and colour replacements are not supported. */
const excludedKeys: ReadonlySet<string> = new Set(['geometry', 'colorReplacements', 'legendGraphic']);

/** Replaces calls of `env` and `language` by the values of the variables; calls without a value keep their default. */
export function bindVariables<T extends object>(part: T, variables: Readonly<Record<string, string>>): T {
  const bind = (inner: object): object => {
    const key = isExpression(inner) ? findVariableName(inner) : undefined;
    const value = key !== undefined && Object.hasOwn(variables, key) ? variables[key] : undefined;
    return value === undefined ? replaceInnerParts(inner, bind) : createLiteral(value);
  };
  return replaceExpressions(part, (expression) => {
    const contents = listCallContents(expression);
    const isBound = contents !== undefined && !contents.functions.has('env') && !contents.functions.has('language');
    return isBound ? expression : bind(expression);
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
    if (!isFeatureDependent(expression)) return expression;
    const value = evaluateExpression(expression, feature);
    // Omit the property, so that its default applies.
    return value === undefined || value === null ? undefined : createLiteral(toText(value));
  }) as T;
}

/** Returns the attribute names that a part references, as written, without duplicates. */
export function listAttributeNames(part: object): readonly string[] {
  const names = new Set<string>();
  collectNames(part, names);
  return [...names];
}

function collectNames(part: object, names: Set<string>): void {
  const contents = listCallContents(part);
  if (contents !== undefined) {
    for (const name of contents.attributes) names.add(name);
    return;
  }
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

export function isFeatureDependent(part: object): boolean {
  const contents = listCallContents(part);
  if (contents !== undefined)
    return contents.attributes.size > 0 || featureFunctions.some((name) => contents.functions.has(name));
  if (isExpression(part)) {
    if (part.kind === 'property') return true;
    if (part.kind === 'function' && featureFunctions.includes(part.name.toLowerCase())) return true;
  }
  return hasInnerPart(part, (inner, key) => !excludedKeys.has(key) && isFeatureDependent(inner));
}

/** Functions that depend on the feature beyond their arguments. */
const featureFunctions: readonly string[] = ['property', 'propertyexists', 'id', 'geometry'];

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
  const contents = listCallContents(part);
  const names = contents?.functions ?? (isExpression(part) && part.kind === 'function' ? [part.name] : []);
  for (const name of names) {
    const use = findGeometryUse({ name });
    if (use !== undefined) uses.add(use);
  }
  if (contents !== undefined) return;
  if (isComputedRelation(part)) uses.add('library');
  hasInnerPart(part, (inner) => {
    collectGeometryUses(inner, uses);
    return false;
  });
}

/** Replaces expressions as a whole; undefined removes them. Returns the same object if nothing in it changes. */
function replaceExpressions(part: object, replace: (expression: Expression) => object | undefined): object | undefined {
  if (isExpression(part)) return replace(part);
  return replaceInnerParts(part, (inner, key) => (excludedKeys.has(key) ? inner : replaceExpressions(inner, replace)));
}
