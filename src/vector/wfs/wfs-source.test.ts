import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/e2e/temporary-folder.ts';
import { runGdal } from '../../../test/support/gdal.ts';
import { describeWithTool } from '../../../test/support/with-tool.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { encodeWkt } from '../../geometry/wkt-encode.ts';
import type { Feature, VectorSource } from '../port/port.ts';
import { createRequestUrl, openWfs } from './wfs-source.ts';

const never = new AbortController().signal;

const capabilities = (
  version: string,
  system = 'urn:ogc:def:crs:EPSG::4326',
) => `<wfs:WFS_Capabilities version="${version}"
  xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1">
  <wfs:FeatureTypeList><wfs:FeatureType xmlns:ogr="http://ogr.maptools.org/"><wfs:Name>ogr:a</wfs:Name>
    <wfs:DefaultCRS>${system}</wfs:DefaultCRS>
    <ows:WGS84BoundingBox><ows:LowerCorner>1 2</ows:LowerCorner><ows:UpperCorner>9 51</ows:UpperCorner></ows:WGS84BoundingBox>
  </wfs:FeatureType></wfs:FeatureTypeList></wfs:WFS_Capabilities>`;

/** A server that returns predefined responses and records requests. */
function serverOf(answers: Readonly<Record<string, string | ((url: URL) => string)>>) {
  const asked: string[] = [];
  const threaded: string[] = [];
  const source = openWfs({
    capabilitiesUrl: 'http://wfs.example/ows?map=town&version=2.0.0',
    maxFeatures: 0,
    fetchFromServer: async (url) => {
      asked.push(url);
      const answer = answers[new URL(url).searchParams.get('REQUEST') ?? ''] ?? '<none/>';
      return { bytes: Buffer.from(typeof answer === 'string' ? answer : answer(new URL(url))) };
    },
    run: async (task, input) => {
      threaded.push(task.name);
      return task.work(input);
    },
  });
  return { source, asked, threaded };
}

async function all(source: VectorSource, name: string, limit?: number): Promise<readonly Feature[]> {
  const features: Feature[] = [];
  for await (const batch of source.read(name, limit === undefined ? {} : { limit }, never)) features.push(...batch);
  return features;
}

const texts = [
  'POINT (7 50)',
  'LINESTRING (7 50, 8 51, 9 50)',
  'POLYGON ((7 50, 8 50, 8 51, 7 50), (7.5 50.1, 7.6 50.1, 7.6 50.2, 7.5 50.1))',
  'MULTIPOLYGON (((7 50, 8 50, 8 51, 7 50)), ((1 2, 2 2, 2 3, 1 2)))',
  'MULTILINESTRING ((7 50, 8 51), (1 2, 3 4))',
  'MULTIPOINT ((7 50), (1 2))',
  'GEOMETRYCOLLECTION (POINT (7 50), LINESTRING (1 2, 3 4))',
];

describeWithTool('gdal', 'remote WFS served from GDAL output', () => {
  it.each([
    ['GML2', '1.0.0'],
    ['GML3', '1.1.0'],
    ['GML3.2', '2.0.0'],
  ])('reads features from %s unchanged', async (format, version) => {
    const folder = await temporaryFolder();
    const rows = texts.map((text, index) => `${index},${index / 4},2026-01-0${index + 1},"${text}"`);
    await writeFile(join(folder, 'a.csv'), ['number,share,day,wkt', ...rows].join('\n'));
    await writeFile(join(folder, 'a.csvt'), 'Integer,Real,Date,String');
    const options = ['-a_srs', 'EPSG:4326', '-oo', 'GEOM_POSSIBLE_NAMES=wkt', '-oo', 'KEEP_GEOM_COLUMNS=NO'];
    const files = [join(folder, 'a.gml'), join(folder, 'a.csv')];
    await runGdal('ogr2ogr', ['-f', 'GML', '-dsco', `FORMAT=${format}`, ...options, ...files]);
    const { source } = serverOf({
      GetCapabilities: capabilities(version),
      DescribeFeatureType: await readFile(join(folder, 'a.xsd'), 'utf8'),
      GetFeature: await readFile(join(folder, 'a.gml'), 'utf8'),
    });

    const described = await source.describe('ogr_a', never);
    const features = await all(source, 'ogr_a');

    expect(described?.attributes.map(({ name, kind }) => [name, kind])).toEqual([
      ['geometryProperty', 'geometry'],
      ['number', 'value'],
      ['share', 'value'],
      ['day', 'value'],
    ]);
    expect(features.map(({ values }) => encodeWkt(values[0] as Geometry))).toEqual(texts);
    expect(features.map(({ values }) => values.slice(1))).toEqual(
      texts.map((_, index) => [index, index / 4, new Date(Date.UTC(2026, 0, index + 1))]),
    );
  });
});

describe('remote WFS', () => {
  const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2">
    <xs:element name="a" type="ogr:aType"/>
    <xs:complexType name="aType"><xs:complexContent><xs:extension base="gml:AbstractFeatureType"><xs:sequence>
      <xs:element name="n" type="xs:int" nillable="true"/><xs:element name="g" type="gml:PointPropertyType"/>
    </xs:sequence></xs:extension></xs:complexContent></xs:complexType></xs:schema>`;
  const member = (n: number) =>
    `<wfs:member><ogr:a gml:id="a.${n}"><ogr:n>${n}</ogr:n><ogr:g><gml:Point srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>50 ${n}</gml:pos></gml:Point></ogr:g></ogr:a></wfs:member>`;
  const collection = (inside: string) =>
    `<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:ogr="http://ogr.maptools.org/">${inside}</wfs:FeatureCollection>`;

  it('is queried page by page, only for the requested features', async () => {
    const { source, asked } = serverOf({
      GetCapabilities: capabilities('2.0.0'),
      DescribeFeatureType: schema,
      GetFeature: ({ searchParams }) => {
        const from = Number(searchParams.get('STARTINDEX'));
        const to = Math.min(2_500, from + Number(searchParams.get('COUNT')));
        return collection(Array.from({ length: to - from }, (_, index) => member(from + index)).join(''));
      },
    });

    expect((await all(source, 'ogr_a')).map(({ id }) => id)).toEqual(Array.from({ length: 2_500 }, (_, n) => `a.${n}`));
    expect(await all(source, 'ogr_a', 3)).toHaveLength(3);

    const pages = asked.filter((url) => url.includes('GetFeature')).map((url) => new URL(url).searchParams);
    expect(pages.map((page) => [page.get('STARTINDEX'), page.get('COUNT')])).toEqual([
      ['0', '1000'],
      ['1000', '1000'],
      ['2000', '1000'],
      ['0', '3'],
    ]);
    expect(Object.fromEntries(pages[0] ?? [])).toMatchObject({
      map: 'town',
      SERVICE: 'WFS',
      VERSION: '2.0.0',
      TYPENAMES: 'ogr:a',
      NAMESPACES: 'xmlns(ogr,http://ogr.maptools.org/)',
    });
  });

  it('reports its bounds in the CRS of the data', async () => {
    const inDegrees = serverOf({ GetCapabilities: capabilities('2.0.0'), DescribeFeatureType: schema });
    const inMetres = serverOf({ GetCapabilities: capabilities('2.0.0', 'EPSG:3857'), DescribeFeatureType: schema });

    expect((await inDegrees.source.describe('ogr_a', never))?.bounds).toEqual({ minX: 1, minY: 2, maxX: 9, maxY: 51 });
    expect((await inMetres.source.describe('ogr_a', never))?.bounds?.minX).toBeCloseTo(111_319.49, 1);
    expect(await inMetres.source.describe('ogr_b', never)).toBeUndefined();
  });

  it.each([
    ['a page', '<html/>', "the response is a 'html', not the capabilities of a WFS"],
    ['plain text', 'oh no', 'the response is invalid'],
    ['a DOCTYPE', '<!DOCTYPE a><a/>', 'the response is invalid'],
    [
      'an error',
      '<ows:ExceptionReport xmlns:ows="o"><ows:Exception><ows:ExceptionText>No map</ows:ExceptionText></ows:Exception></ows:ExceptionReport>',
      'the service responded with an error: No map',
    ],
  ])('is unreachable if it responds with %s', async (_, answer, reason) => {
    const { source } = serverOf({ GetCapabilities: answer });

    await expect(source.listTypes(never)).rejects.toMatchObject({
      code: 'store-unreachable',
      details: { reason: expect.stringContaining(reason) },
    });
  });

  it('has all responses parsed in threads, because they can be megabytes long', async () => {
    const { source, threaded } = serverOf({
      GetCapabilities: capabilities('1.1.0'),
      DescribeFeatureType: schema,
      GetFeature: collection(member(1) + member(2)),
    });

    await source.listTypes(never);
    await all(source, 'ogr_a', 1);

    expect(threaded).toEqual(['readTypes', 'readTypes', 'readSchema', 'readPage']);
  });

  it('can have rings of many curves, also very long ones', async () => {
    const positions = Array.from({ length: 200_000 }, (_, n) => `${n % 90} ${n % 180}`).join(' ');
    const line = `<gml:curveMember><gml:LineString><gml:posList>${positions}</gml:posList></gml:LineString></gml:curveMember>`;
    const polygon = `<gml:Polygon><gml:exterior><gml:Ring>${line}${line}</gml:Ring></gml:exterior></gml:Polygon>`;
    const { source } = serverOf({
      GetCapabilities: capabilities('1.1.0'),
      DescribeFeatureType: schema,
      GetFeature: collection(member(1).replace(/<gml:Point.*<\/gml:Point>/, polygon)),
    });

    const [feature] = await all(source, 'ogr_a');

    expect(feature?.values[1]).toMatchObject({ type: 'Polygon', ends: [399_999] });
  });

  it('returns no geometry for an invalid one', async () => {
    const damaged = ['50', 'east west', '', '50 7 3 9 1'].map((text, n) =>
      member(n).replace(/<gml:pos>[^<]*/, `<gml:pos>${text}`),
    );
    const { source } = serverOf({
      GetCapabilities: capabilities('1.1.0'),
      DescribeFeatureType: schema,
      GetFeature: collection(damaged.join('')),
    });

    expect((await all(source, 'ogr_a')).map(({ values }) => values[1])).toEqual([null, null, null, null]);
  });
});

describe('request URLs', () => {
  it.each([
    ['http://a/wfs', 'http://a/wfs?SERVICE=WFS&REQUEST=GetCapabilities'],
    ['http://a/wfs?', 'http://a/wfs?SERVICE=WFS&REQUEST=GetCapabilities'],
    [
      'http://a/wfs?service=wfs&request=getcapabilities&version=1.1.0',
      'http://a/wfs?version=1.1.0&SERVICE=WFS&REQUEST=GetCapabilities',
    ],
    ['http://a/ows?map=/m.map&', 'http://a/ows?map=/m.map&SERVICE=WFS&REQUEST=GetCapabilities'],
  ])('are built from %s', (url, question) => {
    expect(createRequestUrl(url, { REQUEST: 'GetCapabilities' })).toBe(question);
  });
});
