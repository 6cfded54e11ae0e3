/** The geometries of FlatGeobuf features. */
import { type Dimension, type Geometry, geometryTypes } from '../../geometry/geometry.ts';
import type { AllocateOrdinates } from '../../geometry/ordinate-blocks.ts';
import { type FlatTable, MalformedMessageError } from './flat-table.ts';

/** The field numbers of a geometry. */
const fields = { ends: 0, xy: 1, z: 2, m: 3, type: 6, parts: 7 } as const;

/** The nesting limit of geometry collections. */
const MAX_DEPTH = 16;

export interface GeometryForm {
  /** The type of all geometries; undefined if each has its own. */
  readonly type: Geometry['type'] | undefined;
  /** Geometries have no other ordinates; some can have fewer. */
  readonly dimension: Dimension;
}

/** Parts can refer to the same bytes, so that a small message could be a huge geometry. */
interface Budget {
  ordinates: number;
  parts: number;
}

/** Returns null for an empty geometry. */
export function readGeometry(
  table: FlatTable,
  form: GeometryForm,
  messageBytes: number,
  allocate: AllocateOrdinates,
): Geometry | null {
  // Without repetition, an ordinate has 8 bytes and a part has more than 4.
  const budget = { ordinates: messageBytes / 8, parts: messageBytes / 4 };
  return new GeometryReader(form.dimension, budget, allocate).read(table, form.type, 0);
}

class GeometryReader {
  readonly #dimension: Dimension;
  readonly #budget: Budget;
  readonly #allocate: AllocateOrdinates;

  constructor(dimension: Dimension, budget: Budget, allocate: AllocateOrdinates) {
    this.#dimension = dimension;
    this.#budget = budget;
    this.#allocate = allocate;
  }

  read(table: FlatTable, declared: Geometry['type'] | undefined, depth: number): Geometry | null {
    // The format has the numbers of WKB.
    const type = declared ?? geometryTypes[table.readByte(fields.type)];
    if (type === undefined || type === 'Geometry' || depth > MAX_DEPTH)
      throw new MalformedMessageError('a feature has an unsupported geometry type');
    if (type === 'GeometryCollection') return this.#readCollection(table, depth);
    if (type === 'MultiPolygon') return this.#readPolygons(table);
    const { ordinates, count, dimension } = this.#readPositions(table);
    if (count === 0 || (type === 'Point' && ordinates.every(Number.isNaN))) return null;
    checkFinite(ordinates);
    if (type === 'Point' && count > 1) throw new MalformedMessageError('a point has several positions');
    if (type === 'Point' || type === 'MultiPoint') return { type, dimension, ordinates, ends: [], parts: [] };
    this.#spendParts(table.countItems(fields.ends));
    const ends = table.readIntegers(fields.ends);
    if (ends.some((end, index) => end > count || end < (ends[index - 1] ?? 0)))
      throw new MalformedMessageError('a part of a geometry ends beyond its positions');
    return { type, dimension, ordinates, ends: ends.length === 0 ? [count] : ends, parts: [] };
  }

  #readCollection(table: FlatTable, depth: number): Geometry | null {
    this.#spendParts(table.countItems(fields.parts));
    const members: Geometry[] = [];
    for (const part of table.readTables(fields.parts)) {
      const member = this.read(part, undefined, depth + 1);
      if (member !== null) members.push(member);
    }
    const [first] = members;
    if (first === undefined) return null;
    const isUniform = members.every(({ dimension }) => dimension === first.dimension);
    const dimension = isUniform ? first.dimension : 'XY';
    return { type: 'GeometryCollection', dimension, ordinates: new Float64Array(), ends: [], parts: [], members };
  }

  #readPolygons(table: FlatTable): Geometry | null {
    this.#spendParts(table.countItems(fields.parts));
    const polygons: Geometry[] = [];
    for (const part of table.readTables(fields.parts)) {
      const polygon = this.read(part, 'Polygon', 0);
      if (polygon !== null) polygons.push(polygon);
    }
    const [first] = polygons;
    if (first === undefined) return null;
    const { dimension } = first;
    if (polygons.some((polygon) => polygon.dimension !== dimension))
      throw new MalformedMessageError('a geometry has parts with different ordinates');
    if (polygons.length === 1) return { ...first, type: 'MultiPolygon', parts: [first.ends.length] };
    const ordinates = this.#allocate(polygons.reduce((sum, polygon) => sum + polygon.ordinates.length, 0));
    const ends: number[] = [];
    const parts: number[] = [];
    let filled = 0;
    for (const polygon of polygons) {
      ordinates.set(polygon.ordinates, filled);
      for (const end of polygon.ends) ends.push(end + filled / dimension.length);
      filled += polygon.ordinates.length;
      parts.push(ends.length);
    }
    return { type: 'MultiPolygon', dimension, ordinates, ends, parts };
  }

  #readPositions(table: FlatTable) {
    const flat = table.readList(fields.xy, 8);
    const count = Math.floor((flat?.length ?? 0) / 16);
    if (flat === undefined || count === 0)
      return { ordinates: new Float64Array(), count: 0, dimension: 'XY' as Dimension };
    const heights = this.#readAxis(table, 'Z', count);
    const measures = this.#readAxis(table, 'M', count);
    const dimension: Dimension = `XY${heights === undefined ? '' : 'Z'}${measures === undefined ? '' : 'M'}`;
    const size = dimension.length;
    this.#budget.ordinates -= count * size;
    if (this.#budget.ordinates < 0)
      throw new MalformedMessageError('a geometry contains the same positions repeatedly');
    const ordinates = this.#allocate(count * size);
    if (dimension === 'XY') {
      new Uint8Array(ordinates.buffer, ordinates.byteOffset, ordinates.byteLength).set(flat.subarray(0, count * 16));
      return { ordinates, count, dimension };
    }
    for (let at = 0; at < count; at += 1) {
      ordinates[at * size] = flat.readDoubleLE(at * 16);
      ordinates[at * size + 1] = flat.readDoubleLE(at * 16 + 8);
      if (heights !== undefined) ordinates[at * size + 2] = heights.readDoubleLE(at * 8);
      if (measures !== undefined) ordinates[at * size + size - 1] = measures.readDoubleLE(at * 8);
    }
    return { ordinates, count, dimension };
  }

  /** Returns undefined for an axis that the header does not declare. */
  #readAxis(table: FlatTable, axis: 'Z' | 'M', count: number): Buffer | undefined {
    if (!this.#dimension.includes(axis)) return undefined;
    const list = table.readList(axis === 'Z' ? fields.z : fields.m, 8);
    if (list === undefined || list.length === 0) return undefined;
    if (list.length !== count * 8)
      throw new MalformedMessageError('a geometry has more positions than heights or measures');
    return list;
  }

  #spendParts(count: number): void {
    this.#budget.parts -= count;
    if (this.#budget.parts < 0) throw new MalformedMessageError('a geometry contains the same parts repeatedly');
  }
}

function checkFinite(ordinates: Float64Array): void {
  for (const ordinate of ordinates)
    if (!Number.isFinite(ordinate)) throw new MalformedMessageError('a geometry has coordinates that are not numbers');
}
