import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const base = 'http://localhost:80/geoserver/rest';

const initial = {
  global: {
    settings: {
      contact: {},
      charset: 'UTF-8',
      numDecimals: 8,
      verbose: false,
      verboseExceptions: false,
      localWorkspaceIncludesPrefix: false,
      showCreatedTimeColumnsInAdminList: false,
      showModifiedTimeColumnsInAdminList: false,
    },
    jai: {
      allowInterpolation: false,
      recycling: true,
      tilePriority: 5,
      tileThreads: 7,
      memoryCapacity: 0.5,
      memoryThreshold: 0.75,
      imageIOCache: false,
      pngAcceleration: false,
      jpegAcceleration: false,
      allowNativeMosaic: false,
      allowNativeWarp: false,
    },
    coverageAccess: {
      maxPoolSize: 5,
      corePoolSize: 5,
      keepAliveTime: 30000,
      queueType: 'UNBOUNDED',
      imageIOCacheThreshold: 10240,
    },
    updateSequence: 0,
    featureTypeCacheSize: 0,
    globalServices: true,
    xmlPostRequestLogBufferSize: 1024,
  },
};

describe('settings of a new server', () => {
  const server = useTestServer();

  it('are those of the reference server, completely', async () => {
    expect((await server.get('/settings.json')).json()).toEqual(initial);
    expect((await server.get('/settings.xml')).text).toMatch(
      /^<global>\n {2}<settings>\n {4}<contact\/>\n {4}<charset>UTF-8<\/charset>\n {4}<numDecimals>8<\/numDecimals>/,
    );
    expect((await server.get('/settings.html')).text).toContain('<h1>Settings</h1>');
  });

  it('are unchanged by their own document', async () => {
    for (const format of ['json', 'xml']) {
      const read = await server.get(`/settings.${format}`);

      const written = await server.put('/settings', read.text, { type: format });

      expect([written.status, written.text, written.headers['warning']]).toEqual([200, '', undefined]);
      expect(written.headers['graticule-change']).toBeUndefined();
    }
  });

  it('have an empty contact', async () => {
    expect((await server.get('/settings/contact.xml')).text).toBe('<contact/>\n');
    expect((await server.get('/settings/contact.json')).json()).toEqual({ contact: {} });
  });
});

describe('settings update', () => {
  const server = useTestServer();

  it('changes the sent fields in either format and keeps the rest', async () => {
    const inJson = await server.put('/settings', '{"global":{"settings":{"charset":"ISO-8859-1"}}}');
    const inXml = await server.put(
      '/settings',
      '<global><settings><numDecimals>4</numDecimals></settings><jai><tileThreads>2</tileThreads></jai></global>',
      { type: 'xml' },
    );

    expect([inJson.status, inXml.status]).toEqual([200, 200]);
    const change = Number(inXml.headers['graticule-change']);
    expect((await server.get('/settings.json')).json()).toMatchObject({
      global: {
        settings: { charset: 'ISO-8859-1', numDecimals: 4, verbose: false },
        jai: { tileThreads: 2, tilePriority: 5 },
        updateSequence: change,
      },
    });
  });

  it('stores unknown lists, maps and sections unchanged', async () => {
    const jaiext = {
      jaiExtOperations: { '@class': 'sorted-set', string: ['Affine', 'Warp'] },
    };
    const metadata = { entry: [{ '@key': 'quietOnNotFound', $: 'true' }] };

    await server.put('/settings', JSON.stringify({ global: { metadata, jai: { jaiext } } }));

    const read = await server.get('/settings.json');
    expect(read.json()).toMatchObject({ global: { metadata, jai: { jaiext } } });
    const inXml = (await server.get('/settings.xml')).text;
    expect(inXml).toContain('<jaiExtOperations class="sorted-set">');
    await server.put('/settings', inXml, { type: 'xml' });
    expect((await server.get('/settings.json')).text).toBe(read.text);
  });

  it('restores the default of null fields', async () => {
    await server.put('/settings', '{"global":{"settings":{"title":"Harbour","verbose":true}}}');

    await server.put('/settings', '{"global":{"settings":{"title":null,"verbose":null},"jai":null}}');

    const { global } = (await server.get('/settings.json')).json() as typeof initial;
    expect(global.settings).not.toHaveProperty('title');
    expect(global.settings.verbose).toBe(false);
    expect(global.jai).toEqual(initial.global.jai);
  });

  it.each([
    [
      '{"settings":{"charset":"UTF-7777"}}',
      "charset: the name of a character encoding such as UTF-8 or ISO-8859-1 was expected, found 'UTF-7777'",
    ],
    ['{"settings":{"numDecimals":-1}}', "numDecimals: expected an integer from 0 to 100, found '-1'"],
    ['{"settings":{"numDecimals":2.5}}', "found '2.5'"],
    ['{"settings":{"verbose":"perhaps"}}', 'verbose: true or false was expected'],
    ['{"settings":{"proxyBaseUrl":"ftp://maps"}}', 'proxyBaseUrl: an http or https URL'],
    ['{"settings":{"proxyBaseUrl":"http://u:p@maps/geoserver"}}', 'proxyBaseUrl: an http or https URL'],
    ['{"settings":{"proxyBaseUrl":"http://{Host}/geoserver"}}', 'proxyBaseUrl: an http or https URL'],
    ['{"settings":"loud"}', 'expected an element with the settings of this section'],
    ['{"jai":{"memoryCapacity":1.5}}', 'memoryCapacity: expected a number from 0 to 1'],
    ['{"coverageAccess":{"queueType":"STACK"}}', 'queueType: expected one of UNBOUNDED, DIRECT'],
    ['{"webUIMode":"NONE"}', 'expected one of DEFAULT, REDIRECT, DO_NOT_REDIRECT'],
    ['{"xmlExternalEntitiesEnabled":true}', 'this server never reads external entities'],
    ['{"jai":{"jaiext":"all of them"}}', "jaiext: expected elements, found 'all of them'"],
  ])('rejects %s with 400, and changes nothing', async (body, message) => {
    const before = (await server.get('/settings.json')).text;

    const reply = await server.put('/settings', `{"global":${body}}`);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(message);
    expect((await server.get('/settings.json')).text).toBe(before);
  });

  it('warns about unknown names, and rejects them with strict handling', async () => {
    const body = '{"global":{"settings":{"charsett":"UTF-8"}}}';

    const warned = await server.put('/settings', body);
    const strict = await server.put('/settings', body, { headers: { prefer: 'handling=strict' } });

    expect(warned.headers['warning']).toContain('charsett');
    expect(strict.status).toBe(400);
  });

  it('checks the version that the client has read', async () => {
    const { headers } = await server.get('/settings.json');
    const change = '{"global":{"globalServices":false}}';

    const first = await server.put('/settings', change, { headers: { 'if-match': headers['etag'] ?? '' } });
    const second = await server.put('/settings', '{"global":{"globalServices":true}}', {
      headers: { 'if-match': headers['etag'] ?? '' },
    });

    expect([first.status, second.status]).toEqual([200, 412]);
  });

  it('requires administrator rights', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ANN');

    const statuses = [
      (await server.get('/settings.json', { as: ann })).status,
      (await server.put('/settings', '{"global":{}}', { as: ann })).status,
      (await server.get('/settings/contact.json', { as: null })).status,
    ];

    expect(statuses).toEqual([403, 403, 401]);
  });

  it('is recorded in the change with its path', async () => {
    const reply = await server.put('/settings?dryRun=true', '{"global":{"settings":{"title":"Tried"}}}', {
      accept: 'application/vnd.graticule.change+json',
    });

    expect(reply.json()).toMatchObject({ what: 'change the settings', items: [{ path: '/settings' }] });
    expect((await server.get('/settings.json')).text).not.toContain('Tried');
  });
});

describe('contact settings', () => {
  const server = useTestServer();

  it('are part of the settings and have a path of their own', async () => {
    const contact = { contactPerson: 'Ann', contactOrganization: 'Harbour Office', addressCity: 'Bremen' };

    const reply = await server.put('/settings/contact', JSON.stringify({ contact }));
    await server.put('/settings/contact', '<contact><contactPerson>Ben</contactPerson></contact>', { type: 'xml' });

    expect(reply.status).toBe(200);
    const now = { ...contact, contactPerson: 'Ben' };
    expect((await server.get('/settings/contact.json')).json()).toEqual({ contact: now });
    expect((await server.get('/settings.json')).json()).toMatchObject({ global: { settings: { contact: now } } });
    expect((await server.get('/settings/contact.xml')).text).toBe(`<contact>
  <addressCity>Bremen</addressCity>
  <contactOrganization>Harbour Office</contactOrganization>
  <contactPerson>Ben</contactPerson>
</contact>
`);
  });

  it('are cleared with the settings, and return 404 until they are set', async () => {
    await server.put('/settings', '{"global":{"settings":{"contact":null}}}');

    expect((await server.get('/settings/contact.json')).status).toBe(404);
    expect((await server.get('/settings.json')).text).not.toContain('"contact"');

    await server.put('/settings/contact', '{"contact":{}}');
    expect((await server.get('/settings/contact.json')).json()).toEqual({ contact: {} });
  });

  it('reject an invalid contact', async () => {
    expect((await server.put('/settings/contact', '{"contact":{"contactPerson":{"a":"b"}}}')).status).toBe(400);
    expect((await server.put('/settings/contact', '{"global":{}}')).status).toBe(400);
  });
});

describe('workspace settings', () => {
  const server = useTestServer();
  const path = '/workspaces/acme/settings';

  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await server.post('/workspaces', '{"workspace":{"name":"other"}}');
  });

  it('have defaults until they are created', async () => {
    expect((await server.get(`${path}.json`)).json()).toEqual({
      settings: {
        workspace: { name: 'acme', href: `${base}/workspaces/acme.json` },
        ...initial.global.settings,
      },
    });
    expect((await server.delete(path)).status).toBe(404);
  });

  it('are created by POST once, changed by PUT, and deleted by DELETE', async () => {
    const made = await server.post(path, '<settings><charset>ISO-8859-1</charset></settings>', { type: 'xml' });
    const again = await server.post(path, '{"settings":{}}');
    const changed = await server.put(path, '{"settings":{"numDecimals":3,"contact":{"contactPerson":"Ann"}}}');
    const read = await server.get(`${path}.json`);
    const deleted = await server.delete(path);

    expect([made.status, made.text, made.headers['location']]).toEqual([
      201,
      'acme',
      `${base}/workspaces/acme/settings`,
    ]);
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('already has settings')]);
    expect(changed.status).toBe(200);
    expect(read.json()).toMatchObject({
      settings: { charset: 'ISO-8859-1', numDecimals: 3, contact: { contactPerson: 'Ann' } },
    });
    expect(deleted.status).toBe(200);
    expect((await server.get(`${path}.json`)).json()).toMatchObject({ settings: { charset: 'UTF-8' } });
  });

  it('are created by PUT as well, for that workspace only', async () => {
    await server.put(path, '{"settings":{"title":"Acme"}}');

    expect((await server.get(`${path}.xml`)).text).toContain('<title>Acme</title>');
    expect((await server.get('/workspaces/other/settings.json')).text).not.toContain('Acme');
    expect((await server.get('/settings.json')).text).not.toContain('Acme');
    expect((await server.post(path, '{"settings":{}}')).status).toBe(409);
  });

  it('follow a renamed workspace and are deleted with it', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"moving"}}');
    await server.put('/workspaces/moving/settings', '{"settings":{"title":"Moved"}}');
    await server.put('/services/wms/workspaces/moving/settings', '{"wms":{"title":"Moved"}}');
    await server.put('/workspaces/moving', '{"workspace":{"name":"moved"}}');

    expect((await server.get('/workspaces/moved/settings.json')).text).toContain('"title":"Moved"');
    expect((await server.get('/workspaces/moving/settings.json')).status).toBe(404);
    expect((await server.delete('/workspaces/moved')).status).toBe(200);
    await server.post('/workspaces', '{"workspace":{"name":"moved"}}');
    expect((await server.get('/workspaces/moved/settings.json')).text).not.toContain('Moved');
  });

  it('require administrator rights for the workspace', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    const change = '{"settings":{"title":"Ours"}}';
    const local = '/services/wms/workspaces/acme/settings';

    const own = [
      (await server.put(path, change, { as: ann })).status,
      (await server.get(`${path}.json`, { as: ann })).status,
      (await server.put(local, '{"wms":{"enabled":false}}', { as: ann })).status,
      (await server.get(`${local}.json`, { as: ann })).status,
    ];
    const others = [
      (await server.put('/workspaces/other/settings', change, { as: ann })).status,
      (await server.get('/services/wms/workspaces/other/settings', { as: ann })).status,
      (await server.put('/services/wms/settings', '{"wms":{}}', { as: ann })).status,
      (await server.put('/settings', '{"global":{}}', { as: ann })).status,
    ];

    expect(own).toEqual([200, 200, 200, 200]);
    expect(others).toEqual([404, 404, 403, 403]);
  });

  it('return 404 for an unknown workspace', async () => {
    const nowhere = '/workspaces/nowhere/settings';

    expect((await server.get(nowhere)).status).toBe(404);
    expect((await server.post(nowhere, '{"settings":{}}')).status).toBe(404);
    expect((await server.put(nowhere, '{"settings":{}}')).status).toBe(404);
    expect((await server.delete(nowhere)).status).toBe(404);
  });
});

describe('service settings', () => {
  const server = useTestServer();

  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
  });

  it.each(['wms', 'wfs', 'wcs', 'wmts'])('of %s exist and are unchanged by their own document', async (name) => {
    for (const format of ['json', 'xml']) {
      const read = await server.get(`/services/${name}/settings.${format}`);
      const written = await server.put(`/services/${name}/settings`, read.text, { type: format });

      expect(read.status).toBe(200);
      expect([written.status, written.headers['warning']]).toEqual([200, undefined]);
      expect(written.headers['graticule-change']).toBeUndefined();
    }
    expect((await server.get(`/services/${name}/settings.html`)).text).toContain(name.toUpperCase());
  });

  it('have the structure of the reference server', async () => {
    expect((await server.get('/services/wms/settings.json')).json()).toMatchObject({
      wms: {
        enabled: true,
        name: 'WMS',
        title: 'Web Map Service',
        fees: 'NONE',
        versions: { 'org.geotools.util.Version': [{ version: '1.1.1' }, { version: '1.3.0' }] },
        citeCompliant: false,
        watermark: { enabled: false, position: 'BOT_RIGHT', transparency: 0 },
        interpolation: 'Nearest',
        maxBuffer: 25,
      },
    });
    expect((await server.get('/services/wfs/settings.xml')).text).toContain(`  <gml>
    <entry>
      <version>V_20</version>
      <gml>
        <srsNameStyle>URN2</srsNameStyle>
        <overrideGMLAttributes>false</overrideGMLAttributes>
      </gml>
    </entry>`);
  });

  it('are changed in either format and keep omitted fields', async () => {
    await server.put(
      '/services/wfs/settings',
      '<wfs><abstrct>Features</abstrct><keywords><string>a</string><string>b</string></keywords></wfs>',
      { type: 'xml' },
    );
    await server.put('/services/wfs/settings', '{"wfs":{"maxFeatures":10,"serviceLevel":"BASIC"}}');
    await server.put('/services/wcs/settings', '{"wcs":{"keywords":["c"]}}');

    expect((await server.get('/services/wfs/settings.json')).json()).toMatchObject({
      wfs: { abstrct: 'Features', keywords: { string: ['a', 'b'] }, maxFeatures: 10, serviceLevel: 'BASIC' },
    });
    expect((await server.get('/services/wcs/settings.json')).json()).toMatchObject({
      wcs: { keywords: { string: ['c'] } },
    });
    expect((await server.get('/services/wms/settings.json')).text).not.toContain('keywords');
  });

  it('of a workspace are created by PUT, read, and deleted', async () => {
    const path = '/services/wms/workspaces/acme/settings';

    expect((await server.get(path)).status).toBe(404);
    expect((await server.delete(path)).status).toBe(404);
    expect((await server.put(path, '{"wms":{"title":"Acme maps"}}')).status).toBe(200);
    expect((await server.get(`${path}.json`)).json()).toMatchObject({
      wms: { workspace: { name: 'acme', href: `${base}/workspaces/acme.json` }, enabled: true, title: 'Acme maps' },
    });
    expect((await server.get('/services/wms/settings.json')).text).not.toContain('Acme');
    expect((await server.delete(path)).status).toBe(200);
    expect((await server.get(path)).status).toBe(404);
  });

  it.each([
    ['wms', '{"wms":{"interpolation":"Cubic"}}', 'expected one of Nearest, Bilinear, Bicubic'],
    ['wms', '{"wms":{"watermark":{"transparency":101}}}', 'transparency: expected an integer from 0 to 100'],
    ['wms', '{"wfs":{}}', "'wms'"],
    ['wfs', '{"wfs":{"serviceLevel":"ALL"}}', 'expected one of BASIC, TRANSACTIONAL, COMPLETE'],
    ['wfs', '{"service":{}}', "'service'"],
    ['wfs', '{}', 'no field'],
    ['wcs', '<wcs><overviewPolicy>BEST</overviewPolicy></wcs>', 'one of IGNORE, NEAREST, QUALITY, SPEED'],
  ])('reject %s %s with 400', async (service, body, message) => {
    const type = body.startsWith('<') ? 'xml' : 'json';

    const reply = await server.put(`/services/${service}/settings`, body, { type });

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
  });

  it('warn about unknown names', async () => {
    const reply = await server.put('/services/wms/settings', '{"wms":{"maxBufer":1}}');

    expect(reply.headers['warning']).toContain('maxBufer');
  });

  it('return 404 for an unknown service or workspace', async () => {
    expect((await server.get('/services/wps/settings')).status).toBe(404);
    expect((await server.put('/services/wps/settings', '{"wms":{}}')).status).toBe(404);
    expect((await server.put('/services/wms/workspaces/nowhere/settings', '{"wms":{}}')).status).toBe(404);
  });
});

describe('proxy base URL', () => {
  const dataDir = useTemporaryFolder('proxy-address');
  const setTo = (address: string) => JSON.stringify({ global: { settings: { proxyBaseUrl: address } } });

  async function linkOf(server: { get: (path: string) => Promise<{ text: string }> }): Promise<string> {
    const [, href = ''] = /href="([^"]*)"/.exec((await server.get('/styles.xml')).text) ?? [];
    return href;
  }

  it('is the start of all links, also after a restart, until it is cleared', async () => {
    const first = await startTestServer({ dataDir });
    const tried = await first.put('/settings?dryRun=true', setTo('https://maps.example.org/geoserver'));
    const afterTry = await linkOf(first);
    const reply = await first.put('/settings', setTo('https://maps.example.org/gis/geoserver/'));
    const afterChange = await linkOf(first);
    await first.close();

    const second = await startTestServer({ dataDir });
    onTestFinished(() => second.close());
    const afterRestart = await linkOf(second);
    await second.put('/settings', '{"global":{"settings":{"proxyBaseUrl":null}}}');

    expect([tried.status, reply.headers['warning']]).toEqual([200, undefined]);
    expect(afterTry).toMatch(/^http:\/\/localhost:80\/geoserver\/rest\/styles\//);
    expect(afterChange).toMatch(/^https:\/\/maps\.example\.org\/gis\/geoserver\/rest\/styles\//);
    expect(afterRestart).toBe(afterChange);
    expect(await linkOf(second)).toBe(afterTry);
  });

  it('has less precedence than --public-url, and produces a warning then', async () => {
    const server = await startTestServer({ flags: ['--public-url', 'https://public.example.org'] });
    onTestFinished(() => server.close());

    const reply = await server.put('/settings', setTo('https://maps.example.org/geoserver'));

    expect(reply.headers['warning']).toContain('--public-url');
    expect(await linkOf(server)).toMatch(/^https:\/\/public\.example\.org\/geoserver\/rest\//);
  });

  it.each(['https://maps.example.org/elsewhere', 'https://geoserver'])(
    'has no effect with a warning if it does not lead to the context path: %s',
    async (address) => {
      const server = await startTestServer();
      onTestFinished(() => server.close());

      const reply = await server.put('/settings', setTo(address));

      expect([reply.status, reply.headers['warning']]).toEqual([
        200,
        expect.stringContaining('must end with /geoserver'),
      ]);
      expect(await linkOf(server)).toMatch(/^http:\/\/localhost:80\//);
    },
  );
});

describe('settings with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('are JSON by default, with empty sections as text', async () => {
    expect((await server.get('/settings')).json()).toMatchObject({ global: { settings: { contact: '' } } });
    expect((await server.get('/settings/contact')).json()).toEqual({ contact: '' });
    expect((await server.get('/services/wms/settings')).json()).toMatchObject({ wms: { enabled: true } });
  });

  it('accept the documents of the reference server unchanged', async () => {
    const contact = await server.put('/settings/contact', '{"contact":""}');
    const settings = await server.put(
      '/settings',
      '{"global":{"settings":{"id":"SettingsInfoImpl-1","contact":"","charset":"UTF-8","numDecimals":8,"onlineResource":"http://geoserver.org"},"updateSequence":41}}',
    );

    expect([contact.status, settings.status, settings.headers['warning']]).toEqual([200, 200, undefined]);
    expect((await server.get('/settings')).json()).toMatchObject({
      global: { settings: { onlineResource: 'http://geoserver.org' } },
    });
  });
});
