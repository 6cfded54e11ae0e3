import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { describeInDirectory, itInDirectory } from '../../../test/support/shared-storage.ts';
import { lineSld, SLD_TYPE } from '../../../test/support/styles.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

interface Result {
  readonly id?: string;
  readonly status: number;
  readonly headers: { readonly Location?: string; readonly ETag?: string };
  readonly body?: unknown;
  readonly content?: string;
  readonly contentType?: string;
}

const workspace = (name: string) => ({ workspace: { name } });

const create = (name: string) => ({ method: 'POST', path: '/workspaces', body: workspace(name) });

const sld = `<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">
  <NamedLayer><Name>pier</Name><UserStyle><FeatureTypeStyle><Rule><LineSymbolizer/></Rule></FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>`;

/** Returns all files except those of databases and the disk reserve, after pending moves have finished. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  while ((await readdir(join(folder, 'blobs/bundles')).catch(() => [])).length > 0) await wait(10);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/sqlite|disk\.reserve/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .toSorted();
}

describe('a batch', () => {
  const server = useTestServer();

  const send = (operations: unknown, rest: object = {}, how: Parameters<typeof server.post>[2] = {}, query = '') =>
    server.post(`/batch${query}`, JSON.stringify({ ...rest, operations }), how);

  const resultsOf = (reply: Reply) => reply.json() as { readonly change: number | null; readonly results: Result[] };

  const position = async () => Number((await server.get('/about/version')).headers['graticule-position']);

  it('runs its operations in order as one change, each seeing the results of the previous ones', async () => {
    const before = await position();

    const reply = await send(
      [
        { id: 'ws', ...create('harbour') },
        {
          method: 'POST',
          path: '/workspaces/harbour/styles?name=pier',
          contentType: 'application/vnd.ogc.sld+xml',
          content: sld,
        },
        { method: 'GET', path: '/workspaces/harbour/styles/pier' },
        { method: 'PUT', path: '/workspaces/harbour', body: { workspace: { isolated: true } } },
        { method: 'GET', path: '/workspaces/harbour', headers: { accept: 'application/xml' } },
      ],
      { message: 'publish the harbour' },
    );

    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers['graticule-change']).toBe(String(before + 1));
    expect(reply.headers['graticule-position']).toBe(String(before + 1));
    expect(resultsOf(reply)).toEqual({
      change: before + 1,
      results: [
        {
          id: 'ws',
          status: 201,
          headers: { Location: expect.stringContaining('/rest/workspaces/harbour') },
          content: 'harbour',
          contentType: expect.stringContaining('text/plain'),
        },
        expect.objectContaining({ status: 201 }),
        expect.objectContaining({ status: 200, body: { style: expect.objectContaining({ name: 'pier' }) } }),
        { status: 200, headers: {} },
        expect.objectContaining({ status: 200, contentType: expect.stringContaining('application/xml') }),
      ],
    });
    const { changes } = (await server.get(`/history?after=${before}`)).json() as {
      changes: { what: string; items: { path: string; action: string }[] }[];
    };
    expect(changes).toMatchObject([{ what: 'publish the harbour' }]);
    expect(changes[0]?.items.map(({ path, action }) => `${action} ${path}`)).toEqual(
      expect.arrayContaining(['create /workspaces/harbour', 'create /workspaces/harbour/styles/pier']),
    );
  });

  it('returns the final ETags of its resources', async () => {
    const reply = await send([create('tagged'), { method: 'GET', path: '/workspaces/tagged' }]);

    const later = await server.get('/workspaces/tagged.json');
    const [, read] = resultsOf(reply).results;
    expect(read?.headers.ETag).toBe(later.headers['etag']);
    expect(JSON.stringify(read?.body)).toBe(JSON.stringify(later.json()));
  });

  it('is described by its number of operations when it has no message', async () => {
    await send([create('one'), create('two')]);

    const { changes } = (await server.get('/history?limit=1')).json() as { changes: { what: string }[] };
    expect(changes[0]?.what).toBe('batch of 2 operations');
  });

  it('has no change number when nothing changed', async () => {
    const before = await position();

    const reply = await send([{ method: 'GET', path: '/workspaces' }]);

    expect(resultsOf(reply)).toMatchObject({ change: null, results: [{ status: 200 }] });
    expect(reply.headers['graticule-change']).toBeUndefined();
    expect(await position()).toBe(before);
  });

  it('applies nothing when an operation fails, and reports the operation and the reason', async () => {
    const before = await position();

    const reply = await send(
      [create('lost'), { id: 'second', method: 'DELETE', path: '/workspaces/nowhere' }, create('never')],
      {},
      { accept: 'application/xml' },
    );

    expect(reply.status).toBe(404);
    expect(reply.headers['content-type']).toContain('application/problem+json');
    expect(reply.json()).toMatchObject({
      status: 404,
      code: 'batch-failed',
      operation: 1,
      id: 'second',
      problem: { status: 404, code: 'workspace-unknown', detail: expect.any(String) },
    });
    expect((await server.get('/workspaces/lost')).status).toBe(404);
    expect(await position()).toBe(before);
  });

  it('requires the exact change number that it names', async () => {
    const now = await position();

    const moved = await send([create('late')], { ifPosition: now - 1 }, { accept: 'application/problem+json' });
    const kept = await send([create('in-time')], { ifPosition: now });

    expect(moved.status).toBe(412);
    expect(moved.json()).toMatchObject({ code: 'position-moved', position: now });
    expect(resultsOf(kept).change).toBe(now + 1);
  });

  it('supports a dry run of the whole batch', async () => {
    const before = await position();

    const reply = await send([create('tried'), { method: 'GET', path: '/workspaces/tried' }], {}, {}, '?dryRun=true');
    const failing = await send([create('tried'), create('tried')], {}, {}, '?dryRun=true');

    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'graticule-dry-run': 'true' });
    const { change, results } = resultsOf(reply);
    expect(change).toBeNull();
    expect(results).toMatchObject([{ status: 201 }, { status: 200 }]);
    expect(results[1]?.headers.ETag).toBeUndefined();
    expect(failing.status).toBe(409);
    expect((await server.get('/workspaces/tried')).status).toBe(404);
    expect(await position()).toBe(before);
  });

  it('returns the change that it made or would make, on request', async () => {
    const accept = 'application/vnd.graticule.change+json';

    const tried = await send([create('shown')], {}, { accept }, '?dryRun=true');
    const made = await send([create('shown')], { message: 'show it' }, { accept });

    expect(tried.json()).toMatchObject({ sequence: null, items: [{ path: '/workspaces/shown', action: 'create' }] });
    expect(made.json()).toMatchObject({
      sequence: Number(made.headers['graticule-change']),
      at: expect.stringMatching(/Z$/),
      what: 'show it',
      items: [{ path: '/workspaces/shown', action: 'create' }],
    });
  });

  it('returns the changes of each operation that requests them', async () => {
    const headers = { Accept: 'application/vnd.graticule.change+json' };
    const rename = { method: 'PUT', path: '/workspaces/first', body: { workspace: { name: 'later' } } };

    const reply = await send([
      create('first'),
      { ...create('second'), headers },
      { ...rename, headers },
      { method: 'DELETE', path: '/workspaces/second', headers },
    ]);

    expect(reply.status, reply.text).toBe(200);
    const reported = resultsOf(reply).results.slice(1) as unknown as { body: { items: { kind: string }[] } }[];
    expect(reported.map(({ body }) => body.items.filter(({ kind }) => kind === 'workspace'))).toMatchObject([
      [{ path: '/workspaces/second', action: 'create' }],
      [{ path: '/workspaces/later', action: 'update', before: { name: 'first' }, after: { name: 'later' } }],
      [{ path: '/workspaces/second', action: 'delete', before: { name: 'second' }, after: null }],
    ]);
  });

  it('reads its own writes in a dry run and leaves no file', async () => {
    const body = lineSld('tried');
    const style = { method: 'POST', path: '/styles?name=tried', content: body, contentType: SLD_TYPE };
    const read = { method: 'GET', path: '/styles/tried.sld', headers: { Accept: SLD_TYPE } };

    const before = await filesBelow(server.dataDir);
    const reply = await send([style, read], {}, {}, '?dryRun=true');

    expect(resultsOf(reply).results).toMatchObject([{ status: 201 }, { status: 200, content: body }]);
    expect(await filesBelow(server.dataDir)).toEqual(before);
  });

  it.each([
    ['no operations', { operations: [] }],
    ['a missing list of operations', {}],
    ['a long message', { message: 'm'.repeat(501), operations: [create('x')] }],
    ['an unknown member', { operations: [create('x')], wish: 1 }],
    ['an unknown member of an operation', { operations: [{ ...create('x'), wish: 1 }] }],
    [
      'the same id twice',
      {
        operations: [
          { id: 'a', ...create('x') },
          { id: 'a', ...create('y') },
        ],
      },
    ],
    ['a path without a leading slash', { operations: [{ method: 'GET', path: 'workspaces' }] }],
    ['a path with a parent segment', { operations: [{ method: 'GET', path: '/workspaces/../about' }] }],
    ['a path with an escaped parent segment', { operations: [{ method: 'GET', path: '/workspaces/%2E%2e/about' }] }],
    ['a path with a space', { operations: [{ method: 'GET', path: '/workspaces/a b' }] }],
    ['a path with an incomplete escape', { operations: [{ method: 'GET', path: '/workspaces/%4' }] }],
    ['a URL', { operations: [{ method: 'GET', path: 'http://elsewhere/' }] }],
    [
      'an unsupported header',
      { operations: [{ method: 'GET', path: '/workspaces', headers: { Authorization: 'Basic x' } }] },
    ],
    ['a body and content', { operations: [{ ...create('x'), content: 'x', contentType: 'text/plain' }] }],
    ['content without a type', { operations: [{ method: 'POST', path: '/workspaces', content: '{}' }] }],
    ['an invalid position', { ifPosition: -1, operations: [create('x')] }],
  ])('rejects %s', async (_what, document) => {
    const reply = await server.post('/batch', JSON.stringify(document), { accept: 'application/problem+json' });

    expect(reply.status, reply.text).toBe(400);
    expect(reply.json()).toMatchObject({ code: 'document-invalid' });
  });

  it.each([
    ['POST', '/batch'],
    ['POST', '/batch.json'],
    ['GET', '/configuration'],
    ['GET', '/history'],
    ['GET', '/history.json'],
    ['POST', '/history/1/undo'],
    ['GET', '/events'],
    ['GET', '/doctor'],
    ['GET', '/backup'],
    ['GET', '/security/masterpw'],
    ['POST', '/security/keystore/data-key'],
    ['PUT', '/security/masterpw.json'],
    ['PUT', '/workspaces/a/datastores/b/file.shp'],
    ['PUT', '/workspaces/a/datastores/b/url.shp'],
    ['PUT', '/workspaces/a/coveragestores/b/external.geotiff'],
    ['HEAD', '/workspaces'],
    ['get', '/workspaces'],
    ['DELETE', '/workspaces/a?dryRun=true'],
    ['DELETE', '/workspaces/a?DryRun=false'],
  ])('rejects an operation %s %s', async (method, path) => {
    const reply = await send([create('not-made'), { method, path }], {}, { accept: 'application/problem+json' });

    expect(reply.status, reply.text).toBe(400);
    expect(reply.json()).toMatchObject({ code: 'batch-operation-refused', operation: 1 });
    expect((await server.get('/workspaces/not-made')).status).toBe(404);
  });

  it('accepts at most a thousand operations', async () => {
    const read = { method: 'GET', path: '/workspaces/nowhere?quietOnNotFound=true' };

    const many = await send(Array(1_001).fill(read), {}, { accept: 'application/problem+json' });
    const notJson = await server.post('/batch', '<batch/>');

    expect(many.status).toBe(413);
    expect(many.json()).toMatchObject({ code: 'batch-too-large' });
    expect(notJson.status).toBe(415);
  });

  it('checks the conditions of each operation', async () => {
    await send([create('conditional')]);
    const { etag = '' } = (await server.get('/workspaces/conditional.json')).headers;
    const change = { method: 'PUT', path: '/workspaces/conditional', body: { workspace: { isolated: true } } };

    const stale = await send([{ ...change, headers: { 'If-Match': '"1.json"' } }]);
    const fresh = await send([{ ...change, headers: { 'If-Match': etag } }]);

    expect(stale.status).toBe(412);
    expect(fresh.status).toBe(200);
  });

  it('is open to workspace administrators, with their rights checked for each operation', async () => {
    const visitor = await addUser(server, 'visitor');
    const keeper = await addUser(server, 'keeper', 'ROLE_KEEPER');
    await server.post('/security/acl/layers', '{"kept.*.a":"ROLE_KEEPER"}');
    await server.post('/workspaces', '{"workspace":{"name":"kept"}}');

    const stranger = await send([create('theirs')], {}, { as: null });
    const roleless = await send([{ method: 'GET', path: '/workspaces' }], {}, { as: visitor });
    const refused = await send([{ method: 'GET', path: '/workspaces/kept' }, create('theirs')], {}, { as: keeper });
    const allowed = await send([{ method: 'GET', path: '/workspaces/kept' }], {}, { as: keeper });
    const wrong = await send([create('theirs')], {}, { as: 'admin:wrong' });

    expect(stranger.status).toBe(401);
    expect(stranger.headers['www-authenticate']).toContain('Basic');
    expect(roleless.json()).toEqual({ status: 403, message: 'The role ROLE_ADMINISTRATOR is required.' });
    expect(refused.status).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'batch-failed', operation: 1, problem: { status: 403 } });
    expect(allowed.status).toBe(200);
    expect(wrong.status).toBe(401);
    expect((await server.get('/workspaces/theirs')).status).toBe(404);
  });

  it('applies the rights and passwords that its own operations set', async () => {
    const clerk = await addUser(server, 'clerk', 'ADMIN');
    const read = { method: 'GET', path: '/security/roles' };

    const demoted = await send(
      [read, { method: 'DELETE', path: '/security/roles/role/ADMIN/user/clerk' }, read],
      {},
      { as: clerk },
    );
    const locked = await send(
      [
        { method: 'PUT', path: '/security/usergroup/user/clerk', body: { user: { password: 'another password' } } },
        read,
      ],
      {},
      { as: clerk },
    );

    expect(demoted.json()).toMatchObject({ code: 'batch-failed', operation: 2, problem: { status: 403 } });
    expect(locked.status).not.toBe(200);
    expect((await server.get('/security/roles', { as: clerk })).status).toBe(200);
  });

  itInDirectory('leaves no trace of a file that is moved away and back', async () => {
    await server.request('PUT', '/resource/data/round/a.txt', { type: 'text/plain', body: 'a' });
    const move = (to: string, from: string) => ({
      method: 'PUT',
      path: `/resource/data/round/${to}?operation=move`,
      contentType: 'text/plain',
      content: `/data/round/${from}`,
    });

    const reply = await send([move('b.txt', 'a.txt'), move('a.txt', 'b.txt')]);

    expect(reply.status, reply.text).toBe(200);
    expect(await readdir(join(server.dataDir, 'data/round'))).toEqual(['a.txt']);
    expect(await readFile(join(server.dataDir, 'data/round/a.txt'), 'utf8')).toBe('a');
  });

  it('opens URLs according to the URL checks that its own operations set', async () => {
    const question = {
      method: 'POST',
      path: '/urlchecks/test',
      content: 'https://maps.example/x',
      contentType: 'text/plain',
    };
    const check = {
      method: 'POST',
      path: '/urlchecks',
      body: { regexUrlCheck: { name: 'maps', enabled: true, regex: '^https://maps\\.example/.*$' } },
    };

    const reply = await send([question, check, question], {}, {}, '?dryRun=true');

    expect(reply.status, reply.text).toBe(200);
    const [before, , after] = resultsOf(reply).results;
    expect(JSON.stringify(before?.body)).not.toBe(JSON.stringify(after?.body));
  });

  describeInDirectory('a batch with files below data', () => {
    const put = (path: string, content: string, headers = {}) => ({
      method: 'PUT',
      path: `/resource/${path}`,
      content,
      contentType: 'text/plain',
      headers,
    });
    const read = (path: string) => ({ method: 'GET', path: `/resource/${path}`, headers: { accept: '*/*' } });
    const remove = (path: string) => ({ method: 'DELETE', path: `/resource/${path}` });
    const onDisk = (path: string) => readFile(join(server.dataDir, path), 'utf8');

    it('writes, copies, moves and deletes files, each operation seeing the previous ones', async () => {
      await server.request('PUT', '/resource/data/kept/old.txt', { body: 'old' });

      const reply = await send([
        create('filed'),
        put('data/filed/deep/a.txt', 'one'),
        put('data/filed/deep/a.txt', 'two'),
        put('data/filed/b.txt?operation=copy', 'data/filed/deep/a.txt'),
        put('data/filed/c.txt?operation=move', 'data/kept/old.txt'),
        remove('data/kept'),
        read('data/filed/b.txt'),
        { method: 'GET', path: '/resource/data/filed?format=json' },
        read('data/filed/deep/a.txt'),
      ]);

      expect(reply.status, reply.text).toBe(200);
      const { results } = resultsOf(reply);
      expect(results.map(({ status }) => status)).toEqual([201, 201, 200, 201, 201, 200, 200, 200, 200]);
      expect(results[6]?.content).toBe('two');
      expect(JSON.stringify(results[7]?.body)).toMatch(/b\.txt.*c\.txt.*deep/);
      expect(await onDisk('data/filed/deep/a.txt')).toBe('two');
      expect(await onDisk('data/filed/c.txt')).toBe('old');
      expect(await readdir(join(server.dataDir, 'data'))).not.toContain('kept');
      const now = await server.get('/resource/data/filed/deep/a.txt');
      expect(now.headers['etag']).toBe(results[8]?.headers.ETag);
    });

    it('leaves the files unchanged after a failed operation and after a dry run', async () => {
      await server.request('PUT', '/resource/data/stays.txt', { body: 'stays' });
      const before = await filesBelow(server.dataDir);
      const operations = [put('data/stays.txt', 'changed'), put('data/new/file.txt', 'new'), read('data/new/file.txt')];

      const tried = await send(operations, {}, {}, '?dryRun=true');
      const failed = await send([...operations, { method: 'GET', path: '/workspaces/nowhere' }]);

      expect(resultsOf(tried).results.map(({ status }) => status)).toEqual([200, 201, 200]);
      expect(failed.json()).toMatchObject({ code: 'batch-failed', operation: 3 });
      expect(await onDisk('data/stays.txt')).toBe('stays');
      expect(await filesBelow(server.dataDir)).toEqual(before);
    });

    it('has no change number when only files change, and leaves no temporary files', async () => {
      const before = await position();

      const reply = await send([put('data/alone.txt', 'alone')]);

      expect(resultsOf(reply).change).toBe(null);
      expect(await position()).toBe(before);
      expect(await onDisk('data/alone.txt')).toBe('alone');
      expect(await readdir(join(server.dataDir, 'data-writes'))).toEqual([]);
      expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
    });

    it('replaces a file with a folder and a folder with a file', async () => {
      await send([put('data/swap/file', 'file'), put('data/swap/folder/inside', 'inside')]);

      const reply = await send([
        remove('data/swap/file'),
        put('data/swap/file/now/a', 'folder'),
        remove('data/swap/folder/inside'),
        remove('data/swap/folder'),
        put('data/swap/folder', 'file'),
      ]);

      expect(reply.status, reply.text).toBe(200);
      expect(await onDisk('data/swap/file/now/a')).toBe('folder');
      expect(await onDisk('data/swap/folder')).toBe('file');
    });

    it('rejects the same operations as a single request, and checks the conditions of each', async () => {
      await send([put('data/known.txt', 'known')]);
      const etag = (await server.get('/resource/data/known.txt')).headers['etag'] ?? '';

      const below = await send([put('data/x', 'x'), put('data/x/y', 'y')]);
      const full = await send([put('data/y/z', 'z'), remove('data/y')]);
      const changed = await send([
        put('data/known.txt', 'a', { 'If-Match': etag }),
        put('data/known.txt', 'b', { 'If-Match': etag }),
      ]);

      expect(below.json()).toMatchObject({ status: 403, operation: 1, problem: { code: 'path-refused' } });
      expect(full.json()).toMatchObject({ status: 403, operation: 1, problem: { code: 'resource-not-empty' } });
      expect(changed.json()).toMatchObject({ status: 412, operation: 1 });
      expect(await onDisk('data/known.txt')).toBe('known');
    });

    it('is serialized with concurrent writers of the same files', async () => {
      await server.request('PUT', '/resource/data/count.txt', { body: '' });
      const writers = Array.from({ length: 12 }, (_, index) =>
        index % 3 === 0
          ? server.request('PUT', '/resource/data/count.txt', { body: `alone-${index}` })
          : send([
              put('data/count.txt', `batch-${index}`),
              put(`data/others/${index}`, 'x'),
              create(`count-${index}`),
              read('data/count.txt'),
            ]),
      );

      const replies = await Promise.all(writers);

      expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
      for (const [index, reply] of replies.entries()) {
        if (index % 3 !== 0) expect(resultsOf(reply).results[3]?.content).toBe(`batch-${index}`);
      }
      expect((await readdir(join(server.dataDir, 'data/others'))).length).toBe(8);
      expect(await onDisk('data/count.txt')).toMatch(/^(alone|batch)-\d+$/);
      expect(await readdir(join(server.dataDir, 'data-writes'))).toEqual([]);
    });

    it('runs once per idempotency key', async () => {
      const headers = { 'idempotency-key': 'moved-once' };
      await send([put('data/from.txt', 'moved')]);
      const move = () =>
        server.request('PUT', '/resource/data/to.txt?operation=move', {
          type: 'text/plain',
          body: 'data/from.txt',
          headers,
        });

      const first = await move();
      const again = await move();

      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(await onDisk('data/to.txt')).toBe('moved');
    });
  });

  it('is based on the state at commit time, however many batches run concurrently', async () => {
    const batches = Array.from({ length: 8 }, (_, index) =>
      send([create(`many-${index}`), { method: 'GET', path: `/workspaces/many-${index}` }]),
    );

    const replies = await Promise.all(batches);

    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(replies.map((reply) => resultsOf(reply).change)).size).toBe(8);
    for (const [index, reply] of replies.entries()) {
      const later = await server.get(`/workspaces/many-${index}.json`);
      expect(resultsOf(reply).results[1]?.headers.ETag).toBe(later.headers['etag']);
    }
  });
});
