/**
 * Features on their way to whoever paints them: coordinates one after the other in a few long arrays, which change hands
 * between threads at no cost, and only those values that a style looks at.
 */
import type { Transferable } from 'node:worker_threads';
import type { StyleValue } from '../data/filter/evaluate.ts';
import type { Geometry } from '../data/vector/geometry.ts';
import type { Feature } from '../data/vector/port.ts';

export interface FeatureBatch {
  readonly count: number;
  /** x and y by turns. */
  readonly ordinates: Float64Array;
  /** Where each ring, line or group of points ends, counted in positions. */
  readonly ends: Uint32Array;
  /** Whether a ring is the first of its polygon; holes follow it. */
  readonly isOuter: Uint8Array;
  /** A geometry is `SHAPE_FIELDS` numbers. */
  readonly shapes: Uint32Array;
  /** The values of each attribute that is looked at, feature by feature. */
  readonly columns: readonly (readonly StyleValue[] | Float64Array)[];
  readonly ids: readonly string[] | undefined;
}

/** The place of its feature in the batch, which of the geometries of that it is, its kind, and where its rings begin and end. */
export const SHAPE_FIELDS = 5;

export const POINTS = 0;
export const LINES = 1;
export const POLYGONS = 2;
export type ShapeKind = typeof POINTS | typeof LINES | typeof POLYGONS;

/** Where in the values of a feature is what has to be packed. */
export interface PackedPlaces {
  readonly geometries: readonly number[];
  readonly values: readonly number[];
  readonly hasIds: boolean;
}

export function packFeatures(features: readonly Feature[], places: PackedPlaces): FeatureBatch {
  const sizes = { positions: 0, rings: 0, shapes: 0 };
  for (const { values } of features) {
    for (const place of places.geometries) measure(geometryAt(values, place), sizes);
  }
  const batch = {
    count: features.length,
    ordinates: new Float64Array(sizes.positions * 2),
    ends: new Uint32Array(sizes.rings),
    isOuter: new Uint8Array(sizes.rings),
    shapes: new Uint32Array(sizes.shapes * SHAPE_FIELDS),
    columns: places.values.map((place) => columnOf(features, place)),
    ids: places.hasIds ? features.map(({ id }) => id) : undefined,
  };
  const packing: Packing = { ...batch, positions: 0, rings: 0, packed: 0 };
  for (const [index, { values }] of features.entries()) {
    for (const [slot, place] of places.geometries.entries()) pack(packing, geometryAt(values, place), index, slot);
  }
  return batch;
}

/** What a thread is given rather than a copy of it. */
export function transferredParts({ ordinates, ends, isOuter, shapes, columns }: FeatureBatch): Transferable[] {
  const numbers = columns.filter((column) => column instanceof Float64Array);
  return [ordinates, ends, isOuter, shapes, ...numbers].map(({ buffer }) => buffer as ArrayBuffer);
}

function geometryAt(values: Feature['values'], place: number): Geometry | undefined {
  const value = values[place];
  return typeof value === 'object' && value !== null && 'ordinates' in value ? value : undefined;
}

function measure(geometry: Geometry | undefined, sizes: { positions: number; rings: number; shapes: number }): void {
  if (geometry === undefined) return;
  for (const member of geometry.members ?? []) measure(member, sizes);
  if (geometry.ordinates.length === 0) return;
  sizes.positions += geometry.ordinates.length / geometry.dimension.length;
  sizes.rings += Math.max(1, geometry.ends.length);
  sizes.shapes += 1;
}

type Packing = {
  -readonly [K in keyof FeatureBatch]: FeatureBatch[K];
} & { positions: number; rings: number; packed: number };

function pack(packing: Packing, geometry: Geometry | undefined, feature: number, slot: number): void {
  if (geometry === undefined) return;
  for (const member of geometry.members ?? []) pack(packing, member, feature, slot);
  const { ordinates, dimension, ends, parts } = geometry;
  if (ordinates.length === 0) return;
  const first = packing.positions;
  const size = dimension.length;
  if (size === 2) packing.ordinates.set(ordinates, first * 2);
  else {
    for (let from = 0, to = first * 2; from < ordinates.length; from += size, to += 2) {
      packing.ordinates[to] = ordinates[from] ?? 0;
      packing.ordinates[to + 1] = ordinates[from + 1] ?? 0;
    }
  }
  packing.positions += ordinates.length / size;
  const firstRing = packing.rings;
  if (ends.length === 0) packing.ends[packing.rings++] = packing.positions;
  for (let ring = 0; ring < ends.length; ring += 1) packing.ends[packing.rings++] = first + (ends[ring] ?? 0);
  packing.isOuter[firstRing] = 1;
  for (let part = 0; part + 1 < parts.length; part += 1) packing.isOuter[firstRing + (parts[part] ?? 0)] = 1;
  const at = packing.packed * SHAPE_FIELDS;
  packing.shapes[at] = feature;
  packing.shapes[at + 1] = slot;
  packing.shapes[at + 2] = kindOf(geometry);
  packing.shapes[at + 3] = firstRing;
  packing.shapes[at + 4] = packing.rings;
  packing.packed += 1;
}

function kindOf({ type }: Geometry): ShapeKind {
  if (type === 'Polygon' || type === 'MultiPolygon') return POLYGONS;
  return type === 'LineString' || type === 'MultiLineString' ? LINES : POINTS;
}

/** A column of numbers alone changes hands; texts and what is missing are copied. */
function columnOf(features: readonly Feature[], place: number): readonly StyleValue[] | Float64Array {
  const values = features.map((feature) => styleValue(feature.values[place]));
  return values.every((value) => typeof value === 'number') ? Float64Array.from(values as number[]) : values;
}

/** What styles compute with: moments are texts. */
function styleValue(value: Feature['values'][number] | undefined): StyleValue {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'object' || value === undefined ? null : value;
}
