/** The box of a layer group as a client sends it. */
import type { Bounds } from '../../crs/bounds.ts';
import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import type { Extent } from '../kinds/group-bounds.ts';
import type { LayerGroup } from '../kinds/layer-group.ts';
import { resolveSrs } from '../kinds/resource-draft.ts';

/** A box as a client sends it, perhaps without a system. */
export interface InputBounds extends Bounds {
  readonly crs: string | null;
}

/** What a client says of the box; undefined for nothing. Before the change, since systems are looked up elsewhere. */
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

/** There are clients that mix the sides of every box up: nobody can know what was meant. */
function isInverted({ minX, minY, maxX, maxY }: InputBounds): boolean {
  return minX > maxX || minY > maxY;
}

export function collectBoundsWarnings(box: InputBounds | null | undefined): readonly string[] {
  return box == null || !isInverted(box)
    ? []
    : ['The box ends before it begins, and is passed over: that of the layers is computed instead.'];
}
