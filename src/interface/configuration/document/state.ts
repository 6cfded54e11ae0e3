/** The records to export: all, or those that the current draft has written. */
import { layerKind, listLayerStyleReferences } from '../../../catalog/kinds/layer.ts';
import type { Resource, ResourceIdentity } from '../../../catalog/kinds/resource.ts';
import { resourceKinds } from '../../../catalog/kinds/resource-kinds.ts';
import { storeKinds } from '../../../catalog/kinds/store-kinds.ts';
import { type Style, styleKind } from '../../../catalog/kinds/style.ts';
import { templateKind } from '../../../catalog/kinds/template.ts';
import type { CatalogReader } from '../../../records/catalog.ts';
import { createUnionKind, type RecordBase, type RecordKind } from '../../../records/record.ts';
import { type Workspace, workspaceKind } from '../../../records/workspace.ts';
import type { Services } from '../../common/services.ts';
import {
  type CatalogLookups,
  createCatalogLookups,
  createStyleFinder,
  once,
  type StoreWithWorkspace,
  selectIdentity,
} from '../model/catalog-lookups.ts';
import type { ConfigurationState } from '../model/kind.ts';

export function createFullState(services: Services): ConfigurationState {
  const { catalog } = services;
  return { services, every: (kind) => catalog.readAll(kind), ...createCatalogLookups(catalog) };
}

/**
 * Few of a hundred thousand layers change at a time, so unchanged records and their references are not even listed.
 */
export function createWrittenState(services: Services): ConfigurationState {
  const { catalog } = services;
  const { everyWritten: every } = catalog;
  if (every === undefined) {
    throw new Error('Only a draft can list the records that it has written');
  }
  return { services, every, ...createWrittenLookups(catalog, every) };
}

function createWrittenLookups(catalog: CatalogReader, every: CatalogReader['readAll']): CatalogLookups {
  const all = createCatalogLookups(catalog);
  // Templates can belong to any resource.
  const hasTemplates = once(() => hasAny(every(templateKind)));
  const resources = once(async () => ((await hasTemplates()) ? all.resources() : loadWrittenResources(catalog, every)));
  return {
    workspaces: all.workspaces,
    resources,
    stores: once(async () => ((await hasTemplates()) ? all.stores() : loadStores(catalog, await resources()))),
    styleNames: once(async () => {
      const styles = new Map<string, Style>();
      for await (const layers of every(layerKind)) {
        await addRecords(styles, catalog, styleKind, layers.flatMap(listLayerStyleReferences));
      }
      const homes = new Map<string, Workspace>();
      await addRecords(homes, catalog, workspaceKind, listParents(styles.values()));
      return createStyleFinder(styles, homes);
    }),
  };
}

async function hasAny(pieces: AsyncIterable<readonly unknown[]>): Promise<boolean> {
  for await (const piece of pieces) {
    if (piece.length > 0) {
      return true;
    }
  }
  return false;
}

/** The written ones, and those of written layers. */
async function loadWrittenResources(
  catalog: CatalogReader,
  every: CatalogReader['readAll'],
): Promise<ReadonlyMap<string, ResourceIdentity>> {
  const found = new Map<string, ResourceIdentity>();
  for (const kind of resourceKinds) {
    for await (const piece of every(kind)) {
      for (const resource of piece) found.set(resource.id, selectIdentity(resource));
    }
  }
  for await (const layers of every(layerKind)) {
    const resources = new Map<string, Resource>();
    await addRecords(
      resources,
      catalog,
      anyResource,
      listParents(layers).filter((id) => !found.has(id)),
    );
    for (const [id, resource] of resources) found.set(id, selectIdentity(resource));
  }
  return found;
}

async function loadStores(
  catalog: CatalogReader,
  resources: ReadonlyMap<string, ResourceIdentity>,
): Promise<ReadonlyMap<string, StoreWithWorkspace>> {
  const stores = new Map<string, StoreWithWorkspace['store']>();
  await addRecords(stores, catalog, anyStore, listParents(resources.values()));
  const homes = new Map<string, Workspace>();
  await addRecords(homes, catalog, workspaceKind, listParents(stores.values()));
  const placed = new Map<string, StoreWithWorkspace>();
  for (const [id, store] of stores) {
    const workspace = homes.get(store.parent ?? '');
    if (workspace !== undefined) placed.set(id, { store, workspace });
  }
  return placed;
}

const anyResource = createUnionKind(resourceKinds);
const anyStore = createUnionKind(storeKinds);

function listParents(records: Iterable<Pick<RecordBase, 'parent'>>): readonly string[] {
  return [...new Set(Array.from(records, ({ parent }) => parent ?? ''))];
}

/** The records of the ids that exist and were not found before. */
async function addRecords<R extends RecordBase & { readonly kind: string }>(
  found: Map<string, R>,
  catalog: CatalogReader,
  kind: RecordKind<R>,
  ids: readonly string[],
): Promise<void> {
  for (const id of new Set(ids)) {
    const record = id === '' || found.has(id) ? undefined : await catalog.get(kind, id);
    if (record !== undefined) found.set(id, record);
  }
}
