import { describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';

const rule = (key: string, roles: string) => `<rules><rule resource="${key}">${roles}</rule></rules>`;

describe('service rules', () => {
  const server = useTestServer();

  it('are added, changed and deleted', async () => {
    expect((await server.post('/security/acl/services', '{"wfs.GetFeature":"ROLE_A","*.*":"*"}')).status).toBe(201);
    expect((await server.put('/security/acl/services.xml', rule('wfs.GetFeature', 'ROLE_B'))).status).toBe(200);

    expect((await server.get('/security/acl/services.json')).text).toBe('{"*.*":"*","wfs.GetFeature":"ROLE_B"}');
    expect((await server.delete('/security/acl/services/wfs.GetFeature.json')).status).toBe(200);
    expect((await server.delete('/security/acl/services/wfs.GetFeature')).status).toBe(404);
    expect((await server.delete('/security/acl/services/*.*')).status).toBe(200);
  });

  it('deny an operation without a warning that they do not', async () => {
    const getCapabilities = () =>
      server.get('//geoserver/wms?service=WMS&version=1.3.0&request=GetCapabilities', { as: null });
    expect((await getCapabilities()).status).toBe(200);

    const added = await server.post('/security/acl/services', '{"wms.GetCapabilities":"ROLE_A"}');

    expect([added.status, added.headers['warning']]).toEqual([201, undefined]);
    expect((await server.get('/security/acl/services')).headers['warning']).toBeUndefined();
    expect((await getCapabilities()).status).toBe(401);
    await server.delete('/security/acl/services/wms.GetCapabilities');
  });

  it('accept a method whose name is a format extension', async () => {
    await server.post('/security/acl/services', '{"wfs.xml":"ROLE_A"}');

    expect((await server.delete('/security/acl/services/wfs.json')).status).toBe(404);
    expect((await server.delete('/security/acl/services/wfs.xml')).status).toBe(200);
  });

  it.each(['wfs', '*.GetMap', 'a.b.c'])('reject %s', async (key) => {
    expect((await server.post('/security/acl/services', rule(key, 'ROLE_A'))).status).toBe(422);
    expect((await server.delete(`/security/acl/services/${key}`)).status).toBe(422);
  });
});

describe('REST rules', () => {
  const server = useTestServer();

  it('keep their order', async () => {
    await server.post('/security/acl/rest', '{"/rest/z/**:GET":"A","/rest/a/**:GET":"B"}');
    await server.post('/security/acl/rest', rule('/rest/m:POST', 'C'));
    await server.put('/security/acl/rest', rule('/rest/z/**:GET', 'Z'));

    expect((await server.get('/security/acl/rest.json')).text).toBe(
      '{"/rest/z/**:GET":"Z","/rest/a/**:GET":"B","/rest/m:POST":"C"}',
    );
  });

  it.each([
    ['with two slashes', '/security/acl/rest//gone/**:GET,HEAD'],
    ['with one slash', '/security/acl/rest/gone/**:GET,HEAD'],
    ['percent-encoded', '/security/acl/rest/%2Fgone%2F%2A%2A%3AGET%2CHEAD'],
    ['with an extension', '/security/acl/rest//gone/**:GET,HEAD.xml'],
    ['with a semicolon', '/security/acl/rest//gone/**;GET,HEAD'],
    ['in a query', '/security/acl/rest?rule=/gone/**:GET,HEAD'],
    ['in a query, encoded', '/security/acl/rest?rule=%2Fgone%2F**%3BGET%2CHEAD'],
  ])('are deleted by key %s', async (_what, path) => {
    expect((await server.post('/security/acl/rest', rule('/gone/**:GET,HEAD', 'ROLE_A'))).status).toBe(201);

    expect((await server.delete(path)).status).toBe(200);
    expect((await server.delete(path)).status).toBe(404);
  });

  it.each(['/**', '/**:FETCH', 'GET'])('reject %s', async (key) => {
    expect((await server.post('/security/acl/rest', rule(key, 'ROLE_A'))).status).toBe(422);
    expect((await server.delete(`/security/acl/rest/${key}`)).status).toBe(422);
  });
});
