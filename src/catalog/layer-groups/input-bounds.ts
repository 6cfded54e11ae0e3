/** The bounding box of a layer group as a client sends it. */
import type { Bounds } from '../../crs/bounds.ts';
import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import { isNoCrs, NO_CRS } from '../../crs/model/crs-code.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import type { Extent } from '../kinds/group-bounds.ts';
import type { LayerGroup } from '../kinds/layer-group.ts';
import { resolveSrs } from '../kinds/resource-draft.ts';

/** A box as a client sends it; the CRS is optional. */
export interface InputBounds extends Bounds {
  readonly crs: string | null;
}

/** Resolves the sent box; undefined without one. Called before the transaction, since the CRS lookup may read files. */
export async function resolveInputExtent(
  box: InputBounds | null | undefined,
  current: LayerGroup['bounds'],
): Promise<Extent | undefined> {
  if (box == null || isInverted(box)) {
    return undefined;
  }
  const { minX, minY, maxX, maxY } = box;
  const bounds = { minX, minY, maxX, maxY };
  const written = box.crs ?? current?.crs ?? 'EPSG:4326';
  // A box on a plane without a CRS has no place on the Earth.
  if (isNoCrs(written)) return { bounds: { ...bounds, crs: NO_CRS }, latLonBounds: null };
  const crs = await resolveSrs(written, 'layerGroup.bounds.crs');
  return { bounds: { ...bounds, crs }, latLonBounds: (await computeGeographicBounds(bounds, { code: crs })) ?? null };
}

/** Expresses a computed extent in the CRS that a client sent. */
export type PlaceExtent = (extent: Extent) => Extent;

/** For an inverted box: its CRS still applies to the computed one. Called before the transaction, too. */
export async function resolveComputedCrs(box: InputBounds | null | undefined): Promise<PlaceExtent> {
  if (box == null || box.crs === null || isNoCrs(box.crs) || !isInverted(box)) {
    return (extent) => extent;
  }
  const crs = await resolveSrs(box.crs, 'layerGroup.bounds.crs');
  const reprojection = await createReprojection({ code: 'EPSG:4326' }, { code: crs });
  return (extent) => {
    const { bounds, latLonBounds } = extent;
    if (latLonBounds === null || bounds?.crs === crs) {
      return extent;
    }
    const placed = reprojection === undefined ? latLonBounds : reprojection.reprojectBounds(latLonBounds);
    return placed === undefined ? extent : { bounds: { ...placed, crs }, latLonBounds };
  };
}

/** Some clients confuse the sides of the box, so an inverted box is ambiguous. */
function isInverted({ minX, minY, maxX, maxY }: InputBounds): boolean {
  return minX > maxX || minY > maxY;
}

export function collectBoundsWarnings(box: InputBounds | null | undefined): readonly string[] {
  return box == null || !isInverted(box)
    ? []
    : ['The bounds are ignored because a minimum exceeds its maximum. The bounds of the layers are used instead.'];
}
