/** The shape types by number. */
import type { GeometryType } from '../../../geometry/geometry.ts';

export type ShapeForm = 'point' | 'multipoint' | 'polyline' | 'polygon';

export interface ShapeType {
  readonly form: ShapeForm;
  readonly hasZ: boolean;
  /** Measures are mandatory in M types and optional in Z types. */
  readonly hasM: boolean;
}

export const NULL_SHAPE = 0;
export const MULTI_PATCH = 31;

/** A measure below this value means no data. */
export const NO_MEASURE = -1e38;

const forms: Readonly<Record<number, ShapeForm>> = { 1: 'point', 3: 'polyline', 5: 'polygon', 8: 'multipoint' };

/** Returns undefined for unknown numbers, null shapes and multipatches. */
export function findShapeType(number: number): ShapeType | undefined {
  const form = forms[number % 10];
  if (form === undefined || number < 1 || number > 28) return undefined;
  return { form, hasZ: number > 10 && number < 20, hasM: number > 20 };
}

/** Files do not distinguish single from multi geometries, so the multi type is used. */
export function toGeometryType(form: ShapeForm): Exclude<GeometryType, 'Geometry'> {
  switch (form) {
    case 'point':
      return 'Point';
    case 'multipoint':
      return 'MultiPoint';
    case 'polyline':
      return 'MultiLineString';
    case 'polygon':
      return 'MultiPolygon';
  }
}
