/** The built-in style that draws a type for which nobody has chosen another. */

import type { BuiltInName } from '../../styling/built-in/built-in-names.ts';
import type { FeatureType } from '../feature-types/feature-type.ts';

/** Points, lines and polygons have a style of their own; mixed geometries the generic one; tables without any, none. */
export function styleForGeometry(type: Pick<FeatureType, 'attributes'>): BuiltInName | null {
  const geometry = type.attributes.find((attribute) => attribute.kind === 'geometry');
  if (geometry?.kind !== 'geometry') {
    return null;
  }
  switch (geometry.type) {
    case 'Point':
    case 'MultiPoint':
      return 'point';
    case 'LineString':
    case 'MultiLineString':
      return 'line';
    case 'Polygon':
    case 'MultiPolygon':
      return 'polygon';
    case 'Geometry':
    case 'GeometryCollection':
      return 'generic';
  }
}
