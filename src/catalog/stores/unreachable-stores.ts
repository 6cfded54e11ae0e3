/** Remembers which stores could not be reached when they were last asked, for whoever runs the server. */
import type { CatalogReader } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { type DataStore, dataStoreKind } from './data-store.ts';

export interface UnreachableStore {
  /** With its workspace: `acme:roads`. */
  readonly store: string;
  readonly workspace: string;
  readonly reason: string;
}

export interface UnreachableStores {
  failed(store: DataStore, reason: string): Promise<void>;
  reached(storeId: string): void;
  /** Those that are still there, and have not been changed since. */
  list(): Promise<readonly UnreachableStore[]>;
}

/** Hears of the first failure of a store, of other reasons for it, and of its end: not of every request in between. */
export interface ReachabilityReport {
  lost(store: UnreachableStore): void;
  back(store: string): void;
}

export function createUnreachableStores(catalog: CatalogReader, report: ReachabilityReport): UnreachableStores {
  const known = new Map<string, UnreachableStore & { readonly version: number }>();
  return {
    async failed({ id, name, parent, version }, reason) {
      const workspace = (await catalog.get(workspaceKind, parent ?? ''))?.name ?? '';
      const store = `${workspace}:${name}`;
      const before = known.get(id);
      known.set(id, { store, workspace, reason, version });
      if (before?.reason !== reason || before.version !== version) {
        report.lost({ store, workspace, reason });
      }
    },
    reached(storeId) {
      const before = known.get(storeId);
      if (before !== undefined) {
        known.delete(storeId);
        report.back(before.store);
      }
    },
    async list() {
      for (const [id, { version }] of known) {
        const current = await catalog.get(dataStoreKind, id);
        if (current?.version !== version) {
          known.delete(id);
        }
      }
      return [...known.values()].map(({ version: _, ...store }) => store);
    },
  };
}
