/** The extent of a layer group: the union of the extents of its parts. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { findResourceById } from './any-resource.ts';
import type { Layer } from './layer.ts';
import { getBoundsCrs } from './resource.ts';

export interface GroupBounds extends Bounds {
  /** A supported code, such as `EPSG:4326`. */
  readonly crs: string;
}

/** The extent of a layer or group. */
export interface Extent {
  /** Null if no part has bounds. */
  readonly bounds: GroupBounds | null;
  /** In longitude and latitude, for groups that contain it together with parts in another CRS. */
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

/** Returns the union in the CRS that all extents share, otherwise in longitude and latitude. */
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
