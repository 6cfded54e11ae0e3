/** The forms of geometries by the names that GML has for them. */
import type { GeometryType } from '../geometry.ts';

export const geometryTypesByGmlForm: Readonly<Record<string, GeometryType>> = {
  Point: 'Point',
  LineString: 'LineString',
  Curve: 'LineString',
  Polygon: 'Polygon',
  Surface: 'Polygon',
  MultiPoint: 'MultiPoint',
  MultiLineString: 'MultiLineString',
  MultiCurve: 'MultiLineString',
  MultiPolygon: 'MultiPolygon',
  MultiSurface: 'MultiPolygon',
  MultiGeometry: 'GeometryCollection',
  Geometry: 'Geometry',
  GeometricPrimitive: 'Geometry',
};
