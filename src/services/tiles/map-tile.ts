/** A tile of a layer or group: taken from what is kept, or made and kept. Whoever asks was let in before. */

import type { StyleReference } from '../../catalog/styles/style.ts';
import type { TileCache } from '../../data/tiles/cache/tile-cache.ts';
import type { TileAddress, TileMatrixSet } from '../../data/tiles/tile-matrix-set.ts';
import type { SharedWork } from '../../lib/shared-work.ts';
import type { DoorServices } from '../door/door.ts';
import { layersOf, type PublishedMap, type StyledLayer } from '../door/published-map.ts';
import { givesFeatures } from './given-features.ts';
import { type TileFormat, vectorFormat } from './tile-format.ts';
import { keepingOf, recipeOf } from './tile-recipe.ts';

export interface TileServices extends DoorServices {
  readonly tileCache: TileCache;
  /** Tiles that are being made. */
  readonly tilesUnderWay: SharedWork<Uint8Array>;
}

export interface TileWorld {
  readonly services: TileServices;
  /** Given when the client is gone. */
  readonly signal: AbortSignal;
}

export interface MapTile {
  readonly map: PublishedMap;
  /** Of a layer a style, of a group the name of one of its own; null for the default one. */
  readonly style: StyleReference | null;
  readonly set: TileMatrixSet;
  readonly address: TileAddress;
  readonly format: TileFormat;
}

export interface MadeTile {
  /** None for a vector tile in which nothing is seen. */
  readonly bytes: Uint8Array;
  readonly isKept: boolean;
  /** For how long clients may keep it without asking; undefined where nobody said so. */
  readonly maxAgeSeconds: number | undefined;
}

export async function mapTile({ services, signal }: TileWorld, tile: MapTile): Promise<MadeTile> {
  const { map, style, set, address, format } = tile;
  const { catalog, tileCache, tilesUnderWay } = services;
  const layers = layersOf(map, style);
  const { cachedMs, maxAgeSeconds } = await keepingOf(services, layers);
  if (cachedMs === undefined) {
    return { bytes: await madeTile(services, tile, layers, signal), isKept: false, maxAgeSeconds };
  }
  const place = { map: idOf(map), set: set.id, format: format.name, ...address };
  const recipe = await recipeOf(catalog, layers, !format.isVector, {});
  const kept = await tileCache.find(place, recipe, cachedMs);
  if (kept !== undefined) return { bytes: kept.bytes, isKept: true, maxAgeSeconds };
  const bytes = await tilesUnderWay.share(JSON.stringify([place, recipe]), signal, async (ended) => {
    const begun = tileCache.generation();
    const made = await madeTile(services, tile, layers, ended);
    await tileCache.keep(place, recipe, made, begun);
    return made;
  });
  return { bytes, isKept: false, maxAgeSeconds };
}

/** The formats in which there are tiles of something. */
export function formatsOf(map: PublishedMap): readonly TileFormat[] {
  return layersOf(map, null).some(({ layer }) => givesFeatures(layer)) ? [vectorFormat] : [];
}

export function idOf(map: PublishedMap): string {
  return map.kind === 'layer' ? map.layer.id : map.group.id;
}

async function madeTile(
  services: TileServices,
  { set, address }: MapTile,
  layers: readonly StyledLayer[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { vectorMapTile } = await import('./vector-map-tile.ts');
  return vectorMapTile(services, layers, set, address, signal);
}
