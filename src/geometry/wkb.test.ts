import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBlobHeader, decodeGeometryBlob, encodeGeometryBlob } from '../vector/geopackage/geometry-blob.ts';
import type { Dimension, Geometry } from './geometry.ts';
import { decodeWkb, WkbError } from './wkb-decode.ts';
import { encodeWkb } from './wkb-encode.ts';

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex');
const sizes = { XY: 2, XYZ: 3, XYM: 3, XYZM: 4 } as const;

const dimensions = fc.constantFrom<Dimension>('XY', 'XYZ', 'XYM', 'XYZM');

function ordinates(positions: number, dimension: Dimension): fc.Arbitrary<Float64Array> {
  const count = positions * sizes[dimension];
  return fc
    .array(fc.double({ noNaN: true }), { minLength: count, maxLength: count })
    .map((numbers) => Float64Array.from(numbers));
}

/** Returns the cumulative ends of pieces with the given lengths. */
function endsOf(lengths: readonly number[]): number[] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return end;
  });
}

const lengths = fc.array(fc.nat(4), { maxLength: 4 });

function simple(dimension: Dimension): fc.Arbitrary<Geometry> {
  const of = (type: Geometry['type'], ends: readonly number[], parts: readonly number[], positions: number) =>
    ordinates(positions, dimension).map((numbers) => ({ type, dimension, ordinates: numbers, ends, parts }));
  return fc.oneof(
    fc.nat(1).chain((count) => of('Point', [], [], count)),
    fc.nat(5).chain((count) => of('LineString', count === 0 ? [] : [count], [], count)),
    fc.nat(5).chain((count) => of('MultiPoint', [], [], count)),
    lengths.map(endsOf).chain((ends) => of('Polygon', ends, ends.length === 0 ? [] : [ends.length], ends.at(-1) ?? 0)),
    lengths.map(endsOf).chain((ends) => of('MultiLineString', ends, [], ends.at(-1) ?? 0)),
    fc.array(lengths, { maxLength: 3 }).chain((polygons) =>
      of(
        'MultiPolygon',
        endsOf(polygons.flat()),
        endsOf(polygons.map((rings) => rings.length)),
        polygons.flat().reduce((sum, each) => sum + each, 0),
      ),
    ),
  );
}

function collection(dimension: Dimension, depth: number): fc.Arbitrary<Geometry> {
  const member = depth === 0 ? simple(dimension) : fc.oneof(simple(dimension), collection(dimension, depth - 1));
  return fc.array(member, { maxLength: 3 }).map((members) => ({
    type: 'GeometryCollection',
    dimension,
    ordinates: new Float64Array(0),
    ends: [],
    parts: [],
    members,
  }));
}

const geometries = dimensions.chain((dimension) => fc.oneof(simple(dimension), collection(dimension, 2)));

describe('WKB codec', () => {
  test('decodes every encoded geometry in both byte orders and both forms', () => {
    const forms = fc.record(
      { byteOrder: fc.constantFrom('little' as const, 'big' as const), srid: fc.integer({ min: 0, max: 999_999 }) },
      { requiredKeys: [] },
    );

    fc.assert(
      fc.property(geometries, forms, (geometry, form) => {
        const decoded = decodeWkb(encodeWkb(geometry, form));
        expect(decoded.geometry).toEqual(geometry);
        expect(decoded.srid).toBe(form.srid);
      }),
    );
  });

  test.each([
    ['ISO with z', '01 e9030000 000000000000f03f 0000000000000040 0000000000000840', 'XYZ', [1, 2, 3]],
    [
      'PostGIS with z and SRID',
      '01 010000a0 e6100000 000000000000f03f 0000000000000040 0000000000000840',
      'XYZ',
      [1, 2, 3],
    ],
    ['ISO with m', '00 000007d1 3ff0000000000000 4000000000000000 4008000000000000', 'XYM', [1, 2, 3]],
    ['an empty point', '01 01000000 000000000000f87f 000000000000f87f', 'XY', []],
  ])('decodes a point as %s writes it', (_title, bytes, dimension, expected) => {
    const { geometry } = decodeWkb(hex(bytes));

    expect(geometry).toMatchObject({ type: 'Point', dimension });
    expect([...geometry.ordinates]).toEqual(expected);
  });

  test('decodes a half circle as a line along the arc', () => {
    const arc = `01 08000000 03000000 ${[0, 0, 1, 1, 2, 0].map(double).join('')}`;

    const { geometry } = decodeWkb(hex(arc));

    expect(geometry.type).toBe('LineString');
    expect(geometry.ends).toEqual([65]);
    for (let at = 0; at < geometry.ordinates.length; at += 2) {
      const [x = Number.NaN, y = Number.NaN] = geometry.ordinates.subarray(at, at + 2);
      expect(Math.hypot(x - 1, y)).toBeCloseTo(1, 12);
      expect(y).toBeGreaterThanOrEqual(0);
    }
  });

  test('decodes a polygon bounded by arcs and lines as a polygon', () => {
    const arc = `01 08000000 03000000 ${[0, 0, 1, 1, 2, 0].map(double).join('')}`;
    const line = `01 02000000 02000000 ${[2, 0, 0, 0].map(double).join('')}`;

    const { geometry } = decodeWkb(hex(`01 0a000000 01000000 01 09000000 02000000 ${arc} ${line}`));

    expect(geometry).toMatchObject({ type: 'Polygon', ends: [66], parts: [1] });
  });

  test('reports the offset of the first invalid byte', () => {
    expect(() => decodeWkb(hex('01 02000000 ffffff7f 00'))).toThrow(
      new WkbError(5, 'the number of items (2147483647) exceeds the remaining bytes'),
    );
    expect(() => decodeWkb(hex('02 01000000'))).toThrow(WkbError);
    expect(() => decodeWkb(hex('01 63000000'))).toThrow('unknown geometry code 99');
    expect(() => decodeWkb(hex(`${'01 07000000 01000000'.repeat(5000)}`))).toThrow('nested deeper');
  });

  test('rejects any other bytes with a WkbError', () => {
    const mutated = fc
      .tuple(geometries, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.option(fc.nat()))
      .map(([geometry, changes, cut]) => {
        const bytes = encodeWkb(geometry);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return cut === null ? bytes : bytes.subarray(0, cut % (bytes.length + 1));
      });

    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 100 })), (bytes) => {
        for (const decode of [decodeWkb, decodeGeometryBlob]) {
          try {
            decode(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(WkbError);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('GeoPackage geometry', () => {
  test('is decoded with its CRS and its bounding box', () => {
    fc.assert(
      fc.property(geometries, fc.integer({ min: -1, max: 999_999 }), (geometry, srsId) => {
        const bytes = encodeGeometryBlob(geometry, srsId);
        expect(decodeGeometryBlob(bytes)).toEqual({ srsId, geometry });
      }),
    );
  });

  test('returns its bounding box without decoding the geometry', () => {
    const ordinates = Float64Array.of(3, 1, 2, 5, -4, 0);
    const bytes = encodeGeometryBlob({ type: 'LineString', dimension: 'XY', ordinates, ends: [3], parts: [] }, 4326);

    expect(decodeBlobHeader(bytes.subarray(0, 40))).toMatchObject({ bounds: { minX: -4, minY: 0, maxX: 3, maxY: 5 } });
  });
});

function double(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString('hex');
}
