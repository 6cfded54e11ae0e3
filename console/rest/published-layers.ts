/** The layers that services publish to the user, for users without the right to read the configuration. */
import { type RestResult, useRest } from './cache.ts';
import { callService, type RestReply, rest } from './client.ts';
import { RestProblem } from './problems.ts';
import type { BoundingBox } from './types.ts';

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

/** All layers of one workspace, or of all. */
export function usePublishedLayers(
  workspace: string | undefined,
  isWanted = true,
): RestResult<readonly PublishedLayer[]> {
  const service = workspace === undefined ? MAPS : `${encodeURIComponent(workspace)}/${MAPS}`;
  return useRest<readonly PublishedLayer[]>({ path: isWanted ? `${service}?f=json` : undefined, read: readLayers });
}

/** Whether the title or the name of a layer contains the text. */
export function matchesText({ workspace, name, title }: PublishedLayer, text: string): boolean {
  return `${workspace}:${name}\n${title}`.toLowerCase().includes(text.toLowerCase());
}

/** One layer, with its type. */
export function usePublishedLayer(qualifiedName: string | undefined): RestResult<LayerWithType> {
  const path = qualifiedName === undefined ? undefined : `${rest`${qualifiedName}`}#layer`;
  return useRest<LayerWithType>({ path, read: readLayer });
}

async function readLayers(path: string, signal: AbortSignal): Promise<RestReply<readonly PublishedLayer[]>> {
  const reply = await callService(path, { signal });
  const { collections } = (await reply.json()) as { readonly collections: readonly Collection[] };
  const workspace = path.startsWith(MAPS) ? undefined : decodeURIComponent(path.slice(0, path.indexOf('/')));
  return createReply(collections.map((each) => toLayer(each, workspace)));
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
