/** What can be done with the published layers of other map servers. */

import type { CascadedService, RemoteLayer } from '../../data/cascade/capabilities.ts';
import type { Bounds } from '../../data/crs/bounds.ts';
import { geographicBounds } from '../../data/crs/geographic-bounds.ts';
import { findCrs } from '../../data/crs/resolve-crs.ts';
import { layerNames } from '../../lib/name-rule.ts';
import type { Page } from '../../lib/page.ts';
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import { enumerate } from '../../lib/wording.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { checkName, type NameRule, resolveNewName, formatPrintableName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { publishableName, refuseTakenResourceName } from '../resources/find-resource.ts';
import { listPublished, type PublishedNames } from '../resources/list-resources.ts';
import { qualifiedKey } from '../resources/resource.ts';
import {
  changedRemarks,
  changedSettings,
  kept,
  knownSrs,
  newRemarks,
  refuseOtherPlace,
} from '../resources/resource-draft.ts';
import { deleteResource, insertResource, updateResource } from '../resources/write-resource.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { type CascadedLayer, type CascadedLayerDraft, cascadedLayerKinds, initialSettings } from './cascaded-layer.ts';
import { type CascadedStore, cascadedStoreKinds } from './cascaded-store.ts';
import { type CascadedStoreView, cascadedStoreView, findCascadedStore, listCascadedStores } from './cascaded-stores.ts';
import type { RemoteServers } from './remote-servers.ts';

export interface CascadedLayerView {
  readonly layer: CascadedLayer;
  readonly store: CascadedStore;
  readonly workspace: Workspace;
  /** The version all of it has together. */
  readonly version: number;
}

/** Where a layer is asked for: in one store, or anywhere in a workspace. */
export interface CascadedLayerPlace {
  readonly service: CascadedService;
  readonly workspace: string;
  readonly store?: string;
}

function nameRule(service: CascadedService): NameRule {
  return { what: `${service} layer`, field: `${fieldOf(service)}.name`, ...layerNames };
}

function fieldOf(service: CascadedService): string {
  return `${service.toLowerCase()}Layer`;
}

export async function listCascadedLayers(
  catalog: CatalogReader,
  { service, workspace, store }: CascadedLayerPlace,
  page: Page = {},
): Promise<PublishedNames> {
  const home =
    store === undefined
      ? { workspace: await findWorkspace(catalog, workspace) }
      : await findCascadedStore(catalog, { service, workspace, store });
  return listPublished(catalog, cascadedLayerKinds[service], home, page);
}

/** The names of what the other servers have and nobody has published yet. */
export async function listAvailableLayers(
  catalog: CatalogReader,
  place: CascadedLayerPlace,
  servers: RemoteServers,
): Promise<readonly string[]> {
  const left: (readonly string[])[] = [];
  for (const { store } of await storesAt(catalog, place)) {
    const published = await catalog.list(cascadedLayerKinds[place.service], store.id);
    const taken = new Set(published.map(({ nativeName }) => nativeName));
    const { names } = await servers.capabilities(store, null);
    left.push(taken.size === 0 ? names : names.filter((name) => !taken.has(name)));
  }
  return left.length === 1 ? (left[0] ?? []) : left.flat();
}

async function storesAt(
  catalog: CatalogReader,
  { service, workspace, store }: CascadedLayerPlace,
): Promise<readonly CascadedStoreView[]> {
  return store === undefined
    ? listCascadedStores(catalog, service, workspace)
    : [await findCascadedStore(catalog, { service, workspace, store })];
}

export async function findCascadedLayer(
  catalog: CatalogReader,
  place: CascadedLayerPlace,
  name: string,
): Promise<CascadedLayerView> {
  const found =
    place.store === undefined
      ? await findInWorkspace(catalog, place, name)
      : await findInStore(
          catalog,
          place.service,
          await findCascadedStore(catalog, { ...place, store: place.store }),
          name,
        );
  if (found === undefined) {
    throw problem('cascaded-layer-unknown', { name: formatPrintableName(name), service: place.service });
  }
  return found;
}

export async function cascadedLayerExists(
  catalog: CatalogReader,
  place: CascadedLayerPlace,
  name: string,
): Promise<boolean> {
  return findCascadedLayer(catalog, place, name).then(
    () => true,
    () => false,
  );
}

async function findInStore(
  catalog: CatalogReader,
  service: CascadedService,
  view: CascadedStoreView,
  name: string,
): Promise<CascadedLayerView | undefined> {
  const layer = await catalog.find(cascadedLayerKinds[service], view.store.id, name);
  return layer && layerView(layer, view);
}

async function findInWorkspace(
  catalog: CatalogReader,
  { service, workspace: workspaceName }: CascadedLayerPlace,
  name: string,
): Promise<CascadedLayerView | undefined> {
  const workspace = await findWorkspace(catalog, workspaceName);
  const key = qualifiedKey(workspace.id, name);
  const [layer] = await catalog.findByKey(cascadedLayerKinds[service], 'qualifiedName', key, 1);
  const store = layer && (await catalog.get(cascadedStoreKinds[service], layer.parent ?? ''));
  return layer && store && layerView(layer, cascadedStoreView(store, workspace));
}

function layerView(layer: CascadedLayer, { store, workspace, version }: CascadedStoreView): CascadedLayerView {
  return { layer, store, workspace, version: Math.max(layer.version, version) };
}

/** Publishes a layer of another server; whatever the client does not say of it comes from there. */
export async function createCascadedLayer(
  catalog: Catalog,
  principal: Principal,
  place: CascadedLayerPlace & { readonly store: string },
  draft: CascadedLayerDraft,
  servers: RemoteServers,
): Promise<CascadedLayerView> {
  const { service } = place;
  const view = await findCascadedStore(catalog, place);
  refuseOtherPlace(view, draft);
  const nativeName = draft.nativeName ?? draft.name ?? '';
  const name = draft.name ?? publishableName(nativeName);
  checkName(name, nameRule(service));
  await refuseTakenResourceName(catalog, view.workspace, name);
  const remote = await remoteLayer(servers, view.store, nativeName);
  const what = await described(remote);
  const srs = draft.srs == null ? what.srs : await knownSrs(draft.srs, `${fieldOf(service)}.srs`);
  const remarks = newRemarks({ ...draft, keywords: draft.keywords ?? remote.keywords }, name, service);
  const publication = {
    ...changedSettings(draft, initialSettings, initialSettings),
    ...remarks,
    title: draft.title ?? remote.title ?? name,
    abstract: draft.abstract ?? remote.abstract,
    name,
    nativeName,
    nativeCrs: what.srs === null ? {} : { code: what.srs },
    srs,
    nativeBounds: draft.nativeBounds ?? what.nativeBounds,
    latLonBounds: draft.latLonBounds ?? what.latLonBounds,
  };
  const change = `publish ${name} of ${place.store} in ${place.workspace}`;
  return catalog.change(principal, change, async (transaction) => {
    const now = await findCascadedStore(transaction, place);
    const { store, workspace } = now;
    const record = { ...publication, parent: store.id, workspace: workspace.id };
    return layerView(await insertResource(transaction, cascadedLayerKinds[service], workspace, record), now);
  });
}

async function remoteLayer(servers: RemoteServers, store: CascadedStore, name: string): Promise<RemoteLayer> {
  const { names, layer } = await servers.capabilities(store, name);
  if (layer === null) {
    const first = names.slice(0, 10).map((each) => `'${formatPrintableName(each)}'`);
    const known = names.length === 0 ? 'none at all' : enumerate(first, names.length);
    throw problem('remote-layer-unknown', { name: formatPrintableName(name), store: store.name, known });
  }
  return layer;
}

/** The system it is told in is the first that its boxes are in and that is known here; else the first that is known. */
async function described({ systems, bounds, latLonBounds }: RemoteLayer): Promise<{
  readonly srs: string | null;
  readonly nativeBounds: Bounds | null;
  readonly latLonBounds: Bounds | null;
}> {
  const inOrder = [...systems.filter((system) => bounds[system] !== undefined), ...systems];
  for (const system of inOrder) {
    const code = (await findCrs(system))?.code;
    if (code !== undefined) {
      const nativeBounds = bounds[system] ?? (code === 'EPSG:4326' ? latLonBounds : null);
      const computed = nativeBounds === null ? undefined : await geographicBounds(nativeBounds, { code });
      return { srs: code, nativeBounds, latLonBounds: latLonBounds ?? computed ?? null };
    }
  }
  return { srs: null, nativeBounds: null, latLonBounds };
}

export async function changeCascadedLayer(
  catalog: Catalog,
  principal: Principal,
  place: CascadedLayerPlace & { readonly name: string },
  draft: CascadedLayerDraft,
  options: { readonly servers: RemoteServers; readonly precondition: Precondition },
): Promise<void> {
  const { service } = place;
  for (;;) {
    const before = await findCascadedLayer(catalog, place, place.name);
    checkPrecondition(options.precondition, before.version);
    refuseOtherPlace(before, draft);
    const changed = await changedLayer(before, draft, options.servers);
    const what = `change ${service} layer ${place.name} in ${place.workspace}`;
    const isDone = await catalog.change(principal, what, async (transaction) => {
      const { layer, workspace, version } = await findCascadedLayer(transaction, place, place.name);
      checkPrecondition(options.precondition, version);
      // Somebody was faster: what follows from the change has to be worked out anew.
      const isOutdated = layer.id !== before.layer.id || layer.version !== before.layer.version;
      if (!isOutdated) {
        await updateResource(transaction, cascadedLayerKinds[service], workspace, { from: layer, to: changed });
      }
      return !isOutdated;
    });
    if (isDone) {
      return;
    }
  }
}

async function changedLayer(
  { layer, store }: CascadedLayerView,
  draft: CascadedLayerDraft,
  servers: RemoteServers,
): Promise<CascadedLayer> {
  const service = layer.kind === 'wmsLayer' ? 'WMS' : 'WMTS';
  const nativeName = draft.nativeName || layer.nativeName;
  // Asked outside the change: all others would have to wait for a slow server.
  const fresh =
    nativeName === layer.nativeName ? undefined : await described(await remoteLayer(servers, store, nativeName));
  const isNewSrs = draft.srs != null && draft.srs !== layer.srs;
  const srs = isNewSrs ? await knownSrs(draft.srs, `${fieldOf(service)}.srs`) : kept(draft.srs, layer.srs);
  return {
    ...layer,
    ...changedSettings(draft, layer, initialSettings),
    ...changedRemarks(layer, draft),
    name: resolveNewName(layer.name, draft.name, nameRule(service)),
    nativeName,
    nativeCrs: fresh === undefined ? layer.nativeCrs : fresh.srs === null ? {} : { code: fresh.srs },
    srs: fresh !== undefined && !isNewSrs ? fresh.srs : srs,
    nativeBounds: fresh?.nativeBounds ?? kept(draft.nativeBounds, layer.nativeBounds),
    latLonBounds: fresh?.latLonBounds ?? kept(draft.latLonBounds, layer.latLonBounds),
  };
}

export function deleteCascadedLayer(
  catalog: Catalog,
  principal: Principal,
  place: CascadedLayerPlace & { readonly name: string },
  options: { readonly recurse: boolean; readonly precondition: Precondition },
): Promise<void> {
  const what = `delete ${place.service} layer ${place.name} in ${place.workspace}`;
  return catalog.change(principal, what, async (transaction) => {
    const { layer, version } = await findCascadedLayer(transaction, place, place.name);
    checkPrecondition(options.precondition, version);
    await deleteResource(transaction, cascadedLayerKinds[place.service], layer, options);
  });
}
