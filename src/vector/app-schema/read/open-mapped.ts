/** Reads sources through mappings: the mapped types and their features as a stream. */

import { type FilterRunner, inlineFilterRunner } from '../../../filter/run/filter-runner.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { ComplexFeature } from '../../port/complex-feature.ts';
import type { Mapping, QualifiedName } from '../../port/mapping.ts';
import type { SchemaSet } from '../xsd/schema-set.ts';
import type { RowGroup } from './build-feature.ts';
import {
  type FeatureFilter,
  type MatchFeatures,
  type PathCondition,
  planCondition,
  type StartMatching,
} from './feature-filter.ts';
import { findTypeByName, listMappedTypes } from './find-types.ts';
import { createGroupAccess, readGroupsById, readMatchingGroups, readRowGroups } from './group-rows.ts';
import { buildFeatures, type ReadContext, toTableAddress } from './load-links.ts';
import { BatchTooLarge, createSizeCounter, createTooLargeError } from './size-limits.ts';
import { type OpenSource, openSourceTables, type SourceTable, type SourceTables } from './source-tables.ts';
import { formatTypeName, type MappedType, planType, type TypePlan } from './type-plan.ts';

export interface MappedTypeSummary {
  /** The mapping name for chaining, if defined; otherwise the local name of the target element. */
  readonly name: string;
  readonly targetElement: QualifiedName;
  /** Whether the schemas define it as a feature and not only as a part. */
  readonly isFeature: boolean;
}

export interface MappedQuery {
  /** Counts features, not rows. */
  readonly limit?: number;
  readonly ids?: readonly string[];
  readonly condition?: PathCondition;
}

export interface MappedSource {
  /** In mapping order. */
  readonly types: readonly MappedTypeSummary[];
  /** Yields batches in source order; reading stops when the consumer stops or the signal aborts. */
  read(name: string, query: MappedQuery, signal: AbortSignal): AsyncIterable<readonly ComplexFeature[]>;
  close(): Promise<void>;
}

export interface MappedSourceOptions {
  /** The main mapping and its includes. */
  readonly mappings: readonly Mapping[];
  readonly schemas: Pick<SchemaSet, 'isFeature'>;
  readonly openSource: OpenSource;
  /** Evaluates filters that sources do not support; defaults to this thread. */
  readonly filterRunner?: FilterRunner | undefined;
}

/** The size of the first batch, because the amount of chained data is not yet known. */
const FIRST_BATCH_FEATURES = 16;
const MAX_BATCH_FEATURES = 512;
const BATCH_PROPERTIES = 20_000;

/** Sources are opened on first use and stay open until `close`. */
export function openMapped({
  mappings,
  schemas,
  openSource,
  filterRunner = inlineFilterRunner,
}: MappedSourceOptions): MappedSource {
  const types = listMappedTypes(mappings);
  const tables = openSourceTables(mappings, openSource, filterRunner);
  return {
    types: types.map(({ type }) => ({
      name: type.name ?? type.targetElement.local,
      targetElement: type.targetElement,
      isFeature: schemas.isFeature(type.targetElement),
    })),
    async *read(name, query, signal) {
      signal.throwIfAborted();
      const mapped = findTypeByName(types, name);
      if (mapped === undefined) throw problem('vector-type-unknown', { name });
      const reading = createReadContext(types, tables, signal);
      const plan = await reading.getPlan(mapped);
      const table = await reading.openTable(toTableAddress(mapped));
      const start: StartMatching = (filter, access) => filterRunner.start(filter, access, signal);
      const planned = query.condition && (await planCondition(query.condition, plan, start));
      const filter = planned?.rest;
      const ids = intersectIds(query.ids, planned?.ids);
      const groups = await selectGroups(plan, table, { ids, limit: query.limit, filter }, start);
      yield* buildInBatches(reading, plan, groups, {
        limit: query.limit ?? Number.POSITIVE_INFINITY,
        ...(filter?.kind === 'built' ? { match: filter.match } : {}),
        signal,
      });
    },
    close: () => tables.close(),
  };
}

/** Descriptions are requested once per query, because columns can change between queries. */
function createReadContext(types: readonly MappedType[], tables: SourceTables, signal: AbortSignal): ReadContext {
  const opened = new Map<string, Promise<SourceTable>>();
  const plans = new Map<MappedType, Promise<TypePlan>>();
  const openTable: ReadContext['openTable'] = (address) => {
    const key = JSON.stringify([address.store, address.databaseSchema, address.table]);
    const table = opened.get(key) ?? tables.open(address, signal);
    opened.set(key, table);
    return table;
  };
  const getPlan: ReadContext['getPlan'] = (type) => {
    const plan =
      plans.get(type) ?? openTable(toTableAddress(type)).then(({ attributes }) => planType(type, attributes));
    plans.set(type, plan);
    return plan;
  };
  return { types, openTable: openTable, getPlan: getPlan };
}

/** Undefined means all features. */
type Ids = readonly string[] | undefined;

function intersectIds(one: Ids, other: Ids): Ids {
  return one === undefined || other === undefined ? (one ?? other) : one.filter((id) => other.includes(id));
}

interface GroupQuery {
  readonly ids: Ids;
  readonly limit: number | undefined;
  readonly filter: FeatureFilter | undefined;
}

async function selectGroups(
  plan: TypePlan,
  table: SourceTable,
  { ids, limit, filter }: GroupQuery,
  start: StartMatching,
): Promise<AsyncIterable<RowGroup>> {
  if (filter?.kind === 'source') {
    if (ids === undefined && !plan.isGrouped) {
      return readRowGroups(plan, table, { filter: filter.filter, ...toLimit(limit) });
    }
    return readMatchingGroups(plan, table, filter.filter, {
      ids,
      match: await start(filter.filter, createGroupAccess(plan)),
    });
  }
  if (ids !== undefined) return readGroupsById(plan, table, ids);
  return readRowGroups(plan, table, filter === undefined ? toLimit(limit) : {});
}

function toLimit(limit: number | undefined): { readonly limit?: number } {
  return limit === undefined ? {} : { limit };
}

interface BatchOptions {
  readonly limit: number;
  readonly match?: MatchFeatures;
  readonly signal: AbortSignal;
}

/** Adapts the batch size to keep memory use constant. */
async function* buildInBatches(
  reading: ReadContext,
  plan: TypePlan,
  groups: AsyncIterable<RowGroup>,
  { limit, match, signal }: BatchOptions,
): AsyncGenerator<readonly ComplexFeature[]> {
  let left = limit;
  let size = FIRST_BATCH_FEATURES;
  let waiting: RowGroup[] = [];

  /** Halves the batch if it is too large. */
  async function* build(those: readonly RowGroup[]): AsyncGenerator<readonly ComplexFeature[]> {
    if (those.length === 0 || left <= 0) return;
    signal.throwIfAborted();
    const sizes = createSizeCounter();
    let built: readonly ComplexFeature[];
    try {
      built = await buildFeatures(reading, plan, those, { sizes });
    } catch (error) {
      if (!(error instanceof BatchTooLarge)) throw error;
      if (those.length === 1) throw createTooLargeError(formatTypeName(plan));
      const half = those.length >> 1;
      yield* build(those.slice(0, half));
      yield* build(those.slice(half));
      return;
    }
    const properties = built.reduce((sum, feature) => sum + sizes.getSize(feature), 1);
    size = Math.max(1, Math.min(MAX_BATCH_FEATURES, Math.floor((BATCH_PROPERTIES / properties) * built.length)));
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
