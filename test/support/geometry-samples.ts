/** One geometry of each type and dimension, as well-known text. */
export const wktSamples = [
  'POINT (1 2)',
  'POINT Z (1 2 3)',
  'POINT M (1 2 4)',
  'POINT ZM (1 2 3 4)',
  'POINT EMPTY',
  'LINESTRING (0 0, 1 1.5)',
  'LINESTRING Z (0 0 1, 1 1 2)',
  'LINESTRING EMPTY',
  'POLYGON ((0 0, 9 0, 9 9, 0 0), (1 1, 2 1, 2 2, 1 1))',
  'POLYGON EMPTY',
  'MULTIPOINT ((1 2), (3 4))',
  'MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))',
  'MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0), (1 1, 2 1, 2 2, 1 1)), ((20 0, 29 0, 29 9, 20 0)))',
  'MULTIPOLYGON EMPTY',
  'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (3 4, 5 6))',
  'GEOMETRYCOLLECTION EMPTY',
] as const;
