/** Unknown paths: the error is in the format that the client requested. */
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/test-server.ts';

describe('an unknown path', () => {
  const server = useTestServer();

  it.each([
    ['/nothing.json', 'application/json', /^\{"status":404,"message":"No resource exists at /],
    ['/workspaces/a/b/c.JSON?x=1', 'application/json', /^\{"status":404/],
    ['/nothing.xml', 'application/xml', /^<ErrorResponse>\n {2}<status>404<\/status>/],
    ['/nothing.html', 'text/html', /<h1>404 Not Found<\/h1>/],
    ['/nothing', 'text/plain', /^No resource exists at /],
    ['/nothing.constructor', 'text/plain', /^No resource exists at /],
  ])('answers %s in %s', async (path, mediaType, body) => {
    const reply = await server.get(path);

    expect([reply.status, reply.headers['content-type']?.split(';')[0]]).toEqual([404, mediaType]);
    expect(reply.text).toMatch(body);
  });

  it('requires credentials from anonymous clients, in the requested format', async () => {
    const reply = await server.get('/nothing.json', { as: null });

    expect([reply.status, reply.headers['content-type']]).toEqual([401, 'application/json']);
  });

  it.each(['/nothing', '//geoserver/rest/%zz', '//geoserver/%72est/nothing', '///geoserver//rest/nothing'])(
    'requires credentials below the REST root: %s',
    async (path) => {
      const reply = await server.get(path, { as: null });

      expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Basic /)]);
    },
  );

  it.each([
    '/index.html',
    '/geoserver/index.html',
    '/geoserver/csw',
    '/geoserver/wms/nothing?layers=acme:roads',
    '/geoserver/restless',
    '/rest/workspaces',
  ])('returns 404 without a challenge outside the REST root: %s', async (path) => {
    for (const as of [null, 'admin:wrong']) {
      const reply = await server.get(`/${path}`, { as });

      expect([reply.status, reply.headers['www-authenticate']]).toEqual([404, undefined]);
    }
  });

  it('returns 400 for invalid text outside the REST root', async () => {
    expect((await server.get('//geoserver/%zz', { as: null })).status).toBe(400);
  });
});
