/** Replaces expressions in parts of styles by values: variables for a map, attributes for a feature. */
import {
  evaluateExpression,
  type FeatureValues,
  findGeometryUse,
  loadGeometryLibrary,
  loadReprojections,
  toText,
} from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { isExpression, listCallContents } from '../../filter/model/expression-contents.ts';
import type { Filter } from '../../filter/model/filter.ts';
import { hasInnerPart, replaceInnerParts } from '../../filter/model/inner-parts.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Rule } from '../../styling/model/model.ts';
import { languageVariable } from '../request/map-request.ts';
import { listContents, listContentsInTurns, type PartContents } from './part-contents.ts';

/** Keys that are not evaluated here: geometries are resolved separately, and colour replacements are not supported. */
const excludedKeys: ReadonlySet<string> = new Set(['geometry', 'colorReplacements', 'legendGraphic']);

type Variables = Readonly<Record<string, string>>;

/** Replaces calls of `env` and `language` by the values of the variables; calls without a value keep their default. */
export function bindVariables<T extends object>(part: T, variables: Variables): T {
  return hasVariables(listContents(part)) ? bindPart(part, variables) : part;
}

/** Other work continues between the conditions of a filter, which can be many. */
export async function bindRuleVariables(rule: Rule, variables: Variables): Promise<Rule> {
  if (!hasVariables(await listContentsInTurns(rule))) return rule;
  const { filter, ...rest } = rule;
  const bound = bindPart(rest, variables);
  return filter === undefined ? bound : { ...bound, filter: await bindFilter(filter, variables) };
}

async function bindFilter<F extends NonNullable<Rule['filter']>>(filter: F, variables: Variables): Promise<F> {
  await yieldIfDue();
  if (filter.kind !== 'and' && filter.kind !== 'or') return bindPart(filter, variables);
  const filters: Filter[] = [];
  for (const each of filter.filters) filters.push(await bindFilter(each, variables));
  return { ...filter, filters };
}

function hasVariables({ functions }: PartContents): boolean {
  return functions.has('env') || functions.has('language');
}

function bindPart<T extends object>(part: T, variables: Variables): T {
  const bind = (inner: object): object => {
    const key = isExpression(inner) ? findVariableName(inner) : undefined;
    const value = key !== undefined && Object.hasOwn(variables, key) ? variables[key] : undefined;
    return value === undefined ? replaceInnerParts(inner, bind) : createLiteral(value);
  };
  return replaceExpressions(part, bind) as T;
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
  return [...listContents(part).attributes];
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
  return toGeometryUses(listContents(part));
}

export async function findGeometryUsesInTurns(part: object): Promise<ReadonlySet<'geometry' | 'library'>> {
  return toGeometryUses(await listContentsInTurns(part));
}

function toGeometryUses({ functions, hasComputedRelation }: PartContents): ReadonlySet<'geometry' | 'library'> {
  const uses = new Set<'geometry' | 'library'>(hasComputedRelation ? ['library'] : []);
  for (const name of functions) {
    const use = findGeometryUse({ name });
    if (use !== undefined) uses.add(use);
  }
  return uses;
}

/** Loads what the functions of a style need. */
export async function loadStyleFunctions(parts: readonly object[]): Promise<void> {
  let needsLibrary = false;
  for (const part of parts) {
    const contents = await listContentsInTurns(part);
    if (contents.functions.has('reproject')) await loadReprojections(part);
    needsLibrary ||= toGeometryUses(contents).has('library');
  }
  if (needsLibrary) await loadGeometryLibrary();
}

/** Replaces expressions as a whole; undefined removes them. Returns the same object if nothing in it changes. */
function replaceExpressions(part: object, replace: (expression: Expression) => object | undefined): object | undefined {
  if (isExpression(part)) return replace(part);
  return replaceInnerParts(part, (inner, key) => (excludedKeys.has(key) ? inner : replaceExpressions(inner, replace)));
}
