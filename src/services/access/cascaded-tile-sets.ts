/** Places areas of maps in the tile sets of a cascaded WMTS layer. */

import type { RemoteTileMatrix, RemoteTileSet } from '../../cascade/capabilities.ts';
import { type NamedCrs, readCrsName } from '../../crs/axis-order.ts';
import { type Bounds, intersectBounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import { resolveMapSystem } from '../../rendering/shapes/map-area.ts';

export interface AreaInTiles {
  readonly set: RemoteTileSet;
  /** The CRS of the tiles. */
  readonly system: { readonly code: string };
  readonly metresPerUnit: number;
  readonly isNorthFirst: boolean;
  /** In the CRS of the tiles. */
  readonly box: Bounds;
  /** The part of the box inside the layer. */
  readonly seen: Bounds;
}

/** Uses the CRS of the map if the layer has tiles in it; undefined for areas without tiles. */
export async function locateInTiles(
  { bounds, crs }: { readonly bounds: Bounds; readonly crs: CrsReference },
  sets: readonly RemoteTileSet[],
  degrees: Bounds | null,
): Promise<AreaInTiles | undefined> {
  const known: { readonly set: RemoteTileSet; readonly named: NamedCrs }[] = [];
  for (const set of sets) {
    const named = await readCrsName(set.system, 'as-authority');
    if (named !== undefined) known.push({ set, named });
  }
  const chosen = known.find(({ named }) => named.code === crs.code) ?? known[0];
  if (chosen === undefined) return undefined;
  const { set, named } = chosen;
  const system = { code: named.code };
  const reprojection = await createReprojection(crs, system);
  const box = reprojection === undefined ? bounds : reprojection.reprojectBounds(bounds);
  if (box === undefined) return undefined;
  const seen = await clipToLayer(box, system, degrees);
  if (seen === undefined) return undefined;
  const { metresPerUnit } = await resolveMapSystem(system);
  return { set, system, metresPerUnit, isNorthFirst: named.isNorthFirst, box, seen };
}

/** Many servers return an error for tiles beyond the extent of the layer. */
async function clipToLayer(box: Bounds, system: CrsReference, degrees: Bounds | null): Promise<Bounds | undefined> {
  if (degrees === null) return box;
  const reprojection = await createReprojection({ code: 'EPSG:4326' }, system);
  const layer = reprojection === undefined ? degrees : reprojection.reprojectBounds(degrees);
  if (layer === undefined) return box;
  return intersectBounds(box, layer);
}

/** A tile matrix in units of its CRS. */
export interface TileGrid {
  readonly matrix: RemoteTileMatrix;
  /** The pixel size, and the upper left corner with x before y. */
  readonly cell: number;
  readonly corner: readonly [number, number];
}

const PIXEL_METRES = 0.000_28;

export function computeTileGrid(
  matrix: RemoteTileMatrix,
  { metresPerUnit, isNorthFirst }: Pick<AreaInTiles, 'metresPerUnit' | 'isNorthFirst'>,
): TileGrid {
  const [one, other] = matrix.corner;
  return {
    matrix,
    cell: (matrix.scaleDenominator * PIXEL_METRES) / metresPerUnit,
    corner: isNorthFirst ? [other, one] : [one, other],
  };
}
