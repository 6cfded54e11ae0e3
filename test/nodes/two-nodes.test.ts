/** Two servers on one PostgreSQL: a write through one is immediately visible through the other. */
import { randomInt } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { problem } from '../../src/lib/problems/problem.ts';
import type { Storage } from '../../src/storage/port/port.ts';
import { fillSld } from '../support/maps.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { zipOfFiles } from '../support/raster-samples.ts';
import { startRelay } from '../support/relay.ts';
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../support/test-server.ts';
import { granuleBytes } from '../support/tiff-bytes.ts';
import { pointShapefile, putZip, zipOf } from '../support/vector-samples.ts';
import { describeWithPostgis, type PostgisUnderTest } from '../support/with-postgis.ts';

const serverKey = (byte: number) => Buffer.alloc(32, byte).toString('base64');

function startNode(
  postgis: Pick<PostgisUnderTest, 'connection'>,
  schema = 'graticule',
  key = 1,
  betweenStorage = (storage: Storage): Storage => storage,
): Promise<TestServer> {
  return startTestServer({
    flags: ['--storage', postgresAddress(postgis, schema)],
    environment: { GRATICULE_SERVER_KEY: serverKey(key) },
    betweenStorage,
  });
}

describeWithPostgis('two nodes on one database', (postgis) => {
  let nodes: readonly [TestServer, TestServer];
  beforeAll(async () => {
    nodes = await Promise.all([startNode(postgis), startNode(postgis)]);
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
  });

  test('a token that one node creates or deletes is valid or invalid on the other with the next request', async () => {
    const [one, other] = nodes;
    const made = await one.post('/security/self/tokens', '{"token":{"name":"shared"}}');
    const { id, secret } = (made.json() as { token: { id: string; secret: string } }).token;
    const use = async (node: TestServer) =>
      (await node.get('/security/self', { as: null, headers: { authorization: `Bearer ${secret}` } })).status;

    expect([await use(other), await use(one)]).toEqual([200, 200]);
    expect((await other.delete(`/security/tokens/${id}`)).status).toBe(200);
    expect([await use(one), await use(other)]).toEqual([401, 401]);
  });

  test('nodes create one set of built-in objects when they start in parallel', async () => {
    const [one, other] = nodes;

    const styles = await one.get('/styles.json');

    expect(styles.text).toContain('"point"');
    expect((await other.get('/styles.json')).text).toBe(styles.text);
    expect(
      (await postgis.query('SELECT count(*) FROM graticule.changes GROUP BY what HAVING count(*) > 1')).length,
    ).toBe(0);
  });

  test('nodes start even if the database is unavailable at first', async () => {
    let opened = 0;
    const node = await startNode(postgis, 'graticule', 1, (storage) => {
      opened += 1;
      const fail = () => Promise.reject(problem('storage-unavailable', {}));
      return opened === 1 ? Object.assign(storage, { find: fail }) : storage;
    });
    onTestFinished(() => node.close());

    expect(opened).toBe(2);
    expect(node.log.join('')).toContain('the database or the object store is unavailable: retrying');
    expect((await node.get('/styles.json')).status).toBe(200);
  });

  const documents: readonly (readonly [what: string, list: string, path: string, body: string, changed: string])[] = [
    [
      'workspace',
      '/workspaces',
      '/workspaces/acme',
      '{"workspace":{"name":"acme"}}',
      '{"workspace":{"isolated":true}}',
    ],
    [
      'data store',
      '/workspaces/acme/datastores',
      '/workspaces/acme/datastores/roads',
      '{"dataStore":{"name":"roads","connectionParameters":{"entry":[{"@key":"url","$":"file:data/roads"}]}}}',
      '{"dataStore":{"description":"all of them"}}',
    ],
    ['style', '/styles', '/styles/lines', '{"style":{"name":"lines","filename":"lines.sld"}}', ''],
    [
      'URL check',
      '/urlchecks',
      '/urlchecks/ours',
      '{"regexUrlCheck":{"name":"ours","enabled":true,"regex":"^https://example.com/.*$"}}',
      '{"regexUrlCheck":{"description":"ours alone"}}',
    ],
  ];

  const once: readonly (readonly [what: string, method: string, path: string, body: string | undefined])[] = [
    ['creates', 'POST', '/workspaces', '{"workspace":{"name":"once"}}'],
    ['changes', 'PUT', '/workspaces/once', '{"workspace":{"isolated":true}}'],
    ['deletes', 'DELETE', '/workspaces/once', undefined],
  ];

  test.each(once)(
    'a request with an idempotency key that %s something runs once, though sent to both nodes in parallel',
    async (_what, method, path, body) => {
      const before = nodes[0].server.storage.position();

      const replies = await Promise.all(
        [...nodes, ...nodes].map((node) =>
          node.request(method, path, {
            headers: { 'idempotency-key': `once-${method}` },
            ...(body === undefined ? {} : { type: 'application/json', body }),
          }),
        ),
      );

      const [first, ...others] = replies.filter(({ status }) => status !== 409);
      expect(first?.status, first?.text).toBeOneOf([200, 201]);
      for (const each of others) {
        expect([each.status, each.text]).toEqual([first?.status, first?.text]);
        expect(each.headers['graticule-change']).toBe(first?.headers['graticule-change']);
      }
      // On the same node the second request is rejected while the first is in progress.
      for (const each of replies.filter(({ status }) => status === 409))
        expect(each.text).toContain('still in progress');
      await nodes[1].get('/workspaces.json');
      expect(nodes[1].server.storage.position()).toBe(before + 1);
    },
  );

  test.each(documents)(
    'a %s created, changed and deleted on one node is so on the other',
    async (_, list, path, body, changed) => {
      const [one, other] = nodes;
      expect((await other.get(`${path}.json`)).status).toBe(404);

      expect((await one.post(list, body)).status).toBe(201);
      const made = await other.get(`${path}.json`);
      expect(made.status).toBe(200);
      expect((await one.get(`${path}.json`)).text).toBe(made.text);

      if (changed !== '') {
        expect((await other.put(path, changed)).status).toBe(200);
        const again = await one.get(`${path}.json`);
        expect(again.text).not.toBe(made.text);
        expect(again.headers['etag']).toBe((await other.get(`${path}.json`)).headers['etag']);
      }

      if (path !== '/workspaces/acme') {
        expect((await one.delete(path)).status).toBe(200);
        expect((await other.get(`${path}.json`)).status).toBe(404);
      }
    },
  );

  test('style content uploaded to one node is served by the other', async () => {
    const [one, other] = nodes;
    const sld =
      '<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>x</Name><UserStyle><FeatureTypeStyle><Rule><LineSymbolizer/></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>';

    const created = await one.request('POST', '/styles?name=shared', {
      type: 'application/vnd.ogc.sld+xml',
      body: sld,
    });

    expect(created.status).toBe(201);
    expect((await other.get('/styles/shared.sld')).text).toContain('LineSymbolizer');
  });

  test('a mosaic created on one node is served by the other, and harvests on either node are visible on both', async () => {
    const [one, other] = nodes;
    const store = '/workspaces/acme/coveragestores/water';
    const picture = (left: number) => granuleBytes({ left, top: 45, pixel: 0.25, epsg: 4326 });
    const archive = (files: Readonly<Record<string, Buffer>>) => ({ type: 'application/zip', body: zipOfFiles(files) });
    const listed = async (node: TestServer) => {
      const reply = await node.get(`${store}/coverages/water/index/granules.json`);
      const { features } = reply.json() as { features: readonly { id: string; properties: { location: string } }[] };
      return features.map(({ id, properties }) => `${id} ${properties.location}`);
    };
    const map = '//geoserver/acme/wms?service=WMS&version=1.1.1&request=GetMap&layers=water&styles=&srs=EPSG:4326';
    const drawn = (node: TestServer) =>
      node.get(`${map}&bbox=10,40,20,50&width=40&height=40&format=image/png`).then(({ bytes, headers, text }) => {
        expect(headers['content-type'], text).toBe('image/png');
        return bytes;
      });

    const made = await one.request('PUT', `${store}/file.imagemosaic`, archive({ 'a.tif': picture(10) }));
    expect(made.status, made.text).toBe(200);
    expect(await listed(other)).toEqual(['water.1 a.tif']);
    const before = await drawn(other);

    const harvests = await Promise.all([
      one.request('POST', `${store}/file.imagemosaic?updateBBox=true`, archive({ 'b.tif': picture(12) })),
      other.request('POST', `${store}/file.imagemosaic?updateBBox=true`, archive({ 'c.tif': picture(14) })),
    ]);

    expect(harvests.map(({ status }) => status)).toEqual([201, 201]);
    expect((await listed(one)).map((each) => each.slice(-5))).toEqual(
      expect.arrayContaining(['a.tif', 'b.tif', 'c.tif']),
    );
    expect(await listed(other)).toEqual(await listed(one));
    expect((await drawn(other)).equals(before)).toBe(false);
    expect((await drawn(one)).equals(await drawn(other))).toBe(true);
  });

  test('style changes and data uploads on one node are immediately visible in maps and tiles of the other', async () => {
    const [one, other] = nodes;
    const store = '/workspaces/shown/datastores/spots/file.shp';
    const sld = (colour: string) =>
      fillSld(colour)
        .replaceAll('PolygonSymbolizer>', 'PointSymbolizer>')
        .replace('<Fill>', '<Graphic><Mark><Fill>')
        .replace('</Fill>', '</Fill></Mark></Graphic>');
    const map =
      'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&bbox=-90,-90,90,90&width=90&height=90&format=image/png';
    const paths = [
      `//geoserver/wms?${map}&styles=&layers=shown:spots`,
      '//geoserver/gwc/service/wmts/rest/shown:spots/EPSG:900913/0/0/0?format=image/png',
    ];
    const seenAt = async (node: TestServer) => {
      const replies = await Promise.all(paths.map((path) => node.get(path)));
      for (const { headers, text } of replies) expect(headers['content-type'], text).toBe('image/png');
      return replies.map(({ bytes }) => bytes.toString('base64'));
    };
    await one.post('/workspaces', '{"workspace":{"name":"shown"}}');
    expect((await putZip(one, store, zipOf({ spots: pointShapefile() }))).status).toBe(201);
    const style = { type: 'application/vnd.ogc.sld+xml' };
    expect((await one.post('/styles?name=spots', sld('#ff0000'), style)).status).toBe(201);
    expect((await one.put('/layers/shown:spots', '{"layer":{"defaultStyle":{"name":"spots"}}}')).status).toBe(200);
    const first = await seenAt(other);
    expect(await seenAt(other)).toEqual(first);

    expect((await one.put('/styles/spots', sld('#0000ff'), style)).status).toBe(200);
    const restyled = await seenAt(other);
    expect((await putZip(one, store, zipOf({ spots: pointShapefile(4, [-60, 10]) }))).status).toBe(201);
    const replaced = await seenAt(other);

    for (const at of [0, 1]) expect(new Set([first[at], restyled[at], replaced[at]]).size).toBe(3);
    expect(await seenAt(one)).toEqual(replaced);
  });

  test('a URI that exceeds the index limit is rejected as a client error without side effects', async () => {
    const [one, other] = nodes;
    // Characters of three bytes each, all different.
    const letters = Array.from({ length: 1_900 }, () => String.fromCharCode(randomInt(0x4e00, 0x9fff)));
    const uri = `http://example.com/${letters.join('')}`;

    const refused = await one.post('/namespaces', JSON.stringify({ namespace: { prefix: 'long', uri } }));

    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('about 2,600 bytes')]);
    expect((await other.get('/workspaces/long.json')).status).toBe(404);
    expect((await one.post('/workspaces', '{"workspace":{"name":"short"}}')).status).toBe(201);
  });

  test('nodes list each other on every node', async () => {
    for (const node of nodes) {
      const { nodes: listed } = (await node.get('/about/nodes.json')).json() as {
        nodes: { node: readonly { alive: boolean; here: boolean }[] };
      };
      expect(listed.node.filter(({ alive }) => alive).length).toBeGreaterThanOrEqual(2);
      expect(listed.node.filter(({ here }) => here)).toHaveLength(1);
    }
    expect((await nodes[0].get('/about/nodes.xml')).text).toContain('<alive>true</alive>');
    expect((await nodes[0].get('/about/nodes.html')).text).toContain('(this node)');
    expect((await nodes[0].get('/doctor')).json()).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ check: 'nodes', ok: true })]),
    });
  });

  test('the doctor warns when a database that may lack the last changes could take over', async () => {
    const found = async () => (await nodes[0].get('/doctor')).text.includes('standby-not-awaited');
    expect(await found()).toBe(false);

    const asStandby = { ...postgis.connection, replication: 'true' };
    const standby = new Client(asStandby);
    await standby.connect();
    onTestFinished(() => standby.end());

    expect(await found()).toBe(true);
  });

  test('a user created on one node can log in on the other immediately, and not with an old password', async () => {
    const [one, other] = nodes;
    const user = (password: string) => `{"user":{"userName":"ada","password":"${password}","enabled":true}}`;
    expect((await one.post('/security/usergroup/users', user('first password'))).status).toBe(201);

    expect((await other.get('/workspaces.json', { as: 'ada:first password' })).status).not.toBe(401);
    expect((await one.post('/security/usergroup/user/ada', user('second password'))).status).toBe(200);

    expect((await other.get('/workspaces.json', { as: 'ada:first password' })).status).toBe(401);
    expect((await other.get('/workspaces.json', { as: 'ada:second password' })).status).not.toBe(401);
  });

  test('wrong passwords are counted together across nodes', async () => {
    const tries = Array.from({ length: 12 }, (_, index) => index);

    const statuses: number[] = [];
    for (const index of tries) {
      const node = nodes[index % 2] ?? nodes[0];
      statuses.push((await node.get('/workspaces.json', { as: `eve:guess ${index}` })).status);
    }

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  });

  test('change numbers have no gaps across nodes', async () => {
    const clients = Array.from({ length: 8 }, (_, client) => client);

    const replies = await Promise.all(
      clients.flatMap((client) =>
        nodes.map((node, index) => node.post('/workspaces', `{"workspace":{"name":"w${client}-${index}"}}`)),
      ),
    );

    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    const [row] = await postgis.query(
      'SELECT count(*)::int AS count, max(sequence)::int AS last, (SELECT sequence::int FROM graticule.head) AS head FROM graticule.changes',
    );
    expect(row).toEqual({ count: row?.['last'], last: row?.['last'], head: row?.['last'] });
    const [listed, again] = await Promise.all(nodes.map((node) => node.get('/workspaces.json')));
    expect(listed?.text).toBe(again?.text);
    expect(await nodes[0].server.storage.findIntegrityProblems()).toEqual([]);
  });

  test('a follower of one node receives the changes of the other', async () => {
    const [one, other] = nodes;
    const after = one.server.storage.position();
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    const stop = one.server.storage.watch(resolve);

    await other.post('/workspaces', '{"workspace":{"name":"heard"}}');
    await heard;
    stop();

    expect(one.server.storage.position()).toBeGreaterThan(after);
  });

  test.each([-1, 1])('a node writes the time of the database, even if its own clock is %i hour off', async (hours) => {
    const node = await startTestServer({
      flags: ['--storage', postgresAddress(postgis, 'graticule')],
      environment: { GRATICULE_SERVER_KEY: serverKey(1) },
      clock: () => Date.now() + hours * 3_600_000,
    });

    expect((await node.post('/workspaces', `{"workspace":{"name":"late${hours}"}}`)).status).toBe(201);
    expect((await nodes[0].post('/workspaces', `{"workspace":{"name":"after${hours}"}}`)).status).toBe(201);

    await node.close();
    const rows = await postgis.query(
      `SELECT abs(at_ms - extract(epoch FROM clock_timestamp()) * 1000) < 600000 AS is_now,
         at_ms >= lag(at_ms, 1, 0) OVER (ORDER BY sequence) AS is_in_order
       FROM graticule.changes ORDER BY sequence DESC LIMIT 2`,
    );
    expect(rows).toEqual([1, 2].map(() => ({ is_now: true, is_in_order: true })));
  });

  test('a node with another server key does not start', async () => {
    await expect(startNode(postgis, 'graticule', 2)).rejects.toThrow('the server key does not match the keystore');
  });

  test('a node without a server key does not start', async () => {
    const started = startTestServer({ flags: ['--storage', postgresAddress(postgis, 'graticule')] });

    await expect(started).rejects.toThrow(
      '--storage requires a server key that all nodes share. Set --server-key-file.',
    );
  });

  test('a node without its database returns no cached data, sends Retry-After, and then recovers', async () => {
    const relay = await startRelay(postgis.connection);
    const node = await startNode({ connection: { ...postgis.connection, port: relay.port } });
    expect((await node.get('/workspaces/acme.json')).status).toBe(200);

    relay.cut();
    const refused = await node.get('/workspaces/acme.json');
    const written = await node.post('/workspaces', '{"workspace":{"name":"lost"}}');
    const [ready, live] = await Promise.all([node.get('/readyz'), node.get('/livez')]);
    relay.mend();
    const again = await node.get('/workspaces/acme.json');

    expect(refused.status).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect([written.status, ready.status, live.status, again.status]).toEqual([503, 503, 200, 200]);
    expect((await nodes[0].get('/workspaces/lost.json')).status).toBe(404);
    await node.close();
  });

  test('nodes accept the administrator password of the operator', async () => {
    const reply = await nodes[1].get('/about/version.json', { as: `admin:${ADMIN_PASSWORD}` });

    expect(reply.status).toBe(200);
  });

  test('nodes keep the first administrator password when a further node is given another one', async () => {
    const node = await startTestServer({
      flags: ['--storage', postgresAddress(postgis, 'graticule')],
      environment: { GRATICULE_SERVER_KEY: serverKey(1), GRATICULE_ADMIN_PASSWORD: 'given to another node' },
    });
    onTestFinished(() => node.close());

    for (const each of [...nodes, node]) {
      expect((await each.get('/workspaces', { as: `admin:${ADMIN_PASSWORD}` })).status).toBe(200);
      expect((await each.get('/workspaces', { as: 'admin:given to another node' })).status).toBe(401);
    }
    expect(node.log.join('')).toContain('the configured password of the built-in admin was ignored');
    expect(node.log.join('')).not.toContain('given to another node');
  });
});

describeWithPostgis('two nodes that start in parallel on an empty database', (postgis) => {
  async function startBoth(schema: string, flags: readonly (readonly string[])[]): Promise<readonly TestServer[]> {
    const start = (further: readonly string[]) =>
      startTestServer({
        flags: ['--storage', postgresAddress(postgis, schema), ...further],
        environment: { GRATICULE_SERVER_KEY: serverKey(1) },
      });
    const nodes = await Promise.all(flags.map(start));
    onTestFinished(async () => {
      for (const node of nodes) await node.close();
    });
    return nodes;
  }
  const rulesOf = async (node: TestServer) => (await node.get('/security/acl/layers.json')).json();

  test('nodes with --closed add one rule that only administrators read', async () => {
    const nodes = await startBoth('closed', [['--closed'], ['--closed']]);

    for (const node of nodes) expect(await rulesOf(node)).toEqual({ '*.*.r': 'ROLE_ADMINISTRATOR' });
    const log = nodes.map((node) => node.log.join(''));
    expect(
      log.filter((text) =>
        text.includes('closed: the rule *.*.r=ROLE_ADMINISTRATOR lets only administrators read layers'),
      ),
    ).toHaveLength(1);
    expect(log.filter((text) => text.includes('--closed had no effect'))).toHaveLength(1);
    expect(nodes.filter(({ server }) => server.isFirstStart)).toHaveLength(1);
  });

  test('nodes agree when only one has --closed: the first to start decides, and the log reports it', async () => {
    const nodes = await startBoth('half_closed', [['--closed'], []]);

    const [closing] = nodes;
    const isClosed =
      closing?.log
        .join('')
        .includes('closed: the rule *.*.r=ROLE_ADMINISTRATOR lets only administrators read layers') ?? false;
    const isIgnored = closing?.log.join('').includes('--closed was ignored') ?? false;
    expect(isClosed).toBe(!isIgnored);
    for (const node of nodes) expect(await rulesOf(node)).toEqual(isClosed ? { '*.*.r': 'ROLE_ADMINISTRATOR' } : {});
  });
});
