/** REST rules admit a request, then catalog rules decide: checked for every operation that changes something. */
import { beforeAll, describe, expect, it } from 'vitest';
import { everyRoute } from '../support/every-route.ts';
import { freePort } from '../support/services/free-port.ts';
import { lineSld, SLD_TYPE, send } from '../support/styles.ts';
import { type RequestOptions, type TestServer, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { pointShapefile, putZip, zipOf } from '../support/vector-samples.ts';

/** The test sends a few hundred requests, possibly while other tests load the machine. */
const WALK_TIMEOUT_MS = 60_000;

const everyMethod = 'GET,PUT,POST,DELETE,HEAD,OPTIONS';

/** Existing resources of each kind, used as values of path variables. */
const existing: Readonly<Record<string, string>> = {
  workspace: 'theirs',
  namespace: 'theirs',
  store: 'towns',
  featuretype: 'towns',
  method: 'file',
  format: 'shp',
  layer: 'theirs:towns',
  urlCheck: 'icons',
};

type Write = readonly [method: string, path: string, sent?: RequestOptions];

const json = (value: unknown): RequestOptions => ({ type: 'json', body: JSON.stringify(value) });
const xml = (body: string): RequestOptions => ({ type: 'xml', body });

/** Changes of global resources, each complete enough to succeed. */
const writesOfEverybodys: readonly Write[] = [
  ['POST', '/workspaces', json({ workspace: { name: 'made' } })],
  ['POST', '/workspaces', xml('<workspace><name>made-too</name></workspace>')],
  ['POST', '/namespaces', json({ namespace: { prefix: 'made-as-well', uri: 'urn:made' } })],
  ['PUT', '/workspaces/default', json({ workspace: { name: 'open' } })],
  ['PUT', '/namespaces/default', xml('<namespace><prefix>theirs</prefix></namespace>')],
  ['POST', '/styles', json({ style: { name: 'entry', filename: 'entry.sld' } })],
  ['POST', '/styles?name=red', { type: SLD_TYPE, body: lineSld('red') }],
  ['PUT', '/styles/red', { type: SLD_TYPE, body: lineSld('blue') }],
  ['PUT', '/styles/red', xml('<style><name>blue</name></style>')],
  ['DELETE', '/styles/blue'],
  ['POST', '/urlchecks', json({ regexUrlCheck: { name: 'made', regex: '^a$' } })],
  ['PUT', '/urlchecks/made', xml('<regexUrlCheck><description>ours</description></regexUrlCheck>')],
  ['POST', '/urlchecks/test', { type: 'text/plain', body: 'http://icons/a.png' }],
  ['DELETE', '/urlchecks/made'],
];

/** Changes in a workspace of another user. */
const writesInAnother: readonly Write[] = [
  ['PUT', '/workspaces/theirs', xml('<workspace><isolated>true</isolated></workspace>')],
  ['PUT', '/namespaces/theirs', json({ namespace: { uri: 'urn:another' } })],
  ['POST', '/workspaces/theirs/styles?name=local', { type: SLD_TYPE, body: lineSld('local') }],
  ['PUT', '/layers/theirs:towns', json({ layer: { enabled: false } })],
  ['POST', '/layers/theirs:towns/styles', json({ style: { name: 'line' } })],
  ['PUT', '/workspaces/theirs/datastores/towns', json({ dataStore: { description: 'changed' } })],
  ['PUT', '/workspaces/theirs/featuretypes/towns', xml('<featureType><title>A</title></featureType>')],
  ['DELETE', '/layers/theirs:towns?recurse=true'],
  ['DELETE', '/workspaces/theirs?recurse=true'],
];

async function prepare(server: TestServer): Promise<void> {
  for (const name of ['open', 'theirs', 'own']) {
    await server.post('/workspaces', `<workspace><name>${name}</name></workspace>`);
  }
  await putZip(server, '/workspaces/theirs/datastores/towns/file.shp', zipOf({ towns: pointShapefile() }));
  await server.post('/urlchecks', '{"regexUrlCheck":{"name":"icons","regex":"^http://icons/.*$","enabled":true}}');
  await server.delete('/security/acl/rest?rule=/**:GET,HEAD,OPTIONS');
  await server.delete('/security/acl/rest?rule=/**:POST,DELETE,PUT');
  await server.post('/security/acl/rest', JSON.stringify({ [`/**:${everyMethod}`]: '*' }));
}

const write = (server: TestServer, [method, path, sent]: Write, as: string) =>
  server.request(method, path, { ...sent, as });

describe.each(['graticule', 'geoserver'] as const)('a user whom a REST rule admits to everything (%s)', (compat) => {
  const server = useTestServer({ compat });
  let ann = '';
  let owner = '';
  beforeAll(async () => {
    await prepare(server);
    ann = await addUser(server, 'ann', 'ROLE_ANN');
    owner = await addUser(server, 'owner', 'ROLE_OWNER');
    await server.post('/security/acl/layers', '{"own.*.a":"ROLE_OWNER"}');
  });

  it(
    'changes nothing without a catalog rule',
    async () => {
      const before = server.server.storage.position();
      for (const { method, route } of everyRoute(compat).filter((each) => each.method !== 'GET')) {
        const path = route.path.replace(/[:*](\w+)/g, (_, name: string) => existing[name] ?? 'made-up');
        const reply = await server.request(method, path, { as: ann });
        expect(reply.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      }
      expect(server.server.storage.position()).toBe(before);
    },
    WALK_TIMEOUT_MS,
  );

  const writes = [...writesOfEverybodys, ...writesInAnother].map((wanted) => ({
    wanted,
    address: wanted.slice(0, 2).join(' '),
  }));
  it.each(writes)('denies $address', async ({ wanted }) => {
    const before = server.server.storage.position();

    for (const as of [ann, owner]) {
      expect([403, 404, 405]).toContain((await write(server, wanted, as)).status);
    }
    expect(server.server.storage.position()).toBe(before);
  });

  it('changes the workspace that a rule grants, and copies nothing out of it', async () => {
    const styles = '/workspaces/own/styles';
    expect((await send(server, 'POST', `${styles}?name=mine`, SLD_TYPE, lineSld('a'), { as: owner })).status).toBe(201);
    const uri = '{"namespace":{"uri":"urn:own"}}';
    expect((await server.put('/namespaces/own', uri, { as: owner })).status).toBe(200);

    const moves = ['null', '"theirs"', '"default"'].map((workspace) => `{"style":{"workspace":${workspace}}}`);
    for (const move of moves) {
      expect([403, 405]).toContain((await server.put(`${styles}/mine`, move, { as: owner })).status);
    }
    expect((await server.get(`${styles}/mine.sld`)).status).toBe(200);
  });

  it('copies nothing from another workspace into their own', async () => {
    const borrowed = json({ featureType: { name: 'towns', store: { name: 'theirs:towns' } } });
    const before = server.server.storage.position();

    for (const path of ['/workspaces/own/featuretypes', '/workspaces/own/datastores/theirs:towns/featuretypes']) {
      expect((await write(server, ['POST', path, borrowed], owner)).status, path).toBeGreaterThanOrEqual(400);
    }
    const takeOver = json({ workspace: { name: 'theirs' } });
    expect((await write(server, ['PUT', '/workspaces/own', takeOver], owner)).status).toBeGreaterThanOrEqual(400);
    expect(server.server.storage.position()).toBe(before);
  });

  it('reads global resources, and no workspace except their own', async () => {
    for (const path of ['/styles.json', '/styles/point.sld', '/urlchecks.json', '/about/version.json']) {
      expect((await server.get(path, { as: ann })).status, path).toBe(200);
    }
    for (const path of ['/workspaces/theirs', '/namespaces/theirs', '/workspaces/theirs/datastores/towns.json']) {
      expect((await server.get(path, { as: ann })).status, path).toBe(404);
    }
    expect((await server.get('/workspaces.json', { as: owner })).text).not.toContain('theirs');
  });

  it('does not learn which namespace uses a URI that is already in use', async () => {
    const taken = (as?: string) =>
      server.put('/namespaces/own', '{"namespace":{"uri":"http://theirs"}}', as === undefined ? {} : { as });

    const [refused, byAdministrator] = [await taken(owner), await taken()];
    expect([refused.status, byAdministrator.status]).toEqual([409, 409]);
    expect(refused.text).toContain("The URI 'http://theirs' already exists: another namespace uses it.");
    expect(byAdministrator.text).toContain("the namespace 'theirs' uses it");
  });

  it('does not see layers without read permission', async () => {
    expect((await server.get('/layers/theirs:towns', { as: ann })).status).toBe(200);

    await server.post('/security/acl/layers', '{"theirs.*.r":"ROLE_OTHER"}');
    const hidden = await server.get('/layers/theirs:towns.json', { as: ann });
    const absent = await server.get('/layers/theirs:nowhere.json', { as: ann });
    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe(absent.text.replaceAll('nowhere', 'towns'));
    expect((await server.get('/layers.json', { as: ann })).text).not.toContain('towns');
    await server.delete('/security/acl/layers/theirs.*.r');
  });

  it('does not see stores of other workspaces in the status', async () => {
    const lost = `<dataStore><name>lost</name><connectionParameters>
      <entry key="dbtype">postgis</entry><entry key="host">127.0.0.1</entry>
      <entry key="port">${await freePort('127.0.0.1')}</entry><entry key="database">maps</entry>
      <entry key="user">reader</entry></connectionParameters></dataStore>`;
    for (const workspace of ['own', 'theirs']) {
      await server.post(`/workspaces/${workspace}/datastores`, lost);
      await server.get(`/workspaces/${workspace}/datastores/lost/featuretypes.json?list=all`);
    }
    const reported = async (as?: string) =>
      (await server.get('/about/status.json', as === undefined ? {} : { as })).text.match(/\w+:lost/g);

    expect(await reported(ann)).toBeNull();
    expect(await reported(owner)).toEqual(['own:lost']);
    expect(await reported()).toEqual(['own:lost', 'theirs:lost']);
    expect((await server.get('/about/status/graticule-data.html', { as: ann })).text).not.toContain('lost');
  });

  it('changes nothing when anonymous, even if a rule lets everyone administer everything', async () => {
    await server.post('/security/acl/layers', '{"*.*.a":"*"}');
    const before = server.server.storage.position();

    for (const [method, path, sent] of [...writesOfEverybodys, ...writesInAnother]) {
      expect((await server.request(method, path, { ...sent, as: null })).status, `${method} ${path}`).toBe(401);
    }
    expect(server.server.storage.position()).toBe(before);
    await server.delete('/security/acl/layers/*.*.a');
  });
});

describe.each(['graticule', 'geoserver'] as const)('a user who may administer everything (%s)', (compat) => {
  const server = useTestServer({ compat });
  let root = '';
  beforeAll(async () => {
    await prepare(server);
    await server.post('/workspaces', '<workspace><name>closed</name></workspace>');
    root = await addUser(server, 'root2', 'ROLE_EVERYTHING');
    await server.post('/security/acl/layers', '{"*.*.a":"ROLE_EVERYTHING","closed.*.a":"ROLE_OTHER"}');
  });

  it('changes global and workspace resources that a REST rule admits', async () => {
    for (const wanted of [...writesOfEverybodys, ...writesInAnother]) {
      const { status, text } = await write(server, wanted, root);
      expect(status, `${wanted[0]} ${wanted[1]}: ${text}`).toBeLessThan(300);
    }
  });

  it('has no access to a workspace that a more specific rule grants to others', async () => {
    expect((await server.get('/workspaces/closed', { as: root })).status).toBe(404);
    const choice = (name: string) =>
      server.put('/workspaces/default', `{"workspace":{"name":"${name}"}}`, { as: root });
    const [closed, absent] = [await choice('closed'), await choice('nowhere')];
    expect(closed.status).toBe(404);
    expect(closed.text).toBe(absent.text.replaceAll('nowhere', 'closed'));
  });

  it('removes no style from layers of such a workspace, and does not see those layers', async () => {
    await send(server, 'POST', '/styles?name=shared', SLD_TYPE, lineSld('shared'));
    await putZip(server, '/workspaces/closed/datastores/s/file.shp', zipOf({ mines: pointShapefile() }));
    await server.put('/layers/closed:mines', '{"layer":{"defaultStyle":{"name":"shared"}}}');
    const before = server.server.storage.position();

    const refused = [
      await server.delete('/styles/shared', { as: root }),
      await server.delete('/styles/shared?recurse=true', { as: root }),
      await server.put('/styles/shared', '{"style":{"workspace":"open"}}', { as: root }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(refused.map(({ text }) => text).join()).not.toMatch(/mines|closed/);
    expect(server.server.storage.position()).toBe(before);
    expect((await server.delete('/styles/shared?recurse=true')).status).toBe(200);
  });

  it('has no access to security resources', async () => {
    const rules = '{"own.*.a":"ROLE_EVERYTHING"}';
    expect((await server.post('/security/acl/layers', rules, { as: root })).status).toBe(403);
    expect((await server.get('/security/masterpw', { as: root })).status).toBe(403);
  });

  it('changes no global resource that no REST rule admits', async () => {
    await server.delete(`/security/acl/rest?rule=/**:${everyMethod}`);
    const before = server.server.storage.position();

    for (const wanted of writesOfEverybodys) {
      expect([403, 405], wanted[1]).toContain((await write(server, wanted, root)).status);
    }
    expect(server.server.storage.position()).toBe(before);
  });
});
