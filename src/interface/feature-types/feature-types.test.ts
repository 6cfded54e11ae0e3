import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import {
  featureTypes,
  pointShapefile,
  polygonShapefile,
  putZip,
  readResource,
  UTM33_PRJ,
  zipOf,
} from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const shapes = `${stores}/shapes/featuretypes`;

describe('feature types of shapefiles', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const all = {
      a: pointShapefile(),
      b: polygonShapefile(),
      c: pointShapefile(),
      utm: pointShapefile(2, [5e5, 55e5], UTM33_PRJ),
    };
    await putZip(server, `${stores}/shapes/file.shp?configure=none`, zipOf(all));
  });

  it('are published by name alone', async () => {
    const reply = await server.post(shapes, '<featureType><name>a</name></featureType>', { type: 'text/xml' });

    expect(reply).toMatchObject({ status: 201, text: 'a' });
    expect(reply.headers['location']).toMatch(/\/workspaces\/acme\/datastores\/shapes\/featuretypes\/a$/);
    expect((await server.get(`${shapes}/a.xml`, { headers: { host: 'maps.test' } })).text).toBe(`<featureType>
  <name>a</name>
  <nativeName>a</nativeName>
  <namespace>
    <name>acme</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://maps.test/geoserver/rest/namespaces/acme.xml" type="application/xml"/>
  </namespace>
  <title>a</title>
  <keywords>
    <string>features</string>
    <string>a</string>
  </keywords>
  <nativeCRS>GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]</nativeCRS>
  <srs>EPSG:4326</srs>
  <nativeBoundingBox>
    <minx>10</minx>
    <maxx>12</maxx>
    <miny>50</miny>
    <maxy>52</maxy>
    <crs>EPSG:4326</crs>
  </nativeBoundingBox>
  <latLonBoundingBox>
    <minx>10</minx>
    <maxx>12</maxx>
    <miny>50</miny>
    <maxy>52</maxy>
    <crs>EPSG:4326</crs>
  </latLonBoundingBox>
  <projectionPolicy>FORCE_DECLARED</projectionPolicy>
  <enabled>true</enabled>
  <advertised>true</advertised>
  <store class="dataStore">
    <name>acme:shapes</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://maps.test/geoserver/rest/workspaces/acme/datastores/shapes.xml" type="application/xml"/>
  </store>
  <serviceConfiguration>false</serviceConfiguration>
  <simpleConversionEnabled>false</simpleConversionEnabled>
  <maxFeatures>0</maxFeatures>
  <numDecimals>0</numDecimals>
  <padWithZeros>false</padWithZeros>
  <forcedDecimal>false</forcedDecimal>
  <overridingServiceSRS>false</overridingServiceSRS>
  <skipNumberMatched>false</skipNumberMatched>
  <circularArcPresent>false</circularArcPresent>
  <encodeMeasures>false</encodeMeasures>
  <attributes>
    <attribute>
      <name>the_geom</name>
      <minOccurs>0</minOccurs>
      <maxOccurs>1</maxOccurs>
      <nillable>true</nillable>
      <binding>org.locationtech.jts.geom.Point</binding>
    </attribute>
    <attribute>
      <name>name</name>
      <minOccurs>0</minOccurs>
      <maxOccurs>1</maxOccurs>
      <nillable>true</nillable>
      <binding>java.lang.String</binding>
      <length>20</length>
    </attribute>
    <attribute>
      <name>rank</name>
      <minOccurs>0</minOccurs>
      <maxOccurs>1</maxOccurs>
      <nillable>true</nillable>
      <binding>java.lang.Integer</binding>
      <length>9</length>
    </attribute>
    <attribute>
      <name>seen</name>
      <minOccurs>0</minOccurs>
      <maxOccurs>1</maxOccurs>
      <nillable>true</nillable>
      <binding>java.util.Date</binding>
      <length>8</length>
    </attribute>
  </attributes>
</featureType>
`);
    expect((await server.get(`${shapes}/a.html`)).text).toContain('<th scope="row">the_geom</th><td>Point</td>');
  });

  it.each([
    [
      'xml',
      'available',
      '<list>\n  <featureTypeName>c</featureTypeName>\n  <featureTypeName>utm</featureTypeName>\n</list>\n',
    ],
    ['json', 'available_with_geom', '{"list":{"string":["c","utm"]}}'],
    ['json', 'all', '{"list":{"string":["a","b","c","utm"]}}'],
    ['json', 'ALL', '{"list":{"string":["a","b","c","utm"]}}'],
  ])('are listed in %s with list=%s', async (format, list, expected) => {
    await server.post(shapes, '<featureType><name>a</name></featureType>');
    await server.post(shapes, '{"featureType":{"name":"b"}}');

    expect((await server.get(`${shapes}.${format}?list=${list}`)).text).toBe(expected);
    expect(await featureTypes(server, 'acme/shapes')).toEqual(['a', 'b']);
    expect((await server.get(`${shapes}.json?list=some`)).status).toBe(400);
  });

  it('of readable stores are listed with a warning that names an unreadable store', async () => {
    await server.post('/workspaces', '<workspace><name>partly</name></workspace>');
    const own = '/workspaces/partly/datastores';
    await putZip(server, `${own}/whole/file.shp?configure=none`, zipOf({ a: pointShapefile() }));
    const gone = '{"entry":[{"@key":"url","$":"file:data/gone.shp"}]}';
    await server.post(own, `{"dataStore":{"name":"gone","connectionParameters":${gone}}}`);

    const all = await server.get('/workspaces/partly/featuretypes.json?list=all');

    expect(all.text).toBe('{"list":{"string":["a"]}}');
    expect(all.headers['warning']).toContain("The store 'gone' is omitted: ");
    expect((await server.get(`${own}/gone/featuretypes.json?list=all`)).status).toBe(400);
  });

  it('are published under another name with the metadata of the client', async () => {
    const document = {
      featureType: {
        name: 'renamed',
        nativeName: 'c',
        title: 'Said',
        keywords: { string: 'one' },
        srs: 'urn:ogc:def:crs:EPSG::3857',
        metadata: { entry: { '@key': 'cachingEnabled', $: 'true' } },
        metadataLinks: { metadataLink: [{ type: 'text/html', metadataType: 'ISO19115:2003', content: 'http://x/' }] },
        maxFeatures: 10,
      },
    };

    expect((await server.post(shapes, JSON.stringify(document))).status).toBe(201);

    expect(await readResource(server, `${shapes}/renamed`)).toMatchObject({
      ...document.featureType,
      srs: 'EPSG:3857',
      keywords: { string: ['one'] },
      metadata: { entry: [{ '@key': 'cachingEnabled', $: 'true' }] },
      nativeBoundingBox: { minx: 10, crs: { '@class': 'projected', $: 'EPSG:3857' } },
    });
    await server.delete(`${shapes}/renamed?recurse=true`);
  });

  it.each([
    ['a name in use', '<featureType><name>b</name></featureType>', 409, "'b' already exists"],
    ['unknown data', '<featureType><name>nothing</name></featureType>', 400, "no type named 'nothing'"],
    [
      'attributes in a store that cannot create tables',
      '<featureType><name>new</name><attributes><attribute><name>n</name><binding>java.lang.String</binding></attribute></attributes></featureType>',
      400,
      'tables cannot be created',
    ],
    ['no name', '<featureType/>', 400, 'it is empty'],
    ['a star', '<featureType><name>*</name><nativeName>c</nativeName></featureType>', 400, 'reserved'],
    [
      'an unknown CRS',
      '<featureType><name>c</name><srs>EPSG:999999</srs></featureType>',
      400,
      "Unknown spatial reference 'EPSG:999999'",
    ],
    [
      'another workspace',
      '<featureType><name>c</name><namespace><name>other</name></namespace></featureType>',
      403,
      "names 'other'",
    ],
    [
      'another store',
      '<featureType><name>c</name><store><name>acme:other</name></store></featureType>',
      403,
      "names 'acme:other'",
    ],
    [
      'an unknown binding',
      '<featureType><name>new</name><attributes><attribute><name>n</name><binding>java.lang.Runtime</binding></attribute></attributes></featureType>',
      400,
      'java.lang.Runtime',
    ],
    [
      'an invalid policy',
      '<featureType><name>c</name><projectionPolicy>MAYBE</projectionPolicy></featureType>',
      400,
      'FORCE_DECLARED',
    ],
    [
      'a box without numbers',
      '<featureType><name>c</name><nativeBoundingBox><minx>a</minx></nativeBoundingBox></featureType>',
      400,
      'minx',
    ],
  ])('are rejected for %s', async (_what, body, status, message) => {
    await server.post(shapes, '{"featureType":{"name":"b"}}');

    const reply = await server.post(shapes, body);

    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(message)]);
  });

  it('keep omitted fields and are unchanged by their own document', async () => {
    await server.post(shapes, '<featureType><name>a</name></featureType>');
    const change = '<featureType><title>New</title><abstract>About</abstract></featureType>';
    expect((await server.put(`${shapes}/a`, change)).status).toBe(200);
    const before = await server.get(`${shapes}/a.xml`);
    const position = await server.server.storage.position();

    expect((await server.put(`${shapes}/a`, before.text)).status).toBe(200);

    expect((await server.get(`${shapes}/a.xml`)).text).toBe(before.text);
    expect(await server.server.storage.position()).toBe(position);
    const cleared = '{"featureType":{"abstract":null}}';
    await server.put(`${shapes}/a`, cleared);
    expect(await readResource(server, `${shapes}/a`)).not.toHaveProperty('abstract');
  });

  it('are renamed with their layer and its rules', async () => {
    await putZip(server, `${stores}/renaming/file.shp`, zipOf({ old: pointShapefile() }));
    await server.post('/security/acl/layers', '{"acme.old.r":"ROLE_X"}');

    const reply = await server.put(
      `${stores}/renaming/featuretypes/old`,
      '<featureType><name>new</name></featureType>',
    );

    expect(reply.status).toBe(200);
    expect((await server.get('/layers/acme:old.xml')).status).toBe(404);
    expect((await server.get('/layers/acme:new.xml')).status).toBe(200);
    expect((await server.get('/security/acl/layers.json')).json()).toMatchObject({ 'acme.new.r': 'ROLE_X' });
  });

  it('are not renamed when a rule exists under the new name', async () => {
    await putZip(server, `${stores}/waiting/file.shp`, zipOf({ here: pointShapefile() }));
    await server.post('/security/acl/layers', '{"acme.here.r":"ROLE_X","acme.there.r":"ROLE_Y"}');
    const type = `${stores}/waiting/featuretypes/here`;

    const reply = await server.put(type, '<featureType><name>there</name></featureType>');

    expect([reply.status, reply.text]).toEqual([409, expect.stringContaining("'acme.there.r'")]);
    expect((await server.get(`${type}.xml`)).status).toBe(200);
    expect((await server.get('/security/acl/layers.json')).json()).toMatchObject({
      'acme.here.r': 'ROLE_X',
      'acme.there.r': 'ROLE_Y',
    });
  });

  it('are recomputed on request, or when a change requires it', async () => {
    await server.post(shapes, '<featureType><name>utm</name></featureType>');
    const type = `${shapes}/utm`;
    const box = '<nativeBoundingBox><minx>1</minx><maxx>2</maxx><miny>3</miny><maxy>4</maxy></nativeBoundingBox>';
    await server.put(type, `<featureType>${box}</featureType>`);
    expect(await readResource(server, type)).toMatchObject({ nativeBoundingBox: { minx: 1, maxy: 4 } });

    await server.put(`${type}?recalculate=nativebbox,latlonbbox`, '<featureType/>');
    expect(await readResource(server, type)).toMatchObject({ nativeBoundingBox: { minx: 500_000, maxx: 500_001 } });
    await server.put(type, '<featureType><srs>EPSG:32632</srs></featureType>');
    const shifted = await readResource(server, type);
    expect((shifted['latLonBoundingBox'] as { minx: number }).minx).toBeCloseTo(9, 3);
    expect((await server.put(`${type}?recalculate=everything`, '<featureType/>')).status).toBe(400);
    expect((await server.put(`${type}?recalculate=`, '<featureType/>')).status).toBe(200);
  });

  it('show the selected attributes until they are recomputed', async () => {
    await putZip(server, `${stores}/chosen/file.shp`, zipOf({ chosen: pointShapefile() }));
    const type = `${stores}/chosen/featuretypes/chosen`;
    const attribute = (name: string, more = '') => `<attribute><name>${name}</name>${more}</attribute>`;

    const chosen = `${attribute('rank', '<description>How high</description>')}${attribute('the_geom')}`;
    expect((await server.put(type, `<featureType><attributes>${chosen}</attributes></featureType>`)).status).toBe(200);
    expect(await readResource(server, type)).toMatchObject({
      attributes: {
        attribute: [
          { name: 'rank', binding: 'java.lang.Integer', description: 'How high' },
          { name: 'the_geom', binding: 'org.locationtech.jts.geom.Point' },
        ],
      },
    });
    const unknown = `<featureType><attributes>${attribute('height')}</attributes></featureType>`;
    expect((await server.put(type, unknown)).text).toContain("no attribute 'height'");
    await server.put(`${type}?recalculate=attributes`, '<featureType/>');
    const { attributes } = await readResource(server, type);
    expect((attributes as { attribute: readonly unknown[] }).attribute).toHaveLength(4);
  });

  it.each([
    [
      '/workspaces/acme/datastores/shapes/featuretypes/x',
      "feature type: 'x' in the store 'shapes' of the workspace 'acme'",
    ],
    ['/workspaces/acme/featuretypes/x', "feature type: 'x' in the workspace 'acme'"],
    ['/workspaces/acme/coverages/x', "coverage: 'x' in the workspace 'acme'"],
    ['/workspaces/acme/wmslayers/x', "WMS layer: 'x' in the workspace 'acme'"],
    ['/workspaces/acme/layers/x', "layer: 'x' in the workspace 'acme'"],
    ['/layers/acme:x', "layer: 'acme:x'"],
  ])('name the workspace and the store in a 404: %s', async (path, named) => {
    const reply = await server.get(path);

    expect([reply.status, reply.text]).toEqual([404, `No such ${named}.\n`]);
  });

  it('are found in their workspace without their store in the path', async () => {
    await server.post(shapes, '<featureType><name>a</name></featureType>');

    expect((await server.get('/workspaces/acme/featuretypes.json')).text).toContain(
      '/workspaces/acme/featuretypes/a.json',
    );
    expect((await server.get('/workspaces/acme/featuretypes/a.xml')).text).toContain('<name>acme:shapes</name>');
    const change = '<featureType><description>without store</description></featureType>';
    expect((await server.put('/workspaces/acme/featuretypes/a', change)).status).toBe(200);
    const created = await server.post(
      '/workspaces/acme/featuretypes',
      '{"featureType":{"name":"a2","nativeName":"a"}}',
    );
    expect(created.status).toBe(201);
    expect(created.headers['location']).toMatch(/\/workspaces\/acme\/datastores\/[^/]+\/featuretypes\/a2$/);
    expect((await server.delete('/workspaces/acme/featuretypes/a2?recurse=true')).status).toBe(200);
  });

  it('are deleted with their layer only with recurse', async () => {
    await putZip(server, `${stores}/deleting/file.shp`, zipOf({ gone: pointShapefile() }));
    const type = `${stores}/deleting/featuretypes/gone`;

    expect(await server.delete(type)).toMatchObject({ status: 403, text: expect.stringContaining("layer 'gone'") });
    expect((await server.delete(`${type}?recurse=true`)).status).toBe(200);

    expect((await server.get(`${type}.xml`)).status).toBe(404);
    expect((await server.get('/layers/acme:gone.xml')).status).toBe(404);
    expect((await server.delete(type)).status).toBe(404);
  });

  it('are reset by POST and PUT, and reject other methods', async () => {
    await server.post(shapes, '<featureType><name>a</name></featureType>');

    for (const method of ['POST', 'PUT']) {
      expect((await server.request(method, `${shapes}/a/reset`)).status).toBe(200);
      expect((await server.request(method, `${shapes}/none/reset`)).status).toBe(404);
    }
    expect((await server.request('POST', `${shapes}/a`)).status).toBe(405);
    expect((await server.request('DELETE', shapes)).status).toBe(405);
  });

  it('accept names that equal path segments', async () => {
    const names = ['file', 'external', 'reset', 'featuretypes', 'a.b', 'x.xml'];
    const shapefiles = Object.fromEntries(names.map((name) => [name, pointShapefile()]));
    await putZip(server, `${stores}/file/file.shp?configure=all`, zipOf(shapefiles));

    for (const name of names) {
      expect(await readResource(server, `${stores}/file/featuretypes/${name}`)).toMatchObject({ name });
      expect(await readResource(server, `/layers/acme:${name}`)).toMatchObject({ name });
    }
    expect((await server.get(`${stores}/file/featuretypes/x.xml`)).text).toContain('<name>x.xml</name>');
  });
});

describe('feature types in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('are always enabled on creation, as their stores are', async () => {
    await server.post('/workspaces', '<workspace><name>enabling</name></workspace>');
    const store = '/workspaces/enabling/datastores/on';
    await putZip(server, `${store}/file.shp?configure=none`, zipOf({ on: pointShapefile() }));
    const parameters = { url: 'file:data/enabling/on' };
    const off = { dataStore: { name: 'off', enabled: false, connectionParameters: parameters } };

    expect((await server.post('/workspaces/enabling/datastores', JSON.stringify(off))).status).toBe(201);
    await server.post(`${store}/featuretypes`, '{"featureType":{"name":"on","enabled":false}}');

    expect(await readResource(server, '/workspaces/enabling/datastores/off')).toMatchObject({ enabled: true });
    expect(await readResource(server, `${store}/featuretypes/on`)).toMatchObject({ enabled: true });
  });

  it('are answered without a body on creation, and as a page by default', async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, `${stores}/shapes/file.shp?configure=none`, zipOf({ a: pointShapefile() }));

    const reply = await server.post(shapes, '<featureType><name>a</name></featureType>');

    expect(reply).toMatchObject({ status: 201, text: '' });
    expect((await server.get(`${shapes}/a`)).headers['content-type']).toMatch(/^text\/html/);
    expect((await server.get(`${shapes}.json?list=available`)).text).toBe('{"list":""}');
  });

  it('are unchanged by their own document although single-item lists look different', async () => {
    const change = '{"featureType":{"keywords":{"string":"one"},"metadata":{"entry":{"@key":"k","$":"v"}}}}';
    await server.put(`${shapes}/a`, change);
    const read = await server.get(`${shapes}/a.json`);
    const store = await server.get(`${stores}/shapes.json`);
    const position = await server.server.storage.position();

    expect((await server.put(`${shapes}/a`, read.text)).status).toBe(200);
    expect((await server.put(`${stores}/shapes`, store.text)).status).toBe(200);

    expect(await server.server.storage.position()).toBe(position);
  });
});
