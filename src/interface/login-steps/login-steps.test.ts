import { describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const base = 'http://localhost:80/geoserver/rest/security';
const prefix = 'org.geoserver.security';

const rest = {
  '@name': 'rest',
  '@class': `${prefix}.ServiceLoginFilterChain`,
  '@path': '/rest/**,/rest,/rest.*',
  '@disabled': false,
  '@allowSessionCreation': false,
  '@ssl': false,
  '@matchHTTPMethod': false,
  '@interceptorName': 'restInterceptor',
  filter: ['basic', 'token', 'anonymous'],
};

describe('authentication filters and chains', () => {
  const server = useTestServer();

  it('are listed with links', async () => {
    expect((await server.get('/security/authfilters.json')).json()).toEqual({
      authFilters: {
        authFilter: ['anonymous', 'basic', 'token', 'restInterceptor'].map((name) => ({
          name,
          href: `${base}/authfilters/${name}.json`,
        })),
      },
    });
    expect((await server.get('/security/authfilters.xml')).text).toContain(`href="${base}/authfilters/basic.xml"`);
    expect((await server.get('/security/authfilters.html')).text).toContain('>basic</a>');
  });

  it('are returned individually in the format of the reference server', async () => {
    expect((await server.get('/security/authfilters/basic.xml')).text).toBe(
      `<${prefix}.config.BasicAuthenticationFilterConfig>
  <name>basic</name>
  <className>${prefix}.filter.GeoServerBasicAuthenticationFilter</className>
  <useRememberMe>false</useRememberMe>
</${prefix}.config.BasicAuthenticationFilterConfig>
`,
    );
    expect((await server.get('/security/authfilters/anonymous.json')).json()).toEqual({
      name: 'anonymous',
      className: `${prefix}.filter.GeoServerAnonymousAuthenticationFilter`,
    });
    expect((await server.get('/security/authfilters/restInterceptor.html')).status).toBe(200);
    expect((await server.get('/security/authfilters/form')).status).toBe(404);
  });

  it('are ordered as paths are matched', async () => {
    const { filterChain } = (await server.get('/security/filterchain.json')).json() as {
      filterChain: { filters: readonly Record<string, unknown>[] };
    };

    expect(filterChain.filters.map((each) => each['@name'])).toEqual(['web', 'rest', 'default']);
    expect(filterChain.filters[1]).toEqual(rest);
    expect((await server.get('/security/filterchain/rest.json')).json()).toEqual({ filters: rest });
    expect((await server.get('/security/filterchain/rest.xml')).text).toBe(
      `<filters name="rest" class="${prefix}.ServiceLoginFilterChain" path="/rest/**,/rest,/rest.*" disabled="false" allowSessionCreation="false" ssl="false" matchHTTPMethod="false" interceptorName="restInterceptor">
  <filter>basic</filter>
  <filter>token</filter>
  <filter>anonymous</filter>
</filters>
`,
    );
    expect((await server.get('/security/filterchain.xml')).text).toContain('<filters name="web"');
    expect((await server.get('/security/filterchain.html')).status).toBe(200);
    expect((await server.get('/security/filterchain/gwc')).status).toBe(404);
  });

  it('describe the actual behaviour of the server', async () => {
    const asNobody = { as: null };

    const atRest = await server.get('/workspaces', asNobody);
    const wrong = await server.get('/workspaces', { as: 'admin:wrong' });
    const page = await server.get('//geoserver/web', asNobody);
    const maps = await server.get('//geoserver/wms?request=GetCapabilities', asNobody);

    expect([atRest.status, atRest.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Basic /)]);
    expect([wrong.status, page.status, maps.status]).toEqual([401, 200, 200]);
    expect([atRest, page].map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined]);
  });

  it.each([
    ['POST', '/security/authfilters'],
    ['PUT', '/security/authfilters/basic'],
    ['DELETE', '/security/authfilters/basic'],
    ['POST', '/security/filterchain'],
    ['PUT', '/security/filterchain/rest'],
    ['PUT', '/security/filterchain/order'],
    ['DELETE', '/security/filterchain/rest'],
  ])('reject changes: %s %s', async (method, path) => {
    const reply = await server.request(method, path, { type: 'json', body: '{"name":"mine"}' });

    expect(reply.status).toBe(501);
    expect(reply.text).toContain('cannot be changed');
    expect(reply.text).toContain('/security/authproviders');
  });

  it('require administrator rights', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ANN');

    for (const path of ['/security/authfilters', '/security/filterchain/rest']) {
      expect((await server.get(path, { as: ann })).status).toBe(403);
      expect((await server.get(path, { as: null })).status).toBe(401);
    }
  });
});

describe('authentication filters with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('are in a member named after their class', async () => {
    expect((await server.get('/security/authfilters/basic.json')).json()).toMatchObject({
      [`${prefix}.config.BasicAuthenticationFilterConfig`]: { name: 'basic', useRememberMe: false },
    });
    expect((await server.get('/security/filterchain.json')).json()).toMatchObject({
      filterChain: { filters: [{ '@name': 'web', filter: ['anonymous'] }, rest, { '@name': 'default' }] },
    });
  });
});
