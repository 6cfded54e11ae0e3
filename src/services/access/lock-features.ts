/** Locks features of published types. Clients can lock the features that they can change. */
import { randomUUID } from 'node:crypto';
import type { DataStore } from '../../catalog/kinds/data-store.ts';
import { holdFeatures } from '../../catalog/stores/edit-features.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { createLockKey } from '../../lib/locks/feature-locks.ts';
import { problem } from '../../lib/problems/problem.ts';
import {
  createPublishedEdits,
  type EditServices,
  type LockableFeature,
  toEditContext,
  withLayerNames,
} from './edit-type.ts';
import type { OpenedType } from './open-type.ts';

/** The number of features of one lock, so that finding them takes some seconds at most. */
export const MAX_LOCKED_FEATURES = 100_000;

/** The number of features that are found with one query. */
const BATCH_SIZE = 1_000;

/** Features of one type by their published ids. */
export interface LockedQuery {
  readonly opened: OpenedType;
  readonly ids: readonly string[];
}

export interface LockRequest {
  /** All queries together have at most MAX_LOCKED_FEATURES ids. */
  readonly queries: readonly LockedQuery[];
  readonly seconds: number;
  /** Whether features that cannot be locked are skipped. Otherwise one of them prevents the lock. */
  readonly isPartial: boolean;
}

/** The ids of each query. Features that no longer exist are in neither list. */
export interface LockResult {
  readonly id: string;
  readonly locked: readonly (readonly string[])[];
  readonly notLocked: readonly (readonly string[])[];
  /** The stores by id, whose uploaded files can have become editable since the queries were opened. */
  readonly stores: ReadonlyMap<string, DataStore>;
}

/** Each query with the features that its session has found, and the stores. */
interface FoundFeatures extends Pick<LockResult, 'stores'> {
  readonly features: ReadonlyMap<LockedQuery, readonly LockableFeature[]>;
}

/**
 * The rows stay locked in their database until the lock is stored: a concurrent change is committed before, or sees the
 * lock.
 */
export async function lockFeatures(
  services: EditServices,
  principal: Principal,
  request: LockRequest,
): Promise<LockResult> {
  const stores = new Map<string, LockedQuery[]>();
  for (const query of request.queries) {
    const { id } = query.opened.published.records.store;
    stores.set(id, [...(stores.get(id) ?? []), query]);
  }
  // In the same order for all clients: two of them would otherwise wait for each other.
  const ordered = [...stores].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, queries]) => queries);
  const lockInStores = async (index: number, found: FoundFeatures): Promise<LockResult> => {
    const queries = ordered[index];
    const [first] = queries ?? [];
    if (queries === undefined || first === undefined) return storeLock(services, principal, request, found);
    const { opened } = first;
    return withLayerNames(opened, () =>
      holdFeatures(toEditContext(services), principal, opened.published.records.store, {
        work: async (edits, store) => {
          const features = new Map(found.features);
          for (const query of queries) features.set(query, await findFeatures(edits, query));
          return lockInStores(index + 1, { features, stores: new Map([...found.stores, [store.id, store]]) });
        },
        discard: async ({ id }) => void (await services.featureLocks.release(id)),
      }),
    );
  };
  return lockInStores(0, { features: new Map(), stores: new Map() });
}

async function findFeatures(
  session: Parameters<typeof createPublishedEdits>[0],
  { opened, ids }: LockedQuery,
): Promise<readonly LockableFeature[]> {
  const edits = createPublishedEdits(session, opened);
  const found: LockableFeature[] = [];
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const identifiers = ids.slice(at, at + BATCH_SIZE);
    found.push(...(await edits.findLockable({ kind: 'identifiers', identifiers })));
  }
  return found;
}

async function storeLock(
  { featureLocks }: Pick<EditServices, 'featureLocks'>,
  { name: who }: Principal,
  { queries, seconds, isPartial }: LockRequest,
  { features: found, stores }: FoundFeatures,
): Promise<LockResult> {
  const keys = new Map<LockableFeature, string>();
  const wanted = new Set<string>();
  for (const [{ opened }, features] of found) {
    for (const feature of features) {
      const { type, feature: native } = feature.row;
      const key = createLockKey(opened.published.records.store.id, type, native);
      keys.set(feature, key);
      if (feature.isWritable) wanted.add(key);
      await yieldIfDue();
    }
  }
  const refuse = (isHeld: (feature: LockableFeature) => boolean): void => {
    const refused = [...keys.keys()].filter(isHeld);
    const [first] = refused;
    if (first !== undefined && !isPartial) {
      throw problem('features-not-lockable', { id: first.id, count: refused.length, field: 'lockAction' });
    }
  };
  refuse(({ isWritable }) => !isWritable);
  const layers = [...new Set(queries.map(({ opened }) => opened.published.qualifiedName))];
  const lock = { id: randomUUID(), who, seconds, layers, keys: [...wanted], isPartial };
  const held = await featureLocks.acquire(lock);
  const isLocked = (feature: LockableFeature) => feature.isWritable && !held.has(keys.get(feature) ?? '');
  refuse((feature) => !isLocked(feature));
  const listIds = (isListed: (feature: LockableFeature) => boolean) =>
    queries.map((query) => (found.get(query) ?? []).filter(isListed).map(({ id }) => id));
  return { id: lock.id, locked: listIds(isLocked), notLocked: listIds((feature) => !isLocked(feature)), stores };
}
