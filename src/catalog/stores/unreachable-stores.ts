/** Remembers which stores could not be reached when they were last asked, and switches off those that want it. */
import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { Problem } from '../../lib/problems/problem.ts';
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
  /** Remembers it if the error says that the data could not be reached, and leaves the store as it is. */
  recordUnreachable(store: Store, error: unknown): Promise<void>;
  /** The data of the store could not be used; undefined for a store that is gone by now. */
  recordFailure(store: Store | undefined, error: unknown): Promise<void>;
  recordSuccess(storeId: string): void;
  /** Those that are still there, and have not been changed since. */
  list(): Promise<readonly UnreachableStore[]>;
}

/** Hears of the first failure of a store, of other reasons for it, and of its end: not of every request in between. */
export interface ReachabilityReport {
  reportUnreachable(store: UnreachableStore): void;
  reportReachable(store: string): void;
}

/** It is nobody's wish that a store is switched off. */
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

  /** Stores that were told so are not asked again once their data cannot be reached, until somebody enables them. */
  async function disableStore(store: Store): Promise<void> {
    await catalog.change(server, `disable the store ${store.name}, which cannot be reached`, async (transaction) => {
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

/** Tells the client and whoever runs the server, where the data of a store that was saved cannot be reached. */
export async function reportSavedUnreachable<S extends Store>(
  noteUnreachable: (store: S, why: Problem) => Promise<void>,
  store: S,
  why: Problem | undefined,
): Promise<readonly string[]> {
  if (why === undefined) {
    return [];
  }
  await noteUnreachable(store, why);
  return [`${why.message} A store may be saved all the same.`];
}

export function isUnreachable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'store-unreachable';
}

export function getUnreachableReason(error: Problem): string {
  return String(error.details['reason']);
}
