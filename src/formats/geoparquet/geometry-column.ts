/** A column of geometries as WKB, and what the metadata says about all of them. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { encodeWkb } from '../../geometry/wkb-encode.ts';
import type { Value } from '../../vector/port/port.ts';
import { toWritableGeometry } from '../writing/writable-geometry.ts';

export class GeometryColumn {
  readonly name: string;
  readonly #types = new Set<string>();
  #bounds: Bounds | undefined;

  constructor(name: string) {
    this.name = name;
  }

  encode(
    value: Value | Geometry | undefined,
  ): { readonly wkb: Uint8Array; readonly box: Bounds | undefined } | undefined {
    const geometry = toWritableGeometry(value);
    if (geometry === null) return undefined;
    const plain = removeMeasures(geometry);
    const box = computeGeometryBounds(plain);
    this.#types.add(plain.dimension === 'XYZ' ? `${plain.type} Z` : plain.type);
    this.#bounds = mergeBounds(this.#bounds, box);
    return { wkb: encodeWkb(plain), box };
  }

  /** `crs` is PROJJSON, or null for an unknown system; undefined means longitude and latitude. */
  describe(crs: unknown, covering: string | undefined): Readonly<Record<string, unknown>> {
    const bounds = this.#bounds;
    const toPath = (side: string) => [covering, side];
    return {
      encoding: 'WKB',
      geometry_types: [...this.#types].sort(),
      ...(crs === undefined ? {} : { crs }),
      ...(bounds === undefined ? {} : { bbox: [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY] }),
      ...(covering === undefined
        ? {}
        : {
            covering: {
              bbox: { xmin: toPath('xmin'), ymin: toPath('ymin'), xmax: toPath('xmax'), ymax: toPath('ymax') },
            },
          }),
    };
  }
}

/** GeoParquet has no measures. */
function removeMeasures(geometry: Geometry): Geometry {
  const { dimension, ordinates, members } = geometry;
  if (members !== undefined) {
    const plain = members.map(removeMeasures);
    const haveHeights = plain.every((member) => member.dimension === 'XYZ');
    return { ...geometry, dimension: haveHeights && plain.length > 0 ? 'XYZ' : 'XY', members: plain };
  }
  if (dimension === 'XY' || dimension === 'XYZ') return geometry;
  const size = dimension.length;
  return {
    ...geometry,
    dimension: dimension === 'XYM' ? 'XY' : 'XYZ',
    ordinates: ordinates.filter((_, index) => index % size < size - 1),
  };
}
