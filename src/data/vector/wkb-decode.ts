/** Well-known binary -> geometry: both byte orders, ISO and PostGIS codes; never reads beyond the bytes. */
import { straightenArcs } from './arcs.ts';
import type { Dimension, Geometry } from './geometry.ts';

/** Bytes that are no geometry, with the place where that showed. */
export class WkbError extends Error {
  override readonly name = 'WkbError';
  readonly offset: number;

  constructor(offset: number, reason: string) {
    super(reason);
    this.offset = offset;
  }
}

/** Collections in collections go no deeper: a few bytes each would else exhaust the stack. */
const MAX_DEPTH = 32;

const HEADER_BYTES = 5;

const NONE: readonly number[] = [];

const orders = { XY: 2, XYZ: 3, XYM: 3, XYZM: 4 } as const satisfies Record<Dimension, number>;

interface Header {
  readonly code: number;
  readonly dimension: Dimension;
}

interface Decoded {
  readonly geometry: Geometry;
  /** What PostGIS writes into its own form. */
  readonly srid?: number;
}

export function decodeWkb(bytes: Uint8Array): Decoded {
  const reader = createReader(bytes);
  const geometry = reader.geometry(0, undefined);
  reader.end();
  const { srid } = reader;
  return srid === undefined ? { geometry } : { geometry, srid };
}

function createReader(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  let isLittle = true;
  let srid: number | undefined;

  const need = (count: number): void => {
    if (count > view.byteLength - offset) throw new WkbError(offset, 'the geometry ends too early');
  };

  const count = (itemBytes: number): number => {
    need(4);
    const items = view.getUint32(offset, isLittle);
    if (items * itemBytes > view.byteLength - offset - 4) {
      throw new WkbError(offset, `there is no room for ${items} items`);
    }
    offset += 4;
    return items;
  };

  const header = (within: Dimension | undefined): Header => {
    need(HEADER_BYTES);
    const order = view.getUint8(offset);
    if (order > 1) throw new WkbError(offset, `the byte order is ${order}`);
    isLittle = order === 1;
    const raw = view.getUint32(offset + 1, isLittle);
    const iso = raw & 0x1fff_ffff;
    const form = Math.floor(iso / 1000);
    if (form > 3) throw new WkbError(offset + 1, `there is no geometry of the code ${raw}`);
    const hasZ = (raw & 0x8000_0000) !== 0 || form === 1 || form === 3;
    const hasM = (raw & 0x4000_0000) !== 0 || form === 2 || form === 3;
    const dimension: Dimension = hasZ ? (hasM ? 'XYZM' : 'XYZ') : hasM ? 'XYM' : 'XY';
    if (within !== undefined && within !== dimension) {
      throw new WkbError(offset + 1, `a ${dimension} part is in a ${within} geometry`);
    }
    offset += HEADER_BYTES;
    if ((raw & 0x2000_0000) !== 0) {
      need(4);
      srid ??= view.getInt32(offset, isLittle);
      offset += 4;
    }
    return { code: iso % 1000, dimension };
  };

  const positions = (items: number, dimension: Dimension): Float64Array => {
    const size = orders[dimension] * items;
    need(size * 8);
    const ordinates = new Float64Array(size);
    for (let index = 0; index < size; index += 1) ordinates[index] = view.getFloat64(offset + index * 8, isLittle);
    offset += size * 8;
    return ordinates;
  };

  const sequence = (dimension: Dimension): Float64Array => positions(count(orders[dimension] * 8), dimension);

  const point = (dimension: Dimension): Float64Array => {
    const ordinates = positions(1, dimension);
    return ordinates.every(Number.isNaN) ? new Float64Array(0) : ordinates;
  };

  const arcs = (dimension: Dimension): Float64Array => {
    const at = offset;
    const given = sequence(dimension);
    const points = given.length / orders[dimension];
    if (points !== 0 && (points < 3 || points % 2 === 0)) throw new WkbError(at, `${points} points make no arcs`);
    return points === 0 ? given : straightenArcs(given, orders[dimension]);
  };

  /** A line, a string of arcs, or a string of both; whatever it is, as one line. */
  const curve = (within: Dimension, mayBeCompound: boolean): Float64Array => {
    const at = offset;
    const { code, dimension } = header(within);
    if (code === 2) return sequence(dimension);
    if (code === 8) return arcs(dimension);
    if (code === 9 && mayBeCompound) return compound(dimension);
    throw new WkbError(at, `a geometry of the code ${code} is where a line is expected`);
  };

  const compound = (dimension: Dimension): Float64Array => {
    const members = repeat(() => curve(dimension, false));
    const size = orders[dimension];
    // Each goes on where the one before ended.
    const pieces = members
      .filter((each) => each.length > 0)
      .map((each, index) => (index === 0 ? each : each.subarray(size)));
    return join(pieces);
  };

  const repeat = <T>(read: () => T, itemBytes = HEADER_BYTES): T[] => {
    const items = count(itemBytes);
    const order = isLittle;
    const list: T[] = [];
    for (let index = 0; index < items; index += 1) list.push(read());
    isLittle = order;
    return list;
  };

  const rings = (code: number, dimension: Dimension): Float64Array[] =>
    code === 10 ? repeat(() => curve(dimension, true)) : repeat(() => sequence(dimension), 4);

  const surface = (within: Dimension, codes: readonly number[]): Float64Array[] => {
    const at = offset;
    const { code, dimension } = header(within);
    if (!codes.includes(code)) throw new WkbError(at, `a geometry of the code ${code} is where a polygon is expected`);
    return rings(code, dimension);
  };

  const pointOfMany = (within: Dimension): Float64Array => {
    const at = offset;
    const { code, dimension } = header(within);
    if (code !== 1) throw new WkbError(at, `a geometry of the code ${code} is where a point is expected`);
    return point(dimension);
  };

  const geometry = (depth: number, within: Dimension | undefined): Geometry => {
    const at = offset;
    const { code, dimension } = header(within);
    switch (code) {
      case 1:
        return { type: 'Point', dimension, ordinates: point(dimension), ends: NONE, parts: NONE };
      case 2:
        return lineString(dimension, sequence(dimension));
      case 8:
        return lineString(dimension, arcs(dimension));
      case 9:
        return lineString(dimension, compound(dimension));
      case 3:
      case 10:
      case 17: {
        const list = rings(code, dimension);
        return { type: 'Polygon', ...lines(dimension, list), parts: list.length === 0 ? NONE : [list.length] };
      }
      case 4: {
        const ordinates = join(repeat(() => pointOfMany(dimension)));
        return { type: 'MultiPoint', dimension, ordinates, ends: NONE, parts: NONE };
      }
      case 5:
        return {
          type: 'MultiLineString',
          ...lines(
            dimension,
            repeat(() => curve(dimension, false)),
          ),
          parts: NONE,
        };
      case 11:
        return {
          type: 'MultiLineString',
          ...lines(
            dimension,
            repeat(() => curve(dimension, true)),
          ),
          parts: NONE,
        };
      case 6:
      case 15:
        return multiPolygon(
          dimension,
          repeat(() => surface(dimension, [3])),
        );
      case 12:
        return multiPolygon(
          dimension,
          repeat(() => surface(dimension, [3, 10])),
        );
      case 16:
        return multiPolygon(
          dimension,
          repeat(() => surface(dimension, [17])),
        );
      case 7: {
        if (depth >= MAX_DEPTH) throw new WkbError(at, `collections are nested deeper than ${MAX_DEPTH}`);
        const members = repeat(() => geometry(depth + 1, dimension));
        return {
          type: 'GeometryCollection',
          dimension,
          ordinates: new Float64Array(0),
          ends: NONE,
          parts: NONE,
          members,
        };
      }
      default:
        throw new WkbError(at, `there is no geometry of the code ${code}`);
    }
  };

  return {
    geometry,
    get srid() {
      return srid;
    },
    end(): void {
      if (offset !== view.byteLength) throw new WkbError(offset, 'there is more after the geometry');
    },
  };
}

function lineString(dimension: Dimension, ordinates: Float64Array): Geometry {
  const points = ordinates.length / orders[dimension];
  return { type: 'LineString', dimension, ordinates, ends: points === 0 ? NONE : [points], parts: NONE };
}

function lines(
  dimension: Dimension,
  list: readonly Float64Array[],
): Pick<Geometry, 'dimension' | 'ordinates' | 'ends'> {
  let end = 0;
  const ends = list.map((each) => {
    end += each.length / orders[dimension];
    return end;
  });
  return { dimension, ordinates: join(list), ends };
}

function multiPolygon(dimension: Dimension, polygons: readonly (readonly Float64Array[])[]): Geometry {
  let end = 0;
  const parts = polygons.map((each) => {
    end += each.length;
    return end;
  });
  return { type: 'MultiPolygon', ...lines(dimension, polygons.flat()), parts };
}

function join(list: readonly Float64Array[]): Float64Array {
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
