/**
 * The store fields that a client can set (an absent field stays unchanged, null clears it), and how they are merged.
 */
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

/** The fields of a store that do not depend on its data. */
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

/** Rejects a document whose workspace differs from the path. */
export function checkSameWorkspace(workspace: Workspace, draft: StoreDraft): void {
  if (draft.workspace != null && draft.workspace !== workspace.name) {
    throw createMismatchProblem(workspace, draft.workspace);
  }
}

/**
 * Returns the workspace of a store after a change. Callers without permission for the target get the same error whether
 * it exists or not.
 */
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
