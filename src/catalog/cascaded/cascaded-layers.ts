/** Manages published layers of remote map servers. */

import type { CascadedService, RemoteLayer } from '../../cascade/capabilities.ts';
import { selectTileInfo } from '../../cascade/select-tile-info.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { UnverifiedPolicy } from '../../lib/problems/unverified.ts';
import { layerNames } from '../../lib/text/name-rule.ts';
import type { Page } from '../../lib/text/page.ts';
import { enumerate } from '../../lib/text/wording.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { checkName, formatPrintableName, type NameRule, resolveNewName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import {
  type CascadedLayer,
  type CascadedLayerDraft,
  cascadedLayerKinds,
  initialSettings,
} from '../kinds/cascaded-layer.ts';
import { type CascadedStore, cascadedStoreKinds } from '../kinds/cascaded-store.ts';
import { formatQualifiedKey } from '../kinds/resource.ts';
import {
  checkSameStore,
  createResourceFields,
  mergeResourceFields,
  mergeSettings,
  mergeValue,
  resolveSrs,
  resolveStatedCrs,
} from '../kinds/resource-draft.ts';
import { verifyOrReport } from '../kinds/unverified.ts';
import { checkResourceNameAvailable, toPublishableName } from '../resources/find-resource.ts';
import { listPublished, type PublishedNames } from '../resources/list-resources.ts';
import { deleteResource, insertResource, updateResource } from '../resources/write-resource.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import {
  type CascadedStoreView,
  findCascadedStore,
  listCascadedStores,
  toCascadedStoreView,
} from './cascaded-stores.ts';
import type { RemoteServers } from './remote-servers.ts';

export interface CascadedLayerView {
  readonly layer: CascadedLayer;
  readonly store: CascadedStore;
  readonly workspace: Workspace;
  /** The common version of all parts. */
  readonly version: number;
}

/** The location of a layer: in one store, or anywhere in a workspace. */
export interface CascadedLayerLocator {
  readonly service: CascadedService;
  readonly workspace: string;
  readonly store?: string;
}

function createNameRule(service: CascadedService): NameRule {
  return { what: `${service} layer`, field: `${formatFieldName(service)}.name`, ...layerNames };
}

function formatFieldName(service: CascadedService): string {
  return `${service.toLowerCase()}Layer`;
}

export async function listCascadedLayers(
  catalog: CatalogReader,
  { service, workspace, store }: CascadedLayerLocator,
  page: Page = {},
): Promise<PublishedNames> {
  const home =
    store === undefined
      ? { workspace: await findWorkspace(catalog, workspace) }
      : await findCascadedStore(catalog, { service, workspace, store });
  return listPublished(catalog, cascadedLayerKinds[service], home, page);
}

/** Lists the names of remote layers that are not published yet. */
export async function listAvailableLayers(
  catalog: CatalogReader,
  place: CascadedLayerLocator,
  servers: RemoteServers,
): Promise<readonly string[]> {
  const left: (readonly string[])[] = [];
  for (const { store } of await listStoresInScope(catalog, place)) {
    const published = await catalog.list(cascadedLayerKinds[place.service], store.id);
    const taken = new Set(published.map(({ nativeName }) => nativeName));
    const { names } = await servers.loadCapabilities(store, null);
    left.push(taken.size === 0 ? names : names.filter((name) => !taken.has(name)));
  }
  return left.length === 1 ? (left[0] ?? []) : left.flat();
}

async function listStoresInScope(
  catalog: CatalogReader,
  { service, workspace, store }: CascadedLayerLocator,
): Promise<readonly CascadedStoreView[]> {
  return store === undefined
    ? listCascadedStores(catalog, service, workspace)
    : [await findCascadedStore(catalog, { service, workspace, store })];
}

export async function findCascadedLayer(
  catalog: CatalogReader,
  place: CascadedLayerLocator,
  name: string,
): Promise<CascadedLayerView> {
  const found =
    place.store === undefined
      ? await findLayerInWorkspace(catalog, place, name)
      : await findLayerInStore(
          catalog,
          place.service,
          await findCascadedStore(catalog, { ...place, store: place.store }),
          name,
        );
  if (found === undefined) {
    throw problem('cascaded-layer-unknown', { ...place, name: formatPrintableName(name) });
  }
  return found;
}

export async function cascadedLayerExists(
  catalog: CatalogReader,
  place: CascadedLayerLocator,
  name: string,
): Promise<boolean> {
  return findCascadedLayer(catalog, place, name).then(
    () => true,
    () => false,
  );
}

async function findLayerInStore(
  catalog: CatalogReader,
  service: CascadedService,
  view: CascadedStoreView,
  name: string,
): Promise<CascadedLayerView | undefined> {
  const layer = await catalog.find(cascadedLayerKinds[service], view.store.id, name);
  return layer && toLayerView(layer, view);
}

async function findLayerInWorkspace(
  catalog: CatalogReader,
  { service, workspace: workspaceName }: CascadedLayerLocator,
  name: string,
): Promise<CascadedLayerView | undefined> {
  const workspace = await findWorkspace(catalog, workspaceName);
  const key = formatQualifiedKey(workspace.id, name);
  const [layer] = await catalog.findByKey(cascadedLayerKinds[service], 'qualifiedName', key, 1);
  const store = layer && (await catalog.get(cascadedStoreKinds[service], layer.parent ?? ''));
  return layer && store && toLayerView(layer, toCascadedStoreView(store, workspace));
}

function toLayerView(layer: CascadedLayer, { store, workspace, version }: CascadedStoreView): CascadedLayerView {
  return { layer, store, workspace, version: Math.max(layer.version, version) };
}

export interface CascadedLayerCreation {
  readonly draft: CascadedLayerDraft;
  readonly servers: RemoteServers;
  /** Set to publish a layer whose server does not respond. */
  readonly unverified?: UnverifiedPolicy | undefined;
}

/** Publishes a remote layer; fields that the client omits come from the remote capabilities. */
export async function createCascadedLayer(
  catalog: Catalog,
  principal: Principal,
  place: CascadedLayerLocator & { readonly store: string },
  { draft, servers, unverified: policy }: CascadedLayerCreation,
): Promise<CascadedLayerView> {
  const { service } = place;
  const view = await findCascadedStore(catalog, place);
  checkSameStore(view, draft);
  const nativeName = draft.nativeName ?? draft.name ?? '';
  const name = draft.name ?? toPublishableName(nativeName);
  checkName(name, createNameRule(service));
  await checkResourceNameAvailable(catalog, view.workspace, name);
  const read = async () => {
    const layer = await getRemoteLayer(servers, view.store, nativeName);
    return { layer, extent: await resolveRemoteExtent(layer), queries: readQueryability(layer) };
  };
  const outcome = policy === undefined ? { verified: await read() } : await verifyOrReport(policy, read);
  const isRead = 'verified' in outcome;
  const remote = isRead ? outcome.verified.layer : nothingRead;
  const what = isRead ? outcome.verified.extent : await createStatedExtent(draft);
  const srs = draft.srs == null ? what.srs : await resolveSrs(draft.srs, `${formatFieldName(service)}.srs`);
  const remarks = createResourceFields({ ...draft, keywords: draft.keywords ?? remote.keywords }, name, service);
  const publication = {
    ...mergeSettings(draft, initialSettings, initialSettings),
    ...remarks,
    title: draft.title ?? remote.title ?? name,
    abstract: draft.abstract ?? remote.abstract,
    name,
    nativeName,
    nativeCrs: what.srs === null ? {} : { code: what.srs },
    srs,
    nativeBounds: draft.nativeBounds ?? what.nativeBounds,
    latLonBounds: draft.latLonBounds ?? what.latLonBounds,
    ...(isRead ? outcome.verified.queries : { unverified: outcome.unverified }),
  };
  const change = `publish ${name} of ${place.store} in ${place.workspace}`;
  return catalog.change(principal, change, async (transaction) => {
    const now = await findCascadedStore(transaction, place);
    const { store, workspace } = now;
    const draft = { ...publication, parent: store.id, workspace: workspace.id };
    return toLayerView(await insertResource(transaction, cascadedLayerKinds[service], workspace, { draft }), now);
  });
}

/** Stands for the description of a remote layer that could not be read. */
const nothingRead: Pick<RemoteLayer, 'title' | 'abstract' | 'keywords'> = { title: null, abstract: null, keywords: [] };

/** The extent that the client states for a remote layer that could not be read. */
async function createStatedExtent(draft: CascadedLayerDraft): Promise<RemoteExtent> {
  const { code } = await resolveStatedCrs(draft.nativeCRS);
  return { srs: code ?? null, nativeBounds: null, latLonBounds: null };
}

async function getRemoteLayer(servers: RemoteServers, store: CascadedStore, name: string): Promise<RemoteLayer> {
  const { names, layer } = await servers.loadCapabilities(store, name);
  if (layer === null) {
    const first = names.slice(0, 10).map((each) => `'${formatPrintableName(each)}'`);
    const known = names.length === 0 ? 'none at all' : enumerate(first, names.length);
    throw problem('remote-layer-unknown', { name: formatPrintableName(name), store: store.name, known });
  }
  return layer;
}

/** Stored, so that capabilities of this server need no response of the remote server. */
function readQueryability({ tiles }: RemoteLayer): Pick<CascadedLayer, 'isQueryable'> {
  return tiles === undefined ? {} : { isQueryable: selectTileInfo(tiles.info) !== undefined };
}

interface RemoteExtent {
  readonly srs: string | null;
  readonly nativeBounds: Bounds | null;
  readonly latLonBounds: Bounds | null;
}

/** Selects the first supported CRS that has a bounding box, otherwise the first supported CRS. */
async function resolveRemoteExtent({ systems, bounds, latLonBounds }: RemoteLayer): Promise<RemoteExtent> {
  const inOrder = [...systems.filter((system) => bounds[system] !== undefined), ...systems];
  for (const system of inOrder) {
    const code = (await findCrs(system))?.code;
    if (code !== undefined) {
      const nativeBounds = bounds[system] ?? (code === 'EPSG:4326' ? latLonBounds : null);
      const computed = nativeBounds === null ? undefined : await computeGeographicBounds(nativeBounds, { code });
      return { srs: code, nativeBounds, latLonBounds: latLonBounds ?? computed ?? null };
    }
  }
  return { srs: null, nativeBounds: null, latLonBounds };
}

export interface CascadedLayerChange {
  readonly draft: CascadedLayerDraft;
  readonly servers: RemoteServers;
  /** Set to accept a change that the remote server cannot verify. */
  readonly unverified?: UnverifiedPolicy | undefined;
  readonly precondition: Precondition;
}

export async function changeCascadedLayer(
  catalog: Catalog,
  principal: Principal,
  place: CascadedLayerLocator & { readonly name: string },
  options: CascadedLayerChange,
): Promise<void> {
  const { draft } = options;
  const { service } = place;
  for (;;) {
    const before = await findCascadedLayer(catalog, place, place.name);
    checkPrecondition(options.precondition, before.version);
    checkSameStore(before, draft);
    const changed = await mergeLayerDraft(before, draft, options);
    const what = `change ${service} layer ${place.name} in ${place.workspace}`;
    const isDone = await catalog.change(principal, what, async (transaction) => {
      const { layer, workspace, version } = await findCascadedLayer(transaction, place, place.name);
      checkPrecondition(options.precondition, version);
      // Another request has changed the layer: retry with the current version.
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

async function mergeLayerDraft(
  { layer, store }: CascadedLayerView,
  draft: CascadedLayerDraft,
  { servers, unverified: policy }: CascadedLayerChange,
): Promise<CascadedLayer> {
  const service = layer.kind === 'wmsLayer' ? 'WMS' : 'WMTS';
  const nativeName = draft.nativeName || layer.nativeName;
  // Query the remote server outside the transaction, so that a slow server does not block other changes.
  const isOther = nativeName !== layer.nativeName;
  const read = async () => {
    const remote = await getRemoteLayer(servers, store, nativeName);
    return { ...(await resolveRemoteExtent(remote)), queries: readQueryability(remote) };
  };
  const outcome =
    isOther && policy !== undefined
      ? await verifyOrReport(policy, read)
      : { verified: isOther ? await read() : undefined };
  const fresh = 'verified' in outcome ? outcome.verified : undefined;
  const { unverified: before, isQueryable, ...current } = layer;
  const queries = isOther ? fresh?.queries : isQueryable === undefined ? {} : { isQueryable };
  const unverified = 'verified' in outcome ? (isOther ? undefined : before) : outcome.unverified;
  const stated = unverified !== undefined && draft.nativeCRS !== undefined;
  const nativeCrs = stated ? await resolveStatedCrs(draft.nativeCRS) : layer.nativeCrs;
  const isNewSrs = draft.srs != null && draft.srs !== layer.srs;
  const srs = isNewSrs
    ? await resolveSrs(draft.srs, `${formatFieldName(service)}.srs`)
    : mergeValue(draft.srs, layer.srs);
  return {
    ...current,
    ...queries,
    ...(unverified === undefined ? {} : { unverified }),
    ...mergeSettings(draft, layer, initialSettings),
    ...mergeResourceFields(layer, draft),
    name: resolveNewName(layer.name, draft.name, createNameRule(service)),
    nativeName,
    nativeCrs: fresh === undefined ? nativeCrs : fresh.srs === null ? {} : { code: fresh.srs },
    srs: fresh !== undefined && !isNewSrs ? fresh.srs : srs,
    nativeBounds: fresh?.nativeBounds ?? mergeValue(draft.nativeBounds, layer.nativeBounds),
    latLonBounds: fresh?.latLonBounds ?? mergeValue(draft.latLonBounds, layer.latLonBounds),
  };
}

export function deleteCascadedLayer(
  catalog: Catalog,
  principal: Principal,
  place: CascadedLayerLocator & { readonly name: string },
  options: { readonly recurse: boolean; readonly precondition: Precondition },
): Promise<void> {
  const what = `delete ${place.service} layer ${place.name} in ${place.workspace}`;
  return catalog.change(principal, what, async (transaction) => {
    const { layer, version } = await findCascadedLayer(transaction, place, place.name);
    checkPrecondition(options.precondition, version);
    await deleteResource(transaction, cascadedLayerKinds[place.service], layer, options);
  });
}
