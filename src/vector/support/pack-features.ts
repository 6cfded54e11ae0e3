/** Packs features for rendering. */

import type { StyleValue } from '../../filter/evaluate/evaluate.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { freeBytes } from '../../lib/files/free-bytes.ts';
import { type FeatureBatch, LINES, POINTS, POLYGONS, SHAPE_FIELDS, type ShapeKind } from '../port/packed-features.ts';
import type { Attribute, Feature } from '../port/port.ts';

/** The indexes of the values to pack. */
export interface PackedColumns {
  readonly geometries: readonly number[];
  readonly values: readonly number[];
  readonly hasIds: boolean;
  /** The positions in `values` of dates without a time; defaults to none. */
  readonly dates?: ReadonlySet<number>;
}

/** Returns the positions of the names that are dates without a time. */
export function findDates(
  names: readonly string[],
  attributes: readonly Pick<Attribute, 'name' | 'type'>[],
): ReadonlySet<number> {
  const dates = new Set(attributes.filter(({ type }) => type === 'date').map(({ name }) => name));
  return new Set([...names.keys()].filter((place) => dates.has(names[place] ?? '')));
}

export function packFeatures(
  features: readonly Feature[],
  { geometries, values, hasIds, dates }: PackedColumns,
): FeatureBatch {
  const packer = new FeaturePacker(values.length, hasIds, dates);
  for (const feature of features) {
    packer.startFeature(feature.id);
    for (const [column, place] of values.entries()) packer.addValue(column, feature.values[place]);
    for (const [slot, place] of geometries.entries()) packer.addGeometry(findGeometry(feature.values, place), slot);
  }
  return packer.flush();
}

/** The maximum number of features and positions per batch; a single larger geometry is allowed. */
const MOST_FEATURES = 4_096;
const MOST_POSITIONS = 65_536;

/** The first batch is small and each next one twice as large, so that rendering starts early. */
const FIRST_POSITIONS = 16_384;

/** Packs features in sequence: a feature is started, then receives its values and shapes. */
export class FeaturePacker {
  /** Alternating x and y; the caller of `startShape` writes the positions here. */
  ordinates = new Float64Array();
  #ends = new Uint32Array();
  #isOuter = new Uint8Array();
  #shapes = new Uint32Array();
  #columns: StyleValue[][];
  #ids: string[] | undefined;
  readonly #dates: ReadonlySet<number>;
  #count = 0;
  #positions = 0;
  #rings = 0;
  #packed = 0;
  #mostPositions = FIRST_POSITIONS;
  /** The initial capacity, based on the previous batch. */
  #usual = { positions: 1_024, rings: 256, shapes: 256 };

  /** `dates` are the columns of dates without a time. */
  constructor(columns: number, hasIds: boolean, dates: ReadonlySet<number> = new Set()) {
    this.#columns = Array.from({ length: columns }, () => []);
    this.#ids = hasIds ? [] : undefined;
    this.#dates = dates;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Whether the batch is large enough. */
  get isFull(): boolean {
    return this.#count >= MOST_FEATURES || this.#positions >= this.#mostPositions;
  }

  startFeature(id: string): void {
    this.#count += 1;
    this.#ids?.push(id);
  }

  addValue(column: number, value: Feature['values'][number] | undefined): void {
    this.#columns[column]?.push(toStyleValue(value, value instanceof Date && this.#dates.has(column)));
  }

  /** Reserves space for positions and rings; returns the offset in `ordinates`. */
  startShape(kind: ShapeKind, slot: number, positions: number, rings: number): number {
    const usual = this.#usual;
    this.ordinates = ensureCapacity(
      this.ordinates,
      (this.#positions + positions) * 2,
      usual.positions * 2,
      Float64Array,
    );
    this.#ends = ensureCapacity(this.#ends, this.#rings + rings, usual.rings, Uint32Array);
    this.#isOuter = ensureCapacity(this.#isOuter, this.#rings + rings, usual.rings, Uint8Array);
    this.#shapes = ensureCapacity(
      this.#shapes,
      (this.#packed + 1) * SHAPE_FIELDS,
      usual.shapes * SHAPE_FIELDS,
      Uint32Array,
    );
    const at = this.#packed * SHAPE_FIELDS;
    this.#shapes[at] = this.#count - 1;
    this.#shapes[at + 1] = slot;
    this.#shapes[at + 2] = kind;
    this.#shapes[at + 3] = this.#rings;
    this.#shapes[at + 4] = this.#rings + rings;
    this.#packed += 1;
    return this.#positions * 2;
  }

  /** Assigns the next positions of the shape to a ring, line or point group. */
  addRing(positions: number, isOuter: boolean): void {
    this.#positions += positions;
    this.#ends[this.#rings] = this.#positions;
    this.#isOuter[this.#rings] = isOuter ? 1 : 0;
    this.#rings += 1;
  }

  addGeometry(geometry: Geometry | undefined, slot: number): void {
    if (geometry === undefined) return;
    for (const member of geometry.members ?? []) this.addGeometry(member, slot);
    const { ordinates, dimension, ends, parts } = geometry;
    const size = dimension.length;
    const positions = ordinates.length / size;
    if (positions === 0) return;
    const start = this.startShape(getShapeKind(geometry), slot, positions, Math.max(1, ends.length));
    if (size === 2) this.ordinates.set(ordinates, start);
    else {
      for (let from = 0, to = start; from < ordinates.length; from += size, to += 2) {
        this.ordinates[to] = ordinates[from] ?? 0;
        this.ordinates[to + 1] = ordinates[from + 1] ?? 0;
      }
    }
    if (ends.length === 0) this.addRing(positions, true);
    let before = 0;
    for (let ring = 0, part = 0; ring < ends.length; ring += 1) {
      // Parts mark the ends of polygons, and so the starts of the next.
      const isOuter = ring === 0 || ring === parts[part];
      if (ring > 0 && isOuter) part += 1;
      const end = ends[ring] ?? before;
      this.addRing(end - before, isOuter);
      before = end;
    }
  }

  /** Returns the batch and resets the packer. */
  flush(): FeatureBatch {
    const batch: FeatureBatch = {
      count: this.#count,
      ordinates: this.ordinates.subarray(0, this.#positions * 2),
      ends: this.#ends.subarray(0, this.#rings),
      isOuter: this.#isOuter.subarray(0, this.#rings),
      shapes: this.#shapes.subarray(0, this.#packed * SHAPE_FIELDS),
      columns: this.#columns.map(packNumbers),
      ids: this.#ids,
    };
    this.#mostPositions = Math.min(MOST_POSITIONS, this.#mostPositions * 2);
    this.#usual = { positions: this.#positions, rings: this.#rings, shapes: this.#packed };
    this.ordinates = new Float64Array();
    this.#ends = new Uint32Array();
    this.#isOuter = new Uint8Array();
    this.#shapes = new Uint32Array();
    this.#columns = this.#columns.map(() => []);
    this.#ids = this.#ids && [];
    this.#count = 0;
    this.#positions = 0;
    this.#rings = 0;
    this.#packed = 0;
    return batch;
  }
}

function ensureCapacity<A extends Float64Array | Uint32Array | Uint8Array>(
  list: A,
  length: number,
  usual: number,
  make: new (length: number) => A,
): A {
  if (length <= list.length) return list;
  const longer = new make(Math.max(length, list.length * 2, usual));
  longer.set(list);
  freeBytes(list);
  return longer;
}

function findGeometry(values: Feature['values'], place: number): Geometry | undefined {
  const value = values[place];
  return typeof value === 'object' && value !== null && 'ordinates' in value ? value : undefined;
}

function getShapeKind({ type }: Geometry): ShapeKind {
  if (type === 'Polygon' || type === 'MultiPolygon') return POLYGONS;
  return type === 'LineString' || type === 'MultiLineString' ? LINES : POINTS;
}

/** A purely numeric column is transferred; texts and missing values are copied. */
function packNumbers(values: readonly StyleValue[]): readonly StyleValue[] | Float64Array {
  return values.every((value) => typeof value === 'number') ? Float64Array.from(values as number[]) : values;
}

const MIDNIGHT = 'T00:00:00.000Z';

/** Converts to style values: dates and moments become text. */
export function toStyleValue(value: Feature['values'][number] | undefined, isDate: boolean): StyleValue {
  if (value instanceof Date) return isDate ? value.toISOString().slice(0, -MIDNIGHT.length) : value.toISOString();
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'object' || value === undefined ? null : value;
}
