/** Entry points for browsers and map clients that know only the address of the server. */
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/test-server.ts';

describe('the landing page', () => {
  const server = useTestServer();

  it.each(['///', '//geoserver', '//geoserver/'])(
    'serves the landing page with links to the API at %s without a password',
    async (path) => {
      const reply = await server.get(path, { as: null });

      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(reply.text).toContain('<a href="http://localhost:80/geoserver/rest.html">');
      expect(reply.text).toContain('<a href="http://localhost:80/geoserver/rest/openapi.json">');
    },
  );

  it('contains only links that work', async () => {
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

  it('serves the landing page and the WMS at the root', async () => {
    expect((await server.get('///', { as: null })).text).toContain('<a href="http://localhost:80/rest.html">');
    expect((await server.get('//web', { as: null })).headers['location']).toBe('http://localhost:80/console/');
    expect((await server.get('//wms?request=GetCapabilities', { as: null })).text).toContain('<WMS_Capabilities');
    expect((await server.get('/workspaces')).status).toBe(200);
  });
});

describe('map clients', () => {
  const server = useTestServer();

  it.each(['//wms?service=WMS&request=GetCapabilities', '//geoserver/wms?SERVICE=WMS&REQUEST=GetCapabilities'])(
    'returns the capabilities at %s',
    async (path) => {
      const reply = await server.get(path, { as: null });

      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/xml;charset=utf-8']);
    },
  );

  it('returns an error in the format of the service, regardless of Accept', async () => {
    const reply = await server.get('//geoserver/wms', { as: null, accept: 'application/json' });

    expect(reply.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">
  <ServiceException code="MissingParameterValue" locator="request">The parameter 'request' is missing; expected the name of an operation such as GetCapabilities.</ServiceException>
</ServiceExceptionReport>
`);
  });
});
