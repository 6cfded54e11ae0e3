/** Decodes WKB in both byte orders with ISO and PostGIS codes; never reads beyond the bytes. */
import { straightenArcs } from './arcs.ts';
import type { Dimension, Geometry } from './geometry.ts';
import type { AllocateOrdinates } from './ordinate-blocks.ts';

/** Invalid WKB, with the offset of the problem. */
export class WkbError extends Error {
  override readonly name = 'WkbError';
  readonly offset: number;

  constructor(offset: number, reason: string) {
    super(reason);
    this.offset = offset;
  }
}

/** The nesting limit of collections: a few bytes per level could otherwise exhaust the stack. */
const MAX_DEPTH = 32;

const HEADER_BYTES = 5;

const NONE: readonly number[] = [];

const orders = { XY: 2, XYZ: 3, XYM: 3, XYZM: 4 } as const satisfies Record<Dimension, number>;

interface Header {
  readonly code: number;
  readonly dimension: Dimension;
}

interface DecodedWkb {
  readonly geometry: Geometry;
  /** The SRID in the PostGIS form. */
  readonly srid?: number;
}

/** `takeOrdinates` allocates the ordinates, for readers of many small geometries. */
export function decodeWkb(bytes: Uint8Array, takeOrdinates: AllocateOrdinates = allocateOrdinates): DecodedWkb {
  const reader = new WkbReader(bytes, takeOrdinates);
  const geometry = reader.readGeometry(0, undefined);
  reader.expectEnd();
  const { srid } = reader;
  return srid === undefined ? { geometry } : { geometry, srid };
}

const allocateOrdinates: AllocateOrdinates = (count) => new Float64Array(count);

/** From this many numbers on, copying the bytes is faster than reading each number. */
const WORTH_COPYING = 64;

const isLittleHere = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A class, because a closure with as many functions takes longer to create than a small geometry takes to decode. */
class WkbReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #takeOrdinates: AllocateOrdinates;
  #offset = 0;
  #isLittle = true;
  srid: number | undefined;

  constructor(bytes: Uint8Array, takeOrdinates: AllocateOrdinates) {
    this.#bytes = bytes;
    this.#takeOrdinates = takeOrdinates;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  expectEnd(): void {
    if (this.#offset !== this.#view.byteLength) throw new WkbError(this.#offset, 'unexpected bytes after the geometry');
  }

  readGeometry(depth: number, within: Dimension | undefined): Geometry {
    const at = this.#offset;
    const { code, dimension } = this.#readHeader(within);
    switch (code) {
      case 1:
        return { type: 'Point', dimension, ordinates: this.#readPoint(dimension), ends: NONE, parts: NONE };
      case 2:
        return createLineString(dimension, this.#readSequence(dimension));
      case 8:
        return createLineString(dimension, this.#readArcs(dimension));
      case 9:
        return createLineString(dimension, this.#readCompound(dimension));
      case 3:
      case 17:
        return this.#readPolygon(dimension);
      case 10: {
        const list = this.#readRings(code, dimension);
        return { type: 'Polygon', ...joinLines(dimension, list), parts: list.length === 0 ? NONE : [list.length] };
      }
      case 4: {
        const ordinates = joinOrdinates(this.#repeat(() => this.#readMemberPoint(dimension)));
        return { type: 'MultiPoint', dimension, ordinates, ends: NONE, parts: NONE };
      }
      case 5:
      case 11: {
        const list = this.#repeat(() => this.#readCurve(dimension, code === 11));
        return { type: 'MultiLineString', ...joinLines(dimension, list), parts: NONE };
      }
      case 6:
      case 12:
      case 15:
      case 16:
        return createMultiPolygon(
          dimension,
          this.#repeat(() => this.#readSurface(dimension, surfacesIn[code])),
        );
      case 7: {
        if (depth >= MAX_DEPTH) throw new WkbError(at, `collections are nested deeper than ${MAX_DEPTH}`);
        const members = this.#repeat(() => this.readGeometry(depth + 1, dimension));
        const ordinates = new Float64Array(0);
        return { type: 'GeometryCollection', dimension, ordinates, ends: NONE, parts: NONE, members };
      }
      default:
        throw new WkbError(at, `unknown geometry code ${code}`);
    }
  }

  #checkLength(count: number): void {
    if (count > this.#view.byteLength - this.#offset) throw new WkbError(this.#offset, 'the geometry is truncated');
  }

  #readCount(itemBytes: number): number {
    this.#checkLength(4);
    const items = this.#view.getUint32(this.#offset, this.#isLittle);
    if (items * itemBytes > this.#view.byteLength - this.#offset - 4) {
      throw new WkbError(this.#offset, `the number of items (${items}) exceeds the remaining bytes`);
    }
    this.#offset += 4;
    return items;
  }

  #readHeader(within: Dimension | undefined): Header {
    this.#checkLength(HEADER_BYTES);
    const order = this.#view.getUint8(this.#offset);
    if (order > 1) throw new WkbError(this.#offset, `unknown byte order ${order}`);
    this.#isLittle = order === 1;
    const raw = this.#view.getUint32(this.#offset + 1, this.#isLittle);
    const iso = raw & 0x1fff_ffff;
    const form = Math.floor(iso / 1000);
    if (form > 3) throw new WkbError(this.#offset + 1, `unknown geometry code ${raw}`);
    const hasZ = (raw & 0x8000_0000) !== 0 || form === 1 || form === 3;
    const hasM = (raw & 0x4000_0000) !== 0 || form === 2 || form === 3;
    const dimension: Dimension = hasZ ? (hasM ? 'XYZM' : 'XYZ') : hasM ? 'XYM' : 'XY';
    if (within !== undefined && within !== dimension) {
      throw new WkbError(this.#offset + 1, `an ${dimension} part is inside an ${within} geometry`);
    }
    this.#offset += HEADER_BYTES;
    if ((raw & 0x2000_0000) !== 0) {
      this.#checkLength(4);
      this.srid ??= this.#view.getInt32(this.#offset, this.#isLittle);
      this.#offset += 4;
    }
    return { code: iso % 1000, dimension };
  }

  #readPositions(items: number, dimension: Dimension): Float64Array {
    const ordinates = this.#takeOrdinates(orders[dimension] * items);
    this.#readInto(ordinates, 0, ordinates.length);
    return ordinates;
  }

  #readInto(ordinates: Float64Array, from: number, size: number): void {
    const start = this.#offset;
    this.#checkLength(size * 8);
    this.#offset += size * 8;
    const isLittle = this.#isLittle;
    if (size >= WORTH_COPYING && isLittle === isLittleHere) {
      const target = new Uint8Array(ordinates.buffer, ordinates.byteOffset + from * 8, size * 8);
      target.set(this.#bytes.subarray(start, this.#offset));
      return;
    }
    const view = this.#view;
    for (let index = 0; index < size; index += 1)
      ordinates[from + index] = view.getFloat64(start + index * 8, isLittle);
  }

  /** A polygon with straight sides: its rings are counted first, so that they are read in place. */
  #readPolygon(dimension: Dimension): Geometry {
    const order = orders[dimension];
    const rings = this.#readCount(4);
    const start = this.#offset;
    const ends: number[] = [];
    let points = 0;
    for (let ring = 0; ring < rings; ring += 1) {
      const items = this.#readCount(order * 8);
      this.#offset += items * order * 8;
      points += items;
      ends.push(points);
    }
    this.#offset = start;
    const ordinates = this.#takeOrdinates(points * order);
    for (let ring = 0, before = 0; ring < rings; ring += 1) {
      const end = ends[ring] ?? 0;
      this.#offset += 4;
      this.#readInto(ordinates, before * order, (end - before) * order);
      before = end;
    }
    return { type: 'Polygon', dimension, ordinates, ends, parts: rings === 0 ? NONE : [rings] };
  }

  #readSequence(dimension: Dimension): Float64Array {
    return this.#readPositions(this.#readCount(orders[dimension] * 8), dimension);
  }

  #readPoint(dimension: Dimension): Float64Array {
    const ordinates = this.#readPositions(1, dimension);
    return ordinates.every(Number.isNaN) ? new Float64Array(0) : ordinates;
  }

  #readArcs(dimension: Dimension): Float64Array {
    const at = this.#offset;
    const given = this.#readSequence(dimension);
    const points = given.length / orders[dimension];
    if (points !== 0 && (points < 3 || points % 2 === 0)) throw new WkbError(at, `${points} points do not form arcs`);
    return points === 0 ? given : straightenArcs(given, orders[dimension]);
  }

  /** Reads a line, a string of arcs or a compound curve as one line. */
  #readCurve(within: Dimension, mayBeCompound: boolean): Float64Array {
    const at = this.#offset;
    const { code, dimension } = this.#readHeader(within);
    if (code === 2) return this.#readSequence(dimension);
    if (code === 8) return this.#readArcs(dimension);
    if (code === 9 && mayBeCompound) return this.#readCompound(dimension);
    throw new WkbError(at, `geometry code ${code} was found where a line is expected`);
  }

  #readCompound(dimension: Dimension): Float64Array {
    const members = this.#repeat(() => this.#readCurve(dimension, false));
    const size = orders[dimension];
    // Each piece starts at the end of the one before.
    const pieces = members
      .filter((each) => each.length > 0)
      .map((each, index) => (index === 0 ? each : each.subarray(size)));
    return joinOrdinates(pieces);
  }

  #repeat<T>(read: () => T, itemBytes = HEADER_BYTES): T[] {
    const items = this.#readCount(itemBytes);
    const order = this.#isLittle;
    const list: T[] = [];
    for (let index = 0; index < items; index += 1) list.push(read());
    this.#isLittle = order;
    return list;
  }

  #readRings(code: number, dimension: Dimension): Float64Array[] {
    return code === 10
      ? this.#repeat(() => this.#readCurve(dimension, true))
      : this.#repeat(() => this.#readSequence(dimension), 4);
  }

  #readSurface(within: Dimension, codes: readonly number[]): Float64Array[] {
    const at = this.#offset;
    const { code, dimension } = this.#readHeader(within);
    if (!codes.includes(code)) throw new WkbError(at, `geometry code ${code} was found where a polygon is expected`);
    return this.#readRings(code, dimension);
  }

  #readMemberPoint(within: Dimension): Float64Array {
    const at = this.#offset;
    const { code, dimension } = this.#readHeader(within);
    if (code !== 1) throw new WkbError(at, `geometry code ${code} was found where a point is expected`);
    return this.#readPoint(dimension);
  }
}

/** The codes of the surfaces that a collection of surfaces may contain. */
const surfacesIn = { 6: [3], 12: [3, 10], 15: [3], 16: [17] } as const;

function createLineString(dimension: Dimension, ordinates: Float64Array): Geometry {
  const points = ordinates.length / orders[dimension];
  return { type: 'LineString', dimension, ordinates, ends: points === 0 ? NONE : [points], parts: NONE };
}

function joinLines(
  dimension: Dimension,
  list: readonly Float64Array[],
): Pick<Geometry, 'dimension' | 'ordinates' | 'ends'> {
  let end = 0;
  const ends = list.map((each) => {
    end += each.length / orders[dimension];
    return end;
  });
  return { dimension, ordinates: joinOrdinates(list), ends };
}

function createMultiPolygon(dimension: Dimension, polygons: readonly (readonly Float64Array[])[]): Geometry {
  let end = 0;
  const parts = polygons.map((each) => {
    end += each.length;
    return end;
  });
  return { type: 'MultiPolygon', ...joinLines(dimension, polygons.flat()), parts };
}

function joinOrdinates(list: readonly Float64Array[]): Float64Array {
  const [only] = list;
  if (only !== undefined && list.length === 1) return only;
  const joined = new Float64Array(list.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const each of list) {
    joined.set(each, at);
    at += each.length;
  }
  return joined;
}
