/** Decodes WKT geometries: all seven types with Z, M and EMPTY, x before y. */
import type { Dimension, Geometry } from './geometry.ts';

/** Invalid WKT, with the offset of the problem in UTF-16 units. */
export class WktError extends Error {
  override readonly name = 'WktError';
  readonly offset: number;

  constructor(offset: number, reason: string) {
    super(reason);
    this.offset = offset;
  }
}

/** The nesting limit of collections: a few characters per level could otherwise exhaust the stack. */
const MAX_DEPTH = 32;

const NONE: readonly number[] = [];

const dimensions: Readonly<Record<string, Dimension>> = { Z: 'XYZ', M: 'XYM', ZM: 'XYZM' };
const byCount: Readonly<Record<number, Dimension>> = { 2: 'XY', 3: 'XYZ', 4: 'XYZM' };

const space = /\s*/y;
const word = /[a-z]+/iy;
const number = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;

/** Numbers must be separated: `1-2` is invalid. */
const endOfNumber = /(?=[\s,()]|$)/y;

export function decodeWkt(text: string): Geometry {
  const reader = createReader(text);
  const geometry = reader.geometry(0);
  reader.end();
  return geometry;
}

/** The positions of one geometry, which all have the dimension of the first. */
interface Positions {
  readonly ordinates: number[];
  count: number;
}

function createReader(text: string) {
  let at = 0;
  let dimension: Dimension | undefined;

  const matchPattern = (pattern: RegExp): string | undefined => {
    space.lastIndex = at;
    at += space.exec(text)?.[0].length ?? 0;
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const createUnexpectedError = (expected: string): WktError => {
    const found = at >= text.length ? 'the end' : `'${text.slice(at, at + 20).toWellFormed()}'`;
    return new WktError(at, `${expected} was expected, but ${found} was found`);
  };
  const acceptSign = (sign: string): boolean => {
    matchPattern(space);
    if (text.charAt(at) !== sign) return false;
    at += 1;
    return true;
  };
  const expectSign = (sign: string): void => {
    if (!acceptSign(sign)) throw createUnexpectedError(`'${sign}'`);
  };
  const acceptWord = (wanted: string): boolean => {
    const before = at;
    if (matchPattern(word)?.toUpperCase() === wanted) return true;
    at = before;
    return false;
  };

  const readNumber = (): number | undefined => {
    const before = at;
    const found = matchPattern(number);
    if (found === undefined) {
      at = before;
      return undefined;
    }
    endOfNumber.lastIndex = at;
    const value = Number(found);
    if (!endOfNumber.test(text)) throw createUnexpectedError("a space, a comma or ')'");
    if (!Number.isFinite(value)) throw new WktError(before, 'the number exceeds the range of a coordinate');
    return value;
  };

  /** Reads two to four numbers. */
  const readPosition = (into: Positions): void => {
    const start = at;
    let count = 0;
    for (let value = readNumber(); value !== undefined; value = readNumber()) {
      into.ordinates.push(value);
      count += 1;
    }
    if (count < 2) throw createUnexpectedError('a number');
    const found = dimension ?? byCount[count];
    if (found === undefined || found.length !== count)
      throw new WktError(start, `a position has ${count} numbers instead of ${dimension?.length ?? '2 to 4'}`);
    dimension = found;
    into.count += 1;
  };

  /** Reads a comma-separated list in brackets; EMPTY is an empty list. */
  const readEach = (read: () => void): void => {
    if (acceptWord('EMPTY')) return;
    expectSign('(');
    do read();
    while (acceptSign(','));
    if (!acceptSign(')')) throw createUnexpectedError("a comma or ')'");
  };

  const readLine = (into: Positions, ends: number[], least: number, what: string): void => {
    const start = at;
    const before = into.count;
    readEach(() => readPosition(into));
    const count = into.count - before;
    if (count > 0 && count < least) throw new WktError(start, `${what} requires at least ${least} positions`);
    if (count > 0) ends.push(into.count);
  };

  const readRing = (into: Positions, ends: number[]): void => {
    const start = at;
    const first = into.ordinates.length;
    readLine(into, ends, 4, 'a ring');
    const size = dimension?.length ?? 2;
    const last = into.ordinates.length - size;
    if (last > first && [0, 1].some((axis) => into.ordinates[first + axis] !== into.ordinates[last + axis]))
      throw new WktError(start, 'a ring must end at its first position');
  };

  const createGeometry = (
    type: Geometry['type'],
    { ordinates }: Positions,
    ends: readonly number[] = NONE,
    parts: readonly number[] = NONE,
  ): Geometry => ({ type, dimension: dimension ?? 'XY', ordinates: Float64Array.from(ordinates), ends, parts });

  const readGeometry = (depth: number): Geometry => {
    matchPattern(space);
    const start = at;
    const written = matchPattern(word)?.toUpperCase() ?? '';
    const [, type = '', attached = ''] = /^(.*?)(ZM|Z|M)?$/.exec(written) ?? [];
    const apart = attached === '' ? (['ZM', 'Z', 'M'].find(acceptWord) ?? '') : attached;
    // Members of a collection have the dimension of their collection.
    const own = dimensions[apart];
    if (own !== undefined && dimension !== undefined && own !== dimension)
      throw new WktError(start, `an ${own} geometry is inside an ${dimension} geometry`);
    dimension = own ?? dimension;
    const positions: Positions = { ordinates: [], count: 0 };
    const ends: number[] = [];
    const parts: number[] = [];
    switch (type) {
      case 'POINT':
        readEach(() => readPosition(positions));
        if (positions.count > 1) throw new WktError(start, 'a point must have one position');
        return createGeometry('Point', positions);
      case 'LINESTRING':
      case 'LINEARRING':
        readLine(positions, ends, 2, 'a line');
        return createGeometry('LineString', positions, ends);
      case 'POLYGON':
        readEach(() => readRing(positions, ends));
        return createGeometry('Polygon', positions, ends);
      case 'MULTIPOINT':
        readEach(() => {
          // The points may have their own brackets or not.
          if (!acceptSign('(')) return readPosition(positions);
          readPosition(positions);
          expectSign(')');
        });
        return createGeometry('MultiPoint', positions);
      case 'MULTILINESTRING':
        readEach(() => readLine(positions, ends, 2, 'a line'));
        return createGeometry('MultiLineString', positions, ends);
      case 'MULTIPOLYGON':
        readEach(() => {
          readEach(() => readRing(positions, ends));
          parts.push(ends.length);
        });
        return createGeometry('MultiPolygon', positions, ends, parts);
      case 'GEOMETRYCOLLECTION': {
        if (depth >= MAX_DEPTH) throw new WktError(start, `collections are nested deeper than ${MAX_DEPTH}`);
        const members: Geometry[] = [];
        readEach(() => {
          members.push(readGeometry(depth + 1));
        });
        return { ...createGeometry('GeometryCollection', positions), members };
      }
      default:
        at = start;
        throw createUnexpectedError('a geometry such as POINT, LINESTRING or POLYGON');
    }
  };

  return {
    geometry: readGeometry,
    end: (): void => {
      matchPattern(space);
      if (at < text.length) throw createUnexpectedError('the end of the geometry');
    },
  };
}
