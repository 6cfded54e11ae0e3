/** A geometry in memory with flat ordinates, which are cheap to create, measure and pass on. */

/** In the order of their WKB codes. */
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

/** Finds a type by its case-insensitive name, such as `MULTIPOLYGON`. */
export function findGeometryType(name: string): GeometryType | undefined {
  return geometryTypes.find((type) => type.toLowerCase() === name.toLowerCase());
}

/** The ordinates of a geometry column. */
export type Dimension = 'XY' | 'XYZ' | 'XYM' | 'XYZM';

/**
 * `ordinates` contains all positions, 2 to 4 numbers each depending on `dimension`. `ends` contains the end of each
 * ring or line in positions; `parts` contains the end of each polygon in rings. A Point or MultiPoint has neither. A
 * collection has only `members`.
 */
export interface Geometry {
  readonly type: Exclude<GeometryType, 'Geometry'>;
  readonly dimension: Dimension;
  readonly ordinates: Float64Array;
  readonly ends: readonly number[];
  readonly parts: readonly number[];
  readonly members?: readonly Geometry[];
}
