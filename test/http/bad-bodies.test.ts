/** Invalid bodies: the correct status and a helpful message, in the format the client accepts. */
import { describe, expect, it } from 'vitest';
import { badBodies } from '../support/bad-bodies.ts';
import { useTestServer } from '../support/test-server.ts';

/** Maximum duration of the most expensive body, on a slow machine under load. */
const BUDGET_MS = 60_000;

describe('invalid bodies', () => {
  const server = useTestServer();

  it.each(Object.entries(badBodies))(
    'rejects a body with this problem: %s',
    async (_case, { status, type, body, message }) => {
      await server.post('/workspaces', '<workspace><name>there</name></workspace>');
      const before = (await server.get('/workspaces.json')).text;
      const startedAt = performance.now();

      const posted = await server.request('POST', '/workspaces', { type, body });
      const put = await server.request('PUT', '/workspaces/there', { type, body });

      expect(performance.now() - startedAt).toBeLessThan(BUDGET_MS);
      expect([posted.status, put.status]).toEqual([status, status]);
      expect(posted.text.length + put.text.length).toBeLessThan(10_000);
      const asJson = await server.request('POST', '/workspaces.json', { type, body });
      expect(asJson.json()).toEqual({ status, message: expect.stringContaining(message) });
      expect((await server.get('/workspaces.json')).text).toBe(before);
    },
  );
});

describe('the error response', () => {
  const server = useTestServer();
  const body = '{"workspace":{"isolated":"<x>"}}';
  const message = "workspace.name: is required; workspace.isolated: true or false was expected, but '<x>' was found";
  const post = (path: string, headers: Record<string, string>) => server.request('POST', path, { body, headers });

  it.each([
    ['in the format of the body', '/workspaces', { 'content-type': 'application/json' }, 'application/json'],
    [
      'in the format of the body, for */*',
      '/workspaces',
      { 'content-type': 'text/json', accept: '*/*' },
      'application/json',
    ],
    ['in JSON if accepted', '/workspaces', { accept: 'application/json' }, 'application/json'],
    ['in JSON by extension', '/workspaces.json', { accept: 'text/html' }, 'application/json'],
  ])('formats the error %s', async (_case, path, headers, contentType) => {
    const reply = await post(path, headers);

    expect(reply.headers['content-type']).toBe(contentType);
    expect(reply.json()).toEqual({ status: 400, message });
  });

  it.each([
    ['if accepted', '/workspaces', { accept: 'application/xml' }, 'application/xml'],
    ['for text/xml', '/workspaces', { accept: 'text/xml' }, 'text/xml; charset=utf-8'],
    ['by extension', '/workspaces.xml', { accept: 'application/json' }, 'application/xml'],
  ])('formats the error in XML %s', async (_case, path, headers, contentType) => {
    const reply = await post(path, { 'content-type': 'application/json', ...headers });

    expect(reply.headers['content-type']).toBe(contentType);
    expect(reply.text).toBe(`<ErrorResponse>
  <status>400</status>
  <message>workspace.name: is required; workspace.isolated: true or false was expected, but '&lt;x&gt;' was found</message>
</ErrorResponse>
`);
  });

  it('returns plain text if the request names no format', async () => {
    const reply = await post('/workspaces', { accept: '*/*' });

    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(reply.text).toBe(`${message}\n`);
  });

  it('returns an HTML page to a browser', async () => {
    const reply = await post('/workspaces', { accept: 'text/html,*/*;q=0.8' });

    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).toContain('<h1>400 Bad Request</h1>');
    expect(reply.text).toContain('but &#39;&lt;x&gt;&#39; was found');
  });

  it('returns a code and every invalid field for problem+json', async () => {
    const reply = await post('/workspaces', { accept: 'application/problem+json' });

    expect(reply.headers['content-type']).toBe('application/problem+json');
    expect(reply.json()).toEqual({
      type: 'urn:graticule:problem:document-invalid',
      title: 'Bad Request',
      status: 400,
      detail: message,
      code: 'document-invalid',
      field: 'workspace.name',
      errors: [
        { field: 'workspace.name', message: 'is required' },
        { field: 'workspace.isolated', message: "true or false was expected, but '<x>' was found" },
      ],
    });
  });
});

describe('the error response with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it.each(['application/json', 'application/xml', 'text/html', '*/*'])('returns plain text for %s', async (accept) => {
    const reply = await server.post('/workspaces', '{"workspace":{}}', { accept });

    expect(reply.status).toBe(400);
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(reply.text).toBe('workspace.name: is required\n');
  });
});
