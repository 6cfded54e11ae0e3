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
  const reader = new WktReader(text);
  const geometry = reader.readGeometry(0);
  reader.expectEnd();
  return geometry;
}

/** The positions of one geometry, which all have the dimension of the first. */
interface Positions {
  readonly ordinates: number[];
  count: number;
}

class WktReader {
  readonly #text: string;
  #at = 0;
  #dimension: Dimension | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  readGeometry(depth: number): Geometry {
    this.#matchPattern(space);
    const start = this.#at;
    const written = this.#matchPattern(word)?.toUpperCase() ?? '';
    const [, type = '', attached = ''] = /^(.*?)(ZM|Z|M)?$/.exec(written) ?? [];
    const apart = attached === '' ? (['ZM', 'Z', 'M'].find((each) => this.#acceptWord(each)) ?? '') : attached;
    // Members of a collection have the dimension of their collection.
    const own = dimensions[apart];
    if (own !== undefined && this.#dimension !== undefined && own !== this.#dimension)
      throw new WktError(start, `an ${own} geometry is inside an ${this.#dimension} geometry`);
    this.#dimension = own ?? this.#dimension;
    const positions: Positions = { ordinates: [], count: 0 };
    const ends: number[] = [];
    const parts: number[] = [];
    switch (type) {
      case 'POINT':
        this.#readEach(() => this.#readPosition(positions));
        if (positions.count > 1) throw new WktError(start, 'a point must have one position');
        return this.#createGeometry('Point', positions);
      case 'LINESTRING':
      case 'LINEARRING':
        this.#readLine(positions, ends, 2, 'a line');
        return this.#createGeometry('LineString', positions, ends);
      case 'POLYGON':
        this.#readEach(() => this.#readRing(positions, ends));
        return this.#createGeometry('Polygon', positions, ends);
      case 'MULTIPOINT':
        this.#readEach(() => {
          // The points may have their own brackets or not.
          if (!this.#acceptSign('(')) return this.#readPosition(positions);
          this.#readPosition(positions);
          this.#expectSign(')');
        });
        return this.#createGeometry('MultiPoint', positions);
      case 'MULTILINESTRING':
        this.#readEach(() => this.#readLine(positions, ends, 2, 'a line'));
        return this.#createGeometry('MultiLineString', positions, ends);
      case 'MULTIPOLYGON':
        this.#readEach(() => {
          this.#readEach(() => this.#readRing(positions, ends));
          parts.push(ends.length);
        });
        return this.#createGeometry('MultiPolygon', positions, ends, parts);
      case 'GEOMETRYCOLLECTION': {
        if (depth >= MAX_DEPTH) throw new WktError(start, `collections are nested deeper than ${MAX_DEPTH}`);
        const members: Geometry[] = [];
        this.#readEach(() => {
          members.push(this.readGeometry(depth + 1));
        });
        return { ...this.#createGeometry('GeometryCollection', positions), members };
      }
      default:
        this.#at = start;
        throw this.#createUnexpectedError('a geometry such as POINT, LINESTRING or POLYGON');
    }
  }

  expectEnd(): void {
    this.#matchPattern(space);
    if (this.#at < this.#text.length) throw this.#createUnexpectedError('the end of the geometry');
  }

  #matchPattern(pattern: RegExp): string | undefined {
    space.lastIndex = this.#at;
    this.#at += space.exec(this.#text)?.[0].length ?? 0;
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #createUnexpectedError(expected: string): WktError {
    const found =
      this.#at >= this.#text.length ? 'the end' : `'${this.#text.slice(this.#at, this.#at + 20).toWellFormed()}'`;
    return new WktError(this.#at, `${expected} was expected, but ${found} was found`);
  }

  #acceptSign(sign: string): boolean {
    this.#matchPattern(space);
    if (this.#text.charAt(this.#at) !== sign) return false;
    this.#at += 1;
    return true;
  }

  #expectSign(sign: string): void {
    if (!this.#acceptSign(sign)) throw this.#createUnexpectedError(`'${sign}'`);
  }

  #acceptWord(wanted: string): boolean {
    const before = this.#at;
    if (this.#matchPattern(word)?.toUpperCase() === wanted) return true;
    this.#at = before;
    return false;
  }

  #readNumber(): number | undefined {
    const before = this.#at;
    const found = this.#matchPattern(number);
    if (found === undefined) {
      this.#at = before;
      return undefined;
    }
    endOfNumber.lastIndex = this.#at;
    const value = Number(found);
    if (!endOfNumber.test(this.#text)) throw this.#createUnexpectedError("a space, a comma or ')'");
    if (!Number.isFinite(value)) throw new WktError(before, 'the number exceeds the range of a coordinate');
    return value;
  }

  /** Reads two to four numbers. */
  #readPosition(into: Positions): void {
    const start = this.#at;
    let count = 0;
    for (let value = this.#readNumber(); value !== undefined; value = this.#readNumber()) {
      into.ordinates.push(value);
      count += 1;
    }
    if (count < 2) throw this.#createUnexpectedError('a number');
    const found = this.#dimension ?? byCount[count];
    if (found === undefined || found.length !== count)
      throw new WktError(start, `a position has ${count} numbers instead of ${this.#dimension?.length ?? '2 to 4'}`);
    this.#dimension = found;
    into.count += 1;
  }

  /** Reads a comma-separated list in brackets; EMPTY is an empty list. */
  #readEach(read: () => void): void {
    if (this.#acceptWord('EMPTY')) return;
    this.#expectSign('(');
    do read();
    while (this.#acceptSign(','));
    if (!this.#acceptSign(')')) throw this.#createUnexpectedError("a comma or ')'");
  }

  #readLine(into: Positions, ends: number[], least: number, what: string): void {
    const start = this.#at;
    const before = into.count;
    this.#readEach(() => this.#readPosition(into));
    const count = into.count - before;
    if (count > 0 && count < least) throw new WktError(start, `${what} requires at least ${least} positions`);
    if (count > 0) ends.push(into.count);
  }

  #readRing(into: Positions, ends: number[]): void {
    const start = this.#at;
    const first = into.ordinates.length;
    this.#readLine(into, ends, 4, 'a ring');
    const size = this.#dimension?.length ?? 2;
    const last = into.ordinates.length - size;
    if (last > first && [0, 1].some((axis) => into.ordinates[first + axis] !== into.ordinates[last + axis]))
      throw new WktError(start, 'a ring must end at its first position');
  }

  #createGeometry(
    type: Geometry['type'],
    { ordinates }: Positions,
    ends: readonly number[] = NONE,
    parts: readonly number[] = NONE,
  ): Geometry {
    return { type, dimension: this.#dimension ?? 'XY', ordinates: Float64Array.from(ordinates), ends, parts };
  }
}
