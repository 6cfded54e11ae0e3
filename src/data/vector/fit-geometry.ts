/** Makes a geometry one that its column takes: single ones become multiple ones of one part, and the reverse. */
import type { Geometry } from './geometry.ts';
import { Misfit } from './misfit.ts';
import type { Dimension, GeometryType } from './port.ts';

export interface GeometryForm {
  readonly type: GeometryType;
  /** Undefined where every one is taken. */
  readonly dimension?: Dimension;
}

export function fitGeometry(geometry: Geometry, form: GeometryForm): Geometry {
  const { type, dimension } = geometry;
  if (form.dimension !== undefined && form.dimension !== dimension) {
    throw new Misfit(`the geometry is ${dimension}, but the column takes ${form.dimension} only`);
  }
  if (form.type === 'Geometry' || form.type === type) return geometry;
  const fitted = form.type === `Multi${type}` ? asMultiple(geometry) : asSingle(geometry, form.type);
  if (fitted === undefined) throw new Misfit(`the geometry is a ${type}, but the column takes ${form.type} only`);
  return fitted;
}

function asMultiple(geometry: Geometry): Geometry | undefined {
  const { ordinates, ends } = geometry;
  const isEmpty = ordinates.length === 0;
  switch (geometry.type) {
    case 'Point':
      return { ...geometry, type: 'MultiPoint' };
    case 'LineString':
      return { ...geometry, type: 'MultiLineString', ends: isEmpty ? [] : ends };
    case 'Polygon':
      return { ...geometry, type: 'MultiPolygon', parts: isEmpty ? [] : [ends.length] };
    default:
      return undefined;
  }
}

function asSingle(geometry: Geometry, wanted: GeometryType): Geometry | undefined {
  if (geometry.type !== `Multi${wanted}`) return undefined;
  const { type, dimension, ordinates, ends, parts } = geometry;
  switch (type) {
    case 'MultiPoint':
      return ordinates.length === dimension.length ? { ...geometry, type: 'Point' } : undefined;
    case 'MultiLineString':
      return ends.length === 1 ? { ...geometry, type: 'LineString' } : undefined;
    case 'MultiPolygon':
      return parts.length === 1 ? { ...geometry, type: 'Polygon' } : undefined;
    default:
      return undefined;
  }
}
