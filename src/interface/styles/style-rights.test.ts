import { beforeAll, describe, expect, it } from 'vitest';
import { createStylePackage, lineSld, SLD_TYPE, send, ZIP_TYPE } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { polygonShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';

describe.each([
  ['graticule', 403],
  ['geoserver', 405],
] as const)('workspace administrator (%s)', (compat, refused) => {
  const server = useTestServer({ compat });
  let ann = '';
  let reader = '';
  beforeAll(async () => {
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    reader = await addUser(server, 'reader', 'ROLE_READER');
    for (const name of ['acme', 'other']) {
      await server.post('/workspaces', `<workspace><name>${name}</name></workspace>`);
      await putZip(server, `/workspaces/${name}/datastores/s/file.shp`, zipOf({ states: polygonShapefile() }));
      await send(server, 'POST', `/workspaces/${name}/styles?name=local`, SLD_TYPE, lineSld(name));
    }
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    if (compat === 'geoserver') {
      // The rules of the reference server limit REST to administrators.
      await server.delete('/security/acl/rest/%2F**:GET,HEAD,OPTIONS');
      await server.delete('/security/acl/rest/%2F**:POST,DELETE,PUT');
    }
  });

  it('reads global styles and cannot write them', async () => {
    expect((await server.get('/styles.json', { as: ann })).status).toBe(200);
    expect((await server.get('/styles/point.sld', { as: ann })).status).toBe(200);

    const writes = await Promise.all([
      server.post('/styles', '{"style":{"name":"a","filename":"a.sld"}}', { as: ann }),
      send(server, 'POST', '/styles?name=a', SLD_TYPE, lineSld('a'), { as: ann }),
      send(server, 'PUT', '/styles/point', SLD_TYPE, lineSld('a'), { as: ann }),
      send(server, 'PUT', '/styles/point.zip', ZIP_TYPE, createStylePackage({ 'a.sld': lineSld('a') }), { as: ann }),
      server.put('/styles/point', '{"style":{"metadata":{"a":"b"}}}', { as: ann }),
      server.delete('/styles/point', { as: ann }),
      server.delete('/styles/nowhere', { as: ann }),
    ]);
    expect(writes.map(({ status }) => status)).toEqual(writes.map(() => refused));
    expect((await server.get('/styles/point.sld')).text).toContain('Orange dot');
  });

  it('can read and write the styles of the workspace', async () => {
    const styles = '/workspaces/acme/styles';
    expect((await send(server, 'POST', `${styles}?name=mine`, SLD_TYPE, lineSld('a'), { as: ann })).status).toBe(201);
    expect((await send(server, 'PUT', `${styles}/mine`, SLD_TYPE, lineSld('b'), { as: ann })).status).toBe(200);
    expect((await server.put(`${styles}/mine`, '{"style":{"name":"mine2"}}', { as: ann })).status).toBe(200);
    expect((await server.get(`${styles}/mine2.sld`, { as: ann })).text).toBe(lineSld('b'));
    const layer = '{"layer":{"defaultStyle":"mine2"}}';
    expect((await server.put('/layers/acme:states', layer, { as: ann })).status).toBe(200);
    expect((await server.put('/workspaces/acme/layers/states', layer, { as: ann })).status).toBe(200);
    expect((await server.delete(`${styles}/mine2?purge=true&recurse=true`, { as: ann })).status).toBe(200);
  });

  it('has no access to the styles of other workspaces', async () => {
    for (const [method, path] of [
      ['GET', '/workspaces/other/styles'],
      ['GET', '/workspaces/other/styles/local.sld'],
      ['DELETE', '/workspaces/other/styles/local'],
    ] as const) {
      expect((await server.request(method, path, { as: ann })).status).toBe(404);
    }
    expect((await send(server, 'POST', '/workspaces/other/styles', SLD_TYPE, lineSld('a'), { as: ann })).status).toBe(
      404,
    );
    expect(
      (await send(server, 'PUT', '/workspaces/other/styles/local', SLD_TYPE, lineSld('a'), { as: ann })).status,
    ).toBe(404);
    expect((await server.put('/layers/other:states', '{"layer":{"defaultStyle":"line"}}', { as: ann })).status).toBe(
      403,
    );
    expect((await server.post('/layers/other:states/styles', '{"style":{"name":"line"}}', { as: ann })).status).toBe(
      403,
    );
  });

  it('cannot move styles out of the workspace or into it', async () => {
    const local = '/workspaces/acme/styles/local';

    expect((await server.put(local, '{"style":{"workspace":null}}', { as: ann })).status).toBe(refused);
    expect((await server.put(local, '{"style":{"workspace":"other"}}', { as: ann })).status).toBe(403);
    const foreign = '{"layer":{"defaultStyle":{"name":"local","workspace":"other"}}}';
    expect((await server.put('/layers/acme:states', foreign, { as: ann })).status).toBe(404);
    expect((await server.get(`${local}.sld`)).status).toBe(200);
  });

  it('has more rights than a user without a workspace', async () => {
    expect((await server.get('/styles', { as: reader })).status).toBe(403);
    expect((await server.get('/styles/point.png', { as: reader })).status).toBe(403);
    expect((await server.get('/styles/point.sld', { as: null })).status).toBe(401);
    expect((await send(server, 'POST', '/styles', SLD_TYPE, lineSld('a'), { as: null })).status).toBe(401);
  });
});

describe('a REST rule for styles', () => {
  const server = useTestServer();

  it('admits full administrators to write global styles, and others to read them', async () => {
    const as = await addUser(server, 'carto', 'ROLE_CARTOGRAPHER');
    await server.post('/security/acl/rest', JSON.stringify({ '/rest/styles/**:GET,PUT': 'ROLE_CARTOGRAPHER' }));
    expect((await send(server, 'PUT', '/styles/point', SLD_TYPE, lineSld('a'), { as })).status).toBe(403);
    expect((await server.get('/styles/point.sld', { as })).text).toContain('Orange dot');

    await server.post('/security/acl/layers', '{"*.*.a":"ROLE_CARTOGRAPHER"}');

    expect((await send(server, 'PUT', '/styles/point', SLD_TYPE, lineSld('a'), { as })).status).toBe(200);
    expect((await server.get('/styles/point.sld', { as })).text).toBe(lineSld('a'));
    expect((await server.delete('/styles/point', { as })).status).toBe(403);
  });
});
