import { describe, expect, test } from 'vitest';
import { column, createCollection, geometryColumn, never, wkt } from '../../test/support/feature-collections.ts';
import type { Geometry } from '../geometry/geometry.ts';
import { createReprojection } from '../geometry/reprojection.ts';
import { encodeWkt } from '../geometry/wkt-encode.ts';
import { outputFormats } from './formats.ts';
import type { FeatureEncoder } from './port/port.ts';

type TextFormat = 'geojson' | 'wfs-geojson' | 'gml2' | 'gml31' | 'gml32' | 'csv' | 'kml';

/** Large enough for several chunks in every format. */
const MANY = 40_000;

const place = (index: number): string => `${(index % 360) - 180} ${((index * 7) % 170) - 85}`;
const places = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => place(from + at)).join(', ');
const ring = (count: number, from = 0): string => `(${places(count, from)}, ${place(from)})`;
const many = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, at) => part(at)).join(', ');

const large: Readonly<Record<string, string>> = {
  'a long line': `LINESTRING (${places(MANY)})`,
  'a ring of very many positions, with holes': `POLYGON (${ring(MANY)}, ${ring(4)}, ${ring(MANY, 5)})`,
  'very many points': `MULTIPOINT (${many(MANY, (at) => `(${place(at)})`)})`,
  'very many short lines': `MULTILINESTRING (${many(MANY / 3, (at) => `(${places(3, at)})`)})`,
  'very many small polygons': `MULTIPOLYGON (${many(MANY / 8, (at) => `(${ring(4, at)}, ${ring(4, at + 9)})`)})`,
  'a mixed collection': `GEOMETRYCOLLECTION (LINESTRING (${places(MANY)}), MULTIPOINT (${many(MANY, (at) => `(${place(at)})`)}), POINT (1 2))`,
};

async function piecesOf(encoder: FeatureEncoder, geometry: Geometry): Promise<readonly string[]> {
  const rows = [
    ['before', wkt('POINT (1 2)')],
    ['large', geometry],
    ['after', wkt('POINT (3 4)')],
  ];
  const pieces: string[] = [];
  const collection = createCollection([{ attributes: [column('name', 'string'), geometryColumn()], rows }]);
  for await (const piece of encoder.encode(collection, never)) pieces.push(Buffer.from(piece).toString());
  return pieces;
}

const encoderOf = (format: TextFormat): Promise<FeatureEncoder> => outputFormats[format].load();

/** Returns all numbers of a text in order. */
const numbersIn = (text: string): readonly number[] => (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);

/** Returns the numbers in the coordinate elements. */
function coordinatesIn(text: string): readonly number[] {
  const found = text.matchAll(/<(?:gml:)?(?:pos|posList|coordinates)[^>]*>([^<]*)</g);
  return [...found].flatMap(([, list = '']) => numbersIn(list));
}

describe.each(Object.entries(large))('%s', (_, text) => {
  const geometry = wkt(text);
  const expected = [1, 2, ...numbersIn(text.replaceAll(/[A-Z]+/g, '')), 3, 4];

  test.each(['geojson', 'wfs-geojson', 'gml2', 'gml31', 'gml32', 'csv', 'kml'] as const)(
    'is sent in small chunks as %s',
    async (format) => {
      const pieces = await piecesOf(await encoderOf(format), geometry);

      expect(pieces.length).toBeGreaterThan(3);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(140_000);
    },
  );

  test('is complete and in the right position', async () => {
    const json = JSON.parse((await piecesOf(await encoderOf('wfs-geojson'), geometry)).join(''));
    const inGeoJson = JSON.stringify(json.features.map((each: { geometry: unknown }) => each.geometry));
    const csv = (await piecesOf(await encoderOf('csv'), geometry)).join('');
    const inMarkup = await Promise.all(
      (['gml2', 'gml31', 'gml32', 'kml'] as const).map(async (format) =>
        coordinatesIn((await piecesOf(await encoderOf(format), geometry)).join('')),
      ),
    );

    expect(json.features.map((each: { properties: unknown }) => each.properties)).toEqual([
      { name: 'before' },
      { name: 'large' },
      { name: 'after' },
    ]);
    expect(numbersIn(inGeoJson)).toEqual(expected);
    expect(csv.split('\r\n')[2]).toBe(`places.2,large,"${encodeWkt(geometry)}"`);
    for (const found of inMarkup) expect(found).toEqual(expected);
  });
});

describe('large features', () => {
  const geometry = wkt(large['a ring of very many positions, with holes'] ?? '');

  test('are encoded like a separate document', async () => {
    const collection = () => createCollection([{ attributes: [geometryColumn()], rows: [[geometry]] }]);
    const { encodeFeature, encode } = await encoderOf('geojson');
    const pieces: Uint8Array[] = [];
    for await (const piece of encode(collection(), never)) pieces.push(piece);

    const alone = JSON.parse(Buffer.from((await encodeFeature?.(collection(), never)) ?? []).toString());

    expect(alone).toEqual(JSON.parse(Buffer.concat(pieces).toString()).features[0]);
  });

  test('are reprojected without blocking other requests', async () => {
    const reprojection = await createReprojection({ code: 'EPSG:4326' }, { code: 'EPSG:3857' });
    let turns = 0;
    const watch = setInterval(() => {
      turns += 1;
    }, 0);

    const placed = await reprojection?.reprojectGeometryInTurns(geometry);
    clearInterval(watch);

    expect(turns).toBeGreaterThan(3);
    expect(placed).toEqual(reprojection?.reprojectGeometry(geometry));
  });
});
