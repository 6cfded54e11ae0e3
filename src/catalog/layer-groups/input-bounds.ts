/** The bounding box of a layer group as a client sends it. */
import type { Bounds } from '../../crs/bounds.ts';
import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
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
  const crs = await resolveSrs(box.crs ?? current?.crs ?? 'EPSG:4326', 'layerGroup.bounds.crs');
  const bounds = { minX, minY, maxX, maxY };
  return { bounds: { ...bounds, crs }, latLonBounds: (await computeGeographicBounds(bounds, { code: crs })) ?? null };
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
