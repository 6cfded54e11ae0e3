import { beforeAll, describe, expect, it } from 'vitest';
import { lineSld, SLD_TYPE, send } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { polygonShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';

describe('layer styles', () => {
  const server = useTestServer({ clock: () => Date.UTC(2026, 0, 2) });
  const layer = '/layers/acme:states';
  beforeAll(async () => {
    for (const name of ['acme', 'other']) {
      await server.post('/workspaces', `<workspace><name>${name}</name></workspace>`);
    }
    await putZip(server, '/workspaces/acme/datastores/s/file.shp', zipOf({ states: polygonShapefile() }));
    for (const path of [
      '/styles?name=red',
      '/styles?name=both',
      '/workspaces/acme/styles?name=local',
      '/workspaces/acme/styles?name=both',
      '/workspaces/other/styles?name=foreign',
    ]) {
      await send(server, 'POST', path, SLD_TYPE, lineSld(path));
    }
  });

  it('are selected in XML and JSON, and returned with links', async () => {
    const reply = await server.put(
      layer,
      '{"layer":{"defaultStyle":{"name":"red"},"styles":{"style":[{"name":"polygon"},{"name":"local"}]}}}',
    );
    expect([reply.status, reply.text]).toEqual([200, '']);

    expect((await server.get(`${layer}.xml`, { headers: { host: 'h' } })).text).toBe(`<layer>
  <name>states</name>
  <type>VECTOR</type>
  <path>/</path>
  <defaultStyle>
    <name>red</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/styles/red.xml" type="application/xml"/>
  </defaultStyle>
  <styles class="linked-hash-set">
    <style>
      <name>polygon</name>
      <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/styles/polygon.xml" type="application/xml"/>
    </style>
    <style>
      <name>acme:local</name>
      <workspace>acme</workspace>
      <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme/styles/local.xml" type="application/xml"/>
    </style>
  </styles>
  <resource class="featureType">
    <name>acme:states</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme/datastores/s/featuretypes/states.xml" type="application/xml"/>
  </resource>
  <queryable>true</queryable>
  <opaque>false</opaque>
  <attribution>
    <logoWidth>0</logoWidth>
    <logoHeight>0</logoHeight>
  </attribution>
  <dateCreated>2026-01-02 00:00:00.000 UTC</dateCreated>
</layer>
`);
    const xml = '<layer><defaultStyle><name>line</name></defaultStyle><styles><style>red</style></styles></layer>';
    expect((await server.put('/workspaces/acme/layers/states', xml)).status).toBe(200);
    expect((await server.get(`${layer}.json`, { headers: { host: 'h' } })).json()).toMatchObject({
      layer: {
        defaultStyle: { name: 'line', href: 'http://h/geoserver/rest/styles/line.json' },
        styles: { '@class': 'linked-hash-set', style: [{ name: 'red' }] },
      },
    });
  });

  it.each([
    ['red', { name: 'red' }],
    ['local', { name: 'acme:local', workspace: 'acme' }],
    ['acme:local', { name: 'acme:local', workspace: 'acme' }],
    ['both', { name: 'acme:both', workspace: 'acme' }],
  ])('are found by name: %s', async (name, shown) => {
    await server.put(layer, JSON.stringify({ layer: { styles: [], defaultStyle: name } }));

    expect((await readResource(server, layer))['defaultStyle']).toMatchObject(shown);
  });

  it('are unchanged by their own document, also with equal names in two workspaces', async () => {
    await server.post(`${layer}/styles?default=true`, '{"style":{"name":"both","workspace":{"name":"acme"}}}');
    await server.put(layer, '{"layer":{"styles":{"style":[{"name":"red"}]}}}');
    for (const format of ['xml', 'json']) {
      const read = await server.get(`${layer}.${format}`);
      expect((await server.put(layer, read.text, { type: format })).status).toBe(200);
      expect((await server.get(`${layer}.${format}`)).headers['etag']).toBe(read.headers['etag']);
    }
  });

  it.each(['nothing', 'foreign', 'other:foreign', 'nowhere:x', 'acme:red'])(
    'return 404 for %s, and are unchanged',
    async (name) => {
      const before = (await server.get(`${layer}.json`)).text;

      expect((await server.put(layer, JSON.stringify({ layer: { defaultStyle: { name } } }))).status).toBe(404);
      expect(
        (await server.put(layer, JSON.stringify({ layer: { styles: { style: [{ name: 'red' }, { name }] } } }))).status,
      ).toBe(404);
      expect((await server.post(`${layer}/styles`, JSON.stringify({ style: { name } }))).status).toBe(404);
      expect((await server.get(`${layer}.json`)).text).toBe(before);
    },
  );

  it.each([
    ['a list of names', '["red","line"]', 200, ['red', 'line']],
    ['a list of styles', '[{"name":"red"}]', 200, ['red']],
    ['one name', '"red"', 200, ['red']],
    ['an empty list', '[]', 200, []],
    ['an empty text', '""', 200, []],
    ['only attributes', '{"@class":"linked-hash-set"}', 200, []],
    ['unknown members', '{"stiles":[{"name":"red"}]}', 400, ['line']],
    ['a number', '7', 404, ['line']],
  ])('are distinguished from an empty list when sent as %s', async (_, styles, status, names) => {
    await server.put(layer, '{"layer":{"styles":{"style":[{"name":"line"}]}}}');

    expect((await server.put(layer, `{"layer":{"styles":${styles}}}`)).status).toBe(status);

    const listed = (await server.get(`${layer}/styles.json`)).json() as { styles: { style: { name: string }[] } };
    expect(listed.styles.style.map(({ name }) => name)).toEqual(names);
  });

  it('are listed without the default style, and can be extended', async () => {
    await server.put(layer, '{"layer":{"defaultStyle":"polygon","styles":{}}}');
    expect((await server.get(`${layer}/styles.json`)).json()).toEqual({ styles: { style: [] } });

    const added = await server.post(`${layer}/styles`, '<style><name>red</name></style>', { headers: { host: 'h' } });
    expect([added.status, added.text]).toEqual([201, 'red']);
    expect(added.headers['location']).toBe('http://h/geoserver/rest/styles/red');
    await server.post('/workspaces/acme/layers/states/styles', '{"style":{"name":"local"}}');
    await server.post(`${layer}/styles`, '{"style":{"name":"red"}}');

    expect((await server.get(`${layer}/styles.json`, { headers: { host: 'h' } })).json()).toEqual({
      styles: {
        style: [
          { name: 'red', href: 'http://h/geoserver/rest/styles/red.json' },
          { name: 'acme:local', href: 'http://h/geoserver/rest/workspaces/acme/styles/local.json' },
        ],
      },
    });
    expect((await server.get('/workspaces/acme/layers/states/styles.xml')).text).toContain('<name>red</name>');
    expect((await readResource(server, layer))['defaultStyle']).toMatchObject({ name: 'polygon' });
  });

  it('get a new default with ?default=true, and keep it and the former one as alternatives', async () => {
    await server.put(layer, '{"layer":{"defaultStyle":"polygon","styles":["line","red"]}}');

    expect((await server.post(`${layer}/styles?default=True`, '{"style":{"name":"red"}}')).status).toBe(201);

    expect(await readResource(server, layer)).toMatchObject({
      defaultStyle: { name: 'red' },
      styles: { style: [{ name: 'line' }, { name: 'red' }, { name: 'polygon' }] },
    });
    await server.post(`${layer}/styles?default=true`, '<style><name>red</name></style>');
    await server.post(`${layer}/styles?default=true`, '<style><name>line</name></style>');
    expect(await readResource(server, layer)).toMatchObject({
      defaultStyle: { name: 'line' },
      styles: { style: [{ name: 'line' }, { name: 'red' }, { name: 'polygon' }] },
    });
  });

  it('fall back to the default of the geometry type when the default is cleared', async () => {
    await server.put(layer, '{"layer":{"defaultStyle":null}}');

    expect((await readResource(server, layer))['defaultStyle']).toMatchObject({ name: 'polygon' });
  });

  it('require an existing layer', async () => {
    expect((await server.get('/layers/acme:nothing/styles')).status).toBe(404);
    expect((await server.post('/layers/acme:nothing/styles', '{"style":{"name":"red"}}')).status).toBe(404);
    expect((await server.put('/layers/acme:nothing', '{"layer":{}}')).status).toBe(404);
    expect((await server.post(`${layer}/styles`, '{"style":{}}')).status).toBe(400);
  });
});

describe('layer update', () => {
  const server = useTestServer();
  const layer = '/layers/acme:states';
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, '/workspaces/acme/datastores/s/file.shp', zipOf({ states: polygonShapefile() }));
  });

  it('disables and enables the layer, and keeps omitted fields', async () => {
    await server.put(
      layer,
      '{"layer":{"enabled":false,"advertised":false,"queryable":false,"opaque":true,"path":"/a"}}',
    );
    await server.put(layer, '{"layer":{"defaultStyle":"line"}}');
    expect(await readResource(server, layer)).toMatchObject({
      enabled: false,
      advertised: false,
      queryable: false,
      opaque: true,
      path: '/a',
      defaultStyle: { name: 'line' },
    });

    await server.put(layer, '{"layer":{"enabled":true,"advertised":true,"path":null}}');
    const after = await readResource(server, layer);
    expect(after).toMatchObject({ queryable: false, opaque: true, path: '/' });
    expect(Object.keys(after)).not.toEqual(expect.arrayContaining(['enabled']));
  });

  it('checks the version if the client sends a condition', async () => {
    const { headers } = await server.get(`${layer}.json`);
    const guard = { headers: { 'if-match': headers['etag'] ?? '' } };

    expect((await server.put(layer, '{"layer":{"opaque":false}}', guard)).status).toBe(200);
    expect((await server.put(layer, '{"layer":{"opaque":true}}', guard)).status).toBe(412);
  });
});
