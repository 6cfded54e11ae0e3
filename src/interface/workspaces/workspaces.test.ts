import { describe, expect, it } from 'vitest';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';

const base = 'http://localhost:80/geoserver/rest';

describe('workspaces of a new server', () => {
  it('are an empty list in each format', async () => {
    const server = await startTestServer();

    expect((await server.get('/workspaces.xml')).text).toBe('<workspaces/>\n');
    expect((await server.get('/workspaces.json')).json()).toEqual({ workspaces: { workspace: [] } });
    expect((await server.get('/workspaces.html')).text).toContain('No items.');
    expect((await server.get('/workspaces/default')).status).toBe(404);
    await server.close();
  });

  it('get a default with the first workspace, and another one when it is deleted', async () => {
    const server = await startTestServer();
    await server.post('/workspaces', '<workspace><name>first</name></workspace>');
    await server.post('/workspaces', '<workspace><name>second</name></workspace>');

    expect((await server.get('/workspaces/default.json')).json()).toMatchObject({ workspace: { name: 'first' } });
    await server.delete('/workspaces/first');
    expect((await server.get('/workspaces/default.json')).json()).toMatchObject({ workspace: { name: 'second' } });
    await server.delete('/workspaces/second');
    expect((await server.get('/workspaces/default.json')).status).toBe(404);
    await server.close();
  });
});

describe('workspace creation', () => {
  const server = useTestServer();

  it('answers 201 with its Location and its name', async () => {
    const reply = await server.post('/workspaces', '<workspace><name>acme</name></workspace>', { type: 'text/xml' });

    expect(reply).toMatchObject({ status: 201, text: 'acme' });
    expect(reply.headers['location']).toBe(`${base}/workspaces/acme`);
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('returns the workspace in XML with links to its collections', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"shown"}}');

    const reply = await server.get('/workspaces/shown.xml');

    expect(reply.headers['content-type']).toBe('application/xml');
    expect(reply.text.replace(/<dateCreated>.*<\/dateCreated>/, '<dateCreated/>')).toBe(`<workspace>
  <name>shown</name>
  <isolated>false</isolated>
  <dateCreated/>
${['dataStores', 'coverageStores', 'wmsStores', 'wmtsStores']
  .map(
    (name) => `  <${name}>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="${base}/workspaces/shown/${name.toLowerCase()}.xml" type="application/xml"/>
  </${name}>
`,
  )
  .join('')}</workspace>
`);
  });

  it('returns the workspace in JSON with links as plain URLs', async () => {
    await server.post('/workspaces', "{'workspace':{'name':'quoted',}}");

    const reply = await server.get('/workspaces/quoted.json');

    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.json()).toEqual({
      workspace: {
        name: 'quoted',
        isolated: false,
        dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$/),
        dataStores: `${base}/workspaces/quoted/datastores.json`,
        coverageStores: `${base}/workspaces/quoted/coveragestores.json`,
        wmsStores: `${base}/workspaces/quoted/wmsstores.json`,
        wmtsStores: `${base}/workspaces/quoted/wmtsstores.json`,
      },
    });
  });

  it('creates the namespace', async () => {
    await server.post('/workspaces', '<workspace><name>spaced</name></workspace>');

    expect((await server.get('/namespaces/spaced.json')).json()).toEqual({
      namespace: { prefix: 'spaced', uri: 'http://spaced', isolated: false },
    });
  });

  it('can make it the default workspace', async () => {
    await server.post('/workspaces?default=True', '<workspace><name>chosen</name></workspace>');

    expect((await server.get('/workspaces/default.json')).json()).toMatchObject({ workspace: { name: 'chosen' } });
    expect((await server.get('/workspaces.html')).text).toContain('chosen</a> <span class="note">default</span>');
  });

  it('rejects an existing name with 409', async () => {
    await server.post('/workspaces', '<workspace><name>twice</name></workspace>');

    const reply = await server.post('/workspaces', '<workspace><name>twice</name></workspace>');

    expect(reply.status).toBe(409);
    expect(reply.text).toContain("A workspace named 'twice' already exists.");
  });

  it('rejects a URI in use unless the workspace is isolated', async () => {
    await server.post('/namespaces', '<namespace><prefix>owner</prefix><uri>http://wanted</uri></namespace>');

    const refused = await server.post('/workspaces', '<workspace><name>wanted</name></workspace>');
    const isolated = await server.post('/workspaces', '{"workspace":{"name":"wanted","isolated":true}}');

    expect(refused.status).toBe(409);
    expect(refused.text).toContain("the namespace 'owner' uses it");
    expect(isolated.status).toBe(201);
  });

  it.each([
    ['no name', '<workspace/>', 'workspace.name: is required'],
    ['a null name', '{"workspace":{"name":null}}', 'workspace.name: is required'],
    ['an empty name', '<workspace><name></name></workspace>', 'it is empty'],
    ['a slash', '<workspace><name>a/b</name></workspace>', 'it contains the character /'],
    ['a backslash', '{"workspace":{"name":"a\\\\b"}}', 'it contains the character \\'],
    ['a colon', '<workspace><name>a:b</name></workspace>', 'it contains the character :'],
    ['a control character', '{"workspace":{"name":"a\\u0007b"}}', 'it contains a control character'],
    ['traversal', '<workspace><name>..</name></workspace>', 'dot'],
    ['a leading dot', '<workspace><name>.hidden</name></workspace>', 'it begins with a dot'],
    ['a trailing dot', '<workspace><name>dot.</name></workspace>', 'it ends with a dot'],
    ['surrounding spaces', '<workspace><name> roomy </name></workspace>', 'begins or ends with a space'],
    ['the reserved name', '<workspace><name>default</name></workspace>', 'it is reserved'],
    ['the reserved name with an extension', '<workspace><name>default.json</name></workspace>', 'it is reserved'],
    ['201 bytes', `<workspace><name>${'é'.repeat(100)}x</name></workspace>`, 'longer than 200 bytes'],
    ['a name that is an object', '{"workspace":{"name":{"a":1}}}', 'text was expected, but an object was found'],
    ['two names', '{"workspace":{"name":["a","b"]}}', 'a list of 2 values'],
    [
      'an invalid flag',
      '{"workspace":{"name":"flagged","isolated":"maybe"}}',
      "true or false was expected, but 'maybe'",
    ],
    ['another root', '<datastore><name>x</name></datastore>', "Expected a 'workspace' document"],
    ['no root', '{"name":"x"}', "Expected a 'workspace' document"],
    ['a list', '["x"]', 'a list'],
    ['broken XML', '<workspace><name>x</workspace>', 'not well-formed at line 1'],
    ['broken JSON', '{"workspace":', 'not well-formed at line 1'],
    ['a DOCTYPE', '<!DOCTYPE x><workspace><name>x</name></workspace>', 'DOCTYPE'],
  ])('rejects %s with 400', async (_case, body, message) => {
    const before = (await server.get('/workspaces.json')).text;

    const reply = await server.post('/workspaces', body);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(message);
    expect((await server.get('/workspaces.json')).text).toBe(before);
  });

  it('rejects an empty body with 400', async () => {
    expect((await server.post('/workspaces', '', { type: 'xml' })).text).toContain('The request has no body');
  });

  it('reports all errors together', async () => {
    const reply = await server.post('/workspaces', '{"workspace":{"isolated":"x","metadata":"y"}}');

    expect(reply.json()).toEqual({
      status: 400,
      message:
        "workspace.name: is required; workspace.metadata: keys with values were expected, but a plain value or list was found; workspace.isolated: true or false was expected, but 'x' was found",
    });
  });
});

describe('workspace update', () => {
  const server = useTestServer();

  it('renames the workspace with its namespace and keeps the URI', async () => {
    await server.post('/workspaces', '<workspace><name>old</name></workspace>');

    const reply = await server.put('/workspaces/old', '<workspace><name>new</name></workspace>');

    expect(reply).toMatchObject({ status: 200, text: '' });
    expect((await server.get('/workspaces/old')).status).toBe(404);
    expect((await server.get('/namespaces/new.json')).json()).toMatchObject({
      namespace: { prefix: 'new', uri: 'http://old' },
    });
  });

  it('changes only the sent fields and clears null fields', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"kept","isolated":true,"metadata":{"a":"1"}}}');

    await server.put('/workspaces/kept', '<workspace><metadata><entry key="b">2</entry></metadata></workspace>');
    expect((await server.get('/workspaces/kept.json')).json()).toMatchObject({
      workspace: { name: 'kept', isolated: true, metadata: { entry: [{ '@key': 'b', $: '2' }] } },
    });

    await server.put('/workspaces/kept', '{"workspace":{"metadata":null}}');
    const { workspace } = (await server.get('/workspaces/kept.json')).json() as { workspace: object };
    expect(workspace).not.toHaveProperty('metadata');
  });

  it.each([
    ['as entries', '<metadata><entry key="k">v</entry></metadata>'],
    ['as elements', '<metadata><k>v</k></metadata>'],
    ['as wrapped strings', '<metadata><k><string>v</string></k></metadata>'],
    ['as pairs of strings', '<metadata><entry><string>k</string><string>v</string></entry></metadata>'],
  ])('accepts a map %s', async (how, metadata) => {
    const name = `map ${how}`;
    await server.post('/workspaces', `<workspace><name>${name}</name>${metadata}</workspace>`);

    expect((await server.get(`/workspaces/${encodeURIComponent(name)}.json`)).json()).toMatchObject({
      workspace: { metadata: { entry: [{ '@key': 'k', $: 'v' }] } },
    });
  });

  it.each(['xml', 'json'])('changes nothing when its own %s document is sent back', async (format) => {
    await server.post('/workspaces', `{"workspace":{"name":"same ${format}","isolated":true,"metadata":{"a":"&<"}}}`);
    const before = await server.get(`/workspaces/same%20${format}.${format}`);

    const reply = await server.put(`/workspaces/same+${format}`, before.text, { type: format });

    expect(reply.status).toBe(200);
    const after = await server.get(`/workspaces/same%20${format}.${format}`);
    expect(after.text).toBe(before.text);
    expect(after.headers['etag']).toBe(before.headers['etag']);
  });

  it('rejects a name in use, an empty name and an unknown workspace', async () => {
    await server.post('/workspaces', '<workspace><name>one</name></workspace>');
    await server.post('/workspaces', '<workspace><name>two</name></workspace>');

    expect((await server.put('/workspaces/one', '<workspace><name>two</name></workspace>')).status).toBe(409);
    expect((await server.put('/workspaces/one', '<workspace><name/></workspace>')).status).toBe(400);
    expect((await server.put('/workspaces/nowhere', '<workspace/>')).status).toBe(404);
    expect((await server.get('/workspaces/one')).status).toBe(200);
  });

  it('selects the default workspace by PUT /workspaces/default', async () => {
    await server.post('/workspaces', '<workspace><name>elect</name></workspace>');

    expect((await server.put('/workspaces/default.xml', '<workspace><name>elect</name></workspace>')).status).toBe(200);
    expect((await server.get('/workspaces/default.json')).json()).toMatchObject({ workspace: { name: 'elect' } });
    expect((await server.put('/workspaces/default', '<workspace><name>missing</name></workspace>')).status).toBe(404);
    expect((await server.put('/workspaces/default', '<workspace/>')).status).toBe(400);
  });
});

describe('workspace deletion', () => {
  const server = useTestServer();

  it('deletes the namespace', async () => {
    await server.post('/workspaces', '<workspace><name>gone</name></workspace>');

    expect(await server.delete('/workspaces/gone.xml')).toMatchObject({ status: 200, text: '' });
    expect((await server.get('/namespaces/gone')).status).toBe(404);
    expect((await server.delete('/workspaces/gone')).status).toBe(404);
  });

  it('is rejected while the workspace is not empty, and the error names the contents', async () => {
    await server.post('/workspaces', '<workspace><name>full</name></workspace>');
    const workspace = await server.server.storage.find('workspace', null, 'full');
    await server.server.storage.write({ who: 'test', what: 'put something in' }, (transaction) =>
      transaction.insert({ kind: 'dataStore', parent: workspace?.id ?? null, name: 'roads', body: {}, keys: {} }),
    );

    const refused = await server.delete('/workspaces/full', { accept: 'application/problem+json' });
    const recursed = await server.delete('/workspaces/full?recurse=TRUE');

    expect(refused.status).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'workspace-not-empty', blockers: ["dataStore 'roads'"] });
    expect(recursed.status).toBe(200);
    expect(await server.server.storage.count('dataStore')).toBe(0);
  });

  it('rejects a recurse that is neither true nor false', async () => {
    await server.post('/workspaces', '<workspace><name>maybe</name></workspace>');

    const reply = await server.delete('/workspaces/maybe?recurse=perhaps');

    expect(reply.status).toBe(400);
    expect(reply.text).toContain("Invalid value 'perhaps' for the query parameter 'recurse'. Expected true or false");
  });

  it('is rejected for /workspaces/default', async () => {
    const reply = await server.delete('/workspaces/default');

    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toBe('GET, HEAD, OPTIONS, PUT');
  });
});

describe('workspace retrieval', () => {
  const server = useTestServer();

  it('returns a problem document for an unknown workspace, also by default', async () => {
    for (const accept of ['application/problem+json', 'application/problem+json, text/xml']) {
      const reply = await server.get('/workspaces/nowhere', { accept });

      expect(reply.headers['content-type']).toBe('application/problem+json');
      expect(reply.json()).toMatchObject({ status: 404, code: 'workspace-unknown' });
    }
  });
});

describe('workspaces with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('are JSON by default, with empty lists as text and errors as plain text', async () => {
    expect((await server.get('/workspaces')).json()).toEqual({ workspaces: '' });
    await server.post('/workspaces', '{"workspace":{"name":"acme","metadata":{"a":"1"}}}');

    expect((await server.get('/workspaces')).json()).toMatchObject({ workspaces: { workspace: [{ name: 'acme' }] } });
    expect((await server.get('/workspaces/acme')).json()).toMatchObject({
      workspace: { metadata: { entry: { '@key': 'a', $: '1' } } },
    });
    expect((await server.get('/workspaces.xml')).text).toContain('type="application/atom+xml"');
    expect((await server.get('/workspaces/no.json')).text).toBe("No such workspace: 'no'.\n");
  });

  it('can be deleted as the default workspace, and reject an empty name with 403', async () => {
    await server.post('/workspaces?default=true', '{"workspace":{"name":"doomed"}}');

    expect((await server.put('/workspaces/doomed', '{"workspace":{"name":""}}')).status).toBe(403);
    expect((await server.delete('/workspaces/default')).status).toBe(200);
    expect((await server.get('/workspaces/doomed')).status).toBe(404);
  });
});
