/** The current feature of a batch, with access to attributes by their names in the style. */
import {
  type FeatureValues,
  featureIdentifier,
  type GeometryAccess,
  geometryAccess,
  type StyleValue,
} from '../../filter/evaluate/evaluate.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { type FeatureBatch, LINES, POLYGONS, SHAPE_FIELDS } from '../../vector/port/packed-features.ts';
import type { StylePlan } from './style-plan.ts';

export class FeatureCursor {
  readonly #names: readonly string[];
  readonly #geometries: readonly string[];
  readonly #columns = new Map<string, number>();
  #batch: FeatureBatch | undefined;
  #index = 0;
  #values: FeatureValues | undefined;
  #identity: object | undefined;

  constructor({ values, geometries }: Pick<StylePlan, 'values' | 'geometries'>) {
    this.#names = values;
    this.#geometries = geometries;
  }

  moveTo(batch: FeatureBatch, index: number): void {
    this.#batch = batch;
    this.#index = index;
    this.#values = undefined;
    this.#identity = undefined;
  }

  /** The same object for all symbolizers that paint the current feature. */
  get identity(): object {
    this.#identity ??= {};
    return this.#identity;
  }

  /** The index of the feature in the batch. */
  get index(): number {
    return this.#index;
  }

  /** Returns null for an unknown attribute. */
  getValue(name: string): StyleValue {
    return this.#batch?.columns[this.#findColumn(name)]?.[this.#index] ?? null;
  }

  /** Returns all values by name, with the id if the style uses it. */
  values(): FeatureValues {
    if (this.#values !== undefined) return this.#values;
    const values: Record<string, StyleValue> & { [geometryAccess]: GeometryAccess } = {
      [geometryAccess]: this.#findGeometry,
    };
    for (const [column, name] of this.#names.entries()) {
      values[name] = this.#batch?.columns[column]?.[this.#index] ?? null;
    }
    const id = this.#batch?.ids?.[this.#index];
    if (id !== undefined) values[featureIdentifier] = id;
    this.#values = values;
    return values;
  }

  /** Finds a geometry by its name as written, or the default geometry. */
  readonly #findGeometry: GeometryAccess = (name) => {
    const [byDefault = ''] = this.#geometries;
    return this.getGeometry(name === undefined ? byDefault : getLocalName(this.#geometries, name));
  };

  /** Returns the geometry in the CRS of the batch; undefined if the feature has none. */
  getGeometry(name: string): Geometry | undefined {
    const batch = this.#batch;
    const slot = this.#geometries.indexOf(name);
    if (batch === undefined || slot < 0) return undefined;
    const members: Geometry[] = [];
    for (
      let shape = findFirstShape(batch, this.#index);
      batch.shapes[shape * SHAPE_FIELDS] === this.#index;
      shape += 1
    ) {
      if (batch.shapes[shape * SHAPE_FIELDS + 1] === slot) members.push(toGeometry(batch, shape));
    }
    const [first, ...others] = members;
    if (first === undefined || others.length === 0) return first;
    return { ...first, type: 'GeometryCollection', ordinates: new Float64Array(), ends: [], parts: [], members };
  }

  /** A name may be a path or have a prefix; its last step then counts. */
  #findColumn(name: string): number {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const column = this.#names.indexOf(getLocalName(this.#names, name));
    this.#columns.set(name, column);
    return column;
  }
}

function getLocalName(names: readonly string[], name: string): string {
  return names.includes(name) ? name : name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
}

/** Returns the first shape of the feature, or of a later one if it has none: shapes are in the order of features. */
export function findFirstShape({ shapes }: FeatureBatch, feature: number): number {
  let [low, high] = [0, shapes.length / SHAPE_FIELDS];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shapes[middle * SHAPE_FIELDS] ?? 0) < feature) low = middle + 1;
    else high = middle;
  }
  return low;
}

function toGeometry({ shapes, ordinates, ends, isOuter }: FeatureBatch, shape: number): Geometry {
  const [, , kind, first = 0, last = 0] = shapes.subarray(shape * SHAPE_FIELDS, (shape + 1) * SHAPE_FIELDS);
  const start = first === 0 ? 0 : (ends[first - 1] ?? 0);
  const places = ordinates.subarray(start * 2, (ends[last - 1] ?? start) * 2);
  const common = { dimension: 'XY', ordinates: places, parts: [] } as const;
  if (kind !== LINES && kind !== POLYGONS)
    return { ...common, type: places.length === 2 ? 'Point' : 'MultiPoint', ends: [] };
  const ringEnds = Array.from(ends.subarray(first, last), (end) => end - start);
  if (kind === LINES) return { ...common, type: 'MultiLineString', ends: ringEnds };
  // The next outer ring starts a new polygon.
  const parts = ringEnds.flatMap((_, ring) => (ring > 0 && isOuter[first + ring] === 1 ? [ring] : []));
  return { ...common, type: 'MultiPolygon', ends: ringEnds, parts: [...parts, ringEnds.length] };
}
