/** Lookups for exports: parents and referenced records, each read once. */
import type { LayerGroup } from '../../../catalog/kinds/layer-group.ts';
import type { ResourceIdentity } from '../../../catalog/kinds/resource.ts';
import { resourceKinds } from '../../../catalog/kinds/resource-kinds.ts';
import type { Store } from '../../../catalog/kinds/store.ts';
import { storeKinds } from '../../../catalog/kinds/store-kinds.ts';
import { type Style, type StyleReference, styleKind } from '../../../catalog/kinds/style.ts';
import type { NamedStyle } from '../../../catalog/layers/named-style.ts';
import type { CatalogReader } from '../../../records/catalog.ts';
import type { RecordBase, RecordKind } from '../../../records/record.ts';
import { type Workspace, workspaceKind } from '../../../records/workspace.ts';
import { isBuiltInName } from '../../../styling/built-in/built-in-names.ts';

/** A store and its workspace. */
export interface StoreWithWorkspace {
  readonly store: Store;
  readonly workspace: Workspace;
}

export interface CatalogLookups {
  workspaces(): Promise<ReadonlyMap<string, Workspace>>;
  stores(): Promise<ReadonlyMap<string, StoreWithWorkspace>>;
  resources(): Promise<ReadonlyMap<string, ResourceIdentity>>;
  /** The style that a layer or a group refers to. */
  styleNames(): Promise<(reference: StyleReference) => NamedStyle | undefined>;
}

export type { LayerGroup };

export function createCatalogLookups(catalog: CatalogReader): CatalogLookups {
  const workspaces = once(() => loadRecordsById(catalog, [workspaceKind]));
  const styles = once(() => loadRecordsById(catalog, [styleKind]));
  return {
    workspaces,
    stores: once(async () => {
      const known = await workspaces();
      const found = new Map<string, StoreWithWorkspace>();
      for (const kind of storeKinds) {
        for await (const piece of catalog.readAll(kind)) {
          for (const store of piece) {
            const workspace = known.get(store.parent ?? '');
            if (workspace !== undefined) found.set(store.id, { store, workspace });
          }
        }
      }
      return found;
    }),
    resources: once(() => loadResourceIdentities(catalog)),
    styleNames: once(async () => {
      const [byId, known] = await Promise.all([styles(), workspaces()]);
      return createStyleFinder(byId, known);
    }),
  };
}

/** Finds the referenced styles among these, which belong to these workspaces. */
export function createStyleFinder(
  styles: ReadonlyMap<string, Style>,
  workspaces: ReadonlyMap<string, Workspace>,
): (reference: StyleReference) => NamedStyle | undefined {
  return (reference) =>
    isBuiltInName(reference) ? { name: reference, workspace: null } : findNamedStyle(styles, reference, workspaces);
}

function findNamedStyle(
  styles: ReadonlyMap<string, Style>,
  id: string,
  workspaces: ReadonlyMap<string, Workspace>,
): NamedStyle | undefined {
  const style = styles.get(id);
  return (
    style && {
      name: style.name,
      workspace: style.parent === null ? null : (workspaces.get(style.parent)?.name ?? null),
    }
  );
}

async function loadResourceIdentities(catalog: CatalogReader): Promise<ReadonlyMap<string, ResourceIdentity>> {
  const found = new Map<string, ResourceIdentity>();
  for (const kind of resourceKinds) {
    for await (const piece of catalog.readAll(kind)) {
      for (const resource of piece) found.set(resource.id, selectIdentity(resource));
    }
  }
  return found;
}

export function selectIdentity({ id, kind, name, parent }: ResourceIdentity): ResourceIdentity {
  return { id, kind, name, parent };
}

/** Read in slices, so that other requests are served in between. */
async function loadRecordsById<R extends RecordBase & { readonly kind: string }>(
  catalog: CatalogReader,
  kinds: readonly RecordKind<R>[],
): Promise<ReadonlyMap<string, R>> {
  const found = new Map<string, R>();
  for (const kind of kinds) {
    for await (const piece of catalog.readAll(kind)) {
      for (const record of piece) found.set(record.id, record);
    }
  }
  return found;
}

/** A lazily computed value. */
export function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= find();
    return found;
  };
}
