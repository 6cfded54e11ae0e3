/** GML element names of geometry types. */
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
