/** Determines the bounds of a resource after a change: as sent, derived from other fields, or from the data. */
import { isDeepStrictEqual } from 'node:util';
import type { Bounds } from '../../crs/bounds.ts';
import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import { getBoundsCrs, type Resource } from '../kinds/resource.ts';
import { mergeValue, type ResourceDraft } from '../kinds/resource-draft.ts';

/** The result of clearing a lat/lon box that is not recomputed: no box, or one of zeros. */
export type EmptiedLatLonBox = 'none' | 'zeros';

const zeros: Bounds = { minX: 0, minY: 0, maxX: 0, maxY: 0 };

/** Returns whether the bounds come from the data; `asked` is the request of the client, undefined if none. */
export function shouldComputeNativeBounds(
  resource: Resource,
  draft: ResourceDraft,
  { isOtherData, asked }: { readonly isOtherData: boolean; readonly asked: boolean | undefined },
): boolean {
  const isSent = hasNewBounds(draft.nativeBounds, resource.nativeBounds, isOtherData);
  return asked ?? ((isOtherData || isDeclarationChanged(resource, draft)) && !isSent);
}

/** Returns the lat/lon bounds of a resource whose other fields are already changed. */
export async function mergeLatLonBounds(
  resource: Resource,
  changed: Resource,
  draft: ResourceDraft,
  options: {
    readonly isOtherData: boolean;
    readonly asked: boolean | undefined;
    readonly emptied: EmptiedLatLonBox;
  },
): Promise<Bounds | null> {
  const { nativeBounds } = changed;
  // Clients that read a cleared box as zeros send these back with other changes.
  const isReplaceable = options.isOtherData || isDeepStrictEqual(resource.latLonBounds, zeros);
  const computes =
    options.asked ??
    (!hasNewBounds(draft.latLonBounds, resource.latLonBounds, isReplaceable) &&
      (!isDeepStrictEqual(getBoundsCrs(changed), getBoundsCrs(resource)) ||
        isDeclarationChanged(resource, draft) ||
        !isDeepStrictEqual(nativeBounds, resource.nativeBounds)));
  if (!computes) {
    const isZeros = draft.latLonBounds === null && options.emptied === 'zeros';
    return isZeros ? zeros : mergeValue(draft.latLonBounds, resource.latLonBounds);
  }
  return (
    (nativeBounds === null ? undefined : await computeGeographicBounds(nativeBounds, getBoundsCrs(changed))) ?? null
  );
}

/** Returns whether the client sent new bounds; those that are replaceable do not count when sent back unchanged. */
function hasNewBounds(sent: Bounds | null | undefined, current: Bounds | null, isReplaceable: boolean): boolean {
  return sent != null && !(isReplaceable && isDeepStrictEqual(sent, current));
}

function isDeclarationChanged(resource: Resource, draft: ResourceDraft): boolean {
  return (
    mergeValue(draft.srs, resource.srs) !== resource.srs ||
    (draft.projectionPolicy ?? resource.projectionPolicy) !== resource.projectionPolicy
  );
}
