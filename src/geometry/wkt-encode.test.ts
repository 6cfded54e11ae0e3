/** Geometries as well-known text. */
import { describe, expect, it } from 'vitest';
import { decodeWkt } from './wkt-decode.ts';
import { encodeWkt } from './wkt-encode.ts';

describe('WKT geometry encoder', () => {
  it.each([
    'POINT (1 2)',
    'POINT Z (1 2 3)',
    'POINT M (1 2 3)',
    'POINT ZM (1 2 3 4)',
    'POINT EMPTY',
    'POINT (-0.25 1e+21)',
    'LINESTRING (0 0, 1 1, 2.5 1)',
    'POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))',
    'MULTIPOINT ((1 2), (3 4))',
    'MULTILINESTRING ((0 0, 1 1), (2 2, 3 3, 4 4))',
    'MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1)), ((8 8, 9 8, 9 9, 8 8)))',
    'MULTIPOLYGON EMPTY',
    'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1))',
    'GEOMETRYCOLLECTION EMPTY',
  ])('encodes the decoded geometry unchanged: %s', (text) => {
    expect(encodeWkt(decodeWkt(text))).toBe(text);
  });
});
