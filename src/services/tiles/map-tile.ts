/** Reads a tile of a layer or group from the cache, or draws and caches it. The caller has checked access. */

import type { StyleReference } from '../../catalog/kinds/style.ts';
import type { SharedWork } from '../../lib/async/shared-work.ts';
import type { TileCache } from '../../tiles/cache/tile-cache.ts';
import type { CachedTile } from '../../tiles/cache/tile-file.ts';
import type { TileKey } from '../../tiles/cache/tile-key.ts';
import type { TileAddress, TileBytes, TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import { listStyledLayers, type PublishedMap, type StyledLayer } from '../access/published-map.ts';
import { hasFeatureTiles, isDrawable } from '../maps/drawable-layers.ts';
import type { MapServices } from '../maps/map-services.ts';
import { createBlockAround, createSingleTileBlock, type TileBlock } from './tile-block.ts';
import { type TileFormat, tileFormats } from './tile-format.ts';
import type { TileOptions } from './tile-options.ts';
import { computeTileRecipe, isMadeOfOtherLayers, resolveTileCachePolicy } from './tile-recipe.ts';

export interface TileServices extends MapServices {
  readonly tileCache: TileCache;
  /** Tiles that are being drawn, some in blocks. */
  readonly tilesUnderWay: SharedWork<readonly TileBytes[]>;
}

export interface TileEnvironment {
  readonly services: TileServices;
  /** Aborted when the client disconnects. */
  readonly signal: () => AbortSignal;
  readonly now: () => Date;
}

export interface MapTile {
  readonly map: PublishedMap;
  /** The style of a layer, or the name of a group style; null for the default. */
  readonly style: StyleReference | null;
  readonly set: TileMatrixSet;
  readonly address: TileAddress;
  readonly format: TileFormat;
  readonly wishes: TileOptions;
}

/** A tile with its cache key and recipe. */
export interface PreparedTile {
  readonly tile: MapTile;
  readonly layers: readonly StyledLayer[];
  /** The cache key, lifetime and recipe; undefined if the tile is not cached. */
  readonly keeping: { readonly place: TileKey; readonly recipe: string; readonly cachedMs: number } | undefined;
  /** The cache lifetime for clients; undefined if not configured. */
  readonly maxAgeSeconds: number | undefined;
  /** Whether later requests can use it; not if it reads other layers, whose content belongs to one request. */
  readonly isRepeatable?: false;
  /** Sent with every response to the same request. */
  readonly warnings?: readonly string[];
}

export interface RenderedTile {
  /** Empty for an empty vector tile. */
  readonly bytes: Uint8Array;
  readonly isKept: boolean;
  readonly isIncomplete: boolean;
}

export async function prepareTile(services: TileServices, tile: MapTile): Promise<PreparedTile> {
  const { map, style, set, address, format, wishes } = tile;
  const layers = listStyledLayers(map, style);
  const { cachedMs, maxAgeSeconds } = await resolveTileCachePolicy(services, layers, wishes.layer);
  const written = { ...wishes.written.layer, ...(format.isVector ? {} : wishes.written.look) };
  const styled = format.isVector ? [] : layers;
  if (await isMadeOfOtherLayers(services, styled, written)) {
    return { tile, layers, maxAgeSeconds, keeping: undefined, isRepeatable: false };
  }
  if (cachedMs === undefined) return { tile, layers, maxAgeSeconds, keeping: undefined };
  const level = { map: getMapId(map), set: set.id, format: format.name, level: address.level };
  const place = { ...level, ...address, generation: await services.tileCache.readGeneration(level) };
  const recipe = await computeTileRecipe(services.catalog, layers, !format.isVector, written);
  return { tile, layers, maxAgeSeconds, keeping: { place, recipe, cachedMs } };
}

/** Returns undefined if the tile is not in memory or not cached. */
export function findTileInMemory({ tileCache }: TileServices, { keeping }: PreparedTile): CachedTile | undefined {
  return keeping && tileCache.findInMemory(keeping.place, keeping.recipe, keeping.cachedMs);
}

export async function loadOrDrawTile(
  world: TileEnvironment,
  { tile, layers, keeping }: PreparedTile,
): Promise<RenderedTile> {
  const { tileCache, tilesUnderWay } = world.services;
  const { set, address, format } = tile;
  if (keeping === undefined) {
    const made = await drawTiles(world, tile, layers, createSingleTileBlock(address));
    return toRenderedTile(made, address);
  }
  const { place, recipe, cachedMs } = keeping;
  const kept = await tileCache.find(place, recipe, cachedMs);
  if (kept !== undefined) return { bytes: kept.bytes, isKept: true, isIncomplete: false };
  const block = format.isVector
    ? createSingleTileBlock(address)
    : createBlockAround(set, address, tile.wishes.pixelRatio);
  const made = await tilesUnderWay.share(
    JSON.stringify([place.map, set.id, format.name, place.generation, block, recipe]),
    world.signal(),
    async (ended) => {
      const tiles = await drawTiles({ ...world, signal: () => ended }, tile, layers, block);
      // Writing to disk is not awaited.
      for (const { address: written, bytes, isIncomplete } of tiles) {
        if (isIncomplete !== true) void tileCache.write({ ...place, ...written }, recipe, bytes);
      }
      return tiles;
    },
  );
  return toRenderedTile(made, address);
}

function toRenderedTile(made: readonly TileBytes[], { row, column }: TileAddress): RenderedTile {
  const found = made.find(({ address }) => address.row === row && address.column === column);
  if (found === undefined) throw new Error('The block of tiles does not contain the requested tile');
  return { bytes: found.bytes, isKept: false, isIncomplete: found.isIncomplete === true };
}

/** Lists the tile formats of a map: images, and vector tiles if a layer has them. */
export function listTileFormats(map: PublishedMap): readonly TileFormat[] {
  const isPicture = isDrawn(map);
  const hasFeatures = listStyledLayers(map, null).some(({ layer }) => hasFeatureTiles(layer));
  return tileFormats.filter(({ isVector }) => (isVector ? hasFeatures : isPicture));
}

/** Returns whether all its layers can be drawn. */
export function isDrawn(map: PublishedMap): boolean {
  return listStyledLayers(map, null).every(({ layer }) => isDrawable(layer));
}

export function getMapId(map: PublishedMap): string {
  return map.kind === 'layer' ? map.layer.id : map.group.id;
}

/** Caches the module: a repeated import costs a noticeable part of a small tile. */
let vectorTiles: Promise<typeof import('./vector-map-tile.ts')> | undefined;

async function drawTiles(
  { services, signal, now }: TileEnvironment,
  { set, address, format, wishes }: MapTile,
  layers: readonly StyledLayer[],
  block: TileBlock,
): Promise<readonly TileBytes[]> {
  if (format.name === 'mvt') {
    vectorTiles ??= import('./vector-map-tile.ts');
    const { createVectorTile: vectorMapTile } = await vectorTiles;
    const wanted = { layers, wishes: wishes.layer, set, address, now: now() };
    return [{ address, ...(await vectorMapTile(services, wanted, signal())) }];
  }
  const { drawPictureTiles: pictureTiles } = await import('./picture-map-tile.ts');
  return pictureTiles(services, { layers, wishes, set, block, format: format.name, now: now() }, signal());
}
