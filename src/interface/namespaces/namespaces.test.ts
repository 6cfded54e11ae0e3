import { describe, expect, it } from 'vitest';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';

const base = 'http://localhost:80/geoserver/rest';

function namespace(prefix: string, uri = `http://example.org/${prefix}`): string {
  return `<namespace><prefix>${prefix}</prefix><uri>${uri}</uri></namespace>`;
}

describe('namespace listing', () => {
  it('is empty on a new server, in each format', async () => {
    const server = await startTestServer();

    expect((await server.get('/namespaces.xml')).text).toBe('<namespaces/>\n');
    expect((await server.get('/namespaces.json')).json()).toEqual({ namespaces: { namespace: [] } });
    expect((await server.get('/namespaces.html')).text).toContain('No items.');
    expect((await server.get('/namespaces/default')).status).toBe(404);
    await server.close();
  });

  it('contains each prefix with a link, in order, in each format', async () => {
    const server = await startTestServer();
    await server.post('/namespaces', namespace('it.geosolutions'));
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');

    expect((await server.get('/namespaces')).text).toBe(`<namespaces>
  <namespace>
    <name>acme</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="${base}/namespaces/acme.xml" type="application/xml"/>
  </namespace>
  <namespace>
    <name>it.geosolutions</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="${base}/namespaces/it.geosolutions.xml" type="application/xml"/>
  </namespace>
</namespaces>
`);
    expect((await server.get('/namespaces.json')).text).toBe(
      `{"namespaces":{"namespace":[{"name":"acme","href":"${base}/namespaces/acme.json"},{"name":"it.geosolutions","href":"${base}/namespaces/it.geosolutions.json"}]}}`,
    );
    const page = (await server.get('/namespaces', { accept: 'text/html' })).text;
    expect(page).toContain('<h1>Namespaces</h1>');
    expect(page).toContain(`<a href="${base}/namespaces/acme.html">acme</a>`);
    expect(page).toContain(`it.geosolutions</a> <span class="note">default</span>`);
    await server.close();
  });

  it.each(['PUT', 'DELETE'])('is the only operation besides creation: %s is 405', async (method) => {
    const server = await startTestServer();

    const reply = await server.request(method, '/namespaces', { type: 'xml', body: namespace('x') });

    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toBe('GET, HEAD, OPTIONS, POST');
    await server.close();
  });
});

describe('namespace creation', () => {
  const server = useTestServer();

  it('answers 201 with its Location and its prefix', async () => {
    const reply = await server.post('/namespaces', namespace('nsx'), { type: 'text/xml' });

    expect(reply).toMatchObject({ status: 201, text: 'nsx' });
    expect(reply.headers['location']).toBe(`${base}/namespaces/nsx`);
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('accepts JSON as well', async () => {
    const body = '{"namespace":{"prefix":"js","uri":"urn:js","isolated":true}}';

    expect((await server.post('/namespaces.json', body)).status).toBe(201);
    expect((await server.get('/namespaces/js.json')).text).toBe(
      '{"namespace":{"prefix":"js","uri":"urn:js","isolated":true}}',
    );
  });

  it('is visible in each format', async () => {
    await server.post('/namespaces', namespace('shown'));

    expect((await server.get('/namespaces/shown.xml')).text).toBe(`<namespace>
  <prefix>shown</prefix>
  <uri>http://example.org/shown</uri>
  <isolated>false</isolated>
</namespace>
`);
    expect((await server.get('/namespaces/shown.json')).text).toBe(
      '{"namespace":{"prefix":"shown","uri":"http://example.org/shown","isolated":false}}',
    );
    const page = (await server.get('/namespaces/shown.html')).text;
    expect(page).toContain('<h1>Namespace shown</h1>');
    expect(page).toContain('<th scope="row">uri</th><td>http://example.org/shown</td>');
    expect(page).toContain(`<a href="${base}/namespaces/shown.json">JSON</a>`);
  });

  it('creates the workspace', async () => {
    await server.post('/namespaces', namespace('twin'));

    expect((await server.get('/workspaces/twin.json')).json()).toMatchObject({
      workspace: { name: 'twin', isolated: false },
    });
  });

  it('rejects an existing prefix, as namespace or as workspace, with 409', async () => {
    await server.post('/workspaces', '<workspace><name>taken</name></workspace>');

    const reply = await server.post('/namespaces', namespace('taken'));

    expect(reply.status).toBe(409);
    expect(reply.text).toContain("A namespace with the prefix 'taken' already exists.");
  });

  it('rejects a URI in use with 409 unless the new namespace is isolated', async () => {
    await server.post('/namespaces', namespace('owner', 'urn:shared'));

    const refused = await server.post('/namespaces', namespace('guest', 'urn:shared'));
    const isolated = await server.post(
      '/namespaces',
      '{"namespace":{"prefix":"guest","uri":"urn:shared","isolated":true}}',
    );
    const another = await server.post('/namespaces', namespace('third', 'urn:shared'), {
      accept: 'application/problem+json',
    });

    expect(refused.status).toBe(409);
    expect(refused.text).toContain("The URI 'urn:shared' already exists: the namespace 'owner' uses it.");
    expect(isolated.status).toBe(201);
    expect(another.json()).toMatchObject({ status: 409, code: 'namespace-uri-taken' });
  });

  it.each([
    ['no prefix', '<namespace><uri>urn:a</uri></namespace>', 'namespace.prefix: is required'],
    ['no URI', '<namespace><prefix>a</prefix></namespace>', 'namespace.uri: is required'],
    ['neither', '<namespace/>', 'namespace.prefix: is required; namespace.uri: is required'],
    ['an empty prefix', namespace('', 'urn:a'), 'it is empty'],
    ['an empty URI', namespace('a', ''), 'namespace.uri: a URI of 1 to 2000 characters'],
    ['a URI of spaces', namespace('a', '  '), 'namespace.uri: a URI of 1 to 2000 characters'],
    ['a URI over two lines', namespace('a', 'urn:a\nb'), 'without control characters was expected'],
    [
      'a URI over the length limit',
      namespace('a', `urn:${'x'.repeat(2000)}`),
      'namespace.uri: a URI of 1 to 2000 characters',
    ],
    ['a slash', namespace('a/b'), "Invalid name 'a/b' for a namespace: it contains the character /"],
    ['a colon', namespace('a:b'), 'it contains the character :'],
    ['the reserved prefix', namespace('default'), 'it is reserved'],
    ['a workspace document', '<workspace><name>a</name></workspace>', "Expected a 'namespace' document"],
    [
      'an invalid flag',
      '{"namespace":{"prefix":"a","uri":"urn:a","isolated":"so"}}',
      'namespace.isolated: true or false',
    ],
  ])('rejects %s with 400, and changes nothing', async (_case, body, message) => {
    const before = (await server.get('/namespaces.json')).text;

    const reply = await server.post('/namespaces', body);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(message);
    expect((await server.get('/namespaces.json')).text).toBe(before);
  });
});

describe('namespace retrieval', () => {
  const server = useTestServer();

  it('returns 404 for an unknown namespace, without a log entry on request', async () => {
    const reply = await server.get('/namespaces/nope.json');

    expect(reply.status).toBe(404);
    expect(reply.json()).toEqual({ status: 404, message: "No such namespace: 'nope'." });
    expect(await server.get('/namespaces/nope?quietOnNotFound=True')).toMatchObject({ status: 404, text: '' });
  });

  it('answers 304 while the namespace is unchanged', async () => {
    await server.post('/namespaces', namespace('tagged'));
    const { headers } = await server.get('/namespaces/tagged.json');
    const etag = headers['etag'] ?? '';

    expect(etag).toMatch(/^"\d+\.json"$/);
    expect(await server.get('/namespaces/tagged.json', { headers: { 'if-none-match': etag } })).toMatchObject({
      status: 304,
      text: '',
    });
    expect((await server.get('/namespaces/tagged.xml', { headers: { 'if-none-match': etag } })).status).toBe(200);
    expect((await server.get('/namespaces/tagged', { headers: { 'if-match': etag } })).status).toBe(200);

    await server.put('/namespaces/tagged', '<namespace><uri>urn:other</uri></namespace>');

    expect((await server.get('/namespaces/tagged.json', { headers: { 'if-none-match': etag } })).status).toBe(200);
    expect((await server.get('/namespaces/tagged', { headers: { 'if-match': etag } })).status).toBe(412);
  });
});
