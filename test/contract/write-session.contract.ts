/** The contract of all drivers that can write features. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Dimension, Geometry, GeometryType } from '../../src/geometry/geometry.ts';
import type { Attribute, Feature, Value, ValueType, VectorSource, WriteSession } from '../../src/vector/port/port.ts';
import { describeType, readAllFeatures } from '../support/vector-reading.ts';
import { createType } from '../support/vector-writing.ts';

export interface WritableUnderTest {
  readonly source: VectorSource;
  destroy(): Promise<void>;
}

const never = new AbortController().signal;
const dimensions: readonly Dimension[] = ['XY', 'XYZ', 'XYM', 'XYZM'];

/** Positions 0 to count - 1, with distinct values in every ordinate. */
function positions(dimension: Dimension, ...points: readonly (readonly [number, number])[]): Float64Array {
  return Float64Array.from(points.flatMap(([x, y]) => [x, y, x * 10, y * 100].slice(0, dimension.length)));
}

const ring = [
  [0, 0],
  [0, 9],
  [9, 9],
  [0, 0],
] as const;
const hole = [
  [1, 2],
  [1, 3],
  [2, 3],
  [1, 2],
] as const;

function geometries(dimension: Dimension): Readonly<Record<Exclude<GeometryType, 'Geometry'>, Geometry>> {
  const make = (
    type: Geometry['type'],
    points: readonly (readonly [number, number])[],
    ends: number[] = [],
    parts: number[] = [],
  ): Geometry => ({ type, dimension, ordinates: positions(dimension, ...points), ends, parts });
  const point = make('Point', [[1, 2]]);
  return {
    Point: point,
    LineString: make(
      'LineString',
      [
        [1, 2],
        [3, 4],
        [5, 7],
      ],
      [3],
    ),
    Polygon: make('Polygon', [...ring, ...hole], [4, 8], [2]),
    MultiPoint: make('MultiPoint', [
      [1, 2],
      [3, 4],
    ]),
    MultiLineString: make(
      'MultiLineString',
      [
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
        [9, 9],
      ],
      [2, 5],
    ),
    MultiPolygon: make('MultiPolygon', [...ring, ...hole, ...hole], [4, 8, 12], [2, 3]),
    GeometryCollection: {
      ...make('GeometryCollection', []),
      members: [
        point,
        make(
          'LineString',
          [
            [1, 2],
            [3, 4],
          ],
          [2],
        ),
      ],
    },
  };
}

function geometryColumn(type: GeometryType, dimension: Dimension = 'XY'): Attribute {
  return { name: 'geom', nillable: true, kind: 'geometry', type, dimension, crs: { code: 'EPSG:25832' } };
}

function valueColumn(name: string, type: ValueType, nillable = true): Attribute {
  return { name, nillable, kind: 'value', type };
}

async function* inBatches(rows: readonly (readonly (Value | Geometry)[])[]): AsyncGenerator<readonly Feature[]> {
  for (const [index, values] of rows.entries()) yield [{ id: `feature ${index + 1}`, values }];
}

/** After garbage collection, the remaining heap is memory still in use. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

export function writeSessionContract(
  driver: string,
  create: () => Promise<WritableUnderTest>,
  { hasHeights = true }: { readonly hasHeights?: boolean } = {},
): void {
  describe(`feature writes into ${driver}`, () => {
    let under: WritableUnderTest;
    let source: VectorSource;
    beforeEach(async () => {
      under = await create();
      source = under.source;
    });
    afterEach(async () => {
      await source.close();
      await under.destroy();
    });

    async function start(): Promise<WriteSession> {
      if (source.startWriting === undefined) throw new Error('it cannot write');
      return source.startWriting(never);
    }

    async function write(
      attributes: readonly Attribute[],
      rows: readonly (readonly (Value | Geometry)[])[],
      mode: 'append' | 'overwrite' = 'append',
      name = 'things',
    ): Promise<void> {
      const session = await start();
      try {
        await session.write({ name, attributes, batches: inBatches(rows) }, mode);
        await session.commit();
      } catch (error) {
        await session.rollback();
        throw error;
      }
    }

    const valuesOf = async (name = 'things') => (await readAllFeatures(source, name)).map(({ values }) => values);

    describe.for(hasHeights ? dimensions : (['XY'] as const))('geometries with %s', (dimension) => {
      test.for(Object.entries(geometries(dimension)))('stores a %s unchanged', async ([, geometry]) => {
        await write([geometryColumn(geometry.type, dimension)], [[geometry], [null]]);

        expect(await valuesOf()).toEqual([[geometry], [null]]);
        expect((await describeType(source, 'things')).attributes).toEqual([geometryColumn(geometry.type, dimension)]);
      });
    });

    test('stores all geometry types in a generic column, and reports their bounds', async () => {
      const all = Object.values(geometries('XY'));

      await write(
        [geometryColumn('Geometry')],
        all.map((each) => [each]),
      );

      expect(await valuesOf()).toEqual(all.map((each) => [each]));
      expect((await describeType(source, 'things')).bounds).toEqual({ minX: 0, minY: 0, maxX: 9, maxY: 9 });
    });

    test('converts between single and multi geometries of one part', async () => {
      const { Point, LineString, Polygon } = geometries('XY');
      for (const single of [Point, LineString, Polygon]) {
        const multiple = geometryColumn(`Multi${single.type}` as GeometryType);
        await write([multiple], [[single]], 'append', multiple.type);
        const [[stored]] = (await valuesOf(multiple.type)) as [[Geometry]];
        expect(stored).toMatchObject({ type: `Multi${single.type}`, ordinates: single.ordinates });

        await write([geometryColumn(single.type)], [[stored]], 'append', single.type);
        expect(await valuesOf(single.type)).toEqual([[single]]);
      }
    });

    test.for([
      ['a line in a point column', geometryColumn('Point'), geometries('XY').LineString, 'accepts only Point'],
      [
        'two points in a single-point column',
        geometryColumn('Point'),
        geometries('XY').MultiPoint,
        'accepts only Point',
      ],
      ['heights in a 2D column', geometryColumn('Point'), geometries('XYZ').Point, 'accepts only XY'],
      ...(hasHeights
        ? ([
            [
              'missing heights in a 3D column',
              geometryColumn('Point', 'XYZ'),
              geometries('XY').Point,
              'accepts only XYZ',
            ],
          ] as const)
        : []),
    ] as const)('rejects %s', async ([, column, geometry, message]) => {
      await write([column], [[null]]);

      await expect(write([column], [[null], [geometry]])).rejects.toMatchObject({
        code: 'feature-refused',
        message: expect.stringMatching(new RegExp(`the feature 'feature 2'.*${message}`)),
      });
      expect(await valuesOf()).toEqual([[null]]);
    });

    test.for([
      ['string', ['', 'Zürich 漢字 🌍', `"quoted" 'too' \\ {a,b} NULL`, '\t\n']],
      ['boolean', [true, false]],
      ['short', [-32_768, 0, 32_767]],
      ['integer', [-2_147_483_648, 2_147_483_647]],
      ['long', [-9_223_372_036_854_775_808n, Number.MAX_SAFE_INTEGER, 9_223_372_036_854_775_807n]],
      ['double', [0.1, -1e300, 5e-324, 1_234_567.891]],
      ['date', [new Date('2024-02-29'), new Date('0001-01-01'), new Date('9999-12-31')]],
      ['timestamp', [new Date('1969-07-20T20:17:40.123Z'), new Date('2026-01-02T00:00:00Z')]],
      ['bytes', [Buffer.from([0, 1, 254, 255]), Buffer.alloc(0)]],
      ['uuid', ['123e4567-e89b-12d3-a456-426614174000']],
      ['time', ['12:34:56']],
    ] as const)('stores values of type %s', async ([type, values]) => {
      await write([valueColumn('v', type)], [...values.map((value) => [value]), [null]]);

      const stored = (await valuesOf()).map(([value]) => (value instanceof Uint8Array ? Buffer.from(value) : value));
      expect(stored).toEqual([...values, null]);
    });

    test('appends rows, matches column names case-insensitively, and leaves missing values empty', async () => {
      const attributes = [geometryColumn('Point'), valueColumn('Name', 'string'), valueColumn('n', 'long')];
      const { Point } = geometries('XY');
      await write(attributes, [[Point, 'a', 1]]);

      await write([valueColumn('NAME', 'string')], [['b']]);
      await write([valueColumn('N', 'integer'), { ...geometryColumn('Point'), name: 'the_geom' }], [[3, Point]]);

      expect(await valuesOf()).toEqual([
        [Point, 'a', 1],
        [null, 'b', null],
        [Point, null, 3],
      ]);
    });

    test.for([
      ['an attribute without a column', [valueColumn('other', 'string')], "no column for 'other'"],
      ['text in a numeric column', [valueColumn('n', 'string')], "'n' has the type string"],
      ['a text value in the geometry column', [valueColumn('geom', 'string')], 'is not a geometry'],
      ['duplicate column names', [valueColumn('n', 'long'), valueColumn('N', 'long')], 'several attributes'],
      ['another CRS', [{ ...geometryColumn('Point'), crs: { code: 'EPSG:4326' } }], 'EPSG:4326'],
      ['an unknown CRS', [{ ...geometryColumn('Point'), crs: {} }], 'unknown'],
    ] as const)('rejects %s before writing a row', async ([, attributes, message]) => {
      await write([geometryColumn('Point'), valueColumn('n', 'long')], [[null, 1]]);

      await expect(write(attributes as readonly Attribute[], [], 'overwrite')).rejects.toMatchObject({
        code: 'import-refused',
        status: 400,
        message: expect.stringContaining(message),
      });
      expect(await valuesOf()).toEqual([[null, 1]]);
    });

    test('rejects a row without a required value, and keeps the existing rows', async () => {
      const attributes = [valueColumn('must', 'string', false)];
      await write(attributes, [['old']]);

      await expect(write(attributes, [['new'], [null]], 'overwrite')).rejects.toMatchObject({
        code: 'feature-refused',
      });

      expect(await valuesOf()).toEqual([['old']]);
    });

    test('is invisible to other readers before the commit and after a rollback', async () => {
      const session = await start();
      await session.write(
        { name: 'things', attributes: [valueColumn('v', 'string')], batches: inBatches([['x']]) },
        'append',
      );

      expect((await session.describe('things'))?.attributes).toEqual([valueColumn('v', 'string')]);
      expect(await source.listTypes(never)).toEqual([]);
      await session.rollback();

      expect(await source.listTypes(never)).toEqual([]);
    });

    const plain = { name: 'plain', attributes: [geometryColumn('Point'), valueColumn('v', 'string')] };

    test('creates an empty table that the session can describe, visible to all after the commit', async () => {
      const session = await start();

      await session.createType(plain);
      const inside = await session.describe('plain');
      const before = await source.listTypes(never);
      await session.commit();

      expect(inside).toEqual({ ...plain, defaultGeometry: 'geom', count: 0 });
      expect(before).toEqual([]);
      expect(await describeType(source, 'plain')).toEqual(inside);
      expect(await valuesOf('plain')).toEqual([]);
    });

    test('removes an empty table on rollback and frees its name', async () => {
      const session = await start();
      await session.createType(plain);
      await session.rollback();

      expect(await source.listTypes(never)).toEqual([]);
      expect(await source.describe('plain', never)).toBeUndefined();
      await createType(source, plain);
      expect(await source.listTypes(never)).toEqual([{ name: 'plain', hasGeometry: true }]);
    });

    test('fills a table created in the same session', async () => {
      const session = await start();

      await session.createType(plain);
      const batches = inBatches([[geometries('XY').Point, 'first']]);
      await session.write({ ...plain, batches }, 'append');
      await session.commit();

      expect(await valuesOf('plain')).toEqual([[geometries('XY').Point, 'first']]);
    });

    test('rejects creating an existing table, and leaves that table unchanged', async () => {
      await write([valueColumn('v', 'string')], [['old']]);

      await expect(createType(source, { ...plain, name: 'things' })).rejects.toMatchObject({
        code: 'table-exists',
        status: 409,
      });

      expect(await valuesOf()).toEqual([['old']]);
    });

    test('rolls back when reading the input features fails', async () => {
      await write([valueColumn('v', 'string')], [['old']]);
      const session = await start();
      async function* failing(): AsyncGenerator<readonly Feature[]> {
        yield [{ id: '1', values: ['new'] }];
        throw new Error('the source is gone');
      }

      const writing = session.write(
        { name: 'things', attributes: [valueColumn('v', 'string')], batches: failing() },
        'overwrite',
      );

      await expect(writing).rejects.toThrow();
      await session.rollback();
      expect(await valuesOf()).toEqual([['old']]);
    });

    test('needs constant memory for any number of features', async () => {
      const COUNT = 100_000;
      const VERTICES = 30;
      let peakBytes = 0;
      const usedBytes = () => {
        collectGarbage();
        const { heapUsed, external } = process.memoryUsage();
        return heapUsed + external;
      };
      const before = usedBytes();
      async function* many(): AsyncGenerator<readonly Feature[]> {
        for (let at = 0; at < COUNT; at += 1_000) {
          yield Array.from({ length: 1_000 }, (_, index) => {
            const ordinates = new Float64Array(VERTICES * 2).fill(at + index);
            return {
              id: String(at + index),
              values: [
                { type: 'LineString', dimension: 'XY', ordinates, ends: [VERTICES], parts: [] },
                'x'.repeat(100),
              ],
            };
          });
          if (at % 10_000 === 0) peakBytes = Math.max(peakBytes, usedBytes() - before);
        }
      }
      const session = await start();
      const attributes = [geometryColumn('LineString'), valueColumn('text', 'string')];

      await session.write({ name: 'things', attributes, batches: many() }, 'append');
      await session.commit();

      const { count, bounds } = await describeType(source, 'things');
      expect([count, bounds]).toEqual([COUNT, { minX: 0, minY: 0, maxX: COUNT - 1, maxY: COUNT - 1 }]);
      // All features together would take 60 MB as plain numbers and letters, and twice that in transit.
      expect(peakBytes / 1_048_576).toBeLessThan(40);
    });
  });
}
