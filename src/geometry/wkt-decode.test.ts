import { describe, expect, it } from 'vitest';
import type { Geometry } from './geometry.ts';
import { decodeWkt, WktError } from './wkt-decode.ts';

function flat({ type, dimension, ordinates, ends, parts }: Geometry) {
  return [type, dimension, [...ordinates], ends, parts];
}

describe('WKT geometry decoder', () => {
  it.each([
    ['POINT (1 2)', ['Point', 'XY', [1, 2], [], []]],
    ['point(-1.5e2 +.25)', ['Point', 'XY', [-150, 0.25], [], []]],
    ['POINT(1 2 3)', ['Point', 'XYZ', [1, 2, 3], [], []]],
    ['POINT M (1 2 3)', ['Point', 'XYM', [1, 2, 3], [], []]],
    ['POINTZ(1 2 3)', ['Point', 'XYZ', [1, 2, 3], [], []]],
    ['POINT ZM (1 2 3 4)', ['Point', 'XYZM', [1, 2, 3, 4], [], []]],
    ['POINT EMPTY', ['Point', 'XY', [], [], []]],
    ['LINESTRING(0 0, 1 1 , 2 0)', ['LineString', 'XY', [0, 0, 1, 1, 2, 0], [3], []]],
    [
      'POLYGON((0 0,4 0,4 4,0 0),(1 1,2 1,2 2,1 1))',
      ['Polygon', 'XY', [0, 0, 4, 0, 4, 4, 0, 0, 1, 1, 2, 1, 2, 2, 1, 1], [4, 8], []],
    ],
    ['MULTIPOINT(1 2,(3 4))', ['MultiPoint', 'XY', [1, 2, 3, 4], [], []]],
    ['MULTILINESTRING((0 0,1 1),(2 2,3 3))', ['MultiLineString', 'XY', [0, 0, 1, 1, 2, 2, 3, 3], [2, 4], []]],
    [
      'MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))',
      ['MultiPolygon', 'XY', [0, 0, 1, 0, 1, 1, 0, 0, 5, 5, 6, 5, 6, 6, 5, 5], [4, 8], [1, 2]],
    ],
    ['MULTIPOLYGON EMPTY', ['MultiPolygon', 'XY', [], [], []]],
  ])('decodes %s', (text, expected) => {
    expect(flat(decodeWkt(text))).toEqual(expected);
  });

  it('decodes a collection with its members', () => {
    const collection = decodeWkt('GEOMETRYCOLLECTION Z (POINT(1 2 3), LINESTRING(0 0 0,1 1 1))');

    expect(flat(collection)).toEqual(['GeometryCollection', 'XYZ', [], [], []]);
    expect(collection.members?.map(flat)).toEqual([
      ['Point', 'XYZ', [1, 2, 3], [], []],
      ['LineString', 'XYZ', [0, 0, 0, 1, 1, 1], [2], []],
    ]);
  });

  it.each([
    ['', 0, 'a geometry such as POINT, LINESTRING or POLYGON was expected, but the end was found'],
    ['CIRCLE(1 2)', 0, "a geometry such as POINT, LINESTRING or POLYGON was expected, but 'CIRCLE(1 2)' was found"],
    ['POINT(1)', 7, "a number was expected, but ')' was found"],
    ['POINT(1 2', 9, "a comma or ')' was expected, but the end was found"],
    ['POINT(1 2) x', 11, "the end of the geometry was expected, but 'x' was found"],
    ['POINT(1 2, 3 4)', 0, 'a point must have one position'],
    ['POINT(1-2)', 7, "a space, a comma or ')' was expected, but '-2)' was found"],
    ['POINT(1e999 2)', 6, 'the number exceeds the range of a coordinate'],
    ['POINT Z (1 2)', 9, 'a position has 2 numbers instead of 3'],
    ['POINT(1 2 3 4 5)', 6, 'a position has 5 numbers instead of 2 to 4'],
    ['LINESTRING(0 0)', 10, 'a line requires at least 2 positions'],
    ['LINESTRING(0 0, 1 1 1)', 15, 'a position has 3 numbers instead of 2'],
    ['POLYGON((0 0,1 0,0 0))', 8, 'a ring requires at least 4 positions'],
    ['POLYGON((0 0,1 0,1 1,0 1))', 8, 'a ring must end at its first position'],
    ['GEOMETRYCOLLECTION(POINT(1 2),POINT Z (1 2 3))', 30, 'an XYZ geometry is inside an XY geometry'],
    [`${'GEOMETRYCOLLECTION('.repeat(40)}POINT(1 2)`, 32 * 19, 'collections are nested deeper than 32'],
  ])('rejects %s', (text, offset, reason) => {
    expect.assertions(1);
    try {
      decodeWkt(text);
    } catch (error) {
      expect(error).toEqual(expect.objectContaining({ name: WktError.name, offset, message: reason }));
    }
  });
});
