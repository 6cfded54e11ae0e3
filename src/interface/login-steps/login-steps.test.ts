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
    const page = await server.get('//geoserver/console', asNobody);
    const maps = await server.get('//geoserver/wms?request=GetCapabilities', asNobody);

    expect([atRest.status, atRest.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Basic /)]);
    expect([wrong.status, page.status, maps.status]).toEqual([401, 200, 200]);
    expect([atRest, page].map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined]);
  });

  it('accept their own documents without a change', async () => {
    for (const path of [
      '/security/authfilters/basic',
      '/security/authfilters/restInterceptor',
      '/security/filterchain/rest',
    ]) {
      for (const type of ['xml', 'json']) {
        const before = server.server.storage.position();
        const same = await server.request('PUT', path, { type, body: (await server.get(`${path}.${type}`)).text });
        expect([path, type, same.status, server.server.storage.position()]).toEqual([path, type, 200, before]);
      }
    }
  });

  it('create, change and delete the provider of a request header filter', async () => {
    const config = `${prefix}.config.RequestHeaderAuthenticationFilterConfig`;
    const filter = (more: string) => `<${config}><name>sso</name>
      <className>${prefix}.filter.GeoServerRequestHeaderAuthenticationFilter</className>
      <principalHeaderAttribute>X-User</principalHeaderAttribute>${more}</${config}>`;
    const roles = '<roleSource>Header</roleSource><rolesHeaderAttribute>X-Roles</rolesHeaderAttribute>';
    const path = '/security/authfilters/sso';
    const made = await server.post('/security/authfilters', filter(roles), { type: 'xml' });

    expect([made.status, made.headers['location']]).toEqual([201, `${base}/authfilters/sso`]);
    expect((await server.get('/security/authproviders/sso.json')).json()).toMatchObject({
      className: `${prefix}.auth.RequestHeaderAuthenticationProvider`,
      userHeader: 'X-User',
      rolesHeader: 'X-Roles',
      unmappedRoles: 'keep',
    });
    expect((await server.get('/security/filterchain/rest.json')).json()).toMatchObject({
      filters: { filter: ['basic', 'token', 'sso', 'anonymous'] },
    });
    const shown = await server.get(`${path}.xml`);
    expect(shown.text).toContain('<rolesHeaderAttribute>X-Roles</rolesHeaderAttribute>');
    const before = server.server.storage.position();
    expect((await server.put(path, shown.text, { type: 'xml' })).status).toBe(200);
    expect(server.server.storage.position()).toBe(before);
    expect((await server.post('/security/authfilters', filter(''), { type: 'xml' })).status).toBe(400);
    expect((await server.put(path, filter('').replace('X-User', 'X-Name'), { type: 'xml' })).status).toBe(200);
    expect((await server.get('/security/authproviders/sso.json')).json()).toMatchObject({ userHeader: 'X-Name' });
    expect((await server.get('/security/authproviders/sso.json')).text).not.toContain('rolesHeader');
    for (const more of ['<roleSource>RoleService</roleSource>', '<roleConverterName>x</roleConverterName>']) {
      expect((await server.put(path, filter(more), { type: 'xml' })).status).toBe(501);
    }
    const nested = { '@class': config, principalHeaderAttribute: 'X-Login' };
    const inside = JSON.stringify({ authFilter: { name: 'sso', config: nested } });
    expect((await server.put(path, inside)).status).toBe(200);
    expect((await server.get('/security/authproviders/sso.json')).json()).toMatchObject({ userHeader: 'X-Login' });
    expect((await server.delete(path)).status).toBe(200);
    expect([(await server.get(path)).status, (await server.get('/security/authproviders/sso')).status]).toEqual([
      404, 404,
    ]);
  });

  it.each([
    ['POST', '/security/authfilters', '{"name":"mine"}', 'header filters', '/security/authproviders'],
    [
      'POST',
      '/security/authfilters',
      '{"name":"a","className":"x.GeoServerOAuthAuthenticationFilterOAuth2"}',
      'issuer',
      '/security/authproviders',
    ],
    [
      'POST',
      '/security/authfilters',
      '{"name":"a","className":"x.GeoServerAuthenticationKeyFilter"}',
      'keys',
      '/security/self/tokens',
    ],
    [
      'POST',
      '/security/authfilters',
      '{"authFilter":{"name":"a","config":{"@class":"x.AuthenticationKeyFilterConfig","authKeyParamName":"key"}}}',
      'keys',
      '/security/self/tokens',
    ],
    [
      'POST',
      '/security/authfilters',
      `{"authFilter":{"name":"a","className":"${prefix}.filter.GeoServerRequestHeaderAuthenticationFilter","config":{"@class":"${prefix}.config.OAuth2FilterConfig"}}}`,
      'issuer',
      '/security/authproviders',
    ],
    [
      'POST',
      '/security/authfilters',
      `{"authFilter":{"name":"a","className":"x","config":{"@class":"${prefix}.config.RequestHeaderAuthenticationFilterConfig"}}}`,
      'only request header filters',
      '/security/authproviders',
    ],
    [
      'POST',
      '/security/authfilters',
      '{"config":{"name":"a","className":"x.GeoServerOAuthAuthenticationFilterOAuth2"}}',
      'issuer',
      '/security/authproviders',
    ],
    [
      'PUT',
      '/security/authfilters/basic',
      '{"name":"basic","useRememberMe":true}',
      'header filters',
      '/security/authproviders',
    ],
    ['DELETE', '/security/authfilters/basic', '', "'basic' is fixed", '/security/authproviders'],
    ['POST', '/security/filterchain', '{"name":"mine"}', 'order of credentials', '/security/authproviders'],
    [
      'PUT',
      '/security/filterchain/rest',
      '{"filters":{"@name":"rest","@ssl":true}}',
      'sessions',
      '/security/authproviders',
    ],
    ['PUT', '/security/filterchain/order', '{"order":["rest"]}', 'order of credentials', '/security/authproviders'],
    ['DELETE', '/security/filterchain/rest', '', 'order of credentials', '/security/authproviders'],
  ])('reject other changes with the reason and the path to use: %s %s %s', async (method, path, body, reason, use) => {
    const reply = await server.request(method, path, body === '' ? {} : { type: 'json', body });

    expect([reply.status, reply.text]).toEqual([501, expect.stringContaining(reason)]);
    expect(reply.text).toContain(`Use ${use} instead`);
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
