/** A feature with the nested structure of a schema: a tree of properties that never changes. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { QualifiedName } from './mapping.ts';

export const XLINK = 'http://www.w3.org/1999/xlink';
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** A property, or the object in one: an element of the document that it may become. */
export interface ComplexProperty {
  readonly name: QualifiedName;
  /** What a document has as `gml:id`. */
  readonly id?: string;
  /** The type that was asked for where the schema leaves a choice. */
  readonly type?: QualifiedName;
  /** Absent where there are children, or nothing at all. */
  readonly value?: PropertyValue;
  readonly children: readonly ComplexProperty[];
  /** What becomes XML attributes, such as `xlink:href`. */
  readonly attributes: readonly PropertyAttribute[];
}

export interface PropertyAttribute {
  readonly name: QualifiedName;
  readonly value: string;
}

export interface ComplexFeature extends ComplexProperty {
  readonly id: string;
  /** The geometry that a map draws. */
  readonly geometry?: GeometryValue;
}

export type PropertyValue = string | number | boolean | GeometryValue;

export type GeometryValue = {
  /** The system that the coordinates are in, as the source or the mapping names it. */
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

/** As it is written: `gml:name`. */
export function formatQualifiedName({ prefix, local }: QualifiedName): string {
  return prefix === '' ? local : `${prefix}:${local}`;
}
