/** Reads sources through mappings: the types that are mapped, and their features one after the other. */

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

export interface MappedSourceOptions {
  /** The main mapping and those it includes. */
  readonly mappings: readonly Mapping[];
  readonly schemas: Pick<SchemaSet, 'isFeature'>;
  readonly openSource: OpenSource;
  /** Where filters are evaluated that sources leave to others; on this thread where it is absent. */
  readonly filterRunner?: FilterRunner | undefined;
}

/** Features that are built together: of the first few nobody knows yet how much is chained to them. */
const FIRST_BATCH_FEATURES = 16;
const MAX_BATCH_FEATURES = 512;
const BATCH_PROPERTIES = 20_000;

/** Sources are opened at the first reading that needs them, and kept until `close`. */
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

/** Descriptions are asked for once in a reading: the next may meet other columns. */
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

/** Undefined for all. */
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

/** So many at a time that the memory they take stays about the same. */
async function* buildInBatches(
  reading: ReadContext,
  plan: TypePlan,
  groups: AsyncIterable<RowGroup>,
  { limit, match, signal }: BatchOptions,
): AsyncGenerator<readonly ComplexFeature[]> {
  let left = limit;
  let size = FIRST_BATCH_FEATURES;
  let waiting: RowGroup[] = [];

  /** Half as many at a time where they hold too much together. */
  async function* build(those: readonly RowGroup[]): AsyncGenerator<readonly ComplexFeature[]> {
    if (those.length === 0 || left <= 0) return;
    signal.throwIfAborted();
    const sizes = createSizeCounter();
    let built: readonly ComplexFeature[];
    try {
      built = await buildFeatures(reading, plan, those, sizes);
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
