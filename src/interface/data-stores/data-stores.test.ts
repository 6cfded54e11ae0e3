import { on, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../test/support/services/free-port.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { startTestServer, type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const postgis =
  '<host>db.example</host><port>5432</port><database>nyc</database><user>bob</user><dbtype>postgis</dbtype>';

function storeXml(name: string, parameters = postgis, more = ''): string {
  return `<dataStore><name>${name}</name>${more}<connectionParameters>${parameters}</connectionParameters></dataStore>`;
}

describe('data stores', () => {
  const server = useTestServer({ clock: () => Date.UTC(2026, 0, 2, 3, 4, 5) });
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/workspaces', '<workspace><name>other</name></workspace>');
  });

  it('are created while their database is down, and answered with name and location', async () => {
    const reply = await server.post(stores, storeXml('nyc', `${postgis}<passwd>hunter2</passwd>`), {
      type: 'text/xml',
    });

    expect(reply).toMatchObject({ status: 201, text: 'nyc' });
    expect(reply.headers['location']).toMatch(/\/rest\/workspaces\/acme\/datastores\/nyc$/);
    expect((await server.get(`${stores}/nyc.xml`, { headers: { host: 'maps.test' } })).text).toBe(`<dataStore>
  <name>nyc</name>
  <type>PostGIS</type>
  <enabled>true</enabled>
  <workspace>
    <name>acme</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://maps.test/geoserver/rest/workspaces/acme.xml" type="application/xml"/>
  </workspace>
  <connectionParameters>
    <entry key="database">nyc</entry>
    <entry key="dbtype">postgis</entry>
    <entry key="host">db.example</entry>
    <entry key="namespace">http://acme</entry>
    <entry key="port">5432</entry>
    <entry key="user">bob</entry>
  </connectionParameters>
  <__default>false</__default>
  <dateCreated>2026-01-02 03:04:05.000 UTC</dateCreated>
  <disableOnConnFailure>false</disableOnConnFailure>
  <featureTypes>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://maps.test/geoserver/rest/workspaces/acme/datastores/nyc/featuretypes.xml" type="application/xml"/>
  </featureTypes>
</dataStore>
`);
  });

  it.each([
    ['entries', '<entry key="host">h</entry><entry key="database">d</entry><entry key="dbtype">postgis</entry>', 'xml'],
    ['strings', '<host><string>h</string></host><database>d</database><dbtype>postgis</dbtype>', 'xml'],
    [
      'pairs',
      '<entry><string>host</string><string>h</string></entry><entry><string>database</string><string>d</string></entry><entry><string>dbtype</string><string>postgis</string></entry>',
      'xml',
    ],
    [
      'json-entries',
      '{"entry":[{"@key":"host","$":"h"},{"@key":"database","$":"d"},{"@key":"dbtype","$":"postgis"}]}',
      'json',
    ],
    ['json-members', '{"host":"h","database":"d","dbtype":"postgis"}', 'json'],
    ['json-strings', '{"host":{"string":"h"},"database":{"string":"d"},"dbtype":{"string":"postgis"}}', 'json'],
  ])('accept their parameters as %s', async (name, parameters, type) => {
    const body =
      type === 'xml'
        ? storeXml(name, parameters)
        : `{"dataStore":{"name":"${name}","connectionParameters":${parameters}}}`;

    expect((await server.post(stores, body)).status).toBe(201);

    expect(await readResource(server, `${stores}/${name}`)).toMatchObject({
      type: 'PostGIS',
      connectionParameters: {
        entry: [
          { '@key': 'database', $: 'd' },
          { '@key': 'dbtype', $: 'postgis' },
          { '@key': 'host', $: 'h' },
          { '@key': 'namespace', $: 'http://acme' },
        ],
      },
    });
  });

  it('are listed by name in every format', async () => {
    await server.post('/workspaces', '<workspace><name>listed</name></workspace>');
    expect((await server.get('/workspaces/listed/datastores.json')).text).toBe('{"dataStores":{"dataStore":[]}}');
    for (const name of ['b', 'a']) {
      await server.post('/workspaces/listed/datastores', storeXml(name));
    }

    const host = { headers: { host: 'maps.test' } };
    expect((await server.get('/workspaces/listed/datastores.json', host)).json()).toEqual({
      dataStores: {
        dataStore: ['a', 'b'].map((name) => ({
          name,
          href: `http://maps.test/geoserver/rest/workspaces/listed/datastores/${name}.json`,
        })),
      },
    });
    expect((await server.get('/workspaces/listed/datastores.xml')).text).toContain('<name>a</name>');
    expect((await server.get('/workspaces/listed/datastores.html')).text).toContain('/datastores/a.html');
  });

  it('of all kinds are listed with type and state on request', async () => {
    const create = async (collection: string, document: object) => {
      const reply = await server.post(`/workspaces/kinds/${collection}`, JSON.stringify(document));
      expect(reply.status, reply.text).toBe(201);
    };
    await server.post('/workspaces', '<workspace><name>kinds</name></workspace>');
    const capabilitiesURL = 'https://maps.example/ows?service=WMS';
    await create('datastores', {
      dataStore: {
        name: 'off',
        enabled: false,
        connectionParameters: { dbtype: 'postgis', host: 'h', database: 'd', user: 'u' },
      },
    });
    await create('coveragestores', { coverageStore: { name: 'relief', type: 'GeoTIFF', url: 'file:data/relief.tif' } });
    await create('wmsstores', { wmsStore: { name: 'remote', enabled: false, capabilitiesURL } });
    const list = async (collection: string) => {
      const { json } = await server.get(`/workspaces/kinds/${collection}.json?details=true`);
      return Object.values(json() as object)
        .flatMap(Object.values)
        .flat();
    };

    expect(await list('datastores')).toMatchObject([{ name: 'off', type: 'PostGIS', enabled: false }]);
    expect(await list('coveragestores')).toMatchObject([{ name: 'relief', type: 'GeoTIFF', enabled: true }]);
    expect(await list('wmsstores')).toMatchObject([{ name: 'remote', type: 'WMS', enabled: false }]);
    expect((await server.get('/workspaces/kinds/datastores.json')).text).not.toContain('enabled');
  });

  it('ignore the namespace of the client and derive it from the workspace', async () => {
    await server.post(stores, storeXml('spaced', `${postgis}<namespace>http://elsewhere</namespace>`));
    await server.put('/namespaces/acme', '<namespace><uri>http://acme/changed</uri></namespace>');

    expect((await server.get(`${stores}/spaced.xml`)).text).toContain(
      '<entry key="namespace">http://acme/changed</entry>',
    );
    await server.put('/namespaces/acme', '<namespace><uri>http://acme</uri></namespace>');
  });

  it.each([
    ['a name in use', stores, storeXml('taken'), 409, "'taken' already exists"],
    ['an unknown workspace', '/workspaces/nowhere/datastores', storeXml('x'), 404, 'nowhere'],
    [
      'another workspace in the document',
      stores,
      storeXml('x', postgis, '<workspace>other</workspace>'),
      403,
      "names 'other'",
    ],
    [
      'no name',
      stores,
      `<dataStore><connectionParameters>${postgis}</connectionParameters></dataStore>`,
      400,
      'dataStore.name',
    ],
    ['no parameters', stores, '<dataStore><name>x</name></dataStore>', 400, 'dataStore.connectionParameters'],
    ['an unknown type', stores, storeXml('x', '<dbtype>oracle</dbtype><host>h</host>'), 400, "dbtype 'oracle'"],
    ['a reserved name', stores, storeXml('default'), 400, 'reserved'],
    ['a colon in the name', stores, storeXml('a:b'), 400, 'character :'],
  ])('are rejected for %s', async (_what, path, body, status, message) => {
    await server.post(stores, storeXml('taken'));

    const reply = await server.post(path, body);

    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(message)]);
  });

  it('keep omitted fields including the password, which is never returned', async () => {
    await server.post(stores, storeXml('kept', `${postgis}<passwd>hunter2</passwd>`, '<description>d</description>'));

    expect((await server.put(`${stores}/kept`, '{"dataStore":{"enabled":false}}')).status).toBe(200);
    const readBack = await server.get(`${stores}/kept.xml`);
    expect((await server.put(`${stores}/kept`, readBack.text)).status).toBe(200);

    const { storage } = server.server;
    const [workspace] = await storage.list('workspace', null);
    const stored = await storage.find('dataStore', workspace?.id ?? '', 'kept');
    expect(stored?.body).toMatchObject({ enabled: false, description: 'd', type: 'PostGIS' });
    expect(stored?.body['sealedParameters']).toEqual({ passwd: expect.stringMatching(/^sealed:1:/) });
    const shown = ['xml', 'json', 'html'].map(async (format) => (await server.get(`${stores}/kept.${format}`)).text);
    expect((await Promise.all(shown)).filter((text) => /hunter2|sealed:|passwd/.test(text))).toEqual([]);
  });

  it('change only the password if nothing else is sent', async () => {
    await server.post(stores, storeXml('rotated', `${postgis}<passwd>hunter2</passwd>`));
    const findStored = async () => {
      const [workspace] = await server.server.storage.list('workspace', null);
      return (await server.server.storage.find('dataStore', workspace?.id ?? '', 'rotated'))?.body;
    };
    const before = await findStored();
    const password = { dataStore: { connectionParameters: { entry: { '@key': 'passwd', $: 'swordfish' } } } };

    const changed = await server.put(`${stores}/rotated`, JSON.stringify(password));
    const strict = await server.put(`${stores}/rotated`, JSON.stringify(password), {
      headers: { prefer: 'handling=strict' },
    });

    expect(changed.status, changed.text).toBe(200);
    expect(changed.headers['warning']).toContain('They were combined with the current ones.');
    const after = await findStored();
    expect(after).toMatchObject({ type: 'PostGIS', parameters: before?.['parameters'] });
    expect(after?.['sealedParameters']).not.toEqual(before?.['sealedParameters']);
    expect([strict.status, strict.text]).toEqual([400, expect.stringContaining('do not match any supported store')]);
  });

  it('are renamed and moved with their contents', async () => {
    await putZip(server, `${stores}/mover/file.shp`, zipOf({ moved: pointShapefile() }));

    expect((await server.put(`${stores}/mover`, storeXml('x').replace(/<conn.*Parameters>/, ''))).status).toBe(200);
    const move = await server.put(`${stores}/x`, '<dataStore><workspace><name>other</name></workspace></dataStore>');

    expect(move.status).toBe(200);
    expect((await server.get(`${stores}/x.xml`)).status).toBe(404);
    expect(await readResource(server, '/workspaces/other/datastores/x/featuretypes/moved')).toMatchObject({
      store: { name: 'other:x' },
      namespace: { name: 'other' },
    });
    expect((await server.get('/layers/other:moved.json')).status).toBe(200);
    expect((await server.get('/layers/acme:moved.json')).status).toBe(404);
  });

  it('keep the access rules of their layers when they move', async () => {
    await putZip(server, `${stores}/ruled/file.shp`, zipOf({ 'ruled.one': pointShapefile() }));
    const rules = { 'acme.*.r': 'A', 'acme.ruled\\.one.r': 'R', 'acme.ruled\\.one.w': 'W', 'acme.another.r': 'N' };
    await server.post('/security/acl/layers', JSON.stringify(rules));
    const move = '<dataStore><workspace><name>other</name></workspace></dataStore>';

    expect((await server.put(`${stores}/ruled`, move)).status).toBe(200);

    const after = (await server.get('/security/acl/layers.json')).json();
    expect(after).toMatchObject({
      'acme.*.r': 'A',
      'other.ruled\\.one.r': 'R',
      'other.ruled\\.one.w': 'W',
      'acme.another.r': 'N',
    });
    expect(after).not.toHaveProperty(['acme.ruled\\.one.r']);
  });

  it('do not move when a rule for one of their layers would conflict', async () => {
    await putZip(server, `${stores}/stuck/file.shp`, zipOf({ stuck: pointShapefile() }));
    await server.post('/security/acl/layers', '{"acme.stuck.r":"R","other.stuck.r":"O"}');
    const before = (await server.get('/security/acl/layers.json')).text;

    const move = await server.put(`${stores}/stuck`, '{"dataStore":{"workspace":{"name":"other"}}}');

    expect([move.status, move.text]).toEqual([409, expect.stringContaining("'other.stuck.r'")]);
    expect((await server.get('/security/acl/layers.json')).text).toBe(before);
    expect((await server.get('/layers/acme:stuck.json')).status).toBe(200);
  });

  it('have a default, the oldest one until another is selected', async () => {
    await server.post('/workspaces', '<workspace><name>defaults</name></workspace>');
    const own = '/workspaces/defaults/datastores';
    expect((await server.get(`${own}/default.xml`)).status).toBe(404);
    await server.post(own, storeXml('first'));
    await server.post(own, storeXml('a-second'));

    expect(await readResource(server, `${own}/default`)).toMatchObject({ name: 'first', _default: false });
    await server.put(`${own}/a-second`, '<dataStore><__default>true</__default></dataStore>');
    expect(await readResource(server, `${own}/default`)).toMatchObject({ name: 'a-second', _default: true });
    await server.delete(`${own}/a-second`);
    expect(await readResource(server, `${own}/default`)).toMatchObject({ name: 'first' });
  });

  it('are reset by POST and PUT', async () => {
    await server.post(stores, storeXml('reset-me'));

    for (const method of ['POST', 'PUT']) {
      expect((await server.request(method, `${stores}/reset-me/reset`)).status).toBe(200);
      expect((await server.request(method, `${stores}/missing/reset`)).status).toBe(404);
    }
  });

  it('list their contents on the page', async () => {
    await putZip(server, `${stores}/shown/file.shp`, zipOf({ 'shown & co': pointShapefile() }));

    const page = await server.get(`${stores}/shown.html`);

    expect(page.text).toContain('/datastores/shown/featuretypes/shown%20%26%20co.html');
    expect(page.text).toContain('shown &amp; co');
    expect(page.headers['etag']).toBeUndefined();
    expect((await server.get(`${stores}/shown.xml`)).headers['etag']).toBeDefined();
  });

  it('may have a name that ends like a format extension', async () => {
    await server.post(stores, storeXml('dotted.xml'));

    expect((await server.get(`${stores}/dotted.xml`)).text).toContain('<name>dotted.xml</name>');
    expect((await server.get(`${stores}/dotted.xml.json`)).json()).toMatchObject({ dataStore: { name: 'dotted.xml' } });
  });

  it.each([
    ['PUT', stores],
    ['DELETE', stores],
    ['POST', `${stores}/kept`],
  ])('reject %s %s', async (method, path) => {
    expect((await server.request(method, path, { type: 'xml', body: '<dataStore/>' })).status).toBe(405);
  });

  it('return 404 for an unknown store', async () => {
    for (const method of ['GET', 'DELETE']) {
      const reply = await server.request(method, `${stores}/missing`);
      expect([reply.status, reply.text]).toEqual([404, "No such store: 'missing' in the workspace 'acme'.\n"]);
    }
    expect((await server.put(`${stores}/missing`, '<dataStore/>')).status).toBe(404);
    expect((await server.get('/workspaces/nowhere/datastores.xml')).status).toBe(404);
  });

  it('are not opened while disabled', async () => {
    await putZip(server, `${stores}/off/file.shp`, zipOf({ off: pointShapefile() }));
    await server.put(`${stores}/off`, '<dataStore><enabled>false</enabled></dataStore>');

    const reply = await server.get(`${stores}/off/featuretypes.xml?list=all`);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("'off' is disabled")]);
    expect((await server.get(`${stores}/off/featuretypes/off.xml`)).status).toBe(200);
  });
});

describe('unknown connection parameters', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });
  const strict = { headers: { prefer: 'handling=strict' } };
  const extra = '<charset>UTF-8</charset><exposePrimaryKeys>true</exposePrimaryKeys>';

  it('are stored with a Warning that suggests the intended name', async () => {
    const reply = await server.post(stores, storeXml('extra', `${postgis}${extra}`));

    expect(reply).toMatchObject({ status: 201, text: 'extra' });
    expect(reply.headers['warning']).toContain(
      `199 - "Unknown connection parameter 'charset' of a PostGIS store: it is saved but has no effect."`,
    );
    expect(reply.headers['warning']).toContain("did you mean 'Expose primary keys'?");
    expect(await readResource(server, `${stores}/extra`)).toMatchObject({
      connectionParameters: {
        entry: expect.arrayContaining([
          { '@key': 'charset', $: 'UTF-8' },
          { '@key': 'exposePrimaryKeys', $: 'true' },
        ]),
      },
    });
  });

  it('are reported again when a store is changed, in JSON as well', async () => {
    await server.post(stores, storeXml('changed'));
    const entry = { host: '127.0.0.1', port: '1', database: 'd', dbtype: 'postgis', schemas: 'x' };

    const reply = await server.put(
      `${stores}/changed`,
      JSON.stringify({ dataStore: { connectionParameters: { entry: toEntries(entry) } } }),
    );

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toContain(
      "'schemas' of a PostGIS store: it is saved but has no effect; did you mean 'schema'?",
    );
  });

  it('are rejected for a client that requests strict handling', async () => {
    const created = await server.post(stores, storeXml('strict', `${postgis}<pasword>x</pasword>`), strict);
    await server.post(stores, storeXml('lenient'));
    const changed = await server.put(`${stores}/lenient`, storeXml('lenient', `${postgis}${extra}`), strict);

    expect([created.status, created.text]).toEqual([400, expect.stringContaining("did you mean 'passwd'")]);
    expect([changed.status, changed.text]).toEqual([400, expect.stringContaining("'charset'")]);
    expect((await server.get(`${stores}/strict.xml`)).status).toBe(404);
  });

  it('are never returned if they look like secrets, and kept by a change', async () => {
    const secrets = {
      password: 's3cret-1',
      accessToken: 's3cret-2',
      apiKey: 's3cret-3',
      dsn: 'pg://u:s3cret-4@h/d',
      userPass: 's3cret-5',
      Authorization: 's3cret-6',
      dbpw: 's3cret-7',
      service: 'https://example.com/?sig=s3cret-8',
    };
    const written = Object.entries(secrets).map(([name, value]) => `<${name}>${value}</${name}>`);
    await server.post(stores, storeXml('sealed', `${postgis}${written.join('')}`));

    const readBack = await server.get(`${stores}/sealed.xml`);
    expect((await server.put(`${stores}/sealed`, readBack.text)).status).toBe(200);

    const shown = ['xml', 'json', 'html'].map(async (format) => (await server.get(`${stores}/sealed.${format}`)).text);
    expect((await Promise.all(shown)).filter((text) => /s3cret|sealed:/.test(text))).toEqual([]);
    const [workspace] = await server.server.storage.list('workspace', null);
    const stored = await server.server.storage.find('dataStore', workspace?.id ?? '', 'sealed');
    expect(Object.keys(stored?.body['sealedParameters'] as object).sort()).toEqual(Object.keys(secrets).sort());
    expect(JSON.stringify(stored?.body)).not.toContain('s3cret');
  });

  it('must have names that every format can represent', async () => {
    const entry = [...toEntries({ url: 'file:data/x' }), { '@key': 'a\u0001b', $: 'x' }];

    const reply = await server.post(
      stores,
      JSON.stringify({ dataStore: { name: 'odd', connectionParameters: { entry } } }),
    );

    expect(reply.status).toBe(400);
  });

  it('are listed up to ten', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `<unknown-${index}>x</unknown-${index}>`).join('');

    const reply = await server.post(stores, storeXml('many', `${postgis}${many}`));

    expect(reply.status).toBe(201);
    expect(reply.headers['warning']).toContain('And 20 more of this kind.');
    expect(String(reply.headers['warning'])).not.toContain("'unknown-10'");
  });

  it('must not be dangerous', async () => {
    const reply = await server.post(stores, storeXml('bad', `${postgis}<datasource>ldap://x</datasource>`));

    expect(reply.status).toBe(400);
  });
});

function toEntries(parameters: Readonly<Record<string, string>>) {
  return Object.entries(parameters).map(([key, value]) => ({ '@key': key, $: value }));
}

describe('an unreachable store', () => {
  const server = useTestServer();
  const folder = useTemporaryFolder('stores');
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });
  const at = (port: number) =>
    `<host>127.0.0.1</host><port>${port}</port><database>d</database><user>u</user><dbtype>postgis</dbtype>`;

  it('is rejected with the reason when the client requires a connection', async () => {
    const port = await freePort('127.0.0.1');

    const reply = await server.post(`${stores}?validate=connect`, storeXml('down', at(port)));

    expect([reply.status, reply.text]).toEqual([
      400,
      expect.stringContaining('the connection to its host and port was refused'),
    ]);
    expect((await server.get(`${stores}/down.xml`)).status).toBe(404);
    expect((await server.post(`${stores}?validate=hard`, storeXml('down', at(port)))).status).toBe(400);
  });

  it('disables itself if configured to do so', async () => {
    const port = await freePort('127.0.0.1');
    await server.post(stores, storeXml('gives-up', at(port), '<disableOnConnFailure>true</disableOnConnFailure>'));
    await server.post(stores, storeXml('goes-on', at(port)));

    for (const name of ['gives-up', 'goes-on']) {
      expect((await server.get(`${stores}/${name}/featuretypes.xml?list=all`)).status).toBe(502);
    }

    expect(await readResource(server, `${stores}/gives-up`)).toMatchObject({ enabled: false });
    expect(await readResource(server, `${stores}/goes-on`)).toMatchObject({ enabled: true });
  });

  /** Accepts connections and never responds. */
  async function silentDatabase() {
    const silent = createServer();
    const connections = on(silent, 'connection');
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const address = silent.address();
    return {
      port: typeof address === 'object' && address !== null ? address.port : 0,
      async connection(): Promise<Socket> {
        const { value } = await connections.next();
        return value?.[0];
      },
    };
  }

  /** A new store is checked once, and the client does not wait for the result. */
  async function createSilent(
    at: TestServer,
    parameters: string,
    database: Awaited<ReturnType<typeof silentDatabase>>,
  ) {
    const created = at.post(stores, storeXml('silent', parameters));
    (await database.connection()).destroy();
    expect((await created).status).toBe(201);
  }

  it('does not block other requests', async () => {
    const database = await silentDatabase();
    await createSilent(server, at(database.port), database);

    const slow = server.get(`${stores}/silent/featuretypes.xml?list=all`);
    const connection = await database.connection();
    const others = await Promise.all([
      server.get(`${stores}.xml`),
      server.post(stores, storeXml('meanwhile', at(database.port), '<enabled>false</enabled>')),
    ]);
    connection.destroy();

    expect(others.map(({ status }) => status)).toEqual([200, 201]);
    expect((await slow).status).toBe(502);
  });

  it('returns a clear error in time', async () => {
    const database = await silentDatabase();
    const dataDir = join(folder, 'silent');
    const patient = await startTestServer({ dataDir });
    await patient.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await createSilent(patient, at(database.port), database);
    await patient.close();
    const impatient = await startTestServer({ dataDir, flags: ['--store-timeout-ms', '100'] });
    onTestFinished(() => impatient.close());

    const reply = await impatient.get(`${stores}/silent/featuretypes.xml?list=all`);

    expect([reply.status, reply.text]).toEqual([502, expect.stringContaining('it did not answer within 100 ms')]);
  });

  it('is saved with a warning that states the reason', async () => {
    const port = await freePort('127.0.0.1');

    const created = await server.post(stores, storeXml('warned', at(port)));
    const changed = await server.put(`${stores}/warned`, storeXml('warned', at(port)));
    const missing = await server.post(stores, storeXml('no-file', '<url>file:data/nowhere.shp</url>'));
    const off = await server.post(stores, storeXml('off', at(port), '<enabled>false</enabled>'));

    expect([created, changed, missing, off].map(({ status }) => status)).toEqual([201, 200, 201, 201]);
    for (const reply of [created, changed]) {
      // The wait on saving a store is short, and a busy machine may not have tried the connection by then.
      expect(reply.headers['warning']).toMatch(
        /The data of the store 'warned' is unavailable: (the connection to its host and port was refused|it did not answer).* The store was saved nevertheless/,
      );
    }
    expect(missing.headers['warning']).toContain("The file 'nowhere.shp' does not exist.");
    expect(off.headers['warning']).toBeUndefined();
  });

  it('is logged as soon as it is saved, but not in a dry run', async () => {
    const own = await startTestServer();
    onTestFinished(() => own.close());
    await own.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const lost = storeXml('lost', at(await freePort('127.0.0.1')));

    await own.post(`${stores}?dryRun=true`, lost);
    expect((await own.get('//metrics')).text).toContain('graticule_stores_unreachable 0');
    await own.post(stores, lost);

    expect((await own.get('//metrics')).text).toContain('graticule_stores_unreachable 1');
    const warned = own.log
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ level }) => level === 40);
    expect(warned.filter(({ store }) => store === 'acme:lost')).toHaveLength(1);
  });

  it('is logged as a warning once, and shown in the status and the metrics until it is changed', async () => {
    const own = await startTestServer();
    onTestFinished(() => own.close());
    await own.post('/workspaces', '<workspace><name>acme</name></workspace>');
    // Saving a disabled store does not try the connection.
    await own.post(stores, storeXml('lost', at(await freePort('127.0.0.1')), '<enabled>false</enabled>'));
    await own.put(`${stores}/lost`, '<dataStore><enabled>true</enabled></dataStore>');

    for (let time = 0; time < 3; time += 1) {
      expect((await own.get(`${stores}/lost/featuretypes.xml?list=all`)).status).toBe(502);
    }

    const warned = own.log
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ level }) => level === 40);
    expect(warned.filter(({ store }) => store === 'acme:lost')).toEqual([
      expect.objectContaining({
        msg: 'the data of a store is unreachable',
        reason: 'the connection to its host and port was refused',
      }),
    ]);
    expect((await own.get('/about/status/graticule-data.json')).json()).toMatchObject({
      status: {
        isAvailable: false,
        message: 'Unreachable: acme:lost (the connection to its host and port was refused).',
      },
    });
    expect((await own.get('//metrics')).text).toContain('graticule_stores_unreachable 1');

    await own.delete(`${stores}/lost`);
    expect((await own.get('/about/status/graticule-data.json')).json()).toMatchObject({
      status: { isAvailable: true, message: '0 data stores. 0 coverage stores.' },
    });
    expect((await own.get('//metrics')).text).toContain('graticule_stores_unreachable 0');
  });
});
