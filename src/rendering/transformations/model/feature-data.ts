/** Reads and writes the packed features of transformations. */
import type { StyleValue } from '../../../filter/evaluate/evaluate.ts';
import { toNumber } from '../../../filter/evaluate/evaluate.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { countPositions, fromSimpleParts, toSimpleParts } from '../../../geometry/simple-parts.ts';
import {
  type FeatureBatch,
  LINES,
  POINTS,
  POLYGONS,
  SHAPE_FIELDS,
  type ShapeKind,
} from '../../../vector/port/packed-features.ts';
import type { Feature, FeatureTypeDescription } from '../../../vector/port/port.ts';
import { FeaturePacker } from '../../../vector/support/pack-features.ts';
import { FeatureCursor, findFirstShape } from '../../rules/feature-cursor.ts';
import { createProjector } from '../../shapes/projector.ts';
import { type FeatureData, findGeometryAttribute, listValueNames, type TransformedMap } from './transformed-data.ts';

/** Writes features in sequence. */
export class FeatureWriter {
  readonly #description: FeatureTypeDescription;
  readonly #columns: readonly string[];
  readonly #packer: FeaturePacker;
  readonly #batches: FeatureBatch[] = [];

  /** Writes the values of all attributes, or of some of them. */
  constructor(description: FeatureTypeDescription, hasIds: boolean, columns = listValueNames(description)) {
    this.#description = description;
    this.#columns = columns;
    this.#packer = new FeaturePacker(columns.length, hasIds);
  }

  /** The values are in the order of the columns. */
  add(id: string, values: readonly StyleValue[], geometry: Geometry | undefined): void {
    this.#start(id, values);
    this.#packer.addGeometry(geometry, 0);
  }

  /** Adds a point, or a line of alternating x and y. */
  addPositions(kind: typeof POINTS | typeof LINES, values: readonly StyleValue[], positions: ArrayLike<number>): void {
    this.#start('', values);
    const count = positions.length / 2;
    const start = this.#packer.startShape(kind, 0, count, 1);
    for (let at = 0; at < positions.length; at += 1) this.#packer.ordinates[start + at] = positions[at] ?? 0;
    this.#packer.addRing(count, true);
  }

  finish(): FeatureData {
    if (!this.#packer.isEmpty) this.#batches.push(this.#packer.flush());
    return { kind: 'features', description: this.#description, columns: this.#columns, batches: this.#batches };
  }

  #start(id: string, values: readonly StyleValue[]): void {
    if (this.#packer.isFull) this.#batches.push(this.#packer.flush());
    this.#packer.startFeature(id);
    for (const [column, value] of values.entries()) this.#packer.addValue(column, value);
  }
}

/** A feature of the input. */
export interface InputFeature {
  readonly id: string;
  getValue(name: string): StyleValue;
  values(): Readonly<Record<string, StyleValue>>;
  getGeometry(): Geometry | undefined;
}

/** Visits each feature; the same object moves from one to the next. */
export function forEachFeature(data: FeatureData, visit: (feature: InputFeature) => void): void {
  const geometry = data.description.defaultGeometry ?? '';
  const cursor = new FeatureCursor({ values: data.columns, geometries: [geometry] });
  let batch: FeatureBatch | undefined;
  const feature: InputFeature = {
    get id() {
      return batch?.ids?.[cursor.index] ?? '';
    },
    getValue: (name) => cursor.getValue(name),
    values: () => cursor.values(),
    getGeometry: () => cursor.getGeometry(geometry),
  };
  for (const each of data.batches) {
    batch = each;
    for (let index = 0; index < each.count; index += 1) {
      cursor.moveTo(each, index);
      visit(feature);
    }
  }
}

/** Copies the features with other geometries; omits those for which `change` returns null. */
export function changeGeometries(
  data: FeatureData,
  description: FeatureTypeDescription,
  change: (feature: InputFeature) => Geometry | undefined | null,
): FeatureData {
  const writer = new FeatureWriter(description, hasIds(data), data.columns);
  forEachFeature(data, (feature) => {
    const geometry = change(feature);
    if (geometry !== null) writer.add(feature.id, readColumns(data, feature), geometry);
  });
  return writer.finish();
}

/** Returns null for an empty geometry, so that its feature is omitted. */
export function omitEmpty(geometry: Geometry | null): Geometry | null {
  return geometry === null || countPositions(geometry) === 0 ? null : geometry;
}

export function readColumns({ columns }: FeatureData, feature: InputFeature): readonly StyleValue[] {
  return columns.map((name) => feature.getValue(name));
}

export function hasIds({ batches }: FeatureData): boolean {
  return batches.some(({ ids }) => ids !== undefined);
}

export function countFeatures({ batches }: FeatureData): number {
  return batches.reduce((sum, { count }) => sum + count, 0);
}

/** Returns x and y of each feature, in the CRS of the map; NaN for features without a position on the map. */
export async function projectCentroids(data: FeatureData, map: TransformedMap): Promise<Float64Array> {
  const centroids = new Float64Array(countFeatures(data) * 2).fill(Number.NaN);
  let first = 0;
  for (const batch of data.batches) {
    const { shapes } = batch;
    for (let shape = 0; shape < shapes.length / SHAPE_FIELDS; ) {
      const index = shapes[shape * SHAPE_FIELDS] ?? 0;
      let last = shape + 1;
      while (shapes[last * SHAPE_FIELDS] === index) last += 1;
      const [x, y] = computeCentroid(batch, shape, last);
      centroids[(first + index) * 2] = x;
      centroids[(first + index) * 2 + 1] = y;
      shape = last;
    }
    first += batch.count;
  }
  const project = await createProjector(findGeometryAttribute(data.description)?.crs ?? {}, map.crs);
  if (project === undefined) return centroids;
  const projected = new Float64Array(centroids.length);
  project(centroids, 0, centroids.length, projected);
  return projected;
}

/** Returns the numbers of an attribute; NaN for other values. */
export function readNumbers(data: FeatureData, name: string): Float64Array {
  const numbers = new Float64Array(countFeatures(data));
  const column = data.columns.indexOf(name);
  let at = 0;
  for (const { columns, count } of data.batches) {
    const values = columns[column];
    for (let index = 0; index < count; index += 1, at += 1) {
      numbers[at] = values instanceof Float64Array ? (values[index] ?? Number.NaN) : toNumberOrNaN(values?.[index]);
    }
  }
  return numbers;
}

function toNumberOrNaN(value: StyleValue | undefined): number {
  return toNumber(value) ?? Number.NaN;
}

/** Returns the centroid of a feature; only its shapes of the highest dimension count. */
export function findCentroid(batch: FeatureBatch, index: number): readonly [number, number] | undefined {
  const first = findFirstShape(batch, index);
  let last = first;
  while (batch.shapes[last * SHAPE_FIELDS] === index) last += 1;
  return last === first ? undefined : computeCentroid(batch, first, last);
}

function computeCentroid(batch: FeatureBatch, first: number, last: number): readonly [number, number] {
  const { shapes, ordinates, ends, isOuter } = batch;
  const total = { x: 0, y: 0, weight: 0, kind: POINTS as ShapeKind };
  const add = (kind: ShapeKind, x: number, y: number, weight: number): void => {
    if (weight === 0 || kind < total.kind) return;
    if (kind > total.kind || total.weight === 0) Object.assign(total, { x: 0, y: 0, weight: 0, kind });
    total.x += x;
    total.y += y;
    total.weight += weight;
  };
  const originX = ordinates[(ends[(shapes[first * SHAPE_FIELDS + 3] ?? 0) - 1] ?? 0) * 2] ?? 0;
  const originY = ordinates[(ends[(shapes[first * SHAPE_FIELDS + 3] ?? 0) - 1] ?? 0) * 2 + 1] ?? 0;
  for (let shape = first; shape < last; shape += 1) {
    const kind = shapes[shape * SHAPE_FIELDS + 2];
    for (let ring = shapes[shape * SHAPE_FIELDS + 3] ?? 0; ring < (shapes[shape * SHAPE_FIELDS + 4] ?? 0); ring += 1) {
      const [start, end] = [(ends[ring - 1] ?? 0) * 2, (ends[ring] ?? 0) * 2];
      let [sumX, sumY, area] = [0, 0, 0];
      let [lineX, lineY, length] = [0, 0, 0];
      for (let at = start; at < end; at += 2) {
        const [x, y] = [(ordinates[at] ?? 0) - originX, (ordinates[at + 1] ?? 0) - originY];
        if (kind === POINTS) add(POINTS, x, y, 1);
        else if (at + 2 < end) {
          const [toX, toY] = [(ordinates[at + 2] ?? 0) - originX, (ordinates[at + 3] ?? 0) - originY];
          const cross = x * toY - toX * y;
          area += cross;
          sumX += (x + toX) * cross;
          sumY += (y + toY) * cross;
          const piece = Math.hypot(toX - x, toY - y);
          lineX += ((x + toX) / 2) * piece;
          lineY += ((y + toY) / 2) * piece;
          length += piece;
        } else if (length === 0 && end - start === 2) add(POINTS, x, y, 1);
      }
      if (kind !== POINTS) add(LINES, lineX, lineY, length);
      // Holes are subtracted, independent of the direction of their rings.
      const sign = area > 0 === (isOuter[ring] === 1) ? 1 : -1;
      if (kind === POLYGONS) add(POLYGONS, (sumX / 6) * sign, (sumY / 6) * sign, (area / 2) * sign);
    }
  }
  return [originX + total.x / total.weight, originY + total.y / total.weight];
}

export function createPoint(x: number, y: number): Geometry {
  return { type: 'Point', dimension: 'XY', ordinates: Float64Array.of(x, y), ends: [], parts: [] };
}

const singleTypes: ReadonlySet<string> = new Set(['Point', 'LineString', 'Polygon']);

/** Unpacks the features of a batch, for readers that need single features. */
export function unpackBatch(data: FeatureData, batch: FeatureBatch, firstNumber: number): readonly Feature[] {
  const features: Feature[] = [];
  const { attributes, defaultGeometry } = data.description;
  forEachFeature({ ...data, batches: [batch] }, (feature) => {
    const values = attributes.map((attribute) => {
      if (attribute.kind === 'value') return feature.getValue(attribute.name);
      const geometry = attribute.name === defaultGeometry ? feature.getGeometry() : undefined;
      if (geometry === undefined) return null;
      // Packed geometries are always multi-geometries.
      return singleTypes.has(attribute.type) ? fromSimpleParts(toSimpleParts(geometry)) : geometry;
    });
    features.push({ id: feature.id || String(firstNumber + features.length), values });
  });
  return features;
}
