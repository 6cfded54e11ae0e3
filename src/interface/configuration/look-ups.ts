/** What resources are told with beside their own records: what they live in and refer to, each read once. */
import type { LayerGroup } from '../../catalog/layer-groups/layer-group.ts';
import type { Resource } from '../../catalog/resources/resource.ts';
import { resourceKinds } from '../../catalog/resources/resource-kinds.ts';
import type { Store } from '../../catalog/stores/store.ts';
import { storeKinds } from '../../catalog/stores/store-kinds.ts';
import type { NamedStyle } from '../../catalog/styles/named-style.ts';
import { type Style, type StyleReference, styleKind } from '../../catalog/styles/style.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import { isBuiltInName } from '../../styling/built-in/built-in-names.ts';

/** A store and the workspace it lives in. */
export interface PlacedStore {
  readonly store: Store;
  readonly workspace: Workspace;
}

export interface LookUps {
  workspaces(): Promise<ReadonlyMap<string, Workspace>>;
  stores(): Promise<ReadonlyMap<string, PlacedStore>>;
  resources(): Promise<ReadonlyMap<string, Resource>>;
  /** Which style a layer or a group means. */
  styleNames(): Promise<(reference: StyleReference) => NamedStyle | undefined>;
}

export type { LayerGroup };

export function lookUpsIn(catalog: CatalogReader): LookUps {
  const workspaces = once(async () => new Map(await pairsOf(catalog, workspaceKind)));
  const styles = once(async () => new Map(await pairsOf(catalog, styleKind)));
  return {
    workspaces,
    stores: once(async () => {
      const known = await workspaces();
      const found = new Map<string, PlacedStore>();
      for (const kind of storeKinds) {
        for (const [id, store] of await pairsOf(catalog, kind)) {
          const workspace = known.get(store.parent ?? '');
          if (workspace !== undefined) {
            found.set(id, { store, workspace });
          }
        }
      }
      return found;
    }),
    resources: once(async () => {
      const found = new Map<string, Resource>();
      for (const kind of resourceKinds) {
        for (const [id, resource] of await pairsOf(catalog, kind)) {
          found.set(id, resource);
        }
      }
      return found;
    }),
    styleNames: once(async () => {
      const [byId, known] = await Promise.all([styles(), workspaces()]);
      return stylesBy(byId, known);
    }),
  };
}

/** Finds the styles that are meant among these, which live in these workspaces. */
export function stylesBy(
  styles: ReadonlyMap<string, Style>,
  workspaces: ReadonlyMap<string, Workspace>,
): (reference: StyleReference) => NamedStyle | undefined {
  return (reference) =>
    isBuiltInName(reference) ? { name: reference, workspace: null } : named(styles, reference, workspaces);
}

function named(
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

async function pairsOf<R extends RecordBase & { readonly kind: string }>(
  catalog: CatalogReader,
  kind: RecordKind<R>,
): Promise<readonly (readonly [string, R])[]> {
  const pairs: (readonly [string, R])[] = [];
  for await (const piece of catalog.everyOf(kind)) {
    for (const record of piece) {
      pairs.push([record.id, record]);
    }
  }
  return pairs;
}

/** What is found when it is first asked for. */
export function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= find();
    return found;
  };
}
