/** Well-known text -> geometry: all seven types with their Z, M and EMPTY, x before y. */
import type { Dimension, Geometry } from './geometry.ts';

/** Text that is no geometry, with the place where that showed, in UTF-16 units. */
export class WktError extends Error {
  override readonly name = 'WktError';
  readonly offset: number;

  constructor(offset: number, reason: string) {
    super(reason);
    this.offset = offset;
  }
}

/** Collections in collections go no deeper: a few characters each would else exhaust the stack. */
const MAX_DEPTH = 32;

const NONE: readonly number[] = [];

const dimensions: Readonly<Record<string, Dimension>> = { Z: 'XYZ', M: 'XYM', ZM: 'XYZM' };
const byCount: Readonly<Record<number, Dimension>> = { 2: 'XY', 3: 'XYZ', 4: 'XYZM' };

const space = /\s*/y;
const word = /[a-z]+/iy;
const number = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;

/** Two numbers side by side with nothing between are none: `1-2` is a slip. */
const endOfNumber = /(?=[\s,()]|$)/y;

export function decodeWkt(text: string): Geometry {
  const reader = createReader(text);
  const geometry = reader.geometry(0);
  reader.end();
  return geometry;
}

/** Positions of one geometry, which all have as many ordinates as its first. */
interface Positions {
  readonly ordinates: number[];
  count: number;
}

function createReader(text: string) {
  let at = 0;
  let dimension: Dimension | undefined;

  const take = (pattern: RegExp): string | undefined => {
    space.lastIndex = at;
    at += space.exec(text)?.[0].length ?? 0;
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const unexpected = (expected: string): WktError => {
    const found = at >= text.length ? 'the end' : `'${text.slice(at, at + 20).toWellFormed()}'`;
    return new WktError(at, `${expected} was expected, but ${found} was found`);
  };
  const takeSign = (sign: string): boolean => {
    take(space);
    if (text.charAt(at) !== sign) return false;
    at += 1;
    return true;
  };
  const expectSign = (sign: string): void => {
    if (!takeSign(sign)) throw unexpected(`'${sign}'`);
  };
  const takeWord = (wanted: string): boolean => {
    const before = at;
    if (take(word)?.toUpperCase() === wanted) return true;
    at = before;
    return false;
  };

  const takeNumber = (): number | undefined => {
    const before = at;
    const found = take(number);
    if (found === undefined) {
      at = before;
      return undefined;
    }
    endOfNumber.lastIndex = at;
    const value = Number(found);
    if (!endOfNumber.test(text)) throw unexpected("a space, a comma or ')'");
    if (!Number.isFinite(value)) throw new WktError(before, 'the number is larger than any coordinate can be');
    return value;
  };

  /** `1 2`, and up to two more. */
  const position = (into: Positions): void => {
    const start = at;
    let count = 0;
    for (let value = takeNumber(); value !== undefined; value = takeNumber()) {
      into.ordinates.push(value);
      count += 1;
    }
    if (count < 2) throw unexpected('a number');
    const found = dimension ?? byCount[count];
    if (found === undefined || found.length !== count)
      throw new WktError(start, `a position has ${count} numbers, where ${dimension?.length ?? '2 to 4'} belong`);
    dimension = found;
    into.count += 1;
  };

  /** In brackets, one after the other; EMPTY is none. */
  const each = (read: () => void): void => {
    if (takeWord('EMPTY')) return;
    expectSign('(');
    do read();
    while (takeSign(','));
    if (!takeSign(')')) throw unexpected("a comma or ')'");
  };

  const line = (into: Positions, ends: number[], least: number, what: string): void => {
    const start = at;
    const before = into.count;
    each(() => position(into));
    const count = into.count - before;
    if (count > 0 && count < least) throw new WktError(start, `${what} has at least ${least} positions`);
    if (count > 0) ends.push(into.count);
  };

  const ring = (into: Positions, ends: number[]): void => {
    const start = at;
    const first = into.ordinates.length;
    line(into, ends, 4, 'a ring');
    const size = dimension?.length ?? 2;
    const last = into.ordinates.length - size;
    if (last > first && [0, 1].some((axis) => into.ordinates[first + axis] !== into.ordinates[last + axis]))
      throw new WktError(start, 'a ring ends where it begins');
  };

  const built = (
    type: Geometry['type'],
    { ordinates }: Positions,
    ends: readonly number[] = NONE,
    parts: readonly number[] = NONE,
  ): Geometry => ({ type, dimension: dimension ?? 'XY', ordinates: Float64Array.from(ordinates), ends, parts });

  const geometry = (depth: number): Geometry => {
    take(space);
    const start = at;
    const written = take(word)?.toUpperCase() ?? '';
    const [, type = '', attached = ''] = /^(.*?)(ZM|Z|M)?$/.exec(written) ?? [];
    const apart = attached === '' ? (['ZM', 'Z', 'M'].find(takeWord) ?? '') : attached;
    // Members of a collection have as many ordinates as their collection.
    const told = dimensions[apart];
    if (told !== undefined && dimension !== undefined && told !== dimension)
      throw new WktError(start, `it is ${told} within what is ${dimension}`);
    dimension = told ?? dimension;
    const positions: Positions = { ordinates: [], count: 0 };
    const ends: number[] = [];
    const parts: number[] = [];
    switch (type) {
      case 'POINT':
        each(() => position(positions));
        if (positions.count > 1) throw new WktError(start, 'a point has one position');
        return built('Point', positions);
      case 'LINESTRING':
      case 'LINEARRING':
        line(positions, ends, 2, 'a line');
        return built('LineString', positions, ends);
      case 'POLYGON':
        each(() => ring(positions, ends));
        return built('Polygon', positions, ends);
      case 'MULTIPOINT':
        each(() => {
          // Its points are written with brackets of their own or without.
          if (!takeSign('(')) return position(positions);
          position(positions);
          expectSign(')');
        });
        return built('MultiPoint', positions);
      case 'MULTILINESTRING':
        each(() => line(positions, ends, 2, 'a line'));
        return built('MultiLineString', positions, ends);
      case 'MULTIPOLYGON':
        each(() => {
          each(() => ring(positions, ends));
          parts.push(ends.length);
        });
        return built('MultiPolygon', positions, ends, parts);
      case 'GEOMETRYCOLLECTION': {
        if (depth >= MAX_DEPTH) throw new WktError(start, `collections are nested deeper than ${MAX_DEPTH}`);
        const members: Geometry[] = [];
        each(() => {
          members.push(geometry(depth + 1));
        });
        return { ...built('GeometryCollection', positions), members };
      }
      default:
        at = start;
        throw unexpected('a geometry such as POINT, LINESTRING or POLYGON');
    }
  };

  return {
    geometry,
    end: (): void => {
      take(space);
      if (at < text.length) throw unexpected('the end of the geometry');
    },
  };
}
