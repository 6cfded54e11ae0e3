/** The tiles to truncate for a box. */
import type { Bounds } from '../../../crs/bounds.ts';
import type { TileRange } from '../../../tiles/cache/tile-key.ts';
import { findTilesInBounds, getMatrix, type TileMatrixSet } from '../../../tiles/tile-matrix-set.ts';
import type { EffectiveTileSettings } from '../../tiles/tile-offer.ts';

/** Tiles that are drawn together are truncated together, because they share labels. */
export function listAreas(
  set: TileMatrixSet,
  bounds: Bounds,
  { metaWidthHeight: [across, down] }: Pick<EffectiveTileSettings, 'metaWidthHeight'>,
  { minLevel = 0, maxLevel = set.matrices.length - 1 }: { readonly minLevel?: number; readonly maxLevel?: number } = {},
): NonNullable<TileRange['areas']> {
  return set.matrices.flatMap((_, level) => {
    const tiles = level < minLevel || level > maxLevel ? undefined : findTilesInBounds(set, level, bounds);
    if (tiles === undefined) return [];
    const { columns, rows } = getMatrix(set, level);
    return [
      {
        level,
        minColumn: tiles.minColumn - (tiles.minColumn % across),
        maxColumn: Math.min(columns - 1, tiles.maxColumn + across - 1 - (tiles.maxColumn % across)),
        minRow: tiles.minRow - (tiles.minRow % down),
        maxRow: Math.min(rows - 1, tiles.maxRow + down - 1 - (tiles.maxRow % down)),
      },
    ];
  });
}
