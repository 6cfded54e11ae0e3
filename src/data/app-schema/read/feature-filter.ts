/** Conditions on complex features: handed to the source where its columns say the same, else decided on what was built. */
import { problem } from '../../../lib/problem.ts';
import { evaluateFilter, type FeatureValues, featureIdentifier, type StyleValue } from '../../filter/evaluate.ts';
import type { Expression } from '../../filter/expression.ts';
import type { Filter } from '../../filter/filter.ts';
import { propertyNamesIn } from '../../filter/property-names.ts';
import { resolveFilter } from '../../filter/resolve.ts';
import type { ResolvedFilter } from '../../filter/resolved-filter.ts';
import { filterSchema } from '../../vector/filter-schema.ts';
import type { TargetStep } from '../mapping/mapping.ts';
import { PathMistake, readTargetPath } from '../mapping/target-path.ts';
import { type ComplexFeature, type ComplexProperty, isGeometryValue, isSameName } from './complex-feature.ts';
import { type TypePlan, typeText } from './type-plan.ts';

export type FeatureFilter =
  /** The same condition on the columns of the source; of several rows of a feature the first decides. */
  | { readonly kind: 'source'; readonly filter: ResolvedFilter }
  | { readonly kind: 'built'; readonly fits: (feature: ComplexFeature) => boolean };

/** Properties are paths into the target type, such as `gml:name` or `"gsml:specification/gsml:GeologicUnit/gml:name"`. */
export async function planFilter(filter: Filter, plan: TypePlan): Promise<FeatureFilter> {
  const paths = new Map([...propertyNamesIn(filter)].map((name) => [name, stepsOf(name, plan)]));
  const translated = translate(filter, plan, paths);
  const resolved = translated && (await resolveFilter(translated, filterSchema(plan.attributes)));
  if (resolved?.kind === 'resolved') return { kind: 'source', filter: resolved.filter };
  if (looksAtGeometries(filter)) {
    const reason = 'a condition on geometries is only decided where the geometry is a column of the source';
    throw problem('mapped-type-unreadable', { name: typeText(plan), reason });
  }
  return { kind: 'built', fits: (feature) => isFitting(filter, feature, paths) };
}

type Paths = ReadonlyMap<string, readonly TargetStep[]>;

function stepsOf(name: string, plan: TypePlan): readonly TargetStep[] {
  try {
    const { steps } = readTargetPath(name, plan.mapping.namespaces);
    const [first] = steps;
    return first !== undefined && isSameName(first.name, plan.type.targetElement) ? steps.slice(1) : steps;
  } catch (error) {
    if (!(error instanceof PathMistake)) throw error;
    throw problem('mapped-type-unreadable', { name: typeText(plan), reason: `of the filter, ${error.message}` });
  }
}

/** The filter with expressions of the source in the place of properties; undefined where a property is no expression. */
function translate(filter: Filter, plan: TypePlan, paths: Paths): Filter | undefined {
  const expressions = new Map<string, Expression>();
  for (const [name, steps] of paths) {
    const expression = expressionAt(steps, plan);
    if (expression === undefined) return undefined;
    expressions.set(name, expression);
  }
  // The tree is plain records: whatever stands where a property was is put together anew.
  const replaced = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(replaced);
    if (typeof part !== 'object' || part === null) return part;
    if ('kind' in part && part.kind === 'property' && 'name' in part) return expressions.get(String(part.name)) ?? part;
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, replaced(value)]));
  };
  return holdsIdentifiers(filter) ? undefined : (replaced(filter) as Filter);
}

/** Identifiers are those of features, which rows do not have. */
function holdsIdentifiers(filter: Filter): boolean {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.some(holdsIdentifiers);
  return filter.kind === 'not' ? holdsIdentifiers(filter.filter) : filter.kind === 'identifiers';
}

function expressionAt(steps: readonly TargetStep[], plan: TypePlan): Expression | undefined {
  const matching = plan.type.attributes.filter(({ target }) => {
    const all = target?.steps ?? [];
    const [first] = all;
    const own = first !== undefined && isSameName(first.name, plan.type.targetElement) ? all.slice(1) : all;
    return (
      own.length === steps.length &&
      own.every((step, index) => {
        const other = steps[index];
        return other !== undefined && isSameName(step.name, other.name) && step.isAttribute === other.isAttribute;
      })
    );
  });
  const [only] = matching;
  if (matching.length !== 1 || only?.source?.kind !== 'expression' || only.isMultiple) return undefined;
  const { expression, index } = only.source;
  return index === undefined && expression.kind === 'property' ? expression : undefined;
}

function looksAtGeometries(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.some(looksAtGeometries);
    case 'not':
      return looksAtGeometries(filter.filter);
    default:
      return ['spatial', 'relate', 'distance', 'boundingBox'].includes(filter.kind);
  }
}

/** Of a property that is there several times, one is enough. */
function isFitting(filter: Filter, feature: ComplexFeature, paths: Paths): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((each) => isFitting(each, feature, paths));
    case 'or':
      return filter.filters.some((each) => isFitting(each, feature, paths));
    case 'not':
      return !isFitting(filter.filter, feature, paths);
    default:
      return combinations([...propertyNamesIn(filter)], feature, paths).some(
        (values) => evaluateFilter(filter, values) === true,
      );
  }
}

/** All ways to take one value for each name; more than these nobody waits for. */
const MAX_COMBINATIONS = 10_000;

function combinations(names: readonly string[], feature: ComplexFeature, paths: Paths): readonly FeatureValues[] {
  let all: readonly FeatureValues[] = [{ [featureIdentifier]: feature.id }];
  for (const name of names) {
    const values = valuesAt(feature, paths.get(name) ?? []);
    const choices = values.length === 0 ? [null] : values;
    all = all.flatMap((known) => choices.map((value) => ({ ...known, [name]: value }))).slice(0, MAX_COMBINATIONS);
  }
  return all;
}

function valuesAt(feature: ComplexFeature, steps: readonly TargetStep[]): readonly StyleValue[] {
  let level: readonly ComplexProperty[] = [feature];
  for (const [index, { name, isAttribute }] of steps.entries()) {
    if (isAttribute) {
      return level.flatMap((each) => {
        if (name.local === 'id' && each.id !== undefined) return [each.id];
        return each.attributes.filter((attribute) => isSameName(attribute.name, name)).map(({ value }) => value);
      });
    }
    level = level.flatMap((each) => each.children.filter((child) => isSameName(child.name, name)));
    if (index === steps.length - 1) break;
  }
  return level.flatMap(({ value }) => (value === undefined || isGeometryValue(value) ? [] : [value]));
}
