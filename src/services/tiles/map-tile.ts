/** A tile of a layer or group: taken from what is kept, or made and kept. Whoever asks was let in before. */

import type { StyleReference } from '../../catalog/kinds/style.ts';
import type { SharedWork } from '../../lib/async/shared-work.ts';
import type { TileCache } from '../../tiles/cache/tile-cache.ts';
import type { CachedTile } from '../../tiles/cache/tile-file.ts';
import type { TileKey } from '../../tiles/cache/tile-key.ts';
import type { TileAddress, TileBytes, TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import { listStyledLayers, type PublishedMap, type StyledLayer } from '../access/published-map.ts';
import type { MapServices } from '../maps/map-services.ts';
import { hasFeatureTiles, isDrawable } from './drawable-layers.ts';
import { createBlockAround, createSingleTileBlock, type TileBlock } from './tile-block.ts';
import { type TileFormat, tileFormats } from './tile-format.ts';
import type { TileOptions } from './tile-options.ts';
import { computeTileRecipe, resolveTileCachePolicy } from './tile-recipe.ts';

export interface TileServices extends MapServices {
  readonly tileCache: TileCache;
  /** Tiles that are being made, some of them together. */
  readonly tilesUnderWay: SharedWork<readonly TileBytes[]>;
}

export interface TileEnvironment {
  readonly services: TileServices;
  /** Given when the client is gone. */
  readonly signal: () => AbortSignal;
  readonly now: () => Date;
}

export interface MapTile {
  readonly map: PublishedMap;
  /** Of a layer a style, of a group the name of one of its own; null for the default one. */
  readonly style: StyleReference | null;
  readonly set: TileMatrixSet;
  readonly address: TileAddress;
  readonly format: TileFormat;
  readonly wishes: TileOptions;
}

/** A tile with all that is to be known before it is made or found. */
export interface PreparedTile {
  readonly tile: MapTile;
  readonly layers: readonly StyledLayer[];
  /** Where it is kept, for how long, and under which recipe; undefined where it is not. */
  readonly keeping: { readonly place: TileKey; readonly recipe: string; readonly cachedMs: number } | undefined;
  /** For how long clients may keep it without asking; undefined where nobody said so. */
  readonly maxAgeSeconds: number | undefined;
}

export interface RenderedTile {
  /** None for a vector tile in which nothing is seen. */
  readonly bytes: Uint8Array;
  readonly isKept: boolean;
}

export async function prepareTile(services: TileServices, tile: MapTile): Promise<PreparedTile> {
  const { map, style, set, address, format, wishes } = tile;
  const layers = listStyledLayers(map, style);
  const { cachedMs, maxAgeSeconds } = await resolveTileCachePolicy(services, layers, wishes.layer);
  if (cachedMs === undefined) return { tile, layers, maxAgeSeconds, keeping: undefined };
  const level = { map: getMapId(map), set: set.id, format: format.name, level: address.level };
  const place = { ...level, ...address, generation: await services.tileCache.readGeneration(level) };
  const written = { ...wishes.written.layer, ...(format.isVector ? {} : wishes.written.look) };
  const recipe = await computeTileRecipe(services.catalog, layers, !format.isVector, written);
  return { tile, layers, maxAgeSeconds, keeping: { place, recipe, cachedMs } };
}

/** Undefined where it is not in memory, or not kept. */
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
    return { bytes: getTileBytes(made, address), isKept: false };
  }
  const { place, recipe, cachedMs } = keeping;
  const kept = await tileCache.find(place, recipe, cachedMs);
  if (kept !== undefined) return { bytes: kept.bytes, isKept: true };
  const block = format.isVector ? createSingleTileBlock(address) : createBlockAround(set, address);
  const made = await tilesUnderWay.share(
    JSON.stringify([place.map, set.id, format.name, place.generation, block, recipe]),
    world.signal(),
    async (ended) => {
      const tiles = await drawTiles({ ...world, signal: () => ended }, tile, layers, block);
      // Nobody waits for the disk.
      for (const each of tiles) void tileCache.write({ ...place, ...each.address }, recipe, each.bytes);
      return tiles;
    },
  );
  return { bytes: getTileBytes(made, address), isKept: false };
}

function getTileBytes(made: readonly TileBytes[], { row, column }: TileAddress): Uint8Array {
  const found = made.find(({ address }) => address.row === row && address.column === column);
  if (found === undefined) throw new Error('A block of tiles is without the one that it was made for');
  return found.bytes;
}

/** The formats in which there are tiles of something: pictures of what is on maps, and features where a layer gives any. */
export function listTileFormats(map: PublishedMap): readonly TileFormat[] {
  const isPicture = isDrawn(map);
  const hasFeatures = listStyledLayers(map, null).some(({ layer }) => hasFeatureTiles(layer));
  return tileFormats.filter(({ isVector }) => (isVector ? hasFeatures : isPicture));
}

/** Whether maps are drawn of all of it. */
export function isDrawn(map: PublishedMap): boolean {
  return listStyledLayers(map, null).every(({ layer }) => isDrawable(layer));
}

export function getMapId(map: PublishedMap): string {
  return map.kind === 'layer' ? map.layer.id : map.group.id;
}

/** Once it is loaded: to look a module up again takes a part of what a small tile takes. */
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
    const wanted = { layers, wishes: wishes.layer, now: now() };
    return [{ address, bytes: await vectorMapTile(services, wanted, set, address, signal()) }];
  }
  const { drawPictureTiles: pictureTiles } = await import('./picture-map-tile.ts');
  return pictureTiles(services, { layers, wishes, now: now() }, set, block, format.name, signal());
}
