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
    expect((await server.get('//wms?request=GetCapabilities', { as: null })).text).toContain('<WMS_Capabilities');
    expect((await server.get('/workspaces')).status).toBe(200);
  });
});

describe('a client of map services', () => {
  const server = useTestServer();

  it.each(['//wms?service=WMS&request=GetCapabilities', '//geoserver/wms?SERVICE=WMS&REQUEST=GetCapabilities'])(
    'finds maps at %s',
    async (path) => {
      const reply = await server.get(path, { as: null });

      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/xml;charset=utf-8']);
    },
  );

  it('is told in its own format what is missing, whatever it accepts', async () => {
    const reply = await server.get('//geoserver/wms', { as: null, accept: 'application/json' });

    expect(reply.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">
  <ServiceException code="MissingParameterValue" locator="request">The parameter 'request' is missing; expected the name of an operation such as GetCapabilities.</ServiceException>
</ServiceExceptionReport>
`);
  });
});
