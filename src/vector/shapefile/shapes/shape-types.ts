/** The kinds of shapes a file may hold, by their numbers. */
import type { GeometryType } from '../../../geometry/geometry.ts';

export type ShapeForm = 'point' | 'multipoint' | 'polyline' | 'polygon';

export interface ShapeType {
  readonly form: ShapeForm;
  readonly hasZ: boolean;
  /** Measures are always there in the M kinds, and may be in the Z kinds. */
  readonly hasM: boolean;
}

export const NULL_SHAPE = 0;
export const MULTI_PATCH = 31;

/** What a value below this is in a measure: none. */
export const NO_MEASURE = -1e38;

const forms: Readonly<Record<number, ShapeForm>> = { 1: 'point', 3: 'polyline', 5: 'polygon', 8: 'multipoint' };

/** Undefined for numbers that mean no kind of shape, nothing at all, or a multipatch. */
export function findShapeType(number: number): ShapeType | undefined {
  const form = forms[number % 10];
  if (form === undefined || number < 1 || number > 28) return undefined;
  return { form, hasZ: number > 10 && number < 20, hasM: number > 20 };
}

/** Files do not tell one line or polygon from several, so that the type must take them all. */
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
