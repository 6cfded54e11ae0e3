import { describe, expect, it } from 'vitest';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';

const base = 'http://localhost:80/geoserver/rest';

function namespace(prefix: string, uri = `http://example.org/${prefix}`): string {
  return `<namespace><prefix>${prefix}</prefix><uri>${uri}</uri></namespace>`;
}

/** Adds a resource to the workspace of a namespace, so that it is not empty. */
async function fill({ server }: TestServer, prefix: string, ...stores: readonly string[]): Promise<void> {
  const workspace = await server.storage.find('workspace', null, prefix);
  await server.storage.write({ who: 'test', what: 'put something in' }, async (transaction) => {
    for (const name of stores) {
      await transaction.insert({ kind: 'dataStore', parent: workspace?.id ?? null, name, body: {}, keys: {} });
    }
  });
}

describe('namespace update', () => {
  const server = useTestServer();

  it('changes only the sent fields, and answers 200 without a body', async () => {
    await server.post('/namespaces', namespace('part'));

    const reply = await server.put('/namespaces/part', '<namespace><uri>urn:part</uri></namespace>');

    expect(reply).toMatchObject({ status: 200, text: '' });
    expect((await server.get('/namespaces/part.json')).json()).toEqual({
      namespace: { prefix: 'part', uri: 'urn:part', isolated: false },
    });
  });

  it('renames the namespace with its workspace', async () => {
    await server.post('/namespaces', namespace('old'));

    const reply = await server.put('/namespaces/old.xml', '<namespace><prefix>new</prefix></namespace>');

    expect(reply.status).toBe(200);
    expect((await server.get('/namespaces/old')).status).toBe(404);
    expect((await server.get('/workspaces/new.json')).status).toBe(200);
    expect((await server.get('/namespaces/new.json')).json()).toMatchObject({
      namespace: { prefix: 'new', uri: 'http://example.org/old' },
    });
  });

  it('restores the default URI when it is cleared', async () => {
    await server.post('/namespaces', namespace('plain'));

    await server.put('/namespaces/plain', '{"namespace":{"uri":null}}');

    expect((await server.get('/namespaces/plain.json')).json()).toMatchObject({ namespace: { uri: 'http://plain' } });
  });

  it.each(['xml', 'json'])('changes nothing when its own %s document is sent back', async (format) => {
    await server.post('/namespaces', namespace(`same-${format}`, `urn:${format}:&lt;&amp;`));
    const before = await server.get(`/namespaces/same-${format}.${format}`);

    const reply = await server.put(`/namespaces/same-${format}`, before.text, { type: format });

    expect(reply.status).toBe(200);
    const after = await server.get(`/namespaces/same-${format}.${format}`);
    expect(after.text).toBe(before.text);
    expect(after.headers['etag']).toBe(before.headers['etag']);
  });

  it('rejects with 409 a URI in use and the end of an isolation that would conflict', async () => {
    await server.post('/namespaces', namespace('first', 'urn:one'));
    await server.post('/namespaces', '{"namespace":{"prefix":"loner","uri":"urn:one","isolated":true}}');
    await server.post('/namespaces', namespace('second', 'urn:two'));

    expect((await server.put('/namespaces/second', '<namespace><uri>urn:one</uri></namespace>')).status).toBe(409);
    expect((await server.put('/namespaces/loner', '{"namespace":{"isolated":false}}')).status).toBe(409);
    expect((await server.put('/namespaces/loner', '{"namespace":{"isolated":false,"uri":"urn:3"}}')).status).toBe(200);
    expect((await server.get('/namespaces/second.json')).json()).toMatchObject({ namespace: { uri: 'urn:two' } });
  });

  it('rejects a prefix in use, an empty one, an invalid one and an unknown namespace', async () => {
    await server.post('/namespaces', namespace('one'));
    await server.post('/namespaces', namespace('two'));
    const put = (path: string, prefix: string) =>
      server.put(path, `<namespace><prefix>${prefix}</prefix></namespace>`, { accept: 'application/problem+json' });

    expect((await put('/namespaces/one', 'two')).json()).toMatchObject({ status: 409, code: 'namespace-exists' });
    expect((await put('/namespaces/one', '')).json()).toMatchObject({
      status: 400,
      code: 'name-emptied',
      field: 'namespace.prefix',
    });
    expect((await put('/namespaces/one', '..')).json()).toMatchObject({ status: 400, code: 'name-illegal' });
    expect((await put('/namespaces/nowhere', 'x')).json()).toMatchObject({ status: 404, code: 'namespace-unknown' });
    expect((await server.get('/namespaces/one')).status).toBe(200);
  });

  it('accepts only one of two changes based on the same version', async () => {
    await server.post('/namespaces', namespace('contested'));
    const etag = (await server.get('/namespaces/contested')).headers['etag'] ?? '';
    const change = (uri: string) =>
      server.put('/namespaces/contested', `<namespace><uri>${uri}</uri></namespace>`, {
        headers: { 'if-match': etag },
      });

    const replies = await Promise.all([change('urn:ann'), change('urn:bob')]);

    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 412]);
  });
});

describe('default namespace', () => {
  const server = useTestServer();

  it('is that of the default workspace, and can be selected', async () => {
    await server.post('/namespaces', namespace('first'));
    await server.post('/namespaces', namespace('second'));

    expect((await server.get('/namespaces/default.json')).json()).toMatchObject({ namespace: { prefix: 'first' } });
    expect(await server.put('/namespaces/default', '<namespace><prefix>second</prefix></namespace>')).toMatchObject({
      status: 200,
      text: '',
    });
    expect((await server.get('/namespaces/default.json')).json()).toMatchObject({ namespace: { prefix: 'second' } });
    expect((await server.get('/workspaces/default.json')).json()).toMatchObject({ workspace: { name: 'second' } });
  });

  it('has an ETag that changes with the selection and with the content', async () => {
    await server.post('/namespaces', namespace('third'));
    const tag = async () => (await server.get('/namespaces/default')).headers['etag'] ?? '';
    const before = await tag();

    await server.put('/namespaces/default', '<namespace><prefix>third</prefix></namespace>', {
      headers: { 'if-match': before },
    });
    const chosen = await tag();
    await server.put('/namespaces/third', '<namespace><uri>urn:third</uri></namespace>');
    const changed = await tag();

    expect(new Set([before, chosen, changed]).size).toBe(3);
    const stale = { headers: { 'if-match': before } };
    expect((await server.put('/namespaces/default', '{"namespace":{"prefix":"first"}}', stale)).status).toBe(412);
  });

  it('cannot be unknown, empty or deleted', async () => {
    expect((await server.put('/namespaces/default', namespace('missing'))).status).toBe(404);
    expect((await server.put('/namespaces/default', '<namespace/>')).status).toBe(400);
    const deleted = await server.delete('/namespaces/default');
    expect(deleted.status).toBe(405);
    expect(deleted.headers['allow']).toBe('GET, HEAD, OPTIONS, PUT');
  });
});

describe('namespace deletion', () => {
  const server = useTestServer();

  it('deletes the workspace', async () => {
    await server.post('/namespaces', namespace('gone'));

    expect(await server.delete('/namespaces/gone.xml')).toMatchObject({ status: 200, text: '' });
    expect((await server.get('/workspaces/gone')).status).toBe(404);
    expect((await server.delete('/namespaces/gone')).status).toBe(404);
  });

  it('is rejected with 403 while its workspace is not empty, and the error names the contents', async () => {
    await server.post('/namespaces', namespace('full'));
    await fill(server, 'full', ...Array.from({ length: 12 }, (_, index) => `store${10 + index}`));

    const refused = await server.delete('/namespaces/full', { accept: 'application/problem+json' });
    const recursed = await server.delete('/namespaces/full?recurse=true');

    expect(refused.status).toBe(403);
    expect(refused.json()).toMatchObject({
      code: 'namespace-not-empty',
      detail: expect.stringContaining("dataStore 'store19' and 2 more"),
      blockers: expect.arrayContaining(["dataStore 'store10'"]),
    });
    expect(recursed.status).toBe(200);
    expect(await server.server.storage.count('dataStore')).toBe(0);
  });

  it('is rejected with 412 after a change by another client', async () => {
    await server.post('/namespaces', namespace('moved'));
    const etag = (await server.get('/namespaces/moved')).headers['etag'] ?? '';
    await server.put('/namespaces/moved', '<namespace><uri>urn:moved</uri></namespace>');

    expect((await server.delete('/namespaces/moved', { headers: { 'if-match': etag } })).status).toBe(412);
    expect((await server.get('/namespaces/moved')).status).toBe(200);
  });
});

describe('with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('uses JSON by default, an empty list as text, and atom links', async () => {
    expect((await server.get('/namespaces')).text).toBe('{"namespaces":""}');
    await server.post('/namespaces', namespace('acme', 'http://acme'));

    expect((await server.get('/namespaces')).json()).toEqual({
      namespaces: { namespace: [{ name: 'acme', href: `${base}/namespaces/acme.json` }] },
    });
    expect((await server.get('/namespaces.xml')).text).toContain(
      `href="${base}/namespaces/acme.xml" type="application/atom+xml"`,
    );
    expect((await server.get('/namespaces/acme')).text).toBe(
      '{"namespace":{"prefix":"acme","uri":"http://acme","isolated":false}}',
    );
  });

  it('rejects another prefix of an existing namespace with 403', async () => {
    await server.post('/namespaces', namespace('fixed'));

    const reply = await server.put('/namespaces/fixed', namespace('other', 'urn:new'));

    expect(reply.status).toBe(403);
    expect(reply.text).toContain("The prefix of the namespace 'fixed' cannot be changed");
    expect((await server.get('/namespaces/fixed')).json()).toMatchObject({
      namespace: { uri: 'http://example.org/fixed' },
    });
    expect((await server.put('/namespaces/fixed', namespace('fixed', 'urn:new'))).status).toBe(200);
    expect((await server.put('/namespaces/nowhere', namespace('other'))).status).toBe(404);
  });

  it('rejects the deletion of a namespace that is not empty with 401', async () => {
    await server.post('/namespaces', namespace('full'));
    await fill(server, 'full', 'roads');

    const reply = await server.delete('/namespaces/full');

    expect(reply.status).toBe(401);
    expect(reply.text).toContain("contains dataStore 'roads'");
    expect((await server.delete('/namespaces/full?recurse=true')).status).toBe(200);
  });

  it('has no DELETE for the default namespace, unlike workspaces', async () => {
    expect((await server.delete('/namespaces/default')).status).toBe(405);
  });
});
