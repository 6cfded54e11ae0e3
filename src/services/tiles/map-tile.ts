/** Reads a tile of a layer or group from the cache, or draws and caches it. The caller has checked access. */

import type { StyleReference } from '../../catalog/kinds/style.ts';
import type { SharedWork } from '../../lib/async/shared-work.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { TileCache, TileGenerations } from '../../tiles/cache/tile-cache.ts';
import type { CachedTile } from '../../tiles/cache/tile-file.ts';
import type { TileKey } from '../../tiles/cache/tile-key.ts';
import type { TileFormat } from '../../tiles/tile-format.ts';
import { getMatrix, type TileAddress, type TileBytes, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import { listStyledLayers, type PublishedMap, type StyledLayer } from '../access/published-map.ts';
import type { MapServices } from '../maps/map-services.ts';
import { tagTileParameters } from './parameter-tags.ts';
import { pixelRatioParameter } from './pixel-ratio.ts';
import { getMapId } from './possible-formats.ts';
import { readStoredTile } from './stored-picture-tile.ts';
import { createBlockAround, createSingleTileBlock, type TileBlock } from './tile-block.ts';
import { describeDrawing, loadTileDrawing, type TileDrawing } from './tile-drawing.ts';
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
  readonly drawing: TileDrawing;
  /** The cache key, lifetime and recipe; undefined if the tile is not cached. */
  readonly keeping:
    | {
        readonly place: TileKey;
        readonly generations: TileGenerations;
        readonly recipe: string;
        readonly cachedMs: number;
      }
    | undefined;
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
  /** When it was cached; undefined if it was drawn for this request. */
  readonly madeAtMs: number | undefined;
  readonly isIncomplete: boolean;
}

export async function prepareTile(services: TileServices, tile: MapTile): Promise<PreparedTile> {
  const { map, style, set, address, format, wishes } = tile;
  if (!format.isVector) checkPictureSize(tile);
  const layers = listStyledLayers(map, style);
  const drawing = await loadTileDrawing(services.catalog, tile);
  const { cachedMs, maxAgeSeconds } = await resolveTileCachePolicy(services, layers, wishes.layer, drawing);
  const written = {
    ...wishes.written.layer,
    ...(format.isVector ? {} : { ...wishes.written.look, ...describeDrawing(drawing) }),
  };
  const styled = format.isVector ? [] : layers;
  if (await isMadeOfOtherLayers(services, styled, written)) {
    return { tile, layers, drawing, maxAgeSeconds, keeping: undefined, isRepeatable: false };
  }
  if (cachedMs === undefined) return { tile, layers, drawing, maxAgeSeconds, keeping: undefined };
  const parameters = tagTileParameters(style, wishes, format);
  const level = { map: getMapId(map), set: set.key, format: format.name, level: address.level, parameters };
  const generations = await services.tileCache.readGenerations(level);
  const place = { ...level, ...address, generation: generations.find(address) };
  const recipe = await computeTileRecipe(services.catalog, layers, !format.isVector, written);
  return { tile, layers, drawing, maxAgeSeconds, keeping: { place, generations, recipe, cachedMs } };
}

/** A larger picture takes more memory than drawing one map may. */
const MAX_PICTURE_SIDE = 4_096;

function checkPictureSize({ set, address, wishes }: MapTile): void {
  const matrix = getMatrix(set, address.level);
  const side = Math.max(matrix.tileWidth, matrix.tileHeight);
  if (side * wishes.pixelRatio <= MAX_PICTURE_SIDE) return;
  throw problem('ows-parameter-invalid', {
    parameter: pixelRatioParameter.name,
    value: String(wishes.pixelRatio),
    expected: `expected at most ${Math.floor(MAX_PICTURE_SIDE / side)} for tiles of ${side} pixels`,
    field: pixelRatioParameter.name,
  });
}

/** Returns undefined if the tile is not in memory or not cached. */
export function findTileInMemory({ tileCache }: TileServices, { keeping }: PreparedTile): CachedTile | undefined {
  return keeping && tileCache.findInMemory(keeping.place, keeping.recipe, keeping.cachedMs);
}

export async function loadOrDrawTile(
  world: TileEnvironment,
  { tile, layers, drawing, keeping }: PreparedTile,
): Promise<RenderedTile> {
  const { tileCache, tilesUnderWay } = world.services;
  const { set, address, format } = tile;
  if (keeping === undefined) {
    const stored = await readStoredTile(world.services, tile, layers, world.signal());
    if (stored !== undefined) return { bytes: stored, madeAtMs: undefined, isIncomplete: false };
    const made = await drawTiles(world, { tile, layers, drawing }, createSingleTileBlock(address));
    return toRenderedTile(made, address);
  }
  const { place, generations, recipe, cachedMs } = keeping;
  const kept = await tileCache.find(place, recipe, cachedMs);
  if (kept !== undefined) return { ...kept, isIncomplete: false };
  const stored = await readStoredTile(world.services, tile, layers, world.signal());
  if (stored !== undefined) {
    void tileCache.write(place, recipe, stored);
    return { bytes: stored, madeAtMs: undefined, isIncomplete: false };
  }
  const block = format.isVector
    ? createSingleTileBlock(address)
    : createBlockAround(set, address, { ...drawing, pixelRatio: tile.wishes.pixelRatio });
  const made = await tilesUnderWay.share(
    JSON.stringify([place.map, set.key, format.name, generations.last, place.parameters, block, recipe]),
    world.signal(),
    async (ended) => {
      const tiles = await drawTiles({ ...world, signal: () => ended }, { tile, layers, drawing }, block);
      // Writing to disk is not awaited.
      for (const { address: written, bytes, isIncomplete } of tiles) {
        const generation = generations.find(written);
        if (isIncomplete !== true) void tileCache.write({ ...place, ...written, generation }, recipe, bytes);
      }
      return tiles;
    },
  );
  return toRenderedTile(made, address);
}

function toRenderedTile(made: readonly TileBytes[], { row, column }: TileAddress): RenderedTile {
  const found = made.find(({ address }) => address.row === row && address.column === column);
  if (found === undefined) throw new Error('The block of tiles does not contain the requested tile');
  return { bytes: found.bytes, madeAtMs: undefined, isIncomplete: found.isIncomplete === true };
}

/** Caches the module: a repeated import costs a noticeable part of a small tile. */
let vectorTiles: Promise<typeof import('./vector-map-tile.ts')> | undefined;

async function drawTiles(
  { services, signal, now }: TileEnvironment,
  { tile: { set, address, format, wishes }, layers, drawing }: Pick<PreparedTile, 'tile' | 'layers' | 'drawing'>,
  block: TileBlock,
): Promise<readonly TileBytes[]> {
  if (format.name === 'mvt') {
    vectorTiles ??= import('./vector-map-tile.ts');
    const { createVectorTile: vectorMapTile } = await vectorTiles;
    const wanted = { layers, wishes: wishes.layer, set, address, now: now() };
    return [{ address, ...(await vectorMapTile(services, wanted, signal())) }];
  }
  const { drawPictureTiles: pictureTiles } = await import('./picture-map-tile.ts');
  return pictureTiles(
    services,
    { layers, wishes, set, block, gutter: drawing.gutter, format: format.name, now: now() },
    signal(),
  );
}
