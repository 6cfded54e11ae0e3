/** Spatial conditions of rules: resolved with the data source, evaluated where the features are painted. */
import type { Filter } from '../../filter/model/filter.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { compilePredicate } from '../../filter/predicate/predicate.ts';
import { inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import type { Rule } from '../../styling/model/model.ts';
import { createDescribedSchema } from '../../vector/port/filter-schema.ts';
import type { Feature } from '../../vector/port/port.ts';
import type { QueriedType } from '../../vector/query/feature-query.ts';
import { createFeatureAccess } from '../../vector/support/filter-features.ts';
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

/** The spatial conditions for features that are not painted: evaluated batch by batch, in worker threads if slow. */
export interface BatchSpatialTests {
  /** The tests for the batch that was loaded last. */
  readonly tests: SpatialTests;
  /** Call it before any feature of a batch is tested. The cursor must have the index of the feature in this batch. */
  load(features: readonly Feature[]): Promise<void>;
}

export async function startSpatialTests(
  conditions: SpatialConditions,
  { description, filterRunner = inlineFilterRunner }: Pick<QueriedType, 'description' | 'filterRunner'>,
  signal: AbortSignal,
): Promise<BatchSpatialTests> {
  const access = createFeatureAccess(description.attributes.map(({ name }) => name));
  const loads: ((features: readonly Feature[]) => Promise<void>)[] = [];
  const tests = new Map<Filter, RuleFilter>();
  for (const [condition, resolved] of conditions) {
    const match = await filterRunner.start<IndexedFeature>(
      resolved,
      {
        value: ({ feature }, name) => access.value(feature, name),
        identifier: ({ feature }) => access.identifier(feature),
      },
      signal,
    );
    let matching: ReadonlySet<number> = new Set();
    loads.push(async (features) => {
      const matched = await match(features.map((feature, index) => ({ feature, index })));
      matching = new Set(matched.map(({ index }) => index));
    });
    tests.set(condition, (cursor) => matching.has(cursor.index));
  }
  return {
    tests,
    async load(features) {
      for (const load of loads) await load(features);
    },
  };
}

interface IndexedFeature {
  readonly feature: Feature;
  readonly index: number;
}
