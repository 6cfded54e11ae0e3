/** Joins cascaded stores with the servers they name, and remembers what these say of their layers. */
import type { Capabilities, CascadedService, RemoteLayer } from '../../cascade/capabilities.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { PictureWindow } from '../../raster/pictures/read-pictures.ts';
import { type WarpInput, warpPictureTask } from '../../raster/pictures/warp-picture.ts';
import { type CascadedStore, getCascadedService } from '../kinds/cascaded-store.ts';
import type { UnreachableStores } from '../stores/unreachable-stores.ts';
import { acceptConnection, type ConnectionDraft } from './accept-connection.ts';
import type { Connection } from './connection.ts';
import { fetchCapabilities, fetchRemote, type RemoteRequestContext } from './remote-requests.ts';
import type { RemoteQuery, RemoteResponse } from './remote-responses.ts';

export interface RemoteServersOptions extends RemoteRequestContext {
  /** How long whoever saves a store waits at most to hear whether its server answers. */
  readonly probeMs: number;
  readonly unreachable: UnreachableStores;
  readonly clock: () => number;
}

/** For so long what a server says of a layer is believed; a change of the store makes it be asked anew. */
const LAYER_CACHE_MS = 300_000;

/** So many layers are remembered; the oldest go first. */
const MAX_CACHED_LAYERS = 1_000;

interface CachedLayer {
  readonly until: number;
  readonly layer: Promise<RemoteLayer>;
}

export interface RemoteServers {
  /** Checks what a client says of a connection; its URL must be one that may be opened. */
  accept(
    service: CascadedService,
    draft: ConnectionDraft,
    context: { readonly principal: Principal; readonly current?: CascadedStore },
  ): Promise<Connection>;
  /** What the server of a store says of itself: its layers by name, and one of them whole. */
  loadCapabilities(store: CascadedStore, loadLayer: string | null): Promise<Capabilities>;
  /** One of its layers as its capabilities tell of it, which are not asked for each time anew. */
  layer(store: CascadedStore, name: string): Promise<RemoteLayer>;
  /** What it answers to a question at the address of its capabilities, or at one that these name. */
  query(
    store: CascadedStore,
    question: RemoteQuery,
    accept: string,
    maxBytes: number,
    signal: AbortSignal,
    /** Statuses by which it answers that nothing is there. */
    nothingBy?: readonly number[],
  ): Promise<RemoteResponse>;
  /** Brings a picture that it has answered with onto the grid of a map. */
  warp(picture: WarpInput, signal: AbortSignal): Promise<PictureWindow>;
  /** Why the server does not answer as it should; undefined if it does. It does not take long. */
  findConnectionProblem(name: string, service: CascadedService, connection: Connection): Promise<Problem | undefined>;
  /** Tells whoever runs this server of a store that was saved although its server does not answer. */
  reportUnreachable(store: CascadedStore, why: Problem): Promise<void>;
  /** The same for a request that must leave no trace: no store is switched off. */
  toDryRun(): RemoteServers;
}

export function openRemoteServers(options: RemoteServersOptions): RemoteServers {
  const { unreachable, deadlineMs, probeMs } = options;
  const doNothing = async () => undefined;
  const remembered = new Map<string, CachedLayer>();

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
        const found = await ask();
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
            throw problem('remote-map-failed', { layer: name, reason: 'it has no such layer any more' });
          }
          return layer;
        }),
      query: (store, question, accept, maxBytes, signal, nothingBy = []) =>
        requestStore(store, () => fetchRemote(options, store, question, { accept, maxBytes, nothingBy }, signal)),
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
