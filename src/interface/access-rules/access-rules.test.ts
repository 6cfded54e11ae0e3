import { describe, expect, it } from 'vitest';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const rule = (key: string, roles: string) => `<rules><rule resource="${key}">${roles}</rule></rules>`;

describe.each(['layers', 'services', 'rest'])('%s rules of a new server', (family) => {
  it('are empty in each format', async () => {
    const server = await startTestServer();

    const xml = await server.get(`/security/acl/${family}.xml`);
    expect(xml).toMatchObject({ status: 200, text: '<rules/>\n', headers: { 'content-type': 'application/xml' } });
    expect((await server.get(`/security/acl/${family}.json`)).json()).toEqual({});
    expect((await server.get(`/security/acl/${family}.html`)).text).toContain('No items.');
    expect((await server.get(`/security/acl/${family}`)).text).toBe('<rules/>\n');
    await server.close();
  });
});

describe('a user who is not an administrator', () => {
  const server = useTestServer();

  it('is denied access to every access rule resource regardless of the rules', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ANN');
    await server.post('/security/acl/rest', '{"/**:GET,HEAD,OPTIONS,POST,PUT,DELETE":"*"}');
    await server.post('/security/acl/layers', '{"*.*.a":"*","*.*.r":"ROLE_OTHER"}');
    const bodies = {
      catalog: '{"mode":"MIXED"}',
      layers: '{"x.*.r":"*"}',
      services: '{"*.*":"*"}',
      rest: '{"/x:GET":"*"}',
    };

    for (const [family, body] of Object.entries(bodies)) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE']) {
        const path = `/security/acl/${family}`;
        const options = { body, type: 'json' };
        expect((await server.request(method, path, { as: ann, ...options })).status, `${method} ${path}`).toBe(403);
        expect((await server.request(method, path, { as: null, ...options })).status, `${method} ${path}`).toBe(401);
      }
    }
    for (const path of ['layers/*.*.a', 'layers/nonsense', 'services/*.*', 'rest//**:GET', 'catalog/reload']) {
      expect((await server.delete(`/security/acl/${path}`, { as: ann })).status).toBe(403);
    }
    expect((await server.get('/security/acl/catalog.json')).json()).toEqual({ mode: 'HIDE' });
  });
});

describe('with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('returns the default rules of the reference server, in JSON by default', async () => {
    expect((await server.get('/security/acl/layers')).text).toBe('{"*.*.r":"*","*.*.w":"GROUP_ADMIN,ADMIN"}');
    expect((await server.get('/security/acl/services.json')).json()).toEqual({
      'wfs.CreateStoredQuery': 'GROUP_ADMIN,ADMIN',
      'wfs.DropStoredQuery': 'GROUP_ADMIN,ADMIN',
    });
    expect((await server.get('/security/acl/rest.xml')).text).toBe(`<rules>
  <rule resource="/**:GET,HEAD,OPTIONS">ROLE_ADMINISTRATOR</rule>
  <rule resource="/**:POST,DELETE,PUT">ROLE_ADMINISTRATOR</rule>
</rules>
`);
    expect((await server.get('/security/acl/catalog')).text).toBe('{"mode":"HIDE"}');
  });

  it('answers 200 to an addition and leaves the existing rules unchanged', async () => {
    expect(await server.post('/security/acl/layers.xml', rule('acme.*.r', 'ROLE_A'))).toMatchObject({
      status: 200,
      text: '',
    });
    expect((await server.get('/security/acl/layers')).text).toBe(
      '{"*.*.r":"*","*.*.w":"GROUP_ADMIN,ADMIN","acme.*.r":"ROLE_A"}',
    );
    expect((await server.post('/security/acl/layers', rule('*.*.r', 'ROLE_A'))).status).toBe(409);
  });

  it('keeps a default rule deleted after a restart', async () => {
    expect((await server.delete('/security/acl/services/wfs.DropStoredQuery')).status).toBe(200);
    expect((await server.get('/security/acl/services')).json()).toEqual({
      'wfs.CreateStoredQuery': 'GROUP_ADMIN,ADMIN',
    });
  });

  it('answers 404 to a document without a catalog mode', async () => {
    expect((await server.put('/security/acl/catalog', '<catalog/>')).status).toBe(404);
    expect((await server.put('/security/acl/catalog', '{"mode":"BOGUS"}')).status).toBe(422);
  });
});
