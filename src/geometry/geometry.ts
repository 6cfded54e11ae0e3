/** A geometry in memory: flat ordinates, cheap to fill, to measure and to hand on. */

/** In the order of their numbers in WKB. */
export const geometryTypes = [
  'Geometry',
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
] as const;

export type GeometryType = (typeof geometryTypes)[number];

/** By its name in any case, such as `MULTIPOLYGON`; undefined for a name of none of them. */
export function findGeometryType(name: string): GeometryType | undefined {
  return geometryTypes.find((type) => type.toLowerCase() === name.toLowerCase());
}

/** Which ordinates a geometry column has beside x and y. */
export type Dimension = 'XY' | 'XYZ' | 'XYM' | 'XYZM';

/**
 * `ordinates` holds all positions one after the other, 2 to 4 numbers each by `dimension`. `ends` says where each ring or
 * line ends, counted in positions; `parts` says where each polygon ends, counted in rings. A Point or MultiPoint has
 * neither. A collection has `members` and nothing else.
 */
export interface Geometry {
  readonly type: Exclude<GeometryType, 'Geometry'>;
  readonly dimension: Dimension;
  readonly ordinates: Float64Array;
  readonly ends: readonly number[];
  readonly parts: readonly number[];
  readonly members?: readonly Geometry[];
}
