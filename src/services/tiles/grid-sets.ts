/** The tile matrix sets that layers offer. */
import { findTileMatrixSet } from '../../catalog/grid-sets/find-set.ts';
import { readOfferedNames } from '../../catalog/grid-sets/offered-names.ts';
import { tileLayerKind } from '../../catalog/kinds/tile-layer.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { defaultSets } from '../../tiles/default-sets.ts';
import type { TileMatrixSet } from '../../tiles/tile-matrix-set.ts';

/** Lists the default sets and those of the settings of WMTS. */
export async function listDefaultSets(catalog: CatalogReader): Promise<readonly TileMatrixSet[]> {
  const names = await readOfferedNames(catalog);
  if (names.length === 0) return defaultSets;
  // An undo can remove a set that is still offered.
  const found = await Promise.all(names.map((name) => findTileMatrixSet(catalog, name)));
  return [...new Set([...defaultSets, ...found.filter((set) => set !== undefined)])];
}

/** Lists also those that the tile settings of layers contain. */
export async function listUsedSets(catalog: CatalogReader): Promise<readonly TileMatrixSet[]> {
  const names = await catalog.listKeyValues(tileLayerKind, 'gridSet', {});
  const found = await Promise.all(names.map((name) => findTileMatrixSet(catalog, name)));
  return [...new Set([...(await listDefaultSets(catalog)), ...found.filter((set) => set !== undefined)])];
}
