/** What people and map clients find who know nothing but the address of the server. */
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/test-server.ts';

describe('a browser with nothing but an address', () => {
  const server = useTestServer();

  it.each(['///', '//geoserver', '//geoserver/', '//geoserver/web', '//geoserver/web/'])(
    'is told at %s where things are, without a password',
    async (path) => {
      const reply = await server.get(path, { as: null });

      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(reply.text).toContain('<a href="http://localhost:80/geoserver/rest.html">');
      expect(reply.text).toContain('<a href="http://localhost:80/geoserver/rest/openapi.json">');
    },
  );

  it('finds something behind every link', async () => {
    const { text } = await server.get('///', { as: null });
    const links = [...text.matchAll(/href="http:\/\/localhost:80\/geoserver\/rest([^"]*)"/g)].map(
      ([, path = '']) => path,
    );

    for (const path of links) {
      expect((await server.get(path)).status).toBe(200);
    }
    expect(links).toHaveLength(3);
  });
});

describe('a server without a context path', () => {
  const server = useTestServer({ flags: ['--context-path', '/'] });

  it('has its page and its answer for map clients there too', async () => {
    expect((await server.get('///', { as: null })).text).toContain('<a href="http://localhost:80/rest.html">');
    expect((await server.get('//web', { as: null })).status).toBe(200);
    expect((await server.get('//acme/wms', { as: null })).status).toBe(501);
    expect((await server.get('/workspaces')).status).toBe(200);
  });
});

describe('a client of map services', () => {
  const server = useTestServer();

  it.each([
    '//wms?service=WMS&request=GetCapabilities',
    '//geoserver/wms?SERVICE=WMS&REQUEST=GetCapabilities',
    '//geoserver/acme/wms',
  ])('is told at %s in its own format that maps are not served yet', async (path) => {
    for (const method of ['GET', 'POST']) {
      const reply = await server.request(method, path, { as: null });

      expect([reply.status, reply.headers['content-type'], reply.headers['warning']]).toEqual([
        501,
        'application/xml',
        undefined,
      ]);
      expect(reply.text).toBe(`<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">
  <ServiceException>This server does not serve maps (WMS) yet.</ServiceException>
</ServiceExceptionReport>
`);
    }
  });

  it('gets the same where it is picky about errors', async () => {
    const reply = await server.get('//geoserver/wms', { as: null, accept: 'application/json' });

    expect([reply.status, reply.headers['content-type']]).toEqual([501, 'application/xml']);
  });
});
