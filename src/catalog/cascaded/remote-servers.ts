/** Connects cascaded stores with their servers, and caches the descriptions of their layers. */
import type { Capabilities, CascadedService, RemoteLayer } from '../../cascade/capabilities.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { PictureWindow } from '../../raster/pictures/read-pictures.ts';
import { type AreaQuestion, findingVisiblePixel } from '../../raster/pictures/visible-areas.ts';
import { type WarpInput, warpPictureTask } from '../../raster/pictures/warp-picture.ts';
import { type CascadedStore, getCascadedService } from '../kinds/cascaded-store.ts';
import type { UnreachableStores } from '../stores/unreachable-stores.ts';
import { acceptConnection, type ConnectionDraft } from './accept-connection.ts';
import type { Connection } from './connection.ts';
import {
  fetchCapabilities,
  fetchRemote,
  type RemoteRequestContext,
  type RemoteRequestOptions,
} from './remote-requests.ts';
import type { RemoteQuery, RemoteResponse } from './remote-responses.ts';
import { createTimeoutBreaker } from './timeout-breaker.ts';

export interface RemoteServersOptions extends RemoteRequestContext {
  /** The timeout of the reachability check when a store is saved. */
  readonly probeMs: number;
  readonly unreachable: UnreachableStores;
  readonly clock: () => number;
}

/** How long a layer description is cached; a change of the store invalidates it. */
const LAYER_CACHE_MS = 300_000;

/** The size of the cache; the oldest layers are dropped first. */
const MAX_CACHED_LAYERS = 1_000;

interface CachedLayer {
  readonly until: number;
  readonly layer: Promise<RemoteLayer>;
}

export interface RemoteServers {
  /** Validates a connection that a client sends; its URL must pass the URL checks. */
  accept(
    service: CascadedService,
    draft: ConnectionDraft,
    context: { readonly principal: Principal; readonly current?: CascadedStore },
  ): Promise<Connection>;
  /** Loads the capabilities of a store's server: the layer names, and one complete layer. */
  loadCapabilities(store: CascadedStore, loadLayer: string | null): Promise<Capabilities>;
  /** Returns the description of one layer, cached. */
  layer(store: CascadedStore, name: string): Promise<RemoteLayer>;
  /** Sends a request to the capabilities URL, or to a URL that the capabilities contain. */
  query(store: CascadedStore, question: RemoteQuery, options: RemoteRequestOptions): Promise<RemoteResponse>;
  /** Warps a returned image onto the grid of a map. */
  warp(picture: WarpInput, signal: AbortSignal): Promise<PictureWindow>;
  /** Returns whether one of the pixels is inside an area. */
  hasVisiblePixel(question: AreaQuestion, signal: AbortSignal): Promise<boolean>;
  /** Returns why the server does not respond correctly; undefined if it does. Has a short timeout. */
  findConnectionProblem(name: string, service: CascadedService, connection: Connection): Promise<Problem | undefined>;
  /** Logs that a store was saved although its server does not respond. */
  reportUnreachable(store: CascadedStore, why: Problem): Promise<void>;
  /** Returns the same interface without side effects: no store is disabled. */
  toDryRun(): RemoteServers;
}

export function openRemoteServers(options: RemoteServersOptions): RemoteServers {
  const { unreachable, deadlineMs, probeMs } = options;
  const doNothing = async () => undefined;
  const remembered = new Map<string, CachedLayer>();
  const breaker = createTimeoutBreaker(options.clock);

  function cacheLayer(store: CascadedStore, name: string, find: () => Promise<RemoteLayer>): Promise<RemoteLayer> {
    const key = `${store.id} ${store.version} ${name}`;
    const known = remembered.get(key);
    if (known !== undefined && known.until > options.clock()) return known.layer;
    const layer = find();
    remembered.delete(key);
    remembered.set(key, { until: options.clock() + LAYER_CACHE_MS, layer });
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_CACHED_LAYERS && oldest !== undefined) remembered.delete(oldest);
    layer.catch(() => remembered.delete(key));
    return layer;
  }
  const createServers = (
    onFailure: UnreachableStores['recordFailure'],
    noteUnreachable: RemoteServers['reportUnreachable'],
  ): RemoteServers => {
    async function requestStore<T>(store: CascadedStore, ask: () => Promise<T>): Promise<T> {
      if (!store.enabled) {
        throw problem('store-disabled', { name: store.name });
      }
      try {
        const found = await breaker.run(`${store.id} ${store.version}`, ask);
        unreachable.recordSuccess(store.id);
        return found;
      } catch (error) {
        await onFailure(store, error);
        throw error;
      }
    }

    const capabilities = (store: CascadedStore, layer: string | null) =>
      requestStore(store, () =>
        fetchCapabilities(options, { ...store, service: getCascadedService(store) }, layer, deadlineMs),
      );

    return {
      accept: (service, draft, context) => acceptConnection(options, service, draft, context),
      loadCapabilities: capabilities,
      layer: (store, name) =>
        cacheLayer(store, name, async () => {
          const { layer } = await capabilities(store, name);
          if (layer === null) {
            throw problem('remote-map-failed', { layer: name, reason: 'it no longer has this layer' });
          }
          return layer;
        }),
      query: (store, question, wanted) => requestStore(store, () => fetchRemote(options, store, question, wanted)),
      hasVisiblePixel: (question, signal) => options.workers.run(findingVisiblePixel, question, { signal }),
      warp: (picture, signal) => options.workers.run(warpPictureTask, picture, { signal, deadlineMs: null }),
      async findConnectionProblem(name, service, connection) {
        try {
          await fetchCapabilities(options, { ...connection, name, service }, null, Math.min(probeMs, deadlineMs));
          return undefined;
        } catch (error) {
          if (error instanceof Problem) {
            return error;
          }
          throw error;
        }
      },
      reportUnreachable: noteUnreachable,
      toDryRun: () => createServers(doNothing, doNothing),
    };
  };
  return createServers(unreachable.recordFailure, unreachable.recordUnreachable);
}
