/** Where a layer group lies: what its parts say together. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { findResourceById } from './any-resource.ts';
import type { Layer } from './layer.ts';
import { getBoundsCrs } from './resource.ts';

export interface GroupBounds extends Bounds {
  /** A code that is known, such as `EPSG:4326`. */
  readonly crs: string;
}

/** Where something lies. */
export interface Extent {
  /** Null where nothing in it has a box. */
  readonly bounds: GroupBounds | null;
  /** In longitude and latitude, for groups that hold it beside what is in another system. */
  readonly latLonBounds: Bounds | null;
}

const LONGITUDE_LATITUDE = 'EPSG:4326';

export async function getExtent(
  reader: CatalogReader,
  part: Layer | (Extent & { readonly kind: 'layerGroup' }),
): Promise<Extent> {
  if (part.kind === 'layerGroup') {
    return part;
  }
  const resource = await findResourceById(reader, part.parent ?? '');
  if (resource === undefined) {
    return { bounds: null, latLonBounds: null };
  }
  const { code: crs } = getBoundsCrs(resource);
  const { nativeBounds, latLonBounds } = resource;
  return { bounds: nativeBounds === null || crs === undefined ? null : { ...nativeBounds, crs }, latLonBounds };
}

/** In the system that all of them have in common, else in longitude and latitude. */
export function mergeExtents(extents: readonly Extent[]): Extent {
  const latLonBounds = mergeBounds(extents.map((extent) => extent.latLonBounds).filter((bounds) => bounds !== null));
  const own = extents.map(({ bounds }) => bounds);
  const placed = own.filter((bounds) => bounds !== null);
  const [crs, ...others] = new Set(placed.map((bounds) => bounds.crs));
  const together = mergeBounds(placed);
  if (crs !== undefined && others.length === 0 && together !== null && placed.length === own.length) {
    return { bounds: { ...together, crs }, latLonBounds };
  }
  return { bounds: latLonBounds && { ...latLonBounds, crs: LONGITUDE_LATITUDE }, latLonBounds };
}

function mergeBounds(boxes: readonly Bounds[]): Bounds | null {
  return boxes.length === 0
    ? null
    : {
        minX: boxes.reduce((least, { minX }) => Math.min(least, minX), Number.POSITIVE_INFINITY),
        minY: boxes.reduce((least, { minY }) => Math.min(least, minY), Number.POSITIVE_INFINITY),
        maxX: boxes.reduce((greatest, { maxX }) => Math.max(greatest, maxX), Number.NEGATIVE_INFINITY),
        maxY: boxes.reduce((greatest, { maxY }) => Math.max(greatest, maxY), Number.NEGATIVE_INFINITY),
      };
}
