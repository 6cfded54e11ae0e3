/** How the tile settings of a layer affect one tile: blocks, gutters and lifetimes. */
import type { CatalogReader } from '../../records/catalog.ts';
import { findExpiration, type MetaTiles } from '../../tiles/settings/tile-settings.ts';
import type { TileAddress, TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import type { PublishedMap } from '../access/published-map.ts';
import { getMapId } from './possible-formats.ts';
import { findOfferedSet, loadTileSettings } from './tile-offer.ts';
import type { TileLifetimes } from './tile-recipe.ts';

export interface TileDrawing extends TileLifetimes {
  /** The columns and rows of tiles that are drawn together. */
  readonly metaTiles: MetaTiles;
  /** Pixels around these tiles that are drawn and cut off. */
  readonly gutter: number;
}

interface DrawnTile {
  readonly map: PublishedMap;
  readonly set: TileMatrixSet;
  readonly address: TileAddress;
}

export async function loadTileDrawing(
  catalog: CatalogReader,
  { map, set, address: { level } }: DrawnTile,
): Promise<TileDrawing> {
  const settings = await loadTileSettings(catalog, getMapId(map));
  const offered = settings.gridSubsets && (await findOfferedSet(catalog, map, set));
  return {
    metaTiles: settings.metaWidthHeight,
    gutter: settings.gutter,
    cacheSeconds: findExpiration(settings.expireCache, settings.expireCacheList, level),
    clientSeconds: findExpiration(settings.expireClients, settings.expireClientsList, level),
    isCachedLevel: offered === undefined || (level >= offered.minCachedLevel && level <= offered.maxCachedLevel),
  };
}

/** The block that existing tiles were drawn in: they stay valid. */
const USUAL_META_TILES = '4x4';

/** Blocks and gutters change labels and symbols at edges, so that they are part of the recipe. */
export function describeDrawing({ metaTiles, gutter }: TileDrawing): Readonly<Record<string, string>> {
  const written = metaTiles.join('x');
  return {
    ...(written === USUAL_META_TILES ? {} : { 'meta tiles': written }),
    ...(gutter === 0 ? {} : { gutter: String(gutter) }),
  };
}
