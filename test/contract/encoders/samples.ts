/** Samples for every encoder: each geometry type and each value type. */
import type { Geometry } from '../../../src/geometry/geometry.ts';
import { encodeWkt } from '../../../src/geometry/wkt-encode.ts';
import { column, geometryColumn, type MadeUpSet, wkt } from '../../support/feature-collections.ts';

export interface Sample {
  readonly code: string;
  readonly set: MadeUpSet;
}

/** Each feature has a number that identifies it. */
function shapes(type: Parameters<typeof geometryColumn>[0], texts: readonly string[], code = 'EPSG:4326'): Sample {
  const geometries = texts.map(wkt);
  const dimension = geometries[0]?.dimension ?? 'XY';
  return {
    code,
    set: {
      attributes: [geometryColumn(type, code, dimension), column('number', 'integer')],
      rows: geometries.map((geometry, index) => [geometry, index]),
    },
  };
}

export const samples = {
  points: shapes('Point', ['POINT (1.5 2.25)', 'POINT (-170.12345678 -80)', 'POINT (0 0)']),
  'points with heights': shapes('Point', ['POINT Z (1.5 2.25 100.5)', 'POINT Z (3 4 -1)']),
  lines: shapes('LineString', ['LINESTRING (0 0, 1 1, 2 0)', 'LINESTRING (5 5, 6 7)']),
  'lines with heights': shapes('LineString', ['LINESTRING Z (0 0 1, 1 1 2, 2 0 3)']),
  'polygons with holes': shapes('Polygon', [
    'POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1), (4 4, 4 5, 5 5, 4 4))',
    'POLYGON ((20 0, 29 0, 29 9, 20 0))',
  ]),
  'many points': shapes('MultiPoint', ['MULTIPOINT ((1 2), (3 4))', 'MULTIPOINT ((5 6))']),
  'many lines': shapes('MultiLineString', ['MULTILINESTRING ((0 0, 1 1), (2 2, 3 3, 4 2))']),
  'multiple geometries with one part': shapes('Geometry', [
    'MULTIPOINT ((1 2))',
    'MULTILINESTRING ((0 0, 1 1))',
    'MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0)))',
  ]),
  'many polygons': shapes('MultiPolygon', [
    'MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 1 2, 2 2, 1 1)), ((20 0, 29 0, 29 9, 20 0)))',
    'MULTIPOLYGON (((40 0, 49 0, 49 9, 40 0)))',
  ]),
  'collections of geometries': shapes('GeometryCollection', [
    'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (3 4, 5 6))',
    'GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 0)), POINT (1 1))',
  ]),
  'places in a system whose north comes first': shapes(
    'Point',
    ['POINT (3500000.25 5800000.5)', 'POINT (3400000 5700000)'],
    'EPSG:31467',
  ),
  'polygons in a system whose east comes first': shapes(
    'MultiPolygon',
    ['MULTIPOLYGON (((2600000 1200000, 2600100 1200000, 2600100 1200100, 2600000 1200000)))'],
    'EPSG:2056',
  ),
  'values of every type': {
    code: 'EPSG:4326',
    set: {
      attributes: [
        geometryColumn('Point'),
        column('text', 'string'),
        column('yes', 'boolean'),
        column('small', 'short'),
        column('whole', 'integer'),
        column('long', 'long'),
        column('real', 'double'),
        column('day', 'date'),
        column('moment', 'timestamp'),
      ],
      rows: [
        [
          wkt('POINT (1 2)'),
          'Zürich, "東京" & <Ærø>; don\'t',
          true,
          -7,
          2_147_483_647,
          123_456_789_012,
          -0.1,
          new Date('2020-02-29'),
          new Date('2020-02-29T23:59:58Z'),
        ],
        [
          wkt('POINT (3 4)'),
          'two\nlines',
          false,
          0,
          -1,
          0,
          1e-7,
          new Date('1899-12-31'),
          new Date('1970-01-01T00:00:00Z'),
        ],
      ],
    },
  },
  'features without values': {
    code: 'EPSG:4326',
    set: {
      attributes: [
        geometryColumn('Point'),
        column('text', 'string'),
        column('whole', 'integer'),
        column('real', 'double'),
        column('day', 'date'),
      ],
      rows: [
        [wkt('POINT (1 2)'), 'first', 1, 1.5, new Date('2020-01-01')],
        [wkt('POINT (3 4)'), null, null, null, null],
        [null, 'nowhere', 3, 0.5, new Date('2020-01-03')],
      ],
    },
  },
} as const satisfies Readonly<Record<string, Sample>>;

/** Normalizes a geometry as well-known text that ignores where rings start and which direction they have. */
export function plainGeometry(geometry: Geometry): string {
  return canonical(encodeWkt(geometry));
}

interface JsonGeometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly JsonGeometry[];
}

export function readPlainGeometry(geometry: object): string {
  return canonical(wktOf(geometry as JsonGeometry));
}

function wktOf({ type, coordinates, geometries }: JsonGeometry): string {
  if (geometries !== undefined) return `GEOMETRYCOLLECTION (${geometries.map(wktOf).join(', ')})`;
  const nested = JSON.stringify(coordinates);
  const isFlat = type === 'Point';
  const first = firstPosition(coordinates);
  const mark = first.length === 3 ? ' Z' : '';
  const text = nested.replaceAll(/\[([-\d.e+,]+)\]/g, (_, numbers: string) =>
    type === 'MultiPoint' || isFlat ? `(${numbers.replaceAll(',', ' ')})` : numbers.replaceAll(',', ' '),
  );
  return `${type.toUpperCase()}${mark} ${text.replaceAll('[', '(').replaceAll(']', ')').replaceAll(',', ', ')}`;
}

function firstPosition(coordinates: unknown): readonly number[] {
  const [first] = coordinates as readonly unknown[];
  return Array.isArray(first) ? firstPosition(first) : (coordinates as readonly number[]);
}

/** Rings become sets of undirected edges, with rounded numbers. */
function canonical(text: string): string {
  const rounded = text.replaceAll(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, (number) =>
    String(Number(Number(number).toFixed(7))),
  );
  if (!/^(?:MULTI)?POLYGON/.test(rounded)) return rounded;
  return rounded.replaceAll(/\(([^()]+)\)/g, (_, ring: string) => `(${canonicalRing(ring.split(', '))})`);
}

function canonicalRing(positions: readonly string[]): string {
  const open = positions.slice(0, -1);
  const start = open.indexOf([...open].sort()[0] ?? '');
  const forward = [...open.slice(start), ...open.slice(0, start)];
  const backward = [...forward.slice(0, 1), ...forward.slice(1).reverse()];
  return [forward.join(', '), backward.join(', ')].sort()[0] ?? '';
}
