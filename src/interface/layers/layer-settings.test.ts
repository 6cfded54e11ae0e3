import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { polygonShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';

const layer = '/layers/acme:states';

const settings = {
  path: '/base/land',
  legend: { width: 20, height: 30, format: 'image/png', onlineResource: 'http://maps.example/states.png' },
  metadata: { entry: [{ '@key': 'buffer', $: '10' }] },
  attribution: {
    title: 'The survey',
    href: 'http://survey.example/',
    logoURL: 'http://survey.example/logo.png',
    logoWidth: 40,
    logoHeight: 30,
    logoType: 'image/png',
  },
  authorityURLs: {
    AuthorityURL: [
      { name: 'survey', href: 'http://survey.example/catalogue' },
      { name: 'agency', href: 'http://agency.example/' },
    ],
  },
  identifiers: { Identifier: [{ authority: 'survey', identifier: 'states-1' }] },
  defaultWMSInterpolationMethod: 'Bicubic',
};

const settingsInXml = `<layer>
  <path>/base/land</path>
  <legend><width>20</width><height>30</height><format>image/png</format><onlineResource>http://maps.example/states.png</onlineResource></legend>
  <metadata><entry key="buffer">10</entry></metadata>
  <attribution>
    <title>The survey</title><href>http://survey.example/</href><logoURL>http://survey.example/logo.png</logoURL>
    <logoWidth>40</logoWidth><logoHeight>30</logoHeight><logoType>image/png</logoType>
  </attribution>
  <authorityURLs>
    <AuthorityURL><name>survey</name><href>http://survey.example/catalogue</href></AuthorityURL>
    <AuthorityURL><name>agency</name><href>http://agency.example/</href></AuthorityURL>
  </authorityURLs>
  <identifiers><Identifier><authority>survey</authority><identifier>states-1</identifier></Identifier></identifiers>
  <defaultWMSInterpolationMethod>Bicubic</defaultWMSInterpolationMethod>
</layer>`;

const cleared = JSON.stringify({ layer: Object.fromEntries(Object.keys(settings).map((name) => [name, null])) });

describe('layer settings', () => {
  const server = useTestServer({ clock: () => Date.UTC(2026, 0, 2) });
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, '/workspaces/acme/datastores/s/file.shp', zipOf({ states: polygonShapefile() }));
  });

  it.each([
    ['JSON', JSON.stringify({ layer: settings })],
    ['XML', settingsInXml],
  ])('are stored and returned when sent as %s', async (_, body) => {
    await server.put(layer, cleared);

    expect((await server.put(layer, body)).status).toBe(200);

    expect(await readResource(server, layer)).toMatchObject(settings);
    expect((await server.get(`${layer}.xml`, { headers: { host: 'h' } })).text).toBe(`<layer>
  <name>states</name>
  <type>VECTOR</type>
  <path>/base/land</path>
  <defaultStyle>
    <name>polygon</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/styles/polygon.xml" type="application/xml"/>
  </defaultStyle>
  <resource class="featureType">
    <name>acme:states</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme/datastores/s/featuretypes/states.xml" type="application/xml"/>
  </resource>
  <legend>
    <width>20</width>
    <height>30</height>
    <format>image/png</format>
    <onlineResource>http://maps.example/states.png</onlineResource>
  </legend>
  <queryable>true</queryable>
  <opaque>false</opaque>
  <metadata>
    <entry key="buffer">10</entry>
  </metadata>
  <attribution>
    <title>The survey</title>
    <href>http://survey.example/</href>
    <logoURL>http://survey.example/logo.png</logoURL>
    <logoWidth>40</logoWidth>
    <logoHeight>30</logoHeight>
    <logoType>image/png</logoType>
  </attribution>
  <authorityURLs>
    <AuthorityURL>
      <name>survey</name>
      <href>http://survey.example/catalogue</href>
    </AuthorityURL>
    <AuthorityURL>
      <name>agency</name>
      <href>http://agency.example/</href>
    </AuthorityURL>
  </authorityURLs>
  <identifiers>
    <Identifier>
      <authority>survey</authority>
      <identifier>states-1</identifier>
    </Identifier>
  </identifiers>
  <defaultWMSInterpolationMethod>Bicubic</defaultWMSInterpolationMethod>
  <dateCreated>2026-01-02 00:00:00.000 UTC</dateCreated>
</layer>
`);
  });

  it('are kept when omitted and when the own document is sent back', async () => {
    await server.put(layer, JSON.stringify({ layer: settings }));

    await server.put(layer, '{"layer":{"opaque":true}}');
    expect(await readResource(server, layer)).toMatchObject({ ...settings, opaque: true });
    for (const format of ['xml', 'json']) {
      const read = await server.get(`${layer}.${format}`);
      expect((await server.put(layer, read.text, { type: format })).status).toBe(200);
      expect((await server.get(`${layer}.${format}`)).headers['etag']).toBe(read.headers['etag']);
    }
  });

  it.each([
    ['null', cleared],
    [
      'xsi:nil',
      `<layer xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${Object.keys(settings)
        .map((name) => `<${name} xsi:nil="true"/>`)
        .join('')}</layer>`,
    ],
    [
      'empty elements',
      '<layer><path/><legend/><metadata/><attribution/><authorityURLs/><identifiers/><defaultWMSInterpolationMethod/></layer>',
    ],
  ])('are cleared by %s', async (_, body) => {
    await server.put(layer, JSON.stringify({ layer: settings }));

    expect((await server.put(layer, body)).status).toBe(200);

    const after = await readResource(server, layer);
    expect(after).toMatchObject({ path: '/', attribution: { logoWidth: 0, logoHeight: 0 } });
    expect(Object.keys(after['attribution'] as object)).toEqual(['logoWidth', 'logoHeight']);
    for (const name of ['legend', 'metadata', 'authorityURLs', 'identifiers', 'defaultWMSInterpolationMethod']) {
      expect(after).not.toHaveProperty(name);
    }
  });

  it.each([
    ['one authority', '{"authorityURLs":{"AuthorityURL":{"name":"a","href":"http://a.example/"}}}'],
    ['a plain list', '{"authorityURLs":[{"name":"a","href":"http://a.example/"}]}'],
    ['the fields without an item element', '{"authorityURLs":{"name":"a","href":"http://a.example/"}}'],
  ])('accept authorities in every client notation: %s', async (_, body) => {
    expect((await server.put(layer, `{"layer":${body}}`)).status).toBe(200);

    expect((await readResource(server, layer))['authorityURLs']).toEqual({
      AuthorityURL: [{ name: 'a', href: 'http://a.example/' }],
    });
  });

  it.each([
    ['"attribution":{"logoWidth":"wide"}', 'layer.attribution'],
    ['"attribution":{"logoWidth":-1}', 'layer.attribution'],
    ['"attribution":{"title":{"en":"The survey"}}', 'layer.attribution'],
    ['"attribution":"The survey"', 'layer.attribution'],
    ['"authorityURLs":{"AuthorityURL":[{"name":"a"}]}', 'layer.authorityURLs'],
    ['"authorityURLs":"http://a.example/"', 'layer.authorityURLs'],
    ['"identifiers":{"Identifier":[{"identifier":"7"}]}', 'layer.identifiers'],
    ['"defaultWMSInterpolationMethod":"cubic"', 'layer.defaultWMSInterpolationMethod'],
    ['"metadata":"buffer"', 'layer.metadata'],
    ['"legend":{"width":"wide"}', 'layer.legend'],
  ])('are rejected without changes if they are invalid: %s', async (sent, field) => {
    const before = (await server.get(`${layer}.json`)).text;

    const reply = await server.put(layer, `{"layer":{"opaque":false,${sent}}}`, {
      accept: 'application/problem+json',
    });

    expect([reply.status, (reply.json() as { field: string }).field]).toEqual([400, field]);
    expect((await server.get(`${layer}.json`)).text).toBe(before);
  });

  it.each([
    ['enabled', true, undefined],
    ['advertised', true, undefined],
    ['queryable', true, true],
    ['opaque', false, false],
  ])('return to the default when cleared: %s', async (flag, initial, shown) => {
    await server.put(layer, JSON.stringify({ layer: { [flag]: !initial } }));
    expect((await readResource(server, layer))[flag]).toBe(!initial);

    await server.put(layer, JSON.stringify({ layer: { [flag]: null } }));

    expect((await readResource(server, layer))[flag]).toBe(shown);
  });

  it('do not change the name, which is that of the resource', async () => {
    for (const name of ['states', 'acme:states']) {
      const same = await server.put(layer, `<layer><name>${name}</name></layer>`);
      expect([same.status, same.headers['warning']]).toEqual([200, undefined]);
    }

    const other = await server.put(layer, '{"layer":{"name":"countries"}}');

    expect([other.status, other.headers['warning']]).toEqual([
      200,
      `199 - "The layer keeps the name 'states' of its resource. To rename both, rename the resource 'acme:states'."`,
    ]);
    expect((await server.get('/layers/acme:countries.json')).status).toBe(404);
  });

  it('do not change the resource', async () => {
    for (const resource of ['states', 'acme:states']) {
      expect((await server.put(layer, JSON.stringify({ layer: { resource } }))).status).toBe(200);
    }

    const xml = '<layer><opaque>true</opaque><resource class="featureType"><name>acme:roads</name></resource></layer>';
    const other = await server.put(layer, xml);

    expect([other.status, other.text]).toEqual([403, expect.stringContaining("'acme:states'")]);
  });

  it('are shown on the page', async () => {
    await server.put(layer, JSON.stringify({ layer: settings }));

    const page = (await server.get(`${layer}.html`)).text;

    for (const text of ['/base/land', 'The survey', 'http://survey.example/catalogue', 'states-1', 'Bicubic']) {
      expect(page).toContain(text);
    }
  });

  it('accept interpolations in any case', async () => {
    await server.put(layer, '<layer><defaultWMSInterpolationMethod> nearest </defaultWMSInterpolationMethod></layer>');

    expect(await readResource(server, layer)).toMatchObject({ defaultWMSInterpolationMethod: 'Nearest' });
  });
});

describe.each(['graticule', 'geoserver'] as const)('a layer without a path (%s)', (compat) => {
  const server = useTestServer({ compat });
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, '/workspaces/acme/datastores/s/file.shp', zipOf({ states: polygonShapefile() }));
  });

  it('has the path /', async () => {
    expect((await readResource(server, layer))['path']).toBe('/');

    await server.put(layer, '{"layer":{"path":"/base"}}');
    expect((await readResource(server, layer))['path']).toBe('/base');
    await server.put(layer, '<layer><path>/</path></layer>');
    expect((await readResource(server, layer))['path']).toBe('/');
    await server.put(layer, '{"layer":{"path":null}}');
    expect((await readResource(server, layer))['path']).toBe('/');
  });
});
