/** Listings of layers for tables: searches by title, and what a table shows. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, polygonShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';

describe('listings of layers', () => {
  const server = useTestServer();
  beforeAll(async () => {
    for (const workspace of ['acme', 'other']) {
      await server.post('/workspaces', JSON.stringify({ workspace: { name: workspace } }), { type: 'json' });
      await putZip(
        server,
        `/workspaces/${workspace}/datastores/files/file.shp?configure=all`,
        zipOf({ rivers: pointShapefile(), states: polygonShapefile() }),
      );
    }
    await change('rivers', { title: 'Flüsse & Bäche\nwith a second line' });
    await change('states', { enabled: false });
  });

  const change = async (name: string, fields: object) => {
    const path = `/workspaces/acme/datastores/files/featuretypes/${name}`;
    const reply = await server.put(path, JSON.stringify({ featureType: fields }), { type: 'json' });
    expect(reply.status, reply.text).toBe(200);
  };

  const list = async (query: string, path = '/layers', as?: string) => {
    const reply = await server.get(`${path}.json?${query}`, as === undefined ? {} : { as });
    expect(reply.status, reply.text).toBe(200);
    const { layers } = reply.json() as { layers: '' | { layer: { name: string }[] } };
    return { total: reply.headers['graticule-total'], layers: layers === '' ? [] : layers.layer };
  };

  it('find layers by a part of the title, in all workspaces and in one', async () => {
    for (const [path, names] of [
      ['/layers', ['acme:rivers']],
      ['/workspaces/acme/layers', ['rivers']],
      ['/workspaces/other/layers', []],
    ] as const) {
      const found = await list(`q=${encodeURIComponent('FLÜSSE & b')}&limit=10&count=true`, path);
      expect([path, found.layers.map(({ name }) => name), found.total]).toEqual([path, names, `${names.length}`]);
    }
    expect((await list(`q=${encodeURIComponent('second line')}`)).layers).toHaveLength(1);
  });

  it('find a layer by its new title only', async () => {
    await change('rivers', { title: 'Streams' });
    const found = await Promise.all(['q=streams', 'q=fl%C3%BCsse'].map((query) => list(query)));
    await change('rivers', { title: null });
    const cleared = await list('q=streams');

    expect(found.map(({ layers }) => layers.length)).toEqual([1, 0]);
    expect(cleared.layers).toEqual([]);
  });

  it('jump to a row of the current list, in which each caller finds only visible layers', async () => {
    const steward = await addUser(server, 'steward', 'STEWARD');
    await server.post('/security/acl/layers', '{"acme.*.r":"KEEPER","other.*.a":"STEWARD"}', { type: 'json' });
    const jump = async (offset: number, as?: string) =>
      (await list(`limit=2&offset=${offset}`, '/layers', as)).layers.map(({ name }) => name);
    const jumps = async () => [await jump(0), await jump(1), await jump(3), await jump(9), await jump(0, steward)];

    const first = await jumps();
    await server.post('/workspaces', '{"workspace":{"name":"acm"}}', { type: 'json' });
    await putZip(server, '/workspaces/acm/datastores/files/file.shp?configure=all', zipOf({ z: pointShapefile() }));
    const second = await jumps();
    await server.delete('/workspaces/acm?recurse=true');
    const third = await jumps();
    for (const rule of ['acme.*.r', 'other.*.a']) await server.delete(`/security/acl/layers/${rule}`);

    const own = ['other:rivers', 'other:states'];
    expect(first).toEqual([['acme:rivers', 'acme:states'], ['acme:states', 'other:rivers'], ['other:states'], [], own]);
    expect(second.slice(0, 3)).toEqual([['acm:z', 'acme:rivers'], ['acme:rivers', 'acme:states'], own]);
    expect(third).toEqual(first);
  });

  it('return title, type, store, style, state and access with details', async () => {
    await change('rivers', { title: 'Rivers' });
    const { layers } = await list('limit=2&details=true');

    expect(layers).toEqual([
      {
        ...{ name: 'acme:rivers', title: 'Rivers', type: 'VECTOR', workspace: 'acme', store: 'files' },
        ...{ defaultStyle: 'point', enabled: true, access: 'public' },
        href: expect.stringContaining('/layers/acme%3Arivers.json'),
      },
      {
        ...{ name: 'acme:states', title: 'states', type: 'VECTOR', workspace: 'acme', store: 'files' },
        ...{ defaultStyle: 'polygon', enabled: false, access: 'public' },
        href: expect.stringContaining('/layers/acme%3Astates.json'),
      },
    ]);
  });

  it('return details only in pages', async () => {
    const reply = await server.get('/layers?details=true', { accept: 'application/problem+json' });

    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({ code: 'query-invalid', detail: expect.stringContaining("'details'") });
  });

  it('return and count only layers that the user may see', async () => {
    const keeper = await addUser(server, 'keeper', 'KEEPER');
    await server.post('/security/acl/layers', '{"other.*.a":"KEEPER","*.*.r":"ROLE_ADMINISTRATOR"}', { type: 'json' });

    const found = await list('q=rivers&limit=10&count=true&details=true', '/layers', keeper);

    expect([found.layers.map(({ name }) => name), found.total]).toEqual([['other:rivers'], '1']);
  });

  describe('return the access of users without credentials', () => {
    const rules = '/security/acl/layers';
    const readAccess = async (as?: string) => {
      const { layers } = await list('limit=10&details=true', '/layers', as);
      return Object.fromEntries(layers.map((layer) => [layer.name, (layer as { access?: string }).access]));
    };
    const setMode = (mode: string) => server.put('/security/acl/catalog', JSON.stringify({ mode }), { type: 'json' });
    let warden: string;
    beforeAll(async () => {
      warden = await addUser(server, 'warden', 'WARDEN');
      for (const rule of ['other.*.a', '*.*.r']) await server.delete(`${rules}/${rule}`);
      const sent = { 'acme.rivers.r': 'KEEPER', 'acme.states.r': '*', 'other.*.a': 'WARDEN' };
      expect((await server.post(rules, JSON.stringify(sent), { type: 'json' })).status).toBe(201);
      for (const layer of ['acme:states', 'other:states']) {
        const dataRule = { name: layer.replace(':', '-'), layer, roles: ['*'], rows: '1 = 2' };
        const reply = await server.post('/security/acl/data', JSON.stringify({ dataRule }), { type: 'json' });
        expect(reply.status, reply.text).toBe(201);
      }
    });

    it('as layer rules and data rules decide', async () => {
      expect(await readAccess()).toEqual({
        'acme:rivers': 'hidden',
        'acme:states': 'limited',
        'other:rivers': 'public',
        'other:states': 'limited',
      });
    });

    it('as the catalog mode presents refusals', async () => {
      await setMode('CHALLENGE');
      const challenged = await readAccess();
      await setMode('HIDE');

      expect(challenged).toMatchObject({ 'acme:rivers': 'restricted' });
    });

    it('without the data rules of workspaces that the caller does not administer', async () => {
      expect(await readAccess(warden)).toEqual({
        'acme:states': 'public',
        'other:rivers': 'public',
        'other:states': 'limited',
      });
    });
  });
});
