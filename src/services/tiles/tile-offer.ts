/** The tiles that a layer or group offers: formats, and grid sets with their levels and extents. */
import { findTileMatrixSet } from '../../catalog/grid-sets/find-set.ts';
import { TILE_LAYER, tileLayerKind } from '../../catalog/kinds/tile-layer.ts';
import { readTileDefaults, type TileDefaults } from '../../catalog/tile-layers/tile-defaults.ts';
import { type Bounds, intersectBounds } from '../../crs/bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ZoomRange } from '../../lib/tile-archive/zoom-range.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { GridSubset, TileSettings } from '../../tiles/settings/tile-settings.ts';
import { findStoredLevels } from '../../tiles/stored-levels.ts';
import { findTileFormat, type TileFormat } from '../../tiles/tile-format.ts';
import {
  computeMatrixBounds,
  findTilesInBounds,
  getFinestLevel,
  getMatrix,
  hasName,
  type TileAddress,
  type TileMatrixSet,
  type TileRectangle,
} from '../../tiles/tile-matrix-set.ts';
import type { PublishedMap } from '../access/published-map.ts';
import { listDefaultSets } from './grid-sets.ts';
import { getMapId, listPossibleFormats } from './possible-formats.ts';

/** The settings of a layer, with the defaults of the server in place of absent ones. */
export type EffectiveTileSettings = TileSettings & TileDefaults['settings'];

/** A grid set of a layer, with the levels that it offers. */
export interface OfferedSet {
  readonly set: TileMatrixSet;
  readonly minLevel: number;
  readonly maxLevel: number;
  /** In the CRS of the set; undefined without a restriction. */
  readonly extent: Bounds | undefined;
  readonly minCachedLevel: number;
  readonly maxCachedLevel: number;
}

/** `id` is that of the layer or group. */
export async function loadTileSettings(catalog: CatalogReader, id: string): Promise<EffectiveTileSettings> {
  const [record, defaults] = await Promise.all([
    catalog.find(tileLayerKind, id, TILE_LAYER),
    readTileDefaults(catalog),
  ]);
  return record === undefined ? defaults.settings : { ...defaults.settings, ...record.settings };
}

export function offersFormat({ enabled, mimeFormats }: EffectiveTileSettings, format: TileFormat): boolean {
  return enabled && (mimeFormats === undefined || mimeFormats.some((each) => findTileFormat(each) === format));
}

/** Lists the formats that the layer can have and that its settings offer. */
export async function listTileFormats(catalog: CatalogReader, map: PublishedMap): Promise<readonly TileFormat[]> {
  const settings = await loadTileSettings(catalog, getMapId(map));
  return listPossibleFormats(map).filter((format) => offersFormat(settings, format));
}

/** The one place that decides which sets a layer or group offers. */
export async function listLayerGridSets(catalog: CatalogReader, map: PublishedMap): Promise<readonly OfferedSet[]> {
  const { gridSubsets } = await loadTileSettings(catalog, getMapId(map));
  const stored = map.kind === 'layer' ? map.resource.tileZooms : undefined;
  if (gridSubsets === undefined)
    return (await listDefaultSets(catalog)).map((set) => createOfferedSet(set, {}, stored));
  const offered: OfferedSet[] = [];
  for (const subset of gridSubsets) {
    // An undo can remove a set that is still offered.
    const set = await findTileMatrixSet(catalog, subset.gridSetName);
    const found = set && createOfferedSet(set, subset, stored);
    if (found !== undefined && found.minLevel <= found.maxLevel) offered.push(found);
  }
  return offered;
}

/**
 * The default levels are those of the stored tiles, or all. Levels beyond the finest of the set are those of other
 * servers, whose sets have more.
 */
export function createOfferedSet(
  set: TileMatrixSet,
  { zoomStart, zoomStop, ...subset }: Partial<GridSubset> = {},
  stored?: ZoomRange,
): OfferedSet {
  const finest = getFinestLevel(set);
  const { minLevel, maxLevel } =
    stored === undefined ? { minLevel: 0, maxLevel: finest } : findStoredLevels(set, stored);
  return {
    set,
    minLevel: zoomStart ?? Math.min(minLevel, zoomStop ?? finest),
    maxLevel: Math.min(zoomStop ?? Math.max(maxLevel, zoomStart ?? 0), finest),
    extent: subset.extent,
    minCachedLevel: subset.minCachedLevel ?? 0,
    maxCachedLevel: subset.maxCachedLevel ?? finest,
  };
}

/** Returns whether the layer offers all tiles of the set. */
export function isWholeSet({ set, minLevel, maxLevel, extent }: OfferedSet): boolean {
  return minLevel === 0 && maxLevel === getFinestLevel(set) && extent === undefined;
}

/** Returns the tiles of a level inside the box, as far as they are offered; undefined if there are none. */
export function findOfferedTiles(
  { set, minLevel, maxLevel, extent }: OfferedSet,
  level: number,
  box: Bounds,
): TileRectangle | undefined {
  if (level < minLevel || level > maxLevel) return undefined;
  const common = extent === undefined ? box : intersectBounds(box, extent);
  return common && findTilesInBounds(set, level, common);
}

export function isOfferedTile(offered: OfferedSet, { level, row, column }: TileAddress): boolean {
  const tiles = findOfferedTiles(offered, level, offered.extent ?? computeMatrixBounds(getMatrix(offered.set, level)));
  if (tiles === undefined) return false;
  const isColumn = column >= tiles.minColumn && column <= tiles.maxColumn;
  return isColumn && row >= tiles.minRow && row <= tiles.maxRow;
}

export async function findOfferedSet(
  catalog: CatalogReader,
  map: PublishedMap,
  set: TileMatrixSet,
): Promise<OfferedSet | undefined> {
  return (await listLayerGridSets(catalog, map)).find((each) => each.set.key === set.key);
}

export async function selectTileMatrixSet(
  catalog: CatalogReader,
  map: PublishedMap,
  name: string,
  field: string,
): Promise<OfferedSet> {
  const sets = await listLayerGridSets(catalog, map);
  const found = sets.find(({ set }) => hasName(set, name));
  if (found === undefined) throw problem('tile-grid-unknown', { name, known: listNames(sets), field });
  return found;
}

/** Lists the id of each set and the name that existing clients use. */
function listNames(sets: readonly OfferedSet[]): readonly string[] {
  return sets.flatMap(({ set: { id, otherNames } }) => [...new Set([id, otherNames[0] ?? id])]);
}

/** Rejects a tile that the set has and the layer does not offer. */
export function checkOfferedTile(
  offered: OfferedSet,
  { level, row, column }: TileAddress,
  fields: { readonly level: string; readonly row: string; readonly column: string },
): void {
  const { set, minLevel, maxLevel, extent } = offered;
  if (level < minLevel || level > maxLevel) {
    const known = set.matrices.slice(minLevel, maxLevel + 1).map(({ name }) => name);
    throw problem('tile-grid-unknown', { name: set.matrices[level]?.name ?? '', known, field: fields.level });
  }
  if (extent === undefined) return;
  const tiles = findTilesInBounds(set, level, extent);
  if (tiles === undefined || column < tiles.minColumn || column > tiles.maxColumn) {
    throw problem('tile-outside-extent', {
      set: set.id,
      value: column,
      ...toRange(tiles, 'Column'),
      field: fields.column,
    });
  }
  if (row < tiles.minRow || row > tiles.maxRow) {
    throw problem('tile-outside-extent', { set: set.id, value: row, ...toRange(tiles, 'Row'), field: fields.row });
  }
}

function toRange(tiles: TileRectangle | undefined, axis: 'Column' | 'Row') {
  return { least: tiles?.[`min${axis}`] ?? 0, most: tiles?.[`max${axis}`] ?? 0 };
}
