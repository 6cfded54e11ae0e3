/** A connection to a remote map server, whose layers can be published here. */
import type { CascadedService } from '../../cascade/capabilities.ts';
import { problem } from '../../lib/problems/problem.ts';
import { createLinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import type { Store, StoreKind } from './store.ts';

/** Its parameters are the document fields that describe the connection; secret ones are encrypted. */
export interface CascadedStore extends Store {
  readonly kind: 'wmsStore' | 'wmtsStore';
}

function createStoreKind(kind: CascadedStore['kind'], collection: string): StoreKind<CascadedStore> {
  return {
    ...createLinkedKind<CascadedStore>(
      { kind, keys: {}, secrets: { sealedParameters: true } },
      { livesIn: [workspaceKind.kind], references: [] },
    ),
    collection,
    createNotEmptyProblem: (details) => problem('cascaded-store-not-empty', details),
  };
}

export const cascadedStoreKinds: Readonly<Record<CascadedService, StoreKind<CascadedStore>>> = {
  WMS: createStoreKind('wmsStore', 'wmsstores'),
  WMTS: createStoreKind('wmtsStore', 'wmtsstores'),
};

export function getCascadedService({ kind }: Pick<CascadedStore, 'kind'>): CascadedService {
  return kind === 'wmsStore' ? 'WMS' : 'WMTS';
}
