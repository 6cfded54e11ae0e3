/** Spatial conditions of rules: resolved with the data source, evaluated where the features are painted or searched. */
import type { Filter } from '../../filter/model/filter.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { compilePredicate } from '../../filter/predicate/predicate.ts';
import { inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Rule } from '../../styling/model/model.ts';
import { createDescribedSchema } from '../../vector/port/filter-schema.ts';
import type { QueriedType } from '../../vector/query/feature-query.ts';
import type { FeatureCursor } from './feature-cursor.ts';
import type { RuleFilter } from './rule-filter.ts';

/** Keyed by the conditions in the filters of rules. Conditions that are invalid for the data are absent. */
export type SpatialConditions = ReadonlyMap<Filter, ResolvedFilter>;

/** Transforms the geometries of the conditions to the CRS of the features. */
export async function resolveSpatialConditions(
  rules: readonly Rule[],
  { description, filterRunner = inlineFilterRunner }: Pick<QueriedType, 'description' | 'filterRunner'>,
  signal: AbortSignal,
): Promise<SpatialConditions> {
  const schema = createDescribedSchema(description);
  const resolved = new Map<Filter, ResolvedFilter>();
  await yieldIfDue();
  for (const condition of listSpatialConditions(rules)) {
    const outcome = await filterRunner.resolve(condition, { schema }, signal);
    if (outcome.kind === 'resolved') resolved.set(condition, outcome.filter);
  }
  return resolved;
}

/** Returns the spatial conditions of rules in their order. */
export function listSpatialConditions(rules: readonly Rule[]): readonly Filter[] {
  return rules.flatMap(({ filter }) => (filter === undefined ? [] : listSpatialFilters(filter)));
}

function listSpatialFilters(filter: NonNullable<Rule['filter']>): readonly Filter[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(listSpatialFilters);
    case 'not':
      return listSpatialFilters(filter.filter);
    case 'spatial':
    case 'relate':
    case 'distance':
    case 'boundingBox':
      return [filter];
    default:
      return [];
  }
}

export type SpatialTests = ReadonlyMap<Filter, RuleFilter>;

/** Loads the geometry library only if there are conditions. */
export async function compileSpatialTests(conditions: SpatialConditions): Promise<SpatialTests> {
  const tests = new Map<Filter, RuleFilter>();
  for (const [condition, resolved] of conditions) tests.set(condition, await compilePredicate(resolved, cursorAccess));
  return tests;
}

const cursorAccess = {
  value: (feature: FeatureCursor, attribute: string) => feature.getGeometry(attribute),
  identifier: () => undefined,
};
