import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf, publishLayers } from '../../../test/support/layer-groups.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

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
    await publishLayers(server, 'acme', ['a', 'b']);
    await publishLayers(server, 'other', ['open', 'secret']);
    await server.post('/layergroups', groupOf('global', ['acme:a', 'other:open', 'other:secret']));
    await server.post('/workspaces/other/layergroups', groupOf('theirs', ['open']));
    await server.post('/workspaces/other/layergroups', groupOf('shown', ['open', 'secret']));
    const rules = {
      'acme.*.a': 'ROLE_ACME',
      'other.*.r': 'ROLE_NOBODY',
      'other.open.r': 'ROLE_ACME',
      'other.shown.r': 'ROLE_ACME',
    };
    await server.post('/security/acl/layers', JSON.stringify(rules));
    if (compat === 'geoserver') {
      // The rules of the reference server limit REST to administrators.
      await server.delete('/security/acl/rest/%2F**:GET,HEAD,OPTIONS');
      await server.delete('/security/acl/rest/%2F**:POST,DELETE,PUT');
    }
  });

  it('can read and write the groups of the workspace at every path', async () => {
    const groups = '/workspaces/acme/layergroups';
    expect((await server.post(groups, groupOf('mine', ['a']), { as: ann })).status).toBe(201);
    expect((await server.get(`${groups}.json`, { as: ann })).text).toContain('"mine"');
    expect((await server.put(`${groups}/mine`, '{"layerGroup":{"title":"Mine"}}', { as: ann })).status).toBe(200);
    expect((await server.put('/layergroups/acme:mine', '{"layerGroup":{"title":"M"}}', { as: ann })).status).toBe(200);
    expect((await server.delete('/layergroups/mine', { as: ann })).status).toBe(200);
    const named = groupOf('mine', ['acme:a'], { workspace: 'acme' });
    expect((await server.post('/layergroups', named, { as: ann })).status).toBe(201);
    expect((await server.delete(`${groups}/mine`, { as: ann })).status).toBe(200);
  });

  it('reads global groups as far as rules show their layers, and cannot write them', async () => {
    const read = await server.get('/layergroups/global.json', { as: ann });

    expect(read.status).toBe(200);
    expect(read.text).toContain('acme:a');
    expect(read.text).toContain('other:open');
    expect(read.text).not.toContain('secret');
    expect(read.headers['etag']).toBeUndefined();
    const writes = [
      await server.post('/layergroups', groupOf('x', ['acme:a']), { as: ann }),
      await server.put('/layergroups/global', '{"layerGroup":{"title":"x"}}', { as: ann }),
      await server.delete('/layergroups/global', { as: ann }),
    ];
    expect(writes.map(({ status }) => status)).toEqual([refused, refused, refused]);
    expect((await server.get('/layergroups/global.json')).text).toContain('other:secret');
  });

  it('sees of other workspaces what rules allow, and changes nothing there', async () => {
    expect((await server.get('/workspaces/other/layergroups', { as: ann })).status).toBe(404);
    expect((await server.get('/layergroups/other:theirs', { as: ann })).status).toBe(404);
    const shown = await server.get('/layergroups/other:shown.json', { as: ann });
    expect(shown.text).toContain('other:open');
    expect(shown.text).not.toContain('secret');
    expect((await server.put('/layergroups/other:shown', '{"layerGroup":{"title":"x"}}', { as: ann })).status).toBe(
      403,
    );
    expect((await server.delete('/layergroups/other:shown', { as: ann })).status).toBe(403);
    expect((await server.delete('/layergroups/other:theirs', { as: ann })).status).toBe(404);
    const foreign = groupOf('x', ['open'], { workspace: 'other' });
    expect((await server.post('/layergroups', foreign, { as: ann })).status).toBe(403);
  });

  it('has more rights than a user without a workspace', async () => {
    expect((await server.get('/layergroups', { as: reader })).status).toBe(403);
    expect((await server.get('/layergroups/global', { as: reader })).status).toBe(403);
    expect((await server.get('/layergroups/global', { as: null })).status).toBe(401);
    expect((await server.post('/layergroups', groupOf('x', ['acme:a']), { as: null })).status).toBe(401);
  });
});

describe('a REST rule', () => {
  const server = useTestServer();

  it('admits full administrators to global groups, and users who see the whole group to its members', async () => {
    await publishLayers(server, 'acme', ['a', 'hidden']);
    await server.post('/layergroups', groupOf('base', ['acme:a', 'acme:hidden']));
    const as = await addUser(server, 'carto', 'ROLE_CARTOGRAPHER');
    await server.post('/security/acl/rest', JSON.stringify({ '/rest/layergroups/**:GET,PUT': 'ROLE_CARTOGRAPHER' }));
    const change = (body: string) => server.put('/layergroups/base', body, { as });
    expect((await change('{"layerGroup":{"title":"a"}}')).status).toBe(403);

    await server.post(
      '/security/acl/layers',
      '{"*.*.a":"ROLE_CARTOGRAPHER","acme.*.a":"ROLE_NOBODY","acme.hidden.r":"ROLE_NOBODY"}',
    );

    expect((await change('{"layerGroup":{"title":"a"}}')).status).toBe(200);
    expect((await change(groupOf('base', ['acme:a']))).status).toBe(403);
    await server.delete('/security/acl/layers/acme.hidden.r');
    expect((await change(groupOf('base', ['acme:a']))).status).toBe(200);
    expect((await server.delete('/layergroups/base', { as })).status).toBe(403);
  });
});

describe('layer groups in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });
  beforeAll(() => publishLayers(server, 'acme', ['a', 'b']));
  const host = { headers: { host: 'h' } };

  it('return an empty list as an empty text', async () => {
    expect((await server.get('/layergroups', host)).text).toBe('{"layerGroups":""}');
    expect((await server.get('/layergroups.xml')).text).toBe('<layerGroups/>\n');
  });

  it('have a Location by name alone, which resolves', async () => {
    const created = await server.post('/workspaces/acme/layergroups', groupOf('base', ['a']), host);

    expect([created.status, created.text]).toEqual([201, 'base']);
    expect(created.headers['location']).toBe('http://h/geoserver/rest/layergroups/base');
    expect((await server.get('/layergroups/base.json', host)).json()).toMatchObject({
      layerGroup: {
        workspace: { name: 'acme' },
        publishables: { published: { '@type': 'layer', name: 'acme:a' } },
        styles: { style: '' },
      },
    });
  });

  it('reject another name', async () => {
    await server.post('/layergroups', groupOf('fixed', ['acme:a']));

    const renamed = await server.put('/layergroups/fixed', '{"layerGroup":{"name":"loose"}}');

    expect([renamed.status, renamed.text]).toEqual([403, expect.stringContaining("'fixed' cannot be changed")]);
    expect((await server.put('/layergroups/fixed', '{"layerGroup":{"name":"fixed","title":"A"}}')).status).toBe(200);
    expect((await server.delete('/layergroups/fixed')).status).toBe(200);
  });
});
