/** Tracks which stores were unreachable on their last use, and disables those that are configured so. */
import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import type { Store } from '../kinds/store.ts';
import { findStoreById, getStoreKind } from '../kinds/stores.ts';

export interface UnreachableStore {
  /** With its workspace: `acme:roads`. */
  readonly store: string;
  readonly workspace: string;
  readonly reason: string;
}

export interface UnreachableStores {
  /** Records the error if it says that the data is unreachable, without disabling the store. */
  recordUnreachable(store: Store, error: unknown): Promise<void>;
  /** Records that the data could not be used; `store` is undefined if it was deleted in the meantime. */
  recordFailure(store: Store | undefined, error: unknown): Promise<void>;
  recordSuccess(storeId: string): void;
  /** Lists the stores that still exist and have not changed since. */
  list(): Promise<readonly UnreachableStore[]>;
}

/** Receives the first failure of a store, changes of the reason, and the recovery, but not every failed request. */
export interface ReachabilityReport {
  reportUnreachable(store: UnreachableStore): void;
  reportReachable(store: string): void;
}

/** The principal of the change log entry, since no user requested the change. */
const server: Principal = { name: 'server', roles: new Set([ROLE_ADMINISTRATOR]) };

export function createUnreachableStores(catalog: Catalog, report: ReachabilityReport): UnreachableStores {
  const known = new Map<string, UnreachableStore & { readonly version: number }>();

  async function note({ id, name, parent, version }: Store, error: unknown): Promise<void> {
    if (!isUnreachable(error)) {
      return;
    }
    const reason = getUnreachableReason(error);
    const workspace = (await catalog.get(workspaceKind, parent ?? ''))?.name ?? '';
    const store = `${workspace}:${name}`;
    const before = known.get(id);
    known.set(id, { store, workspace, reason, version });
    if (before?.reason !== reason || before.version !== version) {
      report.reportUnreachable({ store, workspace, reason });
    }
  }

  /** Disables the store until an administrator enables it, so that requests do not wait for unreachable data. */
  async function disableStore(store: Store): Promise<void> {
    await catalog.change(server, `disable the unreachable store ${store.name}`, async (transaction) => {
      const current = await findStoreById(transaction, store.id);
      if (current?.version === store.version) {
        await transaction.update(getStoreKind(current), { ...current, enabled: false });
      }
    });
  }

  return {
    recordUnreachable: note,
    async recordFailure(store, error) {
      if (store === undefined) {
        return;
      }
      await note(store, error);
      if (store.disableOnConnFailure && isUnreachable(error)) {
        await disableStore(store);
      }
    },
    recordSuccess(storeId) {
      const before = known.get(storeId);
      if (before !== undefined) {
        known.delete(storeId);
        report.reportReachable(before.store);
      }
    },
    async list() {
      for (const [id, { version }] of known) {
        const current = await findStoreById(catalog, id);
        if (current?.version !== version) {
          known.delete(id);
        }
      }
      return [...known.values()].map(({ version: _, ...store }) => store);
    },
  };
}

/** Warns the client and the operator that the data of a saved store is unreachable. */
export async function reportSavedUnreachable<S extends Store>(
  noteUnreachable: (store: S, why: Problem) => Promise<void>,
  store: S,
  why: Problem | undefined,
): Promise<readonly string[]> {
  if (why === undefined) {
    return [];
  }
  await noteUnreachable(store, why);
  return [`${why.message} The store was saved nevertheless.`];
}

/** Turns errors of the URL gate into problems of the store. */
export function convertUrlProblem(error: unknown, name: string): unknown {
  const isOfGate = error instanceof Problem && error.code.startsWith('url-') && error.code !== 'url-refused';
  return isOfGate ? problem('store-unreachable', { name, reason: error.message.replace(/\.$/, '') }) : error;
}

export function isUnreachable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'store-unreachable';
}

export function getUnreachableReason(error: Problem): string {
  return String(error.details['reason']);
}
