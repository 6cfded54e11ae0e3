/** Reads sources through mappings: the types that are mapped, and their features one after the other. */
import { problem } from '../../../lib/problem.ts';
import { type FilterRunner, inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import type { Mapping, QualifiedName } from '../mapping/mapping.ts';
import type { SchemaSet } from '../xsd/schema-set.ts';
import type { RowGroup } from './build-feature.ts';
import type { ComplexFeature } from './complex-feature.ts';
import {
  type FeatureFilter,
  type MatchFeatures,
  type PathCondition,
  planCondition,
  type StartMatching,
} from './feature-filter.ts';
import { mappedTypes, typeNamed } from './find-types.ts';
import { groupAccess, groupedRows, groupsThatFit, groupsWithIds } from './group-rows.ts';
import { buildFeatures, type Reading, tableAddress } from './load-links.ts';
import { createSizes, TooMuchAtOnce, tooLarge } from './size-limits.ts';
import { type OpenSource, openSourceTables, type SourceTable, type SourceTables } from './source-tables.ts';
import { type MappedType, planType, type TypePlan, typeText } from './type-plan.ts';

export interface MappedTypeSummary {
  /** The name that others chain it by, where the mapping gives one; else the local name of the target element. */
  readonly name: string;
  readonly targetElement: QualifiedName;
  /** Whether the schemas say that it is a feature, and not only a part of some. */
  readonly isFeature: boolean;
}

export interface MappedQuery {
  /** Features, and not rows. */
  readonly limit?: number;
  readonly ids?: readonly string[];
  readonly condition?: PathCondition;
}

export interface MappedSource {
  /** In the order of the mappings. */
  readonly types: readonly MappedTypeSummary[];
  /** In batches, in the order of the source; reading stops when the consumer does, or the signal is given. */
  read(name: string, query: MappedQuery, signal: AbortSignal): AsyncIterable<readonly ComplexFeature[]>;
  close(): Promise<void>;
}

export interface MappedParts {
  /** The main mapping and those it includes. */
  readonly mappings: readonly Mapping[];
  readonly schemas: Pick<SchemaSet, 'isFeature'>;
  readonly openSource: OpenSource;
  /** Where filters are evaluated that sources leave to others; on this thread where it is absent. */
  readonly filterRunner?: FilterRunner | undefined;
}

/** Features that are built together: of the first few nobody knows yet how much is chained to them. */
const FIRST_FEATURES = 16;
const MOST_FEATURES = 512;
const BATCH_PROPERTIES = 20_000;

/** Sources are opened at the first reading that needs them, and kept until `close`. */
export function openMapped({ mappings, schemas, openSource, filterRunner = inlineFilterRunner }: MappedParts): MappedSource {
  const types = mappedTypes(mappings);
  const tables = openSourceTables(mappings, openSource, filterRunner);
  return {
    types: types.map(({ type }) => ({
      name: type.name ?? type.targetElement.local,
      targetElement: type.targetElement,
      isFeature: schemas.isFeature(type.targetElement),
    })),
    async *read(name, query, signal) {
      signal.throwIfAborted();
      const mapped = typeNamed(types, name);
      if (mapped === undefined) throw problem('vector-type-unknown', { name });
      const reading = startReading(types, tables, signal);
      const plan = await reading.planOf(mapped);
      const table = await reading.tableOf(tableAddress(mapped));
      const start: StartMatching = (filter, access) => filterRunner.start(filter, access, signal);
      const planned = query.condition && (await planCondition(query.condition, plan, start));
      const filter = planned?.rest;
      const ids = bothOf(query.ids, planned?.ids);
      const groups = await groupsOf(plan, table, { ids, limit: query.limit, filter }, start);
      yield* builtInBatches(reading, plan, groups, {
        limit: query.limit ?? Number.POSITIVE_INFINITY,
        ...(filter?.kind === 'built' ? { match: filter.match } : {}),
        signal,
      });
    },
    close: () => tables.close(),
  };
}

/** Descriptions are asked for once in a reading: the next may meet other columns. */
function startReading(types: readonly MappedType[], tables: SourceTables, signal: AbortSignal): Reading {
  const opened = new Map<string, Promise<SourceTable>>();
  const plans = new Map<MappedType, Promise<TypePlan>>();
  const tableOf: Reading['tableOf'] = (address) => {
    const key = JSON.stringify([address.store, address.databaseSchema, address.table]);
    const table = opened.get(key) ?? tables.open(address, signal);
    opened.set(key, table);
    return table;
  };
  const planOf: Reading['planOf'] = (type) => {
    const plan = plans.get(type) ?? tableOf(tableAddress(type)).then(({ attributes }) => planType(type, attributes));
    plans.set(type, plan);
    return plan;
  };
  return { types, tableOf, planOf };
}

/** Undefined for all. */
type Ids = readonly string[] | undefined;

function bothOf(one: Ids, other: Ids): Ids {
  return one === undefined || other === undefined ? (one ?? other) : one.filter((id) => other.includes(id));
}

interface WantedGroups {
  readonly ids: Ids;
  readonly limit: number | undefined;
  readonly filter: FeatureFilter | undefined;
}

async function groupsOf(
  plan: TypePlan,
  table: SourceTable,
  { ids, limit, filter }: WantedGroups,
  start: StartMatching,
): Promise<AsyncIterable<RowGroup>> {
  if (filter?.kind === 'source') {
    if (ids === undefined && !plan.isGrouped) {
      return groupedRows(plan, table, { filter: filter.filter, ...limited(limit) });
    }
    return groupsThatFit(plan, table, filter.filter, { ids, match: await start(filter.filter, groupAccess(plan)) });
  }
  if (ids !== undefined) return groupsWithIds(plan, table, ids);
  return groupedRows(plan, table, filter === undefined ? limited(limit) : {});
}

function limited(limit: number | undefined): { readonly limit?: number } {
  return limit === undefined ? {} : { limit };
}

interface Wanted {
  readonly limit: number;
  readonly match?: MatchFeatures;
  readonly signal: AbortSignal;
}

/** So many at a time that the memory they take stays about the same. */
async function* builtInBatches(
  reading: Reading,
  plan: TypePlan,
  groups: AsyncIterable<RowGroup>,
  { limit, match, signal }: Wanted,
): AsyncGenerator<readonly ComplexFeature[]> {
  let left = limit;
  let size = FIRST_FEATURES;
  let waiting: RowGroup[] = [];

  /** Half as many at a time where they hold too much together. */
  async function* build(those: readonly RowGroup[]): AsyncGenerator<readonly ComplexFeature[]> {
    if (those.length === 0 || left <= 0) return;
    signal.throwIfAborted();
    const sizes = createSizes();
    let built: readonly ComplexFeature[];
    try {
      built = await buildFeatures(reading, plan, those, sizes);
    } catch (error) {
      if (!(error instanceof TooMuchAtOnce)) throw error;
      if (those.length === 1) throw tooLarge(typeText(plan));
      const half = those.length >> 1;
      yield* build(those.slice(0, half));
      yield* build(those.slice(half));
      return;
    }
    const properties = built.reduce((sum, feature) => sum + sizes.of(feature), 1);
    size = Math.max(1, Math.min(MOST_FEATURES, Math.floor((BATCH_PROPERTIES / properties) * built.length)));
    const fitting = (match === undefined ? built : await match(built)).slice(0, left);
    left -= fitting.length;
    if (fitting.length > 0) yield fitting;
  }

  if (left <= 0) return;
  for await (const group of groups) {
    waiting.push(group);
    if (waiting.length < Math.min(size, match === undefined ? left : size)) continue;
    const full = waiting;
    waiting = [];
    yield* build(full);
    if (left <= 0) return;
  }
  yield* build(waiting);
}
