/** Converts the extents of layers from degrees to the CRS of a tile matrix set. */
import { type Bounds, intersectBounds } from '../../crs/bounds.ts';
import { convertDegreesToMercator } from '../../crs/web-mercator.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import type { TileMatrixSet } from '../../tiles/tile-matrix-set.ts';

/** Returns undefined for a box outside the extent of the set. */
export type ConvertToGrid = (degrees: Bounds) => Bounds | undefined;

const geographic = { code: 'EPSG:4326' };

/**
 * National systems are defined near their country only. The box is therefore reduced to the extent of the set before
 * it is projected: a layer of the whole world covers the whole set.
 */
export async function createGridConversion({ crs, extent }: TileMatrixSet): Promise<ConvertToGrid> {
  if (crs.code === 'EPSG:3857') return (degrees) => intersectBounds(convertDegreesToMercator(degrees), extent);
  const [toDegrees, toGrid] = [await createReprojection(crs, geographic), await createReprojection(geographic, crs)];
  if (toDegrees === undefined || toGrid === undefined) return (degrees) => intersectBounds(degrees, extent);
  const area = toDegrees.reprojectBounds(extent);
  if (area === undefined) return () => extent;
  return (degrees) => {
    const common = intersectBounds(degrees, area);
    if (common === undefined) return undefined;
    const placed = covers(common, area) ? extent : (toGrid.reprojectBounds(common) ?? extent);
    return intersectBounds(placed, extent);
  };
}

function covers(one: Bounds, other: Bounds): boolean {
  return one.minX <= other.minX && one.minY <= other.minY && one.maxX >= other.maxX && one.maxY >= other.maxY;
}
