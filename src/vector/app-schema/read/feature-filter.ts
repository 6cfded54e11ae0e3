/**
 * Conditions on complex features: pushed to the source if its columns are equivalent, otherwise evaluated on built
 * features.
 */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { negateResolvedFilter } from '../../../filter/model/join-resolved-filters.ts';
import { hasIdFilter, listFilterAttributes } from '../../../filter/model/list-attributes.ts';
import { renameAttributes } from '../../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import { findAttributeByName } from '../../../filter/model/schema.ts';
import type { RowAccess, RowValue } from '../../../filter/predicate/predicate.ts';
import { toValueType } from '../../../filter/resolve/scalar.ts';
import type { MatchRows } from '../../../filter/run/filter-runner.ts';
import { type ComplexFeature, type ComplexProperty, isGeometryValue, isSameName } from '../../port/complex-feature.ts';
import { createFilterSchema } from '../../port/filter-schema.ts';
import type { TargetStep } from '../../port/mapping.ts';
import type { TypePlan } from './type-plan.ts';

/** A condition whose attributes are paths in the target type. */
export interface PathCondition {
  readonly filter: ResolvedFilter;
  getSteps(attribute: string): readonly TargetStep[];
}

export interface PlannedCondition {
  /** The ids of features that can match; undefined for all. */
  readonly ids?: readonly string[];
  readonly rest?: FeatureFilter;
}

export type FeatureFilter =
  /** The same condition on source columns; the first row of a feature decides. */
  | { readonly kind: 'source'; readonly filter: ResolvedFilter }
  | { readonly kind: 'built'; readonly match: MatchFeatures };

/** Returns the matching features in order. */
export type MatchFeatures = (features: readonly ComplexFeature[]) => Promise<readonly ComplexFeature[]>;

/** Starts matching rows of one query against a filter. */
export type StartMatching = <Row>(filter: ResolvedFilter, access: RowAccess<Row>) => Promise<MatchRows<Row>>;

export async function planCondition(
  condition: PathCondition,
  plan: TypePlan,
  start: StartMatching,
): Promise<PlannedCondition> {
  const { ids, rest } = splitIds(condition.filter);
  return {
    ...(ids === undefined ? {} : { ids }),
    ...(rest === undefined ? {} : { rest: await planFilter({ ...condition, filter: rest }, plan, start) }),
  };
}

/** Separates ids from the filter if only these ids can match. */
function splitIds(filter: ResolvedFilter): { readonly ids?: readonly string[]; readonly rest?: ResolvedFilter } {
  if (filter.kind === 'identifiers') return { ids: filter.identifiers };
  if (filter.kind !== 'and') return { rest: filter };
  const first = filter.filters.find((each) => each.kind === 'identifiers');
  return first === undefined
    ? { rest: filter }
    : { ids: first.identifiers, rest: { ...filter, filters: filter.filters.filter((each) => each !== first) } };
}

async function planFilter(condition: PathCondition, plan: TypePlan, start: StartMatching): Promise<FeatureFilter> {
  const translated = toColumnFilter(condition, plan);
  return translated === undefined
    ? { kind: 'built', match: await compileFeatureFilter(condition, createStepResolver(condition, plan), start) }
    : { kind: 'source', filter: translated };
}

type GetSteps = PathCondition['getSteps'];

/** A path can begin with the type itself. */
function createStepResolver({ getSteps: stepsTo }: PathCondition, { type }: TypePlan): GetSteps {
  return (attribute) => removeTypeStep(stepsTo(attribute), type);
}

function removeTypeStep(steps: readonly TargetStep[], { targetElement }: TypePlan['type']): readonly TargetStep[] {
  const [first] = steps;
  return first !== undefined && isSameName(first.name, targetElement) ? steps.slice(1) : steps;
}

/** Returns undefined if an attribute is not a column or has another type there. */
function toColumnFilter(condition: PathCondition, plan: TypePlan): ResolvedFilter | undefined {
  // Rows do not have feature ids.
  if (hasIdFilter(condition.filter)) return undefined;
  const columns = createFilterSchema(plan.attributes);
  const stepsTo = createStepResolver(condition, plan);
  return renameAttributes(condition.filter, {
    renameAttribute: (name, type) => {
      const written = findColumn(stepsTo(name), plan);
      const column = written === undefined ? undefined : findAttributeByName(columns, written);
      return column !== undefined && toValueType(column.type) === type ? column.name : undefined;
    },
    renameIdentifiers: (identifiers) => identifiers,
  });
}

/** Finds the column that is mapped to the path unchanged and alone. */
function findColumn(steps: readonly TargetStep[], { type }: TypePlan): string | undefined {
  const matching = type.attributes.filter(({ target }) => {
    const own = removeTypeStep(target?.steps ?? [], type);
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
  return index === undefined && expression.kind === 'property' ? expression.name : undefined;
}

/** One value for each attribute of a condition. */
interface ValueCombination {
  readonly feature: ComplexFeature;
  readonly values: ReadonlyMap<string, RowValue>;
}

const combinationAccess: RowAccess<ValueCombination> = {
  value: ({ values }, name) => values.get(name),
  identifier: ({ feature }) => feature.id,
};

/** A repeated property matches if one of its values does. */
async function compileFeatureFilter(
  { filter }: PathCondition,
  stepsTo: GetSteps,
  start: StartMatching,
): Promise<MatchFeatures> {
  const pause = createPause();
  const compilePart = async (part: ResolvedFilter): Promise<MatchFeatures> => {
    switch (part.kind) {
      case 'and': {
        const parts = await mapSequentially(part.filters, compilePart);
        return async (features) => {
          let left = features;
          for (const match of parts) if (left.length > 0) left = await match(left);
          return left;
        };
      }
      case 'or': {
        const parts = await mapSequentially(part.filters, compilePart);
        return async (features) => {
          const found = new Set<ComplexFeature>();
          for (const match of parts) {
            if (found.size === features.length) break;
            for (const each of await match(features.filter((feature) => !found.has(feature)))) found.add(each);
          }
          return features.filter((feature) => found.has(feature));
        };
      }
      case 'not':
        return compileNegation(part.filter);
      default: {
        const countMatches = await compileCondition(part);
        return async (features) => {
          const counts = await countMatches(features);
          return features.filter((feature) => (counts.get(feature)?.matching ?? 0) > 0);
        };
      }
    }
  };

  /** Negations are pushed down to single conditions, so that unknown conditions stay unknown. */
  const compileNegation = async (inner: ResolvedFilter): Promise<MatchFeatures> => {
    if (inner.kind === 'not') return compilePart(inner.filter);
    if (inner.kind === 'and' || inner.kind === 'or') {
      const filters = inner.filters.map(negateResolvedFilter);
      return compilePart({ kind: inner.kind === 'and' ? 'or' : 'and', filters });
    }
    // The condition is false if it is false for all values.
    const countMatches = await compileCondition({ kind: 'not', filter: inner });
    return async (features) => {
      const counts = await countMatches(features);
      return features.filter((feature) => {
        const count = counts.get(feature);
        return count !== undefined && count.matching === count.all;
      });
    };
  };

  /** Counts the combinations of values of each feature, and those that match. */
  const compileCondition = async (condition: ResolvedFilter) => {
    const names = [...new Set(listFilterAttributes(condition))];
    const paths = names.map((name) => ({ name, steps: stepsTo(name) }));
    const match = await start(condition, combinationAccess);
    return async (features: readonly ComplexFeature[]) => {
      const counts = new Map<ComplexFeature, { all: number; matching: number }>();
      let waiting: ValueCombination[] = [];
      for (const [index, feature] of features.entries()) {
        const choices = listCombinations(feature, paths);
        counts.set(feature, { all: choices.length, matching: 0 });
        for (const choice of choices) waiting.push(choice);
        if (waiting.length >= COMBINATIONS_PER_BATCH || index === features.length - 1) {
          for (const { feature: found } of await match(waiting)) {
            const count = counts.get(found);
            if (count !== undefined) count.matching += 1;
          }
          waiting = [];
        }
        await pause();
      }
      return counts;
    };
  };
  return compilePart(filter);
}

async function mapSequentially<I, O>(items: readonly I[], work: (item: I) => Promise<O>): Promise<readonly O[]> {
  const results: O[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

const COMBINATIONS_PER_BATCH = 256;

/** The time between two yields to other requests. */
const YIELD_INTERVAL_MS = 10;

function createPause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < YIELD_INTERVAL_MS) return;
    await othersFirst();
    since = performance.now();
  };
}

/** Limits the combinations of one value per attribute, which would otherwise take too long. */
const MAX_COMBINATIONS = 10_000;

function listCombinations(
  feature: ComplexFeature,
  paths: readonly { readonly name: string; readonly steps: readonly TargetStep[] }[],
): readonly ValueCombination[] {
  let all: readonly ValueCombination[] = [{ feature, values: new Map() }];
  for (const { name, steps } of paths) {
    const found = collectValues(feature, steps);
    const values = found.length === 0 ? [null] : found;
    all = all
      .flatMap((known) => values.map((value) => ({ ...known, values: new Map([...known.values, [name, value]]) })))
      .slice(0, MAX_COMBINATIONS);
  }
  return all;
}

function collectValues(feature: ComplexFeature, steps: readonly TargetStep[]): readonly RowValue[] {
  let level: readonly ComplexProperty[] = [feature];
  for (const { name, isAttribute } of steps) {
    if (isAttribute) {
      return level.flatMap((each) => {
        if (name.local === 'id' && each.id !== undefined) return [each.id];
        return each.attributes.filter((attribute) => isSameName(attribute.name, name)).map(({ value }) => value);
      });
    }
    level = level.flatMap((each) => each.children.filter((child) => isSameName(child.name, name)));
  }
  return level.flatMap(toRowValues);
}

/** A property with nested content is not null, although it has no comparable value. */
function toRowValues({ value, children }: ComplexProperty): readonly RowValue[] {
  if (value === undefined) return children.length > 0 ? [''] : [];
  if (!isGeometryValue(value)) return [value];
  return value.kind === 'geometry' ? [value.geometry] : [];
}
