import { describe, expect, test } from 'vitest';
import {
  column,
  createCollection,
  encodeText,
  geometryColumn,
  type MadeUpSet,
  never,
  wkt,
} from '../../../test/support/feature-collections.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { FeatureEncoder } from '../port/port.ts';
import { geoJson, wfsGeoJson } from './geojson.ts';

const towns: MadeUpSet = {
  name: 'towns',
  attributes: [geometryColumn('Point'), column('name', 'string'), column('pop', 'long'), column('since', 'date')],
  rows: [
    [wkt('POINT (7.123456789 46.5)'), 'Zürich "alt"', 12, new Date('1291-08-01')],
    [null, null, null, null],
  ],
  crsName: 'urn:ogc:def:crs:EPSG::4326',
  isNorthFirst: true,
};

async function coordinatesOf(encoder: FeatureEncoder, geometry: Geometry, isNorthFirst = false): Promise<unknown> {
  const collection = createCollection([{ attributes: [geometryColumn()], rows: [[geometry]], isNorthFirst }]);
  const document = JSON.parse(await encodeText(encoder, collection)) as {
    readonly features: readonly { readonly geometry: Readonly<Record<string, unknown>> | null }[];
  };
  const written = document.features[0]?.geometry;
  return written?.['coordinates'] ?? written?.['geometries'] ?? written;
}

describe('GeoJSON', () => {
  test('conforms to RFC 7946, with counts and links after the features', async () => {
    const collection = createCollection([{ ...towns, isNorthFirst: false }], {
      links: () => [{ rel: 'next', href: 'http://localhost/next', type: 'application/geo+json' }],
    });

    const text = await encodeText(geoJson, collection);

    expect(text).toBe(
      '{"type":"FeatureCollection","features":[' +
        '{"type":"Feature","id":"towns.1","geometry":{"type":"Point","coordinates":[7.12345679,46.5]},' +
        '"properties":{"name":"Zürich \\"alt\\"","pop":12,"since":"1291-08-01"}},' +
        '{"type":"Feature","id":"towns.2","geometry":null,"properties":{"name":null,"pop":null,"since":null}}],' +
        '"numberMatched":2,"numberReturned":2,"timeStamp":"2026-01-02T03:04:05.000Z",' +
        '"links":[{"rel":"next","href":"http://localhost/next","type":"application/geo+json"}]}',
    );
  });

  test('writes the members that WFS clients expect, with x before y in any CRS', async () => {
    const text = await encodeText(wfsGeoJson, createCollection([towns]));

    expect(text).toBe(
      '{"type":"FeatureCollection","features":[' +
        '{"type":"Feature","id":"towns.1","geometry":{"type":"Point","coordinates":[7.12345679,46.5]},' +
        '"geometry_name":"the_geom","properties":{"name":"Zürich \\"alt\\"","pop":12,"since":"1291-08-01"}},' +
        '{"type":"Feature","id":"towns.2","geometry":null,"geometry_name":"the_geom",' +
        '"properties":{"name":null,"pop":null,"since":null}}],' +
        '"totalFeatures":2,"numberMatched":2,"numberReturned":2,"timeStamp":"2026-01-02T03:04:05.000Z",' +
        '"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::4326"}}}',
    );
  });

  test('writes a collection for an empty result', async () => {
    const document = JSON.parse(await encodeText(wfsGeoJson, createCollection([{ ...towns, rows: [] }]))) as unknown;

    expect(document).toMatchObject({ features: [], totalFeatures: 0, numberReturned: 0, crs: null });
  });

  test('writes the features of several queries and the sum of their counts', async () => {
    const collection = createCollection([towns, { ...towns, name: 'villages', numberMatched: 40 }]);

    const document = JSON.parse(await encodeText(wfsGeoJson, collection)) as {
      readonly features: readonly { readonly id: string }[];
    };

    expect(document.features.map(({ id }) => id)).toEqual(['towns.1', 'towns.2', 'villages.1', 'villages.2']);
    expect(document).toMatchObject({ numberMatched: 42, numberReturned: 4 });
  });

  test('reports an unknown count as unknown', async () => {
    const { numberMatched: _, ...set } = createCollection([towns]).sets[0] ?? {};
    const collection = { ...createCollection([]), sets: [set] } as ReturnType<typeof createCollection>;

    const document = JSON.parse(await encodeText(wfsGeoJson, collection)) as object;

    expect(document).toMatchObject({ totalFeatures: 'unknown' });
    expect('numberMatched' in document).toBe(false);
  });

  test('writes a single feature with its links', async () => {
    const collection = createCollection([towns], { links: () => [{ rel: 'self', href: 'http://localhost/self' }] });

    const bytes = await geoJson.encodeFeature?.(collection, never);

    expect(JSON.parse(Buffer.from(bytes ?? []).toString())).toMatchObject({
      type: 'Feature',
      id: 'towns.1',
      links: [{ rel: 'self', href: 'http://localhost/self' }],
    });
    expect(await geoJson.encodeFeature?.(createCollection([{ ...towns, rows: [] }]), never)).toBeUndefined();
  });

  test.for([
    ['POINT (1 2)', [1, 2]],
    ['POINT EMPTY', []],
    ['POINT Z (1 2 3)', [1, 2, 3]],
    ['POINT M (1 2 9)', [1, 2]],
    ['POINT ZM (1 2 3 9)', [1, 2, 3]],
    [
      'LINESTRING (0 0, 1 1)',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'MULTIPOINT ((1 2), (3 4))',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))',
      [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 2],
          [3, 3],
        ],
      ],
    ],
    ['MULTIPOLYGON EMPTY', []],
    [
      'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1))',
      [
        { type: 'Point', coordinates: [1, 2] },
        {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
      ],
    ],
  ] as const)('writes %s', async ([text, expected]) => {
    expect(await coordinatesOf(geoJson, wkt(text))).toEqual(expected);
  });

  test('orients outer rings counterclockwise and holes clockwise, except for WFS', async () => {
    const clockwise = wkt('POLYGON ((0 0, 0 9, 9 9, 9 0, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))');

    expect(await coordinatesOf(geoJson, clockwise)).toEqual([
      [
        [0, 0],
        [9, 0],
        [9, 9],
        [0, 9],
        [0, 0],
      ],
      [
        [1, 1],
        [1, 2],
        [2, 2],
        [2, 1],
        [1, 1],
      ],
    ]);
    expect(await coordinatesOf(wfsGeoJson, clockwise)).toMatchObject([{ 1: [0, 9] }, { 1: [2, 1] }]);
  });

  test('writes y first for OGC API on request', async () => {
    expect(await coordinatesOf(geoJson, wkt('POINT Z (1 2 3)'), true)).toEqual([2, 1, 3]);
  });

  test('writes a null geometry for an empty geometry', async () => {
    const nowhere: Geometry = {
      ...wkt('LINESTRING (0 0, 1 1)'),
      ordinates: Float64Array.of(0, 0, Number.POSITIVE_INFINITY, 1),
    };

    expect(await coordinatesOf(geoJson, nowhere)).toBeNull();
  });

  test.for([
    ['string', 'tab\t, quote ", 東京, half \ud800', 'tab\t, quote ", 東京, half \ufffd'],
    ['long', 9_007_199_254_740_993n, 9_007_199_254_740_992],
    ['decimal', '12.50', 12.5],
    ['double', Number.NaN, null],
    ['double', 1e-7, 1e-7],
    ['boolean', false, false],
    ['timestamp', new Date('2020-01-02T03:04:05Z'), '2020-01-02T03:04:05Z'],
    ['timestamp', new Date('2020-01-02T03:04:05.006Z'), '2020-01-02T03:04:05.006Z'],
    ['bytes', Uint8Array.of(1, 2, 255), 'AQL/'],
  ] as const)('writes a %s of %s', async ([type, value, expected]) => {
    const collection = createCollection([{ attributes: [column('it', type)], rows: [[value]] }]);

    const document = JSON.parse(await encodeText(geoJson, collection)) as unknown;

    expect(document).toMatchObject({ features: [{ geometry: null, properties: { it: expected } }] });
  });

  test('writes a second geometry as a property', async () => {
    const attributes = [geometryColumn('Point'), geometryColumn('Point', 'EPSG:4326', 'XY', 'label')];
    const collection = createCollection([{ attributes, rows: [[wkt('POINT (1 2)'), wkt('POINT (3 4)')]] }]);

    const document = JSON.parse(await encodeText(geoJson, collection)) as unknown;

    expect(document).toMatchObject({
      features: [{ geometry: { coordinates: [1, 2] }, properties: { label: { coordinates: [3, 4] } } }],
    });
  });
});
