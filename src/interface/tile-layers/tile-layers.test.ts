/** Tile settings of layers and groups over REST, and at the path of GeoWebCache. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { type Reply, type RequestOptions, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const XML = { type: 'text/xml' };
const JSON_TYPE = { type: 'application/json' };
const problems = { accept: 'application/problem+json' };
const codeOf = (reply: Reply) => [reply.status, (reply.json() as { code: string }).code];

const tables = ['fields', 'lakes'].map((name) => ({
  name,
  attributes: [geometryColumn('Polygon'), column('name', 'string')],
  rows: [[wkt('POLYGON ((0 0, 90 0, 90 66, 0 66, 0 0))'), name]],
}));

const sent = `<GeoServerLayer><id>LayerInfoImpl-1</id><enabled>true</enabled><inMemoryCached>true</inMemoryCached><name>acme:fields</name>
<mimeFormats><string>image/png</string><string>image/jpeg</string></mimeFormats>
<gridSubsets><gridSubset><gridSetName>EPSG:900913</gridSetName><extent><coords><double>0</double><double>0</double><double>100</double><double>200</double></coords></extent><zoomStart>1</zoomStart><zoomStop>9</zoomStop><minCachedLevel>2</minCachedLevel></gridSubset></gridSubsets>
<metaWidthHeight><int>3</int><int>2</int></metaWidthHeight>
<expireCache>60</expireCache><expireCacheList><expirationRule minZoom="5" expiration="10"/></expireCacheList><expireClients>300</expireClients>
<parameterFilters>
<styleParameterFilter><key>STYLES</key><defaultValue/></styleParameterFilter>
<stringParameterFilter><key>ENV</key><defaultValue>a</defaultValue><normalize><case>UPPER</case><locale>de</locale></normalize><values><string>A</string><string>B</string></values></stringParameterFilter>
<regexParameterFilter><key>CQL_FILTER</key><defaultValue/><regex>name='\\w+'</regex></regexParameterFilter>
<floatParameterFilter><key>ELEVATION</key><defaultValue>0</defaultValue><values><float>0</float><float>2.5</float></values><threshold>0.1</threshold></floatParameterFilter>
<integerParameterFilter><key>DIM_RUN</key><defaultValue>1</defaultValue><values><int>1</int></values><threshold>0</threshold></integerParameterFilter>
</parameterFilters><gutter>10</gutter></GeoServerLayer>`;

const shown = {
  id: expect.any(String),
  enabled: true,
  inMemoryCached: true,
  name: 'acme:fields',
  mimeFormats: ['image/png', 'image/jpeg'],
  gridSubsets: [
    { gridSetName: 'EPSG:900913', extent: { coords: [0, 0, 100, 200] }, zoomStart: 1, zoomStop: 9, minCachedLevel: 2 },
  ],
  metaWidthHeight: [3, 2],
  expireCache: 60,
  expireCacheList: [{ '@minZoom': '5', '@expiration': '10' }],
  expireClients: 300,
  parameterFilters: {
    styleParameterFilter: { key: 'STYLES', defaultValue: '' },
    stringParameterFilter: {
      key: 'ENV',
      defaultValue: 'a',
      normalize: { case: 'UPPER', locale: 'de' },
      values: ['A', 'B'],
    },
    regexParameterFilter: { key: 'CQL_FILTER', defaultValue: '', regex: "name='\\w+'" },
    floatParameterFilter: { key: 'ELEVATION', defaultValue: '0', values: [0, 2.5], threshold: 0.1 },
    integerParameterFilter: { key: 'DIM_RUN', defaultValue: '1', values: [1], threshold: 0 },
  },
  gutter: 10,
};

describe('tile settings', () => {
  const server = useTestServer();
  const tiles = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options: RequestOptions = {}) =>
    server.request(method, `//geoserver/gwc/rest/layers${path}`, options);
  const read = async (path: string) =>
    ((await tiles('GET', `${path}.json`)).json() as { GeoServerLayer: object }).GeoServerLayer;
  beforeAll(async () => {
    await publishTables(server, 'acme', tables);
    const group = { name: 'both', publishables: { published: ['acme:fields', 'acme:lakes'] } };
    await server.post('/layergroups', JSON.stringify({ layerGroup: group }));
  });

  it('are the defaults until they are set, and again after their deletion', async () => {
    const usual = {
      enabled: true,
      mimeFormats: expect.arrayContaining(['image/png', 'application/vnd.mapbox-vector-tile']),
      gridSubsets: [{ gridSetName: 'EPSG:900913' }, { gridSetName: 'EPSG:4326' }],
      metaWidthHeight: [4, 4],
      gutter: 0,
    };
    expect(await read('/acme:fields')).toMatchObject({ name: 'acme:fields', ...usual });

    expect((await tiles('PUT', '/acme:fields?dryRun=true', { body: sent, ...XML })).status).toBe(200);
    expect(await read('/acme:fields')).toMatchObject(usual);
    expect((await tiles('PUT', '/acme:fields', { body: sent, ...XML })).status).toBe(200);
    expect(await read('/acme:fields')).toEqual(shown);
    expect((await server.get('/tilelayers.json')).text).toContain('/rest/tilelayers/acme%3Afields.json');

    expect((await tiles('DELETE', '/acme:fields')).status).toBe(200);
    expect(await read('/acme:fields')).toMatchObject(usual);
  });

  it('are the same after a round trip in XML and JSON', async () => {
    await tiles('PUT', '/acme:fields', { body: sent, ...XML });
    const inXml = (await tiles('GET', '/acme:fields.xml')).text;
    const inJson = (await tiles('GET', '/acme:fields.json')).text;

    for (const [body, type] of [
      [inXml, XML],
      [inJson, JSON_TYPE],
    ] as const) {
      await tiles('DELETE', '/acme:fields');
      const reply = await tiles('PUT', '/acme:fields', { body, ...type });
      expect([reply.status, reply.headers['warning']]).toEqual([200, undefined]);
      expect(await read('/acme:fields')).toEqual(shown);
    }
    expect(inXml).toContain('<expirationRule minZoom="5" expiration="10"/>');
    expect((await server.get('/tilelayers/acme:fields.html')).text).toContain('Tile settings of acme:fields');
  });

  it('are replaced by PUT and merged by POST', async () => {
    await tiles('PUT', '/acme:fields', { body: sent, ...XML });
    await tiles('POST', '/acme:fields.xml', { body: '<GeoServerLayer><gutter>7</gutter></GeoServerLayer>', ...XML });
    expect(await read('/acme:fields')).toEqual({ ...shown, gutter: 7 });

    await tiles('PUT', '/acme:fields', { body: '{"GeoServerLayer":{"gutter":5}}', ...JSON_TYPE });
    expect(await read('/acme:fields')).toMatchObject({ gutter: 5, metaWidthHeight: [4, 4] });
    expect(await read('/acme:fields')).not.toHaveProperty('parameterFilters');
  });

  it('can be undone, and follow renames and deletions', async () => {
    const changed = await tiles('PUT', '/acme:lakes', { body: '{"GeoServerLayer":{"gutter":3}}', ...JSON_TYPE });
    expect((await server.get('/history.json?limit=1&order=desc')).text).toContain('/workspaces/acme/tilelayers/lakes');
    await server.post(`/history/${changed.headers['graticule-change']}/undo`, '');
    expect(await read('/acme:lakes')).toMatchObject({ gutter: 0 });

    await tiles('PUT', '/acme:lakes', { body: '{"GeoServerLayer":{"gutter":3}}', ...JSON_TYPE });
    await server.put('/workspaces/acme', '{"workspace":{"name":"corp"}}');
    expect(await read('/corp:lakes')).toMatchObject({ name: 'corp:lakes', gutter: 3 });
    await server.put('/workspaces/corp', '{"workspace":{"name":"acme"}}');
    await tiles('PUT', '/both', { body: '{"GeoServerLayer":{"gutter":4}}', ...JSON_TYPE });
    expect((await server.get('/tilelayers.json')).text).toContain('/rest/tilelayers/both.json');
    await server.delete('/layergroups/both');
    expect((await server.get('/tilelayers.json')).text).not.toContain('both');
    expect(codeOf(await tiles('GET', '/both', problems))).toEqual([404, 'layer-unknown']);
  });

  it('are readable and writable for administrators of the workspace only', async () => {
    const body = '{"GeoServerLayer":{"gutter":6}}';
    const editor = await addUser(server, 'editor', 'ROLE_EDITOR');
    const stranger = await addUser(server, 'stranger', 'ROLE_STRANGER');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_EDITOR","elsewhere.*.a":"ROLE_STRANGER"}');

    const trials = [
      await tiles('PUT', '/acme:fields', { body, ...JSON_TYPE, as: editor }),
      await tiles('GET', '/acme:fields', { as: editor }),
      await tiles('PUT', '/acme:fields', { body, ...JSON_TYPE, as: stranger }),
      await tiles('GET', '/acme:fields', { as: stranger }),
      await tiles('DELETE', '/acme:fields', { as: null }),
    ];

    expect(trials.map(({ status }) => status)).toEqual([200, 200, 403, 403, 401]);
  });

  it('keep their grid sets from being deleted', async () => {
    const gridSet = {
      srs: { number: 2056 },
      extent: { coords: [2_420_000, 1_030_000, 2_900_000, 1_350_000] },
      levels: 4,
    };
    await server.put('/gridsets/plan', JSON.stringify({ gridSet }));
    const body = '{"GeoServerLayer":{"gridSubsets":[{"gridSetName":"plan"}]}}';
    await tiles('PUT', '/acme:fields', { body, ...JSON_TYPE });

    const refused = await server.request('DELETE', '/gridsets/plan', problems);
    expect([...codeOf(refused), refused.text]).toEqual([
      409,
      'grid-set-in-use',
      expect.stringContaining("the tile settings of 'acme:fields'"),
    ]);
    await tiles('DELETE', '/acme:fields');
    expect((await server.delete('/gridsets/plan')).status).toBe(200);
  });

  it('keep their grid sets from being removed by an undo, and are reported by the doctor without them', async () => {
    const gridSet = {
      srs: { number: 2056 },
      extent: { coords: [2_420_000, 1_030_000, 2_900_000, 1_350_000] },
      levels: 4,
    };
    const made = await server.put('/gridsets/plan', JSON.stringify({ gridSet }));
    const body = '{"GeoServerLayer":{"gridSubsets":[{"gridSetName":"plan"}]}}';
    await tiles('PUT', '/acme:fields', { body, ...JSON_TYPE });

    const refused = await server.post(`/history/${made.headers['graticule-change']}/undo`, '', problems);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('/workspaces/acme/tilelayers/fields'),
    ]);

    const { storage } = server.server;
    const [stored] = (await storage.listOfKind('gridSet', undefined, 10)).filter(({ name }) => name === 'plan');
    await storage.write({ who: 'tester', what: 'damage' }, async (transaction) => transaction.remove(stored?.id ?? ''));
    const { problems: found } = (await server.get('/doctor.json')).json() as { problems: readonly object[] };
    expect(found).toContainEqual(
      expect.objectContaining({
        code: 'reference-dangling',
        message: "The tile settings refer to the unknown grid set 'plan'. Create it, or remove it from the settings.",
      }),
    );
    await tiles('DELETE', '/acme:fields');
  });

  it('return a warning for unknown elements and formats', async () => {
    const body =
      '<GeoServerLayer><colour>red</colour><mimeFormats><string>image/vnd.jpeg-png</string></mimeFormats></GeoServerLayer>';
    const { status, headers } = await tiles('PUT', '/acme:fields', { body, ...XML });

    expect(status).toBe(200);
    expect(String(headers['warning'])).toContain('colour');
    expect(String(headers['warning'])).toContain('image/vnd.jpeg-png');
    await tiles('DELETE', '/acme:fields');
  });

  it.each([
    ['gridSubsets[0].gridSetName', { gridSubsets: [{ gridSetName: 'nowhere' }] }],
    ['gridSubsets[0]', { gridSubsets: [{ gridSetName: 'EPSG:4326', zoomStart: 5, zoomStop: 2 }] }],
    ['gridSubsets', { gridSubsets: [{ zoomStart: 5 }] }],
    ['metaWidthHeight', { metaWidthHeight: [0, 4] }],
    ['gutter', { gutter: 101 }],
    ['expireCache', { expireCache: -3 }],
    ['expireClientsList', { expireClientsList: [{ '@minZoom': '-1', '@expiration': '5' }] }],
    [
      'parameterFilters.regexParameterFilter',
      { parameterFilters: { regexParameterFilter: { key: 'ENV', regex: '(' } } },
    ],
    ['parameterFilters.styleParameterFilter', { parameterFilters: { styleParameterFilter: { key: 'ENV' } } }],
    ['parameterFilters', { parameterFilters: { dateParameterFilter: { key: 'TIME' } } }],
  ])('reject an invalid value of %s', async (field, GeoServerLayer) => {
    const reply = await tiles('PUT', '/acme:fields', {
      body: JSON.stringify({ GeoServerLayer }),
      ...JSON_TYPE,
      ...problems,
    });

    expect([...codeOf(reply), (reply.json() as { field: string }).field]).toEqual([
      400,
      'document-invalid',
      `GeoServerLayer.${field}`,
    ]);
  });

  it('reject a document for another layer, and unknown layers', async () => {
    const body = '<GeoServerLayer><name>acme:lakes</name></GeoServerLayer>';
    expect(codeOf(await tiles('PUT', '/acme:fields', { body, ...XML, ...problems }))).toEqual([
      400,
      'tile-layer-renamed',
    ]);
    expect(codeOf(await tiles('POST', '/acme:ponds', { body, ...XML, ...problems }))).toEqual([404, 'layer-unknown']);
  });

  it('have defaults in the settings of WMTS for the whole server', async () => {
    const wmts = { metaTilingX: 2, gutter: 9, expireClients: 77, mimeFormats: { string: ['image/png'] } };
    expect((await server.put('/services/wmts/settings', JSON.stringify({ wmts }))).status).toBe(200);
    expect(await read('/acme:lakes')).toMatchObject({
      metaWidthHeight: [2, 4],
      gutter: 3,
      expireClients: 77,
      mimeFormats: ['image/png'],
    });
    for (const [path, refused] of [
      ['/services/wmts/settings', { expireCache: -3 }],
      ['/services/wmts/workspaces/acme/settings', { gutter: 2 }],
    ] as const) {
      const body = JSON.stringify({ wmts: refused });
      expect(codeOf(await server.request('PUT', path, { body, ...JSON_TYPE, ...problems }))).toEqual([
        400,
        'document-invalid',
      ]);
    }
  });
});
