import { beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, polygonShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';

async function publish(server: TestServer, workspace: string, names: readonly string[]): Promise<void> {
  await server.post('/workspaces', `<workspace><name>${workspace}</name></workspace>`);
  const shapefiles = Object.fromEntries(names.map((name) => [name, polygonShapefile()]));
  await putZip(server, `/workspaces/${workspace}/datastores/s/file.shp?configure=all`, zipOf(shapefiles));
}

async function names(server: TestServer, path: string, as?: string): Promise<readonly string[]> {
  const reply = await server.get(path, as === undefined ? {} : { as });
  return [...reply.text.matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name ?? '');
}

describe('layers', () => {
  const server = useTestServer({ clock: () => Date.UTC(2026, 0, 2) });
  beforeAll(async () => {
    await publish(server, 'acme', ['states', 'roads']);
    await publish(server, 'other', ['states', 'rivers']);
  });

  it('are listed with their workspace, and without it inside the workspace', async () => {
    expect(await names(server, '/layers.xml')).toEqual(['acme:roads', 'acme:states', 'other:rivers', 'other:states']);
    expect(await names(server, '/workspaces/other/layers.xml')).toEqual(['rivers', 'states']);
    expect((await server.get('/layers.json', { headers: { host: 'h' } })).text).toContain(
      '{"name":"acme:roads","href":"http://h/geoserver/rest/layers/acme%3Aroads.json"}',
    );
    expect((await server.get('/workspaces/nowhere/layers.xml')).status).toBe(404);
  });

  it('are returned with their style and resource', async () => {
    const reply = await server.get('/layers/acme:states.xml', { headers: { host: 'h' } });

    expect(reply.text).toBe(`<layer>
  <name>states</name>
  <type>VECTOR</type>
  <path>/</path>
  <defaultStyle>
    <name>polygon</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/styles/polygon.xml" type="application/xml"/>
  </defaultStyle>
  <resource class="featureType">
    <name>acme:states</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme/datastores/s/featuretypes/states.xml" type="application/xml"/>
  </resource>
  <attribution>
    <logoWidth>0</logoWidth>
    <logoHeight>0</logoHeight>
  </attribution>
  <dateCreated>2026-01-02 00:00:00.000 UTC</dateCreated>
</layer>
`);
    expect((await server.get('/layers/acme:states.json')).json()).toMatchObject({
      layer: { resource: { '@class': 'featureType', name: 'acme:states' } },
    });
  });

  it.each([
    ['/layers/acme:roads', 200],
    ['/workspaces/other/layers/rivers', 200],
    ['/layers/rivers', 200],
    ['/layers/roads', 200],
    ['/layers/states', 200],
    ['/layers/nothing', 404],
    ['/layers/acme:rivers', 404],
    ['/layers/nowhere:rivers', 404],
    ['/workspaces/acme/layers/rivers', 404],
    ['/layers/a:b:c', 404],
  ])('are found at %s: %i', async (path, status) => {
    expect((await server.get(`${path}.json`)).status).toBe(status);
    expect((await server.get(path)).status).toBe(status);
  });

  it('with an ambiguous name resolve to the default workspace, or to none', async () => {
    await publish(server, 'third', ['rivers']);

    expect((await server.get('/layers/states.json')).text).toContain('acme:states');
    expect((await server.get('/layers/rivers.json')).status).toBe(404);
    await server.delete('/workspaces/third?recurse=true');
  });

  it('are deleted alone, or with their resource', async () => {
    await publish(server, 'doomed', ['one', 'two']);

    expect((await server.delete('/layers/doomed:one')).status).toBe(200);
    expect((await server.delete('/workspaces/doomed/layers/two?recurse=true')).status).toBe(200);

    expect(await names(server, '/workspaces/doomed/layers.xml')).toEqual([]);
    expect((await server.get('/workspaces/doomed/featuretypes/one.xml')).status).toBe(200);
    expect((await server.get('/workspaces/doomed/featuretypes/two.xml')).status).toBe(404);
    expect((await server.delete('/layers/doomed:one')).status).toBe(404);
  });

  it('reject POST and PUT', async () => {
    expect((await server.request('POST', '/layers', { type: 'xml', body: '<layer/>' })).status).toBe(405);
  });
});

describe('layers of other workspaces', () => {
  const server = useTestServer();
  let ann = '';
  let reader = '';
  beforeAll(async () => {
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    reader = await addUser(server, 'reader', 'ROLE_READER');
    await publish(server, 'acme', ['mine']);
    await publish(server, 'other', ['open', 'secret']);
    await putZip(server, '/workspaces/other/datastores/t/file.shp', zipOf({ hidden: pointShapefile() }));
    const rules = {
      'acme.*.a': 'ROLE_ACME',
      '*.*.r': 'ROLE_NOBODY',
      'other.open.r': 'ROLE_ACME,ROLE_READER',
    };
    await server.post('/security/acl/layers', JSON.stringify(rules));
  });

  it('are listed as far as the user can read them', async () => {
    expect(await names(server, '/layers.xml', ann)).toEqual(['acme:mine', 'other:open']);
  });

  it('are indistinguishable from unknown layers', async () => {
    const hidden = await server.get('/layers/other:secret.json', { as: ann });
    const absent = await server.get('/layers/other:absent.json', { as: ann });

    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe(absent.text.replace('absent', 'secret'));
    expect((await server.get('/layers/other:open.json', { as: ann })).status).toBe(200);
    expect((await server.delete('/layers/other:open', { as: ann })).status).toBe(403);
    expect((await server.delete('/layers/other:secret', { as: ann })).status).toBe(404);
    expect((await server.get('/layers/other:open.json')).status).toBe(200);
  });

  it('are denied to users without a workspace unless a rule admits them', async () => {
    expect((await server.get('/layers.xml', { as: reader })).status).toBe(403);
  });

  it('cannot be reached by moving a store into their workspace', async () => {
    const reply = await server.put('/workspaces/acme/datastores/s', '{"dataStore":{"workspace":"other"}}', { as: ann });

    expect(reply.status).toBe(403);
    expect((await server.get('/workspaces/acme/datastores/s.json')).status).toBe(200);
  });
});
