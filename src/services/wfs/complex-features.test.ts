/** Layers of app-schema mappings, requested through services: nested GML that conforms to its schema. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMPLEX_SURVEY, complexSurvey } from '../../../test/support/complex-survey.ts';
import { runGdal } from '../../../test/support/gdal.ts';
import { createArchive } from '../../../test/support/mapping-samples.ts';
import { useSocketClient } from '../../../test/support/socket-client.ts';
import { writeStandardSchemas } from '../../../test/support/standard-schemas.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { tools } from '../../../test/support/tools.ts';
import { describeWithTool } from '../../../test/support/with-tool.ts';

const run = promisify(execFile);
const client = useSocketClient();

beforeAll(async () => {
  const { server } = client;
  await server.post('/namespaces', JSON.stringify({ namespace: { prefix: 's', uri: COMPLEX_SURVEY } }));
  const path = '/workspaces/s/datastores/survey/file.appschema?configure=all';
  const upload = { body: createArchive(complexSurvey), type: 'application/zip' };
  const { status, text } = await server.request('PUT', path, upload);
  if (status > 201) throw new Error(`${status} ${text}`);
});

const root = () => `http://127.0.0.1:${client.port}/geoserver`;

async function get(address: string): Promise<string> {
  return (await fetch(address)).text();
}

function wfs(query: Readonly<Record<string, string>>): string {
  const all = { service: 'WFS', version: '2.0.0', ...query };
  return `${root()}/wfs?${new URLSearchParams(all)}`;
}

const getFeature = (query: Readonly<Record<string, string>>) =>
  get(wfs({ request: 'GetFeature', typeNames: 's:Borehole', ...query }));

async function idsFor(query: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const text = await getFeature(query);
  return [...text.matchAll(/<s:Borehole [^>]*gml:id="([^"]*)"/g)].map(([, id = '']) => id);
}

describe('app-schema layer', () => {
  it('returns complete features in the order of the schema', async () => {
    const text = await getFeature({ featureID: 'bh.A1' });

    expect(text).toContain(
      [
        '<s:Borehole xmlns:s="http://example.com/survey" gml:id="bh.A1">',
        '<gml:name codeSpace="urn:holes">North</gml:name>',
        '<s:depth>120.5</s:depth>',
        '<s:place><gml:Point gml:id="bh.A1.geometry.1" srsName="urn:ogc:def:crs:EPSG::4326" srsDimension="2"><gml:pos>50 7</gml:pos></gml:Point></s:place>',
        '<s:drilled><s:Event><s:by>Deep Ltd</s:by><s:on>2020-05-04</s:on>',
        '<s:seenFrom><gml:Point gml:id="bh.A1.geometry.2" srsName="urn:ogc:def:crs:EPSG::4326" srsDimension="2"><gml:pos>50.5 7.5</gml:pos></gml:Point></s:seenFrom></s:Event></s:drilled>',
        '<s:meets><s:Unit gml:id="unit.g"><gml:name>Granite</gml:name><gml:name>Granit</gml:name><s:rock>Granite</s:rock><s:age>300</s:age></s:Unit></s:meets>',
        '</s:Borehole>',
      ].join(''),
    );
  });

  it('references a chained feature that the document already contains', async () => {
    const text = await getFeature({ sortBy: 'depth' });

    expect(text.match(/<s:Unit gml:id="unit.g">/g)).toHaveLength(1);
    expect(text).toContain('<s:meets xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#unit.g"/>');
  });

  it('reprojects nested geometries to the requested CRS', async () => {
    const text = await getFeature({ featureID: 'bh.A1', srsName: 'EPSG:3857' });

    expect(
      [...text.matchAll(/srsName="([^"]*)"[^>]*><gml:pos>([\d.]+) ([\d.]+)/g)].map((each) => each.slice(1)),
    ).toEqual([
      ['http://www.opengis.net/gml/srs/epsg.xml#3857', '779236.43555292', '6446275.84101716'],
      ['http://www.opengis.net/gml/srs/epsg.xml#3857', '834896.18094955', '6533321.56783793'],
    ]);
  });

  it.each([
    ['a column', 's:depth > 100', ['bh.A1', 'bh.A3']],
    ['a nested property', `"s:drilled/s:Event/s:by" = 'Bore & Sons'`, ['bh.A2']],
    ['a path from the type without prefixes', `"Borehole/drilled/Event/by" LIKE 'Deep%'`, ['bh.A1', 'bh.A3']],
    ['a chained feature', `"s:meets/s:Unit/s:rock" = 'Schist'`, ['bh.A3']],
    ['a number in a chained feature', '"s:meets/s:Unit/s:age" < 400', ['bh.A1', 'bh.A2']],
    ['one of several values', `"s:meets/s:Unit/gml:name" = 'Granit'`, ['bh.A1', 'bh.A2']],
    ['a nested date', '"s:drilled/s:Event/s:on" AFTER 2020-12-31T00:00:00Z', ['bh.A2']],
    ['an attribute of an element', `"gml:name/@codeSpace" = 'urn:holes' AND s:depth < 100`, ['bh.A2']],
    ['the default geometry', `BBOX(s:place, 4, 50.5, 6, 52, 'EPSG:4326')`, ['bh.A3']],
    ['a nested geometry', `BBOX("s:drilled/s:Event/s:seenFrom", 8, 49, 9, 50, 'EPSG:4326')`, ['bh.A2']],
    ['a missing property', '"s:drilled/s:Event/s:seenFrom" IS NULL', ['bh.A3']],
    [
      'the negation of a condition on a missing property',
      `NOT BBOX("s:drilled/s:Event/s:seenFrom", 8, 49, 9, 50, 'EPSG:4326')`,
      ['bh.A1'],
    ],
    ['the negation of a condition on several values', `NOT "s:meets/s:Unit/gml:name" = 'Granit'`, ['bh.A3']],
  ])('can be filtered by %s', async (_, filter, ids) => {
    expect(await idsFor({ cql_filter: filter })).toEqual(ids);
  });

  it('can be filtered with FES, counted, sorted and paged', async () => {
    const filter = `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:s="${COMPLEX_SURVEY}"><fes:PropertyIsEqualTo><fes:ValueReference>s:drilled/s:Event/s:by</fes:ValueReference><fes:Literal>Deep Ltd</fes:Literal></fes:PropertyIsEqualTo></fes:Filter>`;

    expect(await idsFor({ filter })).toEqual(['bh.A1', 'bh.A3']);
    expect(await getFeature({ filter, resultType: 'hits' })).toContain('numberMatched="2"');
    expect(await idsFor({ sortBy: 'depth D', count: '1', startIndex: '1' })).toEqual(['bh.A1']);
  });

  it('rejects an unknown path and names it', async () => {
    const text = await getFeature({ cql_filter: `"s:drilled/s:Event/s:who" = 'x'` });

    expect(text).toContain('exceptionCode="InvalidParameterValue"');
    expect(text).toContain('unknown attribute');
  });

  it('returns the requested and the mandatory properties', async () => {
    const text = await getFeature({ featureID: 'bh.A1', propertyName: 'gml:name' });

    expect(text).toContain('<gml:name codeSpace="urn:holes">North</gml:name><s:depth>120.5</s:depth><s:place>');
    expect(text).not.toContain('drilled');
  });

  it('returns the complete values of one property', async () => {
    const text = await get(
      wfs({ request: 'GetPropertyValue', typeNames: 's:Borehole', valueReference: 's:drilled', featureID: 'bh.A3' }),
    );

    expect(text).toContain(
      '<wfs:member><s:drilled xmlns:s="http://example.com/survey"><s:Event><s:by>Deep Ltd</s:by><s:on>2019-07-01</s:on></s:Event></s:drilled></wfs:member></wfs:ValueCollection>',
    );
  });

  it('omits attributes that are not published', async () => {
    const path = '/workspaces/s/datastores/survey/featuretypes/Borehole';
    const { server } = client;
    const { featureType } = (await server.get(`${path}.json`)).json() as {
      readonly featureType: { readonly attributes: { readonly attribute: readonly { readonly name: string }[] } };
    };
    const attribute = featureType.attributes.attribute.filter(({ name }) => name !== 'drilled');
    await server.put(path, JSON.stringify({ featureType: { attributes: { attribute } } }));

    const text = await getFeature({});
    const filtered = await getFeature({ cql_filter: `"s:drilled/s:Event/s:by" = 'Deep Ltd'` });

    await server.put(path, JSON.stringify({ featureType }));
    expect(text).toContain('<s:depth>');
    expect(text).not.toContain('Deep Ltd');
    expect(filtered).toContain('ExceptionReport');
  });

  it.each([
    ['1.1.0', 'typeName=s:Borehole', 'text/xml; subtype=gml/3.1.1'],
    ['1.0.0', 'typeName=s:Borehole', 'text/xml; subtype=gml/2.1.2'],
    ['2.0.0', 'typeNames=s:Borehole&outputFormat=gml3', 'text/xml; subtype=gml/3.1.1'],
  ])(
    'rejects a GML version other than that of its schema and names the alternative: version %s with %s',
    async (version, query, format) => {
      const text = await get(`${root()}/wfs?service=WFS&version=${version}&request=GetFeature&${query}`);

      expect(text).toContain('InvalidParameterValue');
      expect(text).toContain('locator="outputFormat"');
      expect(text).toContain(format);
      expect(text).toContain(
        "'s:Borehole' has a schema of GML 3.2; use version 2.0.0 or application/gml+xml; version=3.2",
      );
    },
  );

  it('is available in WFS 1.1.0 in the GML of its schema, and as JSON', async () => {
    const asked = { version: '1.1.0', request: 'GetFeature', typeName: 's:Borehole', featureID: 'bh.A1' };

    expect(await get(wfs({ ...asked, outputFormat: 'gml32' }))).toContain('<s:depth>120.5</s:depth>');
    expect(JSON.parse(await get(wfs({ ...asked, outputFormat: 'json' }))).features).toHaveLength(1);
  });

  it('returns nested GeoJSON in WFS and OGC API Features', async () => {
    const ofWfs = JSON.parse(await getFeature({ featureID: 'bh.A1', outputFormat: 'application/json' }));
    const ofApi = JSON.parse(await get(`${root()}/ogc/features/v1/collections/s:Borehole/items/bh.A1`));

    for (const feature of [ofWfs.features[0], ofApi]) {
      expect(feature).toMatchObject({
        id: 'bh.A1',
        geometry: { type: 'Point', coordinates: [7, 50] },
        properties: {
          depth: 120.5,
          drilled: { Event: { by: 'Deep Ltd', on: '2020-05-04', seenFrom: { coordinates: [7.5, 50.5] } } },
          meets: { Unit: { '@id': 'unit.g', name: ['Granite', 'Granit'], age: 300 } },
        },
      });
    }
  });

  it('is described by its own schema, whose documents are served beside it', async () => {
    const text = await get(wfs({ request: 'DescribeFeatureType', typeNames: 's:Borehole' }));

    const [, location = ''] = /<xsd:include schemaLocation="([^"]*)"/.exec(text) ?? [];
    expect(text).toContain(`targetNamespace="${COMPLEX_SURVEY}"`);
    expect(location).toBe(`${root()}/s/Borehole/wfs/schema/survey.xsd`);
    expect(await get(location)).toBe(complexSurvey['survey.xsd']);
    expect(await get(new URL('parts/unit.xsd', location).href)).toBe(complexSurvey['parts/unit.xsd']);
    for (const path of ['survey.appschema', 'holes.properties', '..%2Fholes.properties', 'none.xsd']) {
      expect((await fetch(`${root()}/s/Borehole/wfs/schema/${path}`)).status).toBe(404);
    }
  });

  it('shows no hidden attributes in schemas, queryables, messages and features', async () => {
    const { server } = client;
    const path = '/workspaces/s/datastores/survey/featuretypes/Borehole.json';
    const { featureType } = (await server.get(path)).json() as {
      featureType: { attributes: { attribute: readonly { name: string }[] } };
    };
    const hidden = featureType.attributes.attribute.map(({ name }) => name).find((name) => name.includes('drilled'));
    const dataRule = { name: 'masked', layer: 's:Borehole', roles: ['*'], attributes: { [hidden ?? '']: 'hide' } };
    const made = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
    expect(made.status, made.text).toBe(201);
    const collection = `${root()}/ogc/features/v1/collections/s:Borehole`;
    const addresses = [
      wfs({ request: 'DescribeFeatureType', typeNames: 's:Borehole' }),
      wfs({ request: 'DescribeFeatureType', typeNames: 's:Borehole', outputFormat: 'application/json' }),
      wfs({ request: 'GetFeature', typeNames: 's:Borehole' }),
      wfs({ request: 'GetFeature', typeNames: 's:Borehole', outputFormat: 'application/json' }),
      wfs({ request: 'GetFeature', typeNames: 's:Borehole', cql_filter: 'nonsense = 1' }),
      `${root()}/s/Borehole/wfs/schema/survey.xsd`,
      `${collection}/queryables`,
      `${collection}/schema`,
      `${collection}/items?f=json`,
      `${collection}?f=json`,
      `${root()}/ogc/features/v1/api`,
    ];
    const replies = await Promise.all(addresses.map(async (each) => [each, (await get(each)).match(/drilled|Event/g)]));
    await server.delete('/security/acl/data/masked');

    expect(replies).toEqual(addresses.map((each) => [each, null]));
    expect(await get(`${root()}/s/Borehole/wfs/schema/survey.xsd`)).toContain('drilled');
  });
});

describeWithTool('xmllint', 'the GML of a mapping', () => {
  const folder = useTemporaryFolder('complex-gml');

  it('validates the features against the schema', async () => {
    const { catalog, schemaWith } = await writeStandardSchemas(folder);
    const document = await getFeature({});
    const [, location = ''] = /xsi:schemaLocation="[^"]*example.com\/survey ([^" ]*)"/.exec(document) ?? [];
    const schema = await schemaWith(COMPLEX_SURVEY, location.replaceAll('&amp;', '&'));
    await writeFile(join(folder, 'features.xml'), document);

    const { stderr } = await run(
      tools.xmllint.find() ?? 'xmllint',
      ['--noout', '--schema', schema, join(folder, 'features.xml')],
      { env: { ...process.env, XML_CATALOG_FILES: catalog, no_proxy: '127.0.0.1' } },
    );

    expect(stderr).toContain('features.xml validates');
  });
});

describeWithTool('gdal', 'the GML of a mapping for GDAL', () => {
  const folder = useTemporaryFolder('complex-gdal');

  it.each(['2.0.0', '1.1.0'])('reads the features of WFS %s', async (version) => {
    const names = version === '2.0.0' ? 'typeNames' : 'typeName';
    const text = await get(wfs({ version, request: 'GetFeature', [names]: 's:Borehole', outputFormat: 'gml32' }));
    const file = join(folder, `${version}.gml`);
    await writeFile(file, text);

    const read = await runGdal('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', file, 'Borehole']);

    const { features } = JSON.parse(read);
    expect(features.map((each: { properties: { depth: number } }) => each.properties.depth)).toEqual([120.5, 80, 300]);
    // GDAL uses one of several geometries.
    expect(features[0].geometry.type).toBe('Point');
    expect(features[0].properties).toMatchObject({ name: 'North', by: 'Deep Ltd', rock: 'Granite' });
  });
});
