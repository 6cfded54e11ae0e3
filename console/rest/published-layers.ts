/** The layers that services publish to the user, for users without the right to read the configuration. */
import { type RestResult, useRest } from './cache.ts';
import { callService, type RestReply, rest, withQuery } from './client.ts';
import { RestProblem } from './problems.ts';
import type { BoundingBox } from './types.ts';
import { addViewAs, splitViewAs } from './view-as.ts';

export interface PublishedLayer {
  readonly workspace: string;
  /** Without its workspace. */
  readonly name: string;
  readonly title: string;
  readonly abstract?: string;
  readonly latLonBoundingBox?: BoundingBox;
}

export interface LayerWithType extends PublishedLayer {
  readonly type: 'VECTOR' | 'RASTER';
}

interface Collection {
  readonly id: string;
  readonly title?: string;
  readonly description?: string;
  readonly extent?: { readonly spatial?: { readonly bbox?: readonly (readonly number[])[] } };
}

const MAPS = 'ogc/maps/v1/collections';

export interface PublishedLayers {
  readonly layers: readonly PublishedLayer[];
  readonly hasMore: boolean;
}

interface LayerSelection {
  /** Undefined for all. */
  readonly workspace?: string | undefined;
  /** A part of names or titles. */
  readonly q: string;
  /** At most `MAX_LAYERS`. */
  readonly limit: number;
  readonly isWanted?: boolean;
  /** Whose layers they are; by default, those of the user. */
  readonly viewAs?: string | undefined;
}

/** The server returns no more at once; others are found by their names. */
export const MAX_LAYERS = 1_000;

/** The first layers of one workspace or of all. */
export function usePublishedLayers({
  workspace,
  q,
  limit,
  isWanted = true,
  viewAs,
}: LayerSelection): RestResult<PublishedLayers> {
  const service = workspace === undefined ? MAPS : `${encodeURIComponent(workspace)}/${MAPS}`;
  const path = addViewAs(withQuery(service, { f: 'json', limit, q: q === '' ? undefined : q }), viewAs);
  return useRest<PublishedLayers>({ path: isWanted ? path : undefined, read: readLayers, keepsLast: true });
}

/** One layer, with its type. */
export function usePublishedLayer(qualifiedName: string | undefined): RestResult<LayerWithType> {
  const path = qualifiedName === undefined ? undefined : `${rest`${qualifiedName}`}#layer`;
  return useRest<LayerWithType>({ path, read: readLayer });
}

interface CollectionList {
  readonly collections: readonly Collection[];
  readonly links: readonly { readonly rel: string }[];
}

async function readLayers(key: string, signal: AbortSignal): Promise<RestReply<PublishedLayers>> {
  const { path, viewAs } = splitViewAs(key);
  const reply = await callService(path, { signal, viewAs });
  const { collections, links } = (await reply.json()) as CollectionList;
  const workspace = path.startsWith(MAPS) ? undefined : decodeURIComponent(path.slice(0, path.indexOf('/')));
  return createReply({
    layers: collections.map((each) => toLayer(each, workspace)),
    hasMore: links.some(({ rel }) => rel === 'next'),
  });
}

async function readLayer(path: string, signal: AbortSignal): Promise<RestReply<LayerWithType>> {
  const [id = ''] = path.split('#');
  const map = (await (await callService(`${MAPS}/${id}?f=json`, { signal })).json()) as Collection;
  return createReply({ ...toLayer(map, undefined), type: (await hasFeatures(id, signal)) ? 'VECTOR' : 'RASTER' });
}

async function hasFeatures(id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await callService(`ogc/features/v1/collections/${id}?f=json`, { signal });
    return true;
  } catch (error) {
    if (error instanceof RestProblem && error.status === 404) return false;
    throw error;
  }
}

/** Services of one workspace name its layers without it. */
function toLayer({ id, title, description, extent }: Collection, workspace: string | undefined): PublishedLayer {
  const [minx, miny, maxx, maxy] = extent?.spatial?.bbox?.[0] ?? [];
  const isPlaced = minx !== undefined && miny !== undefined && maxx !== undefined && maxy !== undefined;
  const colon = id.indexOf(':');
  return {
    workspace: colon < 0 ? (workspace ?? '') : id.slice(0, colon),
    name: id.slice(colon + 1),
    title: title ?? id,
    ...(description === undefined ? {} : { abstract: description }),
    ...(isPlaced ? { latLonBoundingBox: { minx, miny, maxx, maxy } } : {}),
  };
}

function createReply<T>(body: T): RestReply<T> {
  return { body, etag: null, change: null, total: null };
}
