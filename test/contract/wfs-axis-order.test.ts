/** The axis order in every version of WFS and for every CRS notation. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { publishTables } from '../support/published-features.ts';
import { useTestServer } from '../support/test-server.ts';

const server = useTestServer();

beforeAll(() =>
  publishTables(server, 'topo', [
    {
      name: 'towns',
      attributes: [geometryColumn('Point'), column('name', 'string')],
      rows: [
        [wkt('POINT (20 5)'), 'east'],
        [wkt('POINT (5 20)'), 'north'],
      ],
    },
    {
      name: 'fields',
      attributes: [geometryColumn('Point', 'EPSG:31467'), column('name', 'string')],
      rows: [[wkt('POINT (3500000 5400000)'), 'rye']],
    },
    {
      name: 'plots',
      attributes: [geometryColumn('Point', 'EPSG:2056'), column('name', 'string')],
      rows: [[wkt('POINT (2600000 1200000)'), 'oats']],
    },
  ]),
);

async function ask(version: string, query: string): Promise<string> {
  const pairs = `service=WFS&version=${version}&request=GetFeature&${query}`;
  return (await server.get(`//geoserver/wfs?${pairs}`, { as: null })).text;
}

const EAST_FIRST = '20 5';
const NORTH_FIRST = '5 20';

/** The CRS name and the position of the first town, with a space between its ordinates. */
function written(text: string): readonly (string | undefined)[] {
  const position = /<gml:(?:pos|coordinates)[^>]*>([^<]+)</.exec(
    text.replace(/<gml:boundedBy>.*?<\/gml:boundedBy>/, ''),
  );
  return [/<gml:Point[^>]* srsName="([^"]*)"/.exec(text)?.[1], position?.[1]?.replace(',', ' ')];
}

const XML_4326 = 'http://www.opengis.net/gml/srs/epsg.xml#4326';
const URN_4326 = 'urn:ogc:def:crs:EPSG::4326';
const OLD_URN_4326 = 'urn:x-ogc:def:crs:EPSG:4326';
const URI_4326 = 'http://www.opengis.net/def/crs/EPSG/0/4326';
const URN_CRS84 = 'urn:ogc:def:crs:OGC:1.3:CRS84';

describe('GML in WGS 84', () => {
  it.each([
    ['1.0.0', '', XML_4326, EAST_FIRST],
    ['1.1.0', '', OLD_URN_4326, NORTH_FIRST],
    ['2.0.0', '', URN_4326, NORTH_FIRST],
    ...['1.0.0', '1.1.0', '2.0.0'].flatMap((version) => [
      [version, 'EPSG:4326', XML_4326, EAST_FIRST],
      [version, XML_4326, XML_4326, EAST_FIRST],
      [version, URN_4326, URN_4326, NORTH_FIRST],
      [version, OLD_URN_4326, OLD_URN_4326, NORTH_FIRST],
      [version, URI_4326, URN_4326, NORTH_FIRST],
      [version, 'CRS:84', URN_CRS84, EAST_FIRST],
      [version, URN_CRS84, URN_CRS84, EAST_FIRST],
    ]),
  ])('WFS %s with srsName=%s writes the CRS %s and the position %s', async (version, srsName, name, position) => {
    const text = await ask(version, `typeName=topo:towns&featureId=towns.1&srsName=${encodeURIComponent(srsName)}`);

    expect(written(text)).toEqual([name, position]);
  });
});

describe('GML in projected systems', () => {
  it.each([
    ['1.0.0', 'fields', '', '3500000 5400000'],
    ['1.1.0', 'fields', '', '5400000 3500000'],
    ['2.0.0', 'fields', '', '5400000 3500000'],
    ['2.0.0', 'fields', 'EPSG:31467', '3500000 5400000'],
    ['1.0.0', 'fields', 'urn:ogc:def:crs:EPSG::31467', '5400000 3500000'],
    ['2.0.0', 'plots', '', '2600000 1200000'],
    ['2.0.0', 'plots', 'urn:ogc:def:crs:EPSG::2056', '2600000 1200000'],
  ])('WFS %s writes %s with srsName=%s as %s', async (version, type, srsName, position) => {
    const text = await ask(version, `typeName=topo:${type}&srsName=${srsName}`);

    expect(written(text)[1]).toBe(position);
  });
});

describe('other formats', () => {
  it.each(['', 'EPSG:4326', URN_4326, URI_4326])(
    'GeoJSON writes x before y for every requested CRS: %s',
    async (srsName) => {
      const text = await ask(
        '2.0.0',
        `typeNames=topo:towns&featureId=towns.1&outputFormat=json&srsName=${encodeURIComponent(srsName)}`,
      );

      expect(text).toContain('"coordinates":[20,5]');
      expect(text).toContain('"name":"urn:ogc:def:crs:EPSG::4326"');
    },
  );

  it.each([
    ['1.0.0', 'POINT (20 5)'],
    ['2.0.0', 'POINT (5 20)'],
  ])('CSV of WFS %s uses the axis order of the version: %s', async (version, text) => {
    expect(await ask(version, 'typeName=topo:towns&featureId=towns.1&outputFormat=csv')).toContain(text);
  });

  it('KML writes longitude before latitude', async () => {
    const text = await ask('2.0.0', 'typeNames=topo:fields&outputFormat=KML');

    expect(text).toMatch(
      /<coordinates>8\.99\d*,48\.7\d*<\/coordinates>|<coordinates>9(\.\d+)?,48\.7\d*<\/coordinates>/,
    );
  });
});

/** The town that is found; the eastern one is at 20 degrees east and 5 degrees north. */
async function found(version: string, query: string): Promise<string> {
  const text = await ask(version, `typeName=topo:towns&outputFormat=json&${query}`);
  return (JSON.parse(text) as { features: { properties: { name: string } }[] }).features
    .map(({ properties }) => properties.name)
    .join();
}

describe('bounding box', () => {
  it.each([
    ['1.0.0', '19,4,21,6', 'east'],
    ['1.1.0', '19,4,21,6', 'north'],
    ['2.0.0', '19,4,21,6', 'north'],
    ...['1.0.0', '1.1.0', '2.0.0'].flatMap((version) => [
      [version, '19,4,21,6,EPSG:4326', 'east'],
      [version, '19,4,21,6,CRS:84', 'east'],
      [version, `4,19,6,21,${URN_4326}`, 'east'],
      [version, `4,19,6,21,${URI_4326}`, 'east'],
      [version, '2115070,445640,2337710,669141,EPSG:3857', 'east'],
      [version, '2115070,445640,2337710,669141,EPSG:900913', 'east'],
    ]),
  ])('WFS %s with the box %s finds the town in the %s', async (version, box, name) => {
    expect(await found(version, `bbox=${box}`)).toBe(name);
  });
});

describe('CQL geometry', () => {
  it.each([
    ['1.0.0', 'BBOX(the_geom,19,4,21,6)', 'east'],
    ['1.1.0', 'BBOX(the_geom,19,4,21,6)', 'north'],
    ['2.0.0', 'BBOX(the_geom,19,4,21,6)', 'north'],
    ['1.0.0', 'INTERSECTS(the_geom,POINT(20 5))', 'east'],
    ['1.1.0', 'INTERSECTS(the_geom,POINT(20 5))', 'north'],
    ['2.0.0', 'INTERSECTS(the_geom,POINT(20 5))', 'north'],
    ...['1.0.0', '1.1.0', '2.0.0'].flatMap((version) => [
      [version, "BBOX(the_geom,19,4,21,6,'EPSG:4326')", 'east'],
      [version, 'INTERSECTS(the_geom,SRID=4326;POINT(20 5))', 'east'],
    ]),
  ])('WFS %s with %s finds the town in the %s', async (version, filter, name) => {
    expect(await found(version, `cql_filter=${encodeURIComponent(filter)}`)).toBe(name);
  });
});

describe('filter geometry', () => {
  const box = (srsName: string): string =>
    `<Filter><BBOX><PropertyName>the_geom</PropertyName><gml:Envelope xmlns:gml="http://www.opengis.net/gml"${srsName}><gml:lowerCorner>19 4</gml:lowerCorner><gml:upperCorner>21 6</gml:upperCorner></gml:Envelope></BBOX></Filter>`;

  it.each([
    ['1.0.0', '', 'east'],
    ['1.1.0', '', 'north'],
    ['2.0.0', '', 'north'],
    ...['1.0.0', '1.1.0', '2.0.0'].flatMap((version) => [
      [version, 'EPSG:4326', 'east'],
      [version, XML_4326, 'east'],
      [version, URN_4326, 'north'],
      [version, URI_4326, 'north'],
    ]),
  ])('WFS %s with srsName=%s finds the town in the %s', async (version, srsName, name) => {
    const filter = box(srsName === '' ? '' : ` srsName="${srsName}"`);

    expect(await found(version, `filter=${encodeURIComponent(filter)}`)).toBe(name);
  });
});
