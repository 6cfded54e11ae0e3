/** Lists the names of the published resources of one kind: of a store, or of all stores of a workspace. */
import type { Page } from '../../lib/text/page.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { RecordKind } from '../../records/record.ts';
import type { Workspace } from '../../records/workspace.ts';
import { createQualifiedKeyRange, type Resource, splitQualifiedKey } from '../kinds/resource.ts';
import type { Store } from '../kinds/store.ts';

/** The scope of a listing; all stores of the workspace if `store` is absent. */
export interface ResourceScope {
  readonly workspace: Workspace;
  readonly store?: Store;
}

export interface PublishedNames extends ResourceScope {
  /** In code-point order; unique in a workspace across stores. */
  readonly names: readonly string[];
}

export async function listPublished<R extends Resource>(
  catalog: CatalogReader,
  kind: RecordKind<R>,
  { workspace, store }: ResourceScope,
  page: Page,
): Promise<PublishedNames> {
  if (store !== undefined) {
    return { workspace, store, names: await catalog.listNames(kind, store.id, page) };
  }
  const keys = await catalog.listKeyValues(kind, 'qualifiedName', createQualifiedKeyRange(workspace.id, page));
  return { workspace, names: keys.map((key) => splitQualifiedKey(key)[1]) };
}
