/** A feature with the nested structure of a schema: an immutable tree of properties. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { QualifiedName } from './mapping.ts';

export const XLINK = 'http://www.w3.org/1999/xlink';
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** A property or the object in it, which corresponds to an XML element. */
export interface ComplexProperty {
  readonly name: QualifiedName;
  /** The `gml:id`. */
  readonly id?: string;
  /** The chosen type if the schema allows several. */
  readonly type?: QualifiedName;
  /** Absent if there are children or no content. */
  readonly value?: PropertyValue;
  readonly children: readonly ComplexProperty[];
  /** XML attributes such as `xlink:href`. */
  readonly attributes: readonly PropertyAttribute[];
}

export interface PropertyAttribute {
  readonly name: QualifiedName;
  readonly value: string;
}

export interface ComplexFeature extends ComplexProperty {
  readonly id: string;
  /** The default geometry. */
  readonly geometry?: GeometryValue;
}

export type PropertyValue = string | number | boolean | GeometryValue;

export type GeometryValue = {
  /** The CRS of the coordinates, as named by the source or the mapping. */
  readonly srsName?: string;
} & (
  | { readonly kind: 'geometry'; readonly geometry: Geometry; readonly id?: string }
  /** What is made of single numbers, which may have one dimension only: a position, two corners, or two ends. */
  | {
      readonly kind: 'position' | 'envelope' | 'line';
      readonly positions: readonly (readonly number[])[];
    }
);

export function isGeometryValue(value: unknown): value is GeometryValue {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind !== 'reference';
}

export function isSameName(one: QualifiedName, other: QualifiedName): boolean {
  return one.local === other.local && one.uri === other.uri;
}

/** Formats as `gml:name`. */
export function formatQualifiedName({ prefix, local }: QualifiedName): string {
  return prefix === '' ? local : `${prefix}:${local}`;
}
