import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/e2e/temporary-folder.ts';
import { runGdal } from '../../../test/support/gdal.ts';
import { describeWithTool } from '../../../test/support/with-tool.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { encodeWkt } from '../../geometry/wkt-encode.ts';
import type { Feature, VectorSource } from '../port/port.ts';
import type { InterchangeFormat } from './interchange-formats.ts';
import { openInterchangeFile } from './interchange-source.ts';

const never = new AbortController().signal;

async function all(source: VectorSource, name: string): Promise<readonly Feature[]> {
  const features: Feature[] = [];
  for await (const batch of source.read(name, {}, never)) features.push(...batch);
  return features;
}

async function opened(format: InterchangeFormat, content: string | Buffer): Promise<VectorSource> {
  const path = join(await temporaryFolder(), `a.${format}`);
  await writeFile(path, content);
  return openInterchangeFile(path, format, undefined);
}

const geometryOf = ({ values }: Feature) => (values[0] === null ? null : encodeWkt(values[0] as Geometry));

const texts = [
  'POINT (7 50)',
  'LINESTRING (7 50, 8 51, 9 50)',
  'POLYGON ((7 50, 8 50, 8 51, 7 50), (7.5 50.1, 7.6 50.1, 7.6 50.2, 7.5 50.1))',
  'MULTIPOLYGON (((7 50, 8 50, 8 51, 7 50)), ((1 2, 2 2, 2 3, 1 2)))',
  'MULTILINESTRING ((7 50, 8 51), (1 2, 3 4))',
  'MULTIPOINT ((7 50), (1 2))',
];

describeWithTool('gdal', 'files written by GDAL', () => {
  const drivers = { geojson: 'GeoJSON', csv: 'CSV', kml: 'KML' } as const;

  it.each(['geojson', 'csv', 'kml'] as const)('reads the original features from %s', async (format) => {
    const folder = await temporaryFolder();
    const rows = texts.map((text, index) => `${index},${index / 4},n ü ${index},2026-01-0${index + 1},"${text}"`);
    await writeFile(join(folder, 'in.csv'), ['number,share,label,day,wkt', ...rows].join('\n'));
    await writeFile(join(folder, 'in.csvt'), 'Integer,Real,String,Date,String');
    const path = join(folder, `a.${format}`);
    const options = format === 'csv' ? ['-lco', 'GEOMETRY=AS_WKT'] : [];
    await runGdal('ogr2ogr', [
      ...['-f', drivers[format], ...options, '-a_srs', 'EPSG:4326', '-oo', 'GEOM_POSSIBLE_NAMES=wkt'],
      ...['-oo', 'KEEP_GEOM_COLUMNS=NO', '-nln', 'a', path, join(folder, 'in.csv')],
    ]);
    const source = openInterchangeFile(path, format, undefined);

    const described = await source.describe('a', never);
    const features = await all(source, 'a');

    const label = described?.attributes.findIndex(({ name }) => name === 'label') ?? -1;
    expect(features.map(geometryOf)).toEqual(texts);
    expect(features.map(({ values }) => values[label])).toEqual(texts.map((_, index) => `n ü ${index}`));
    const types = Object.fromEntries(described?.attributes.map(({ name, type }) => [name, type]) ?? []);
    expect(types).toMatchObject({ number: 'integer', share: 'double', label: 'string' });
    if (format !== 'csv') expect(described?.attributes[0]).toMatchObject({ crs: { code: 'EPSG:4326' } });
    expect(described?.bounds).toEqual({ minX: 1, minY: 2, maxX: 9, maxY: 51 });
  });
});

describe('GeoJSON', () => {
  const feature = (geometry: unknown, properties: unknown = {}) => ({ type: 'Feature', geometry, properties });
  const collection = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features });
  const point = (x: number, y: number, ...z: number[]) => ({ type: 'Point', coordinates: [x, y, ...z] });

  it('uses the narrowest type that fits all values of a column', async () => {
    const source = await opened(
      'geojson',
      collection(
        feature(point(1, 2), { a: 1, b: 1, c: true, d: '2026-01-02', e: 5_000_000_000, f: [1], g: null, h: 'x' }),
        feature(point(3, 4), { a: 2, b: 1.5, c: false, d: '2026-01-03T10:00:00Z', e: 1, f: { k: 2 }, g: null, h: 5 }),
      ),
    );

    const { attributes = [] } = (await source.describe('a', never)) ?? {};
    const features = await all(source, 'a');

    expect(attributes.map(({ name, type }) => [name, type])).toEqual([
      ['geom', 'Point'],
      ['a', 'integer'],
      ['b', 'double'],
      ['c', 'boolean'],
      ['d', 'string'],
      ['e', 'long'],
      ['f', 'string'],
      ['g', 'string'],
      ['h', 'string'],
    ]);
    expect(features.map(({ values }) => values.slice(1))).toEqual([
      [1, 1, true, '2026-01-02', 5_000_000_000, '[1]', null, 'x'],
      [2, 1.5, false, '2026-01-03T10:00:00Z', 1, '{"k":2}', null, '5'],
    ]);
  });

  it('promotes single polygons to multipolygons and keeps heights if all geometries have them', async () => {
    const ring = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const mixed = await opened(
      'geojson',
      collection(
        feature({ type: 'Polygon', coordinates: [ring] }),
        feature({ type: 'MultiPolygon', coordinates: [[ring], [ring]] }),
      ),
    );
    const high = await opened('geojson', collection(feature(point(1, 2, 3)), feature(point(4, 5, 6))));
    const partly = await opened('geojson', collection(feature(point(1, 2, 3)), feature(point(4, 5))));

    expect((await all(mixed, 'a')).map(geometryOf)).toEqual([
      'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)))',
      'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((0 0, 1 0, 1 1, 0 0)))',
    ]);
    expect((await all(high, 'a')).map(geometryOf)).toEqual(['POINT Z (1 2 3)', 'POINT Z (4 5 6)']);
    expect((await all(partly, 'a')).map(geometryOf)).toEqual(['POINT (1 2)', 'POINT (4 5)']);
  });

  it.each([
    ['one feature', JSON.stringify(feature(point(1, 2), { n: 1 })), 1],
    ['a bare geometry', JSON.stringify(point(1, 2)), 1],
    ['one feature per line', [1, 2, 3].map((n) => JSON.stringify(feature(point(n, n), { n }))).join('\n'), 3],
    ['features after separators', [1, 2].map((n) => `\u001e${JSON.stringify(feature(point(n, n)))}`).join('\n'), 2],
    ['a feature without a geometry', collection(feature(null, { n: 1 })), 1],
  ])('reads %s', async (_, text, count) => {
    expect(await all(await opened('geojson', text), 'a')).toHaveLength(count);
  });

  it('reads the older form with a crs member', async () => {
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } };
    const source = await opened(
      'geojson',
      JSON.stringify({ type: 'FeatureCollection', crs, features: [feature(point(1, 2))] }),
    );

    expect((await source.describe('a', never))?.attributes[0]).toMatchObject({ crs: { code: 'EPSG:25832' } });
  });

  it.each([
    ['invalid JSON', '{"type":"FeatureCollection","features":[{]}', 'it is not valid JSON'],
    ['a list', '[]', 'the file is not an object'],
    ['a collection without features', '{"type":"FeatureCollection"}', 'no features list'],
    ['a feature of another type', collection({ type: 'Thing' }), 'feature 1'],
    ['coordinates of text', collection(feature({ type: 'Point', coordinates: ['a', 'b'] })), 'feature 1'],
    ['a geometry of an unknown type', collection(feature({ type: 'Circle' })), 'feature 1'],
    [
      'infinite coordinates',
      '{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1e400,1]}}',
      'coordinates',
    ],
    [
      'a property with excessively nested lists',
      `{"type":"Feature","geometry":null,"properties":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      'a property of the feature',
    ],
    [
      'an unknown CRS',
      JSON.stringify({ type: 'FeatureCollection', crs: { properties: { name: 'x' } }, features: [] }),
      'crs',
    ],
  ])('rejects %s', async (_, text, reason) => {
    await expect((await opened('geojson', text)).listTypes(never)).rejects.toMatchObject({
      code: 'vector-file-malformed',
      details: { reason: expect.stringContaining(reason) },
    });
  });
});

describe('CSV', () => {
  it.each([
    ['commas', 'name,lon,lat\n"a, ""b""",7,50\n', 'POINT (7 50)', ['a, "b"'], 'EPSG:4326'],
    ['semicolons and decimal commas', 'name;lon;lat\r\nc;7,5;50,5\r\n', 'POINT (7.5 50.5)', ['c'], 'EPSG:4326'],
    ['tabs', 'name\tx\ty\nd\t1\t2', 'POINT (1 2)', ['d'], undefined],
    ['well-known text', 'name,geom\ne,"SRID=4326;LINESTRING (1 2,3 4)"\n', 'LINESTRING (1 2, 3 4)', ['e'], undefined],
    ['an empty geometry', 'name,lon,lat\nf,,\ng,1,2\n', null, ['f'], 'EPSG:4326'],
    ['a value with several lines', 'name,lon,lat\n"h\ni",1,2\n', 'POINT (1 2)', ['h\ni'], 'EPSG:4326'],
  ])('reads a file with %s', async (_, text, geometry, values, code) => {
    const source = await opened('csv', text);
    const [first] = await all(source, 'a');

    expect(first && geometryOf(first)).toBe(geometry);
    expect(first?.values.slice(1)).toEqual(values);
    const [drawn] = (await source.describe('a', never))?.attributes ?? [];
    expect(drawn).toMatchObject({ crs: code === undefined ? {} : { code } });
  });

  it.each([
    ['coordinates in degrees', 'name,lon,lat\n', 'Point', { code: 'EPSG:4326' }],
    ['other coordinates', 'name,x,y\n', 'Point', {}],
    ['well-known text', 'name,wkt\n', 'Geometry', {}],
    ['coordinates without values', 'name,lon,lat\na,,\nb,,\n', 'Point', { code: 'EPSG:4326' }],
    ['both, without values', 'name,shape,lon,lat\n', 'Point', { code: 'EPSG:4326' }],
  ])('derives the geometry column from column names if all geometries are empty: %s', async (_, text, type, crs) => {
    const source = await opened('csv', text);

    const description = await source.describe('a', never);

    expect(description).toMatchObject({ defaultGeometry: 'geom', count: text.split('\n').length - 2 });
    expect(description?.attributes[0]).toMatchObject({ name: 'geom', kind: 'geometry', type, crs });
    expect(description?.attributes[1]).toMatchObject({ name: 'name', type: 'string' });
    expect(description).not.toHaveProperty('bounds');
    expect(await source.listTypes(never)).toEqual([{ name: 'a', hasGeometry: true }]);
    expect((await all(source, 'a')).map(({ values }) => values[0])).toEqual(text.includes('\nb') ? [null, null] : []);
  });

  it.each([
    ['name,lat,lon\nZürich,47,8\n', 14],
    ['name,lat,lon\nGenève,46,6\n', 16],
    [`name,lat,lon\n${'Bern,47,7\n'.repeat(10_000)}Genève,46,6\n`, 100_016],
  ])('names the byte and the remedy for text that is not UTF-8', async (text, byte) => {
    const source = await opened('csv', Buffer.from(text, 'latin1'));

    await expect(source.describe('a', never)).rejects.toThrow(
      `The file 'a.csv' is not valid at byte ${byte}: it is not text in the encoding 'utf-8'. Save the file as UTF-8.`,
    );
  });

  it('reads a file without geometries as a table with inferred types', async () => {
    const source = await opened(
      'csv',
      'n,code,on,at,empty\n1,007,true,2026-01-02 03:04:05,\n2,008,false,2026-02-03 04:05:06,\n',
    );

    expect((await source.describe('a', never))?.attributes.map(({ name, type }) => [name, type])).toEqual([
      ['n', 'integer'],
      ['code', 'string'],
      ['on', 'boolean'],
      ['at', 'timestamp'],
      ['empty', 'string'],
    ]);
    expect((await all(source, 'a'))[0]?.values).toEqual([1, '007', true, new Date('2026-01-02T03:04:05Z'), '']);
  });

  it.each([
    ['an invalid day of a month', '2026-02-30', 'string'],
    ['a zero date', '0000-00-00', 'string'],
    ['an invalid hour', '2026-02-03T25:00:00', 'string'],
    ['the last moment of a day', '2026-02-03T23:59:59.999+01:00', 'timestamp'],
    ['a moment that its zone moves out of the year range', '9999-12-31T23:59:59-01:00', 'string'],
    ['a leap day', '2028-02-29', 'date'],
    ['the greatest 64-bit integer', '9223372036854775807', 'long'],
    ['a greater integer', '9223372036854775808', 'string'],
    ['a greater integer with a sign', '-12345678901234567890', 'string'],
    ['a greater integer that a double shows in full', '10000000000000000000', 'double'],
    ['an infinite number', '1e999', 'string'],
  ])('infers the type of %s', async (_, text, type) => {
    const source = await opened('csv', `a,b\n${text},1\n`);

    expect((await source.describe('a', never))?.attributes[0]).toMatchObject({ name: 'a', type });
    if (type === 'string') expect((await all(source, 'a'))[0]?.values[0]).toBe(text);
  });

  it.each([
    ['a greater integer', '12345678901234567890', 'string'],
    ['a fraction', '1.5', 'string'],
    ['text', 'none', 'string'],
    ['an integer', '7', 'long'],
  ])('keeps the digits of a long integer before %s', async (_, next, type) => {
    const source = await opened('csv', `a,b\n9007199254740993,1\n${next},2\n`);

    expect((await source.describe('a', never))?.attributes[0]).toMatchObject({ name: 'a', type });
    expect(String((await all(source, 'a'))[0]?.values[0])).toBe('9007199254740993');
  });

  it('uses the CRS of its geometries', async () => {
    const source = await opened('csv', 'a,wkt\n1,SRID=3857;POINT (1 1)\n2,\n');

    expect((await source.describe('a', never))?.attributes[0]).toMatchObject({ crs: { code: 'EPSG:3857' } });
  });

  it.each([
    ['nothing', '', 'no column names'],
    ['a row that is too long', 'a,b\n1,2,3\n', 'line 2 has 3 values'],
    ['an unclosed quote', 'a,b\n"1,2\n', 'is not closed'],
    ['two columns with the same name', 'a,A\n1,2\n', "have the name 'A'"],
    ['an invalid geometry', 'wkt\n"POINT (1 1)"\n"POINT (1)"\n', 'line 3'],
    ['invalid coordinates', 'lon,lat\n1,north\n', 'line 2'],
    ['geometries in two CRSs', 'wkt\nSRID=3857;POINT (1 1)\nSRID=4326;POINT (1 1)\n', 'more than one'],
  ])('rejects a file with %s', async (_, text, reason) => {
    await expect((await opened('csv', text)).listTypes(never)).rejects.toMatchObject({
      code: 'vector-file-malformed',
      details: { reason: expect.stringContaining(reason) },
    });
  });
});

describe('KML', () => {
  const kml = (inside: string) =>
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder>${inside}</Folder></Document></kml>`;

  it('reads placemarks in folders with their properties', async () => {
    const source = await opened(
      'kml',
      kml(
        '<Placemark id="p"><name>A</name><TimeStamp><when>2026-01-02</when></TimeStamp><ExtendedData><Data name="n"><value>5</value></Data></ExtendedData><Point><coordinates>7,50,0</coordinates></Point></Placemark>' +
          '<Placemark><name>B</name><MultiGeometry><Point><coordinates>1,2</coordinates></Point><Point><coordinates>3,4</coordinates></Point></MultiGeometry></Placemark>',
      ),
    );

    const features = await all(source, 'a');

    expect(features.map(({ id }) => id)).toEqual(['p', '2']);
    expect(features.map(geometryOf)).toEqual(['MULTIPOINT ((7 50))', 'MULTIPOINT ((1 2), (3 4))']);
    expect((await source.describe('a', never))?.attributes.map(({ name }) => name)).toEqual([
      'geom',
      'name',
      'timestamp',
      'n',
    ]);
  });

  it.each([
    ['no XML', '<kml><Document></kml>', 'Document'],
    ['a page', '<html><body/></html>', "the root element is 'html', not kml"],
    ['a DOCTYPE', '<!DOCTYPE kml><kml/>', 'DOCTYPE'],
    ['invalid coordinates', kml('<Placemark><Point><coordinates>a,b</coordinates></Point></Placemark>'), 'placemark 1'],
  ])('rejects a file with %s', async (_, text, reason) => {
    await expect((await opened('kml', text)).listTypes(never)).rejects.toMatchObject({
      code: 'vector-file-malformed',
      details: { reason: expect.stringContaining(reason) },
    });
  });
});
