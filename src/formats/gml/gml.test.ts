import { describe, expect, test } from 'vitest';
import {
  column,
  createCollection,
  encodeText,
  featureSet,
  geometryColumn,
  type MadeUpSet,
  never,
  wkt,
} from '../../../test/support/feature-collections.ts';
import { startReadingXml } from '../../lib/xml/reader.ts';
import type { ComplexFeature } from '../../vector/port/complex-feature.ts';
import type { FeatureCollection, FeatureEncoder } from '../port/port.ts';
import { gml2, gml31, gml32 } from './gml.ts';

const towns: MadeUpSet = {
  name: 'towns',
  attributes: [geometryColumn('Point'), column('name', 'string'), column('pop', 'long'), column('since', 'date')],
  rows: [[wkt('POINT (7.123456789 46.5)'), 'Zürich & <alt>', 12, new Date('1291-08-01')]],
};

const schemaLocations = [{ uri: 'http://acme.example/ns', location: 'http://localhost/wfs?request=Describe&a=b' }];

/** Returns the content of the root element. */
async function inside(encoder: FeatureEncoder, collection: FeatureCollection): Promise<string> {
  const text = await encodeText(encoder, collection);
  return /^<\?xml[^>]*>\n<wfs:FeatureCollection[^>]*>(.*)<\/wfs:FeatureCollection>$/s.exec(text)?.[1] ?? text;
}

describe('GML', () => {
  test('writes GML 2.1.2 as a WFS 1.0.0 collection', async () => {
    const set = { ...towns, crsName: 'http://www.opengis.net/gml/srs/epsg.xml#4326' };

    const text = await encodeText(gml2, createCollection([set], { schemaLocations }));

    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml"' +
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:acme="http://acme.example/ns"' +
        ' xsi:schemaLocation="http://www.opengis.net/wfs http://schemas.opengis.net/wfs/1.0.0/WFS-basic.xsd' +
        ' http://acme.example/ns http://localhost/wfs?request=Describe&amp;a=b">' +
        '<gml:boundedBy><gml:null>unknown</gml:null></gml:boundedBy>' +
        '<gml:featureMember><acme:towns fid="towns.1">' +
        '<acme:the_geom><gml:Point srsName="http://www.opengis.net/gml/srs/epsg.xml#4326">' +
        '<gml:coordinates decimal="." cs="," ts=" ">7.12345679,46.5</gml:coordinates></gml:Point></acme:the_geom>' +
        '<acme:name>Zürich &amp; &lt;alt&gt;</acme:name><acme:pop>12</acme:pop><acme:since>1291-08-01</acme:since>' +
        '</acme:towns></gml:featureMember></wfs:FeatureCollection>',
    );
  });

  test('writes GML 3.1.1 as a WFS 1.1.0 collection', async () => {
    const set = { ...towns, crsName: 'urn:x-ogc:def:crs:EPSG:4326', isNorthFirst: true };

    const text = await encodeText(gml31, createCollection([set]));

    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<wfs:FeatureCollection numberOfFeatures="1" timeStamp="2026-01-02T03:04:05.000Z"' +
        ' xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml"' +
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:acme="http://acme.example/ns"' +
        ' xsi:schemaLocation="http://www.opengis.net/wfs http://schemas.opengis.net/wfs/1.1.0/wfs.xsd">' +
        '<gml:featureMembers><acme:towns gml:id="towns.1">' +
        '<acme:the_geom><gml:Point srsName="urn:x-ogc:def:crs:EPSG:4326" srsDimension="2">' +
        '<gml:pos>46.5 7.12345679</gml:pos></gml:Point></acme:the_geom>' +
        '<acme:name>Zürich &amp; &lt;alt&gt;</acme:name><acme:pop>12</acme:pop><acme:since>1291-08-01</acme:since>' +
        '</acme:towns></gml:featureMembers></wfs:FeatureCollection>',
    );
  });

  test('writes GML 3.2.1 as a WFS 2.0.0 collection with geometry ids', async () => {
    const set = { ...towns, crsName: 'urn:ogc:def:crs:EPSG::4326', isNorthFirst: true, numberMatched: 40 };
    const links = () => [
      { rel: 'next', href: 'http://localhost/wfs?startIndex=1&count=1' },
      { rel: 'previous', href: 'http://localhost/wfs?startIndex=0' },
    ];

    const text = await encodeText(gml32, createCollection([set], { links }));

    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<wfs:FeatureCollection timeStamp="2026-01-02T03:04:05.000Z" numberMatched="40" numberReturned="1"' +
        ' next="http://localhost/wfs?startIndex=1&amp;count=1" previous="http://localhost/wfs?startIndex=0"' +
        ' xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"' +
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:acme="http://acme.example/ns"' +
        ' xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd">' +
        '<wfs:member><acme:towns gml:id="towns.1"><acme:the_geom>' +
        '<gml:Point gml:id="towns.1.the_geom" srsName="urn:ogc:def:crs:EPSG::4326" srsDimension="2">' +
        '<gml:pos>46.5 7.12345679</gml:pos></gml:Point></acme:the_geom>' +
        '<acme:name>Zürich &amp; &lt;alt&gt;</acme:name><acme:pop>12</acme:pop><acme:since>1291-08-01</acme:since>' +
        '</acme:towns></wfs:member></wfs:FeatureCollection>',
    );
  });

  test('writes a GML 3.2.1 collection for each of several queries', async () => {
    const villages = { ...towns, name: 'villages', numberMatched: 7 };

    const text = await encodeText(gml32, createCollection([towns, villages]));

    expect(text).toMatch(/^<\?xml.*\n<wfs:FeatureCollection timeStamp="[^"]*" numberMatched="8" numberReturned="2"/);
    expect(text.match(/<wfs:member><wfs:FeatureCollection [^>]*numberMatched="\d+" numberReturned="\d+">/g)).toEqual([
      '<wfs:member><wfs:FeatureCollection timeStamp="2026-01-02T03:04:05.000Z" numberMatched="1" numberReturned="1">',
      '<wfs:member><wfs:FeatureCollection timeStamp="2026-01-02T03:04:05.000Z" numberMatched="7" numberReturned="1">',
    ]);
  });

  test('writes the parts of geometries with the elements of the GML version', async () => {
    const polygons: MadeUpSet = {
      attributes: [geometryColumn('MultiPolygon')],
      rows: [[wkt('MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1)))')]],
    };

    expect(await inside(gml2, createCollection([polygons]))).toContain(
      '<gml:MultiPolygon><gml:polygonMember><gml:Polygon><gml:outerBoundaryIs><gml:LinearRing>' +
        '<gml:coordinates decimal="." cs="," ts=" ">0,0 4,0 4,4 0,0</gml:coordinates>' +
        '</gml:LinearRing></gml:outerBoundaryIs><gml:innerBoundaryIs>',
    );
    expect(await inside(gml32, createCollection([polygons]))).toContain(
      '<gml:MultiSurface gml:id="places.1.the_geom" srsDimension="2"><gml:surfaceMember>' +
        '<gml:Polygon gml:id="places.1.the_geom.1"><gml:exterior><gml:LinearRing>' +
        '<gml:posList>0 0 4 0 4 4 0 0</gml:posList></gml:LinearRing></gml:exterior><gml:interior>',
    );
  });

  test('omits null values and unsupported geometries', async () => {
    const rows = [['POINT EMPTY'], ['LINESTRING EMPTY'], ['MULTIPOLYGON EMPTY']].map(([text = '']) => [
      wkt(text),
      null,
    ]);
    const empty: MadeUpSet = { attributes: [geometryColumn(), column('name', 'string')], rows };

    expect(await inside(gml32, createCollection([empty]))).toBe(
      '<wfs:member><acme:places gml:id="places.1"></acme:places></wfs:member>' +
        '<wfs:member><acme:places gml:id="places.2"></acme:places></wfs:member>' +
        '<wfs:member><acme:places gml:id="places.3"><acme:the_geom>' +
        '<gml:MultiSurface gml:id="places.3.the_geom" srsDimension="2"></gml:MultiSurface>' +
        '</acme:the_geom></acme:places></wfs:member>',
    );
    expect(await inside(gml2, createCollection([empty]))).not.toContain('gml:Multi');
  });

  test('writes the bounds if they are known', async () => {
    const [set] = createCollection([
      { ...towns, crsName: 'urn:ogc:def:crs:EPSG::4326', isNorthFirst: true, rows: [] },
    ]).sets;
    const bounds = { minX: 1, minY: 2, maxX: 3, maxY: 4 };
    const collection = () => ({ ...createCollection([]), sets: set === undefined ? [] : [{ ...set, bounds }] });

    expect(await inside(gml32, collection())).toBe(
      '<wfs:boundedBy><gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326"><gml:lowerCorner>2 1</gml:lowerCorner>' +
        '<gml:upperCorner>4 3</gml:upperCorner></gml:Envelope></wfs:boundedBy>',
    );
    expect(await inside(gml31, collection())).toContain('<gml:boundedBy><gml:Envelope srsName=');
    expect(await inside(gml2, collection())).toContain('>2,1 4,3</gml:coordinates></gml:Box></gml:boundedBy>');
  });

  test('writes a single feature as the root element', async () => {
    const bytes = await gml32.encodeFeature?.(createCollection([towns], { schemaLocations }), never);

    expect(Buffer.from(bytes ?? []).toString()).toMatch(
      /^<\?xml[^>]*>\n<acme:towns gml:id="towns\.1" xmlns:gml="http:\/\/www\.opengis\.net\/gml\/3\.2".*<\/acme:towns>$/,
    );
    expect(await gml32.encodeFeature?.(createCollection([{ ...towns, rows: [] }]), never)).toBeUndefined();
  });

  test.for([gml2, gml31, gml32])('is well-formed for arbitrary names', async (encoder) => {
    const odd: MadeUpSet = {
      name: '1 <odd> & "näme":x',
      attributes: [
        column('2020 pop', 'string'),
        column('a<b', 'string'),
        column('日本', 'string'),
        column('', 'string'),
      ],
      rows: [['\u0000\u001f\ud800]]>', 'b', 'c', 'd']],
    };
    const [set = featureSet(odd)] = createCollection([odd]).sets;
    const collection = {
      ...createCollection([]),
      sets: [{ ...set, typeName: { ...set.typeName, prefix: 'xml städte', uri: 'urn:"x"&y' } }],
    };

    const text = await encodeText(encoder, collection);

    const reading = startReadingXml(text, { maxDepth: 10, maxNodes: 100 });
    expect(reading.advance(text.length)?.local).toBe('FeatureCollection');
    expect(text).toContain('_x0032_020_x0020_pop>');
  });
});

describe('GML of nested features', () => {
  const ns = (prefix: string) => ({
    prefix,
    uri: prefix === 'gml' ? 'http://www.opengis.net/gml/3.2' : `urn:${prefix}`,
  });
  const content: ComplexFeature = {
    name: { ...ns('ro'), local: 'Station' },
    id: 'st.1',
    attributes: [],
    children: [
      { name: { ...ns('gml'), local: 'name' }, value: 'a & b', children: [], attributes: [] },
      {
        name: { ...ns('ro'), local: 'owner' },
        children: [],
        attributes: [{ name: { prefix: 'xlink', uri: 'http://www.w3.org/1999/xlink', local: 'href' }, value: '#x"y' }],
      },
      {
        name: { ...ns('ro'), local: 'shape' },
        value: { kind: 'geometry', geometry: wkt('POINT (10.5 50)'), srsName: 'EPSG:4326' },
        children: [],
        attributes: [],
      },
      {
        name: { ...ns('ro'), local: 'range' },
        value: { kind: 'envelope', positions: [[1], [3]], srsName: 'EPSG:5714' },
        children: [],
        attributes: [],
      },
    ],
  };

  test('writes every element in its namespace and geometries in the CRS of the response', async () => {
    const made = { name: 'Station', attributes: [geometryColumn('Point')], rows: [], isNorthFirst: true };
    const [set = featureSet(made)] = createCollection([{ ...made, crsName: 'urn:ogc:def:crs:EPSG::4326' }]).sets;
    async function* batches() {
      yield [{ id: 'st.1', values: [null], content }];
    }

    const text = await inside(gml32, { ...createCollection([]), sets: [{ ...set, batches: batches() }] });

    expect(text).toBe(
      '<wfs:member><ro:Station xmlns:ro="urn:ro" xmlns:xlink="http://www.w3.org/1999/xlink" gml:id="st.1">' +
        '<gml:name>a &amp; b</gml:name><ro:owner xlink:href="#x&quot;y"/>' +
        '<ro:shape><gml:Point gml:id="st.1.geometry.1" srsName="urn:ogc:def:crs:EPSG::4326" srsDimension="2">' +
        '<gml:pos>50 10.5</gml:pos></gml:Point></ro:shape>' +
        '<ro:range><gml:Envelope srsName="EPSG:5714" srsDimension="1"><gml:lowerCorner>1</gml:lowerCorner>' +
        '<gml:upperCorner>3</gml:upperCorner></gml:Envelope></ro:range></ro:Station></wfs:member>',
    );
  });
});
