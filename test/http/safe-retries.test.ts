/** A write that is repeated with its Idempotency-Key is executed once and answered with the same response. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withMapServer } from '../support/capabilities.ts';
import { withStations } from '../support/station-mapping.ts';
import { type Reply, startTestServer, type TestServer, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';
import { cascadedTrials, documentTrials, dry, predicted, type Trial, trials } from '../support/write-trials.ts';

const workspace = (name: string) => JSON.stringify({ workspace: { name } });

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

const positionOf = (server: TestServer) => server.server.storage.position();

function reported({ status, text, headers }: Reply) {
  const { location, etag, 'graticule-change': change, 'content-type': type } = headers;
  return { status, text, location, etag, change, type };
}

const otherService = '{"name":"twins","className":"org.geoserver.security.xml.XMLUserGroupService"}';

/** Stores the response to an administrator request again, in the format of earlier versions. */
async function keepByName(server: TestServer, key: string): Promise<void> {
  const { storage } = server.server;
  const kept = await storage.findReply('account of the administrator', key);
  const { request = '', reply = '' } = kept ?? {};
  await storage.writeBuffered(async () => ({
    result: undefined,
    author: { who: 'admin', what: 'nothing' },
    shouldCommit: true,
    reply: () => ({ who: 'admin', key: `${key}-kept`, request, reply }),
    onRollback: async () => undefined,
  }));
}

describe('a request with an Idempotency-Key', () => {
  let now = Date.parse('2026-11-16T08:00:00Z');
  const server = useTestServer({ clock: () => (now += 1) });

  it('executes the request once, and returns the same response to a repetition', async () => {
    const first = await server.post('/workspaces', workspace('once'), withKey('a'));
    const position = positionOf(server);

    const again = await server.post('/workspaces', workspace('once'), withKey('"a"'));

    expect(first.status).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(first.headers['graticule-change']).toBe(String(position));
    expect(reported(again)).toEqual(reported(first));
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(positionOf(server)).toBe(position);
    const { changes } = (await server.get('/history?limit=1')).json() as { changes: { what: string }[] };
    expect(changes[0]?.what).toBe('create workspace once');
  });

  it.each([
    ['body', '/workspaces', workspace('another'), {}],
    ['path', '/workspaces?default=true', workspace('reused-path'), {}],
    ['type', '/workspaces', workspace('reused-type'), { type: 'text/json' }],
  ])('rejects a request whose key was used with another %s', async (what, path, body, how) => {
    const first = await server.post('/workspaces', workspace(`reused-${what}`), withKey(`reused-${what}`));

    const other = await server.post(path, body, {
      ...how,
      accept: 'application/problem+json',
      ...withKey(`reused-${what}`),
    });

    expect(first.status).toBe(201);
    expect(other.status).toBe(422);
    expect(other.json()).toMatchObject({ code: 'idempotency-key-reused' });
  });

  it('executes the request as a first one after a failure and after a dry run', async () => {
    const failed = await server.post('/workspaces', workspace('a/b'), withKey('again'));
    const tried = await server.post('/workspaces?dryRun=true', workspace('again'), withKey('again'));

    const done = await server.post('/workspaces', workspace('again'), withKey('again'));

    expect(failed.status).toBe(400);
    expect([tried.status, tried.headers['graticule-dry-run']]).toEqual([201, 'true']);
    expect([done.status, done.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('rejects a repetition while the first request is in progress', async () => {
    const replies = await Promise.all(
      Array.from({ length: 4 }, () =>
        server.post('/workspaces', workspace('hasty'), { ...withKey('hasty'), accept: 'application/problem+json' }),
      ),
    );

    const busy = replies.filter(({ status }) => status === 409);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(busy[0]?.json()).toMatchObject({ code: 'idempotency-key-in-use' });
    expect(Number(busy[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('separates equal keys of different users', async () => {
    const clerk = await addUser(server, 'clerk', 'ADMIN');
    await server.post('/workspaces', workspace('shared'), withKey('shared'));

    const theirs = await server.post('/workspaces', workspace('shared'), { as: clerk, ...withKey('shared') });

    expect(theirs.status).toBe(409);
    expect(theirs.text).toContain('shared');
  });

  it('separates equal keys of users with the same name at different providers', async () => {
    const users = '/security/usergroup';
    const className = 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider';
    await server.post('/security/usergroupservices', otherService);
    await server.post(`${users}/users`, '{"userName":"twin","password":"here"}');
    await server.post(`${users}/service/twins/users`, '{"userName":"twin","password":"there"}');
    await server.request('POST', '/security/roles/role/ADMIN/user/twin');
    const provider = { name: 'twins', className, userGroupServiceName: 'twins' };
    expect((await server.post('/security/authproviders', JSON.stringify(provider))).status).toBe(201);
    const send = (as: string, name = 'twin') => server.post('/workspaces', workspace(name), { ...withKey('twin'), as });

    const first = await send('twin:here');
    const other = await send('twin:there');
    const reused = await send('twin:there', 'twin-2');
    const again = await send('twin:here');

    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect([other.status, other.headers['idempotent-replayed']]).toEqual([409, undefined]);
    expect(reused.status).toBe(201);
  });

  it('separates equal keys of tokens, so that no token reads a response that its scopes exclude', async () => {
    const create = async (name: string, scopes: object) => {
      const made = await server.post('/security/self/tokens', JSON.stringify({ token: { name, scopes } }));
      return (made.json() as { token: { secret: string } }).token.secret;
    };
    const writer = await create('writer', { readOnly: false, admin: true });
    const reader = await create('reader', { readOnly: true, admin: true });
    const send = (secret: string) =>
      server.post('/workspaces', workspace('scoped'), {
        as: null,
        headers: { ...withKey('scoped').headers, authorization: `Bearer ${secret}` },
      });
    const first = await send(writer);

    const again = await send(writer);
    const narrower = await send(reader);
    const user = await server.post('/workspaces', workspace('scoped'), withKey('scoped'));

    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect([narrower.status, narrower.headers['idempotent-replayed']]).toEqual([403, undefined]);
    expect(user.status).toBe(409);
  });

  it('returns the response that an earlier version stored under the user name, if the request is the same', async () => {
    const first = await server.post('/workspaces', workspace('older'), withKey('older'));
    await keepByName(server, 'older');

    const again = await server.post('/workspaces', workspace('older'), withKey('older-kept'));
    const other = await server.post('/workspaces', workspace('older-2'), withKey('older-kept'));

    expect(reported(again)).toEqual(reported(first));
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(other.status).toBe(201);
  });

  it('stores a response for a day, also if nothing changed', async () => {
    await server.post('/workspaces', workspace('same'));
    const change = '{"workspace":{"isolated":false}}';

    const first = await server.put('/workspaces/same', change, withKey('same'));
    const again = await server.put('/workspaces/same', change, withKey('same'));
    now += 86_400_000;
    const later = await server.put('/workspaces/same', change, withKey('same'));

    expect([first, again, later].map(({ headers }) => headers['idempotent-replayed'])).toEqual([
      undefined,
      'true',
      undefined,
    ]);
    expect(first.headers['graticule-change']).toBeUndefined();
    expect(await server.server.storage.deleteReplies(now - 3_600_000, 100)).toBeGreaterThan(0);
  });

  it.each(['', '""', 'two words', 'ü', 'a"b', '"open', 'x'.repeat(256)])('rejects the key %j', async (key) => {
    const reply = await server.post('/workspaces', workspace('odd'), {
      ...withKey(Buffer.from(key).toString('latin1')),
      accept: 'application/problem+json',
    });

    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({ code: 'idempotency-key-invalid' });
  });

  it('supports uploads, batches, deletions and undo', async () => {
    const upload = { type: 'application/zip', body: zipOf({ towns: pointShapefile() }), ...withKey('upload') };
    const batch = JSON.stringify({
      operations: [{ method: 'POST', path: '/workspaces', body: { workspace: { name: 'b' } } }],
    });
    const path = '/workspaces/once/datastores/towns';

    const replies: Reply[] = [];
    for (const send of [
      () => server.request('PUT', `${path}/file.shp`, upload),
      () => server.post('/batch', batch, withKey('batch')),
      () => server.delete(`${path}?recurse=true`, withKey('delete')),
    ]) {
      replies.push(await send(), await send());
    }
    const undo = () =>
      server.request('POST', `/history/${replies.at(-1)?.headers['graticule-change']}/undo`, withKey('undo'));
    replies.push(await undo(), await undo());

    for (let at = 0; at < replies.length; at += 2) {
      const [first, again] = [replies[at] as Reply, replies[at + 1] as Reply];
      expect(first.status, first.text).toBeLessThan(300);
      expect(reported(again)).toEqual(reported(first));
      expect(again.headers['idempotent-replayed']).toBe('true');
    }
    expect(replies.at(-1)?.json()).toMatchObject({ sequence: Number(replies.at(-1)?.headers['graticule-change']) });
    expect((await server.get(`${path}/featuretypes/towns.json`)).status).toBe(200);
  });

  it('compares the whole of a large body', async () => {
    const files = { towns: pointShapefile(40_000) };
    const send = (body: Buffer) =>
      server.request('PUT', '/workspaces/once/datastores/large/file.shp', {
        type: 'application/zip',
        body,
        ...withKey('large'),
      });
    const archive = zipOf(files);
    const other = Buffer.from(archive);
    other[other.length - 1] = 1;

    const [first, again, changed] = [await send(archive), await send(archive), await send(other)];

    expect(createHash('sha256').update(archive).digest()).not.toEqual(createHash('sha256').update(other).digest());
    expect([first.status, again.status, changed.status]).toEqual([201, 201, 422]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('stores no secrets in clear', async () => {
    const user = JSON.stringify({ user: { userName: 'secretive', password: 'a secret password', enabled: true } });

    await server.post('/security/usergroup/users', user, withKey('secret'));

    const kept = await server.server.storage.findReply('account of the administrator', 'secret');
    expect(kept?.reply).toMatch(/^sealed:/);
    expect(JSON.stringify(kept)).not.toContain('a secret password');
  });
});

it('another server process on the same data recognizes a key', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'graticule-retries-'));
  const before = await startTestServer({ dataDir });
  const first = await before.post('/workspaces', workspace('lasting'), withKey('lasting'));
  await before.close();
  const after = await startTestServer({ dataDir });

  const again = await after.post('/workspaces', workspace('lasting'), withKey('lasting'));

  expect(reported(again)).toEqual(reported(first));
  expect(again.headers['idempotent-replayed']).toBe('true');
  await after.close();
  await rm(dataDir, { recursive: true });
});

describe('every write', () => {
  const server = useTestServer();

  /** The id of a new resource is unpredictable. */
  const withoutIds = <T extends { readonly text: string }>(reply: T): T => ({
    ...reply,
    text: reply.text.replaceAll(/\b([a-z]\w+)-(?:[0-9a-f]{16}-\d+|[0-9a-z]{1,4})-\d+\b/g, '$1-1'),
  });

  /** Sends a dry run, the write with a key, and the write again. */
  async function attempt(trial: Trial, index: number | string): Promise<void> {
    const [row, path, sent] = trial;
    const method = row.split(' ')[0] ?? '';
    const how = { ...sent, headers: { ...sent?.headers, 'idempotency-key': `trial-${index}` } };
    const tried = await server.request(method, dry(path), how);
    const before = positionOf(server);
    const first = await server.request(method, path, how);
    const after = positionOf(server);
    expect(withoutIds(predicted(first)), `${method} ${path}`).toEqual(withoutIds(predicted(tried)));
    // Rotations of keys make further changes after the first one.
    const isRotation = /^\/security\/keystore\/(?:data|server)-key/.test(path);
    expect(after - before, `${method} ${path}`).toBeLessThanOrEqual(isRotation ? Number.POSITIVE_INFINITY : 1);
    const change = isRotation ? expect.any(String) : String(after);
    expect(first.headers['graticule-change'], path).toEqual(after === before ? undefined : change);
    if (first.status >= 300) return;

    const again = await server.request(method, path, how);

    expect(reported(again), `${method} ${path}`).toEqual(reported(first));
    expect(again.headers['idempotent-replayed'], `${method} ${path}`).toBe('true');
    expect(positionOf(server), `${method} ${path}`).toBe(after);
  }

  it('a dry run predicts every write, and a repetition returns the same response without a second execution', async () => {
    for (const [index, trial] of trials.entries()) await attempt(trial, index);
    await withMapServer(async (url) => {
      for (const [index, trial] of cascadedTrials(url).entries()) await attempt(trial, `cascaded-${index}`);
    });
    await withStations(async (uri) => {
      for (const [index, trial] of documentTrials(uri, server.dataDir).entries())
        await attempt(trial, `document-${index}`);
    });
  }, 120_000);
});
