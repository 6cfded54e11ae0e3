/** What a client may say of any store, and what comes of it: absent stays, null clears. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { Workspace } from '../../records/workspace.ts';
import type { Store } from '../kinds/store.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';

export interface StoreDraft {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly enabled?: boolean | null;
  readonly workspace?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly disableOnConnFailure?: boolean | null;
}

/** What is told of a store without a look at its data. */
type StoreFields = Pick<Store, 'description' | 'enabled' | 'metadata' | 'disableOnConnFailure'>;

export function createStoreFields(draft: StoreDraft): StoreFields {
  return mergeStoreFields({ description: null, enabled: true, metadata: {}, disableOnConnFailure: false }, draft);
}

export function mergeStoreFields(current: StoreFields, draft: StoreDraft): StoreFields {
  return {
    description: draft.description === undefined ? current.description : draft.description,
    enabled: draft.enabled ?? current.enabled,
    metadata: draft.metadata === undefined ? current.metadata : (draft.metadata ?? {}),
    disableOnConnFailure: draft.disableOnConnFailure ?? current.disableOnConnFailure,
  };
}

/** A new store is made where the path says. */
export function checkSameWorkspace(workspace: Workspace, draft: StoreDraft): void {
  if (draft.workspace != null && draft.workspace !== workspace.name) {
    throw createMismatchProblem(workspace, draft.workspace);
  }
}

/** Where a store lives after a change. Whoever may not enter learns no more than that: not even whether it is there. */
export async function resolveTargetWorkspace(
  reader: CatalogReader,
  workspace: Workspace,
  draft: StoreDraft,
  mayEnter: (workspace: string) => boolean,
): Promise<Workspace> {
  if (draft.workspace == null || draft.workspace === workspace.name) {
    return workspace;
  }
  if (!mayEnter(draft.workspace)) {
    throw createMismatchProblem(workspace, draft.workspace);
  }
  return findWorkspace(reader, draft.workspace);
}

function createMismatchProblem(workspace: Workspace, sent: string) {
  return problem('workspace-mismatch', { what: 'workspace', path: workspace.name, document: sent });
}
