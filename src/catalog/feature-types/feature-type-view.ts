/** A feature type with its store and workspace, and how it is found. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import { type FeatureType, featureTypeKind } from '../kinds/feature-type.ts';
import { formatQualifiedKey } from '../kinds/resource.ts';
import { type DataStoreView, findDataStore, toDataStoreView } from '../stores/data-stores.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';

export interface FeatureTypeView {
  readonly type: FeatureType;
  readonly store: DataStore;
  readonly workspace: Workspace;
  /** The common version of all parts. */
  readonly version: number;
}

/** The location of a feature type: in one store, or anywhere in a workspace. */
export interface FeatureTypeLocator {
  readonly workspace: string;
  readonly store?: string;
}

export function toFeatureTypeView(type: FeatureType, { store, workspace, version }: DataStoreView): FeatureTypeView {
  return { type, store, workspace, version: Math.max(type.version, version) };
}

export async function findFeatureType(
  catalog: CatalogReader,
  place: FeatureTypeLocator,
  name: string,
): Promise<FeatureTypeView> {
  const view = place.store === undefined ? undefined : await findDataStore(catalog, place.workspace, place.store);
  const found =
    view === undefined
      ? await findTypeInWorkspace(catalog, await findWorkspace(catalog, place.workspace), name)
      : await findTypeInStore(catalog, view, name);
  if (found === undefined) {
    throw problem('feature-type-unknown', { ...place, name: formatPrintableName(name) });
  }
  return found;
}

export async function featureTypeExists(
  catalog: CatalogReader,
  place: FeatureTypeLocator,
  name: string,
): Promise<boolean> {
  return findFeatureType(catalog, place, name).then(
    () => true,
    () => false,
  );
}

async function findTypeInStore(
  catalog: CatalogReader,
  view: DataStoreView,
  name: string,
): Promise<FeatureTypeView | undefined> {
  const type = await catalog.find(featureTypeKind, view.store.id, name);
  return type && toFeatureTypeView(type, view);
}

export async function findTypeInWorkspace(
  catalog: CatalogReader,
  workspace: Workspace,
  name: string,
): Promise<FeatureTypeView | undefined> {
  const [type] = await catalog.findByKey(featureTypeKind, 'qualifiedName', formatQualifiedKey(workspace.id, name), 1);
  const store = type === undefined ? undefined : await catalog.get(dataStoreKind, type.parent ?? '');
  return type && store && toFeatureTypeView(type, toDataStoreView(store, workspace));
}
