import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addManyLayers } from '../../../test/support/console-server.ts';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { lineSld, SLD_TYPE } from '../../../test/support/styles.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

interface Found {
  readonly search: {
    readonly total: number;
    readonly results: readonly {
      readonly kind: string;
      readonly name: string;
      readonly title?: string;
      readonly workspace?: string;
      readonly path: string;
    }[];
  };
}

/** The number of layers of the test with many layers. */
const MANY_LAYERS = Number(process.env['SEARCH_LAYERS'] ?? 2_000);

describe('search', () => {
  let server: TestServer;
  let steward: string;
  beforeAll(async () => {
    server = await startTestServer();
    const attributes = [geometryColumn('Point'), column('name', 'string')];
    const rows = [[wkt('POINT (1 2)'), 'a']] as const;
    const tables = ['roads', 'railroads', 'parcels'].map((name) => ({ name, attributes, rows }));
    for (const workspace of ['city', 'forest']) await publishTables(server, workspace, tables, 'roaddata');
    const title = JSON.stringify({ featureType: { title: 'Streets of Überlingen' } });
    await server.put('/workspaces/city/datastores/roaddata/featuretypes/parcels', title);
    await server.post('/styles?name=roadstyle', lineSld('first'), { type: SLD_TYPE });
    await server.post('/workspaces/forest/styles?name=roadlocal', lineSld('first'), { type: SLD_TYPE });
    steward = await addUser(server, 'roadsteward', 'ROADCREW');
    await server.post('/security/acl/layers', JSON.stringify({ 'city.*.a': 'ROADCREW', 'forest.*.r': 'NOBODY' }));
  });
  afterAll(() => server.close());

  const search = async (query: string, as?: string): Promise<Found['search']> => {
    const reply = await server.get(`/search?${query}`, as === undefined ? {} : { as });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    return (reply.json() as Found).search;
  };
  const list = ({ results }: Found['search']) => results.map(({ kind, path }) => `${kind} ${path}`);

  it('returns resources of all kinds: exact names first, then beginnings of names, words and parts', async () => {
    expect(list(await search('q=roads'))).toEqual([
      'layer /workspaces/city/layers/roads',
      'layer /workspaces/forest/layers/roads',
      'style /styles/roadstyle',
      'user /security/usergroup/user/roadsteward',
      'layer /workspaces/city/layers/railroads',
      'layer /workspaces/forest/layers/railroads',
    ]);
    expect(list(await search('q=road&kinds=dataStore,role'))).toEqual([
      'dataStore /workspaces/city/datastores/roaddata',
      'dataStore /workspaces/forest/datastores/roaddata',
      'role /security/roles/role/ROADCREW',
    ]);
  });

  it('compares titles, qualified names and several words, in any case', async () => {
    const result = {
      kind: 'layer',
      name: 'parcels',
      title: 'Streets of Überlingen',
      workspace: 'city',
      path: '/workspaces/city/layers/parcels',
    };

    expect(await search('q=STREETS')).toEqual({ total: 1, results: [result] });
    expect((await search('q=%C3%BCberlingen%20parc')).results).toEqual([result]);
    expect((await search('q=city:parcels&kinds=layer')).results).toEqual([result]);
  });

  it('finds a change by its number, and rules by their keys and roles', async () => {
    expect((await search('q=5&kinds=change')).results).toEqual([
      { kind: 'change', name: '5', title: expect.any(String), path: '/history/5' },
    ]);
    expect((await search('q=999999')).results).toEqual([]);
    expect(list(await search('q=roadcrew&kinds=layerRule'))).toEqual(['layerRule /security/acl/layers/city.*.a']);
  });

  it('returns at most limit results and counts all', async () => {
    const { total, results } = await search('q=road&limit=2');

    expect([total, results.length]).toEqual([11, 2]);
  });

  it('shows an administrator of one workspace what the listings show to it', async () => {
    expect(list(await search('q=roa&limit=100', steward))).toEqual([
      'layer /workspaces/city/layers/roads',
      'dataStore /workspaces/city/datastores/roaddata',
      'style /styles/roadstyle',
      'layer /workspaces/city/layers/railroads',
    ]);
    expect((await search('q=5', steward)).results).toEqual([]);
    expect((await search('q=forest', steward)).total).toBe(0);
    expect((await search('q=e&limit=100', steward)).results.filter(({ path }) => path.includes('forest'))).toEqual([]);
  });

  it('requires rights to administer a workspace', async () => {
    const reader = await addUser(server, 'reader', 'READERS');

    expect((await server.get('/search?q=roads', { as: null })).status).toBe(401);
    expect((await server.get('/search?q=roads', { as: reader })).status).toBe(403);
  });

  it.each([
    ['', 'q'],
    ['q=', 'q'],
    ['q=%20', 'q'],
    ['q=a&kinds=layer,nothing', 'kinds'],
    ['q=a&limit=101', 'limit'],
    ['q=a&limit=0', 'limit'],
  ])('rejects the query %s', async (query, parameter) => {
    const reply = await server.get(`/search?${query}`, { accept: 'application/problem+json' });

    expect([reply.status, reply.json()]).toMatchObject([400, { code: 'query-invalid' }]);
    expect(reply.text).toContain(`'${parameter}'`);
  });

  it('follows changes', async () => {
    const rename = (title: string) =>
      server.put('/workspaces/city/datastores/roaddata/featuretypes/roads', JSON.stringify({ featureType: { title } }));
    expect((await search('q=autobahn')).total).toBe(0);
    await rename('Autobahn');
    expect(list(await search('q=autobahn'))).toEqual(['layer /workspaces/city/layers/roads']);
    await rename('roads');
    expect((await search('q=autobahn')).total).toBe(0);
  });

  it('rejects a text of more than 500 characters', async () => {
    expect((await server.get(`/search?q=${'x'.repeat(501)}`)).status).toBe(400);
  });

  it('finds one of many layers', async () => {
    await addManyLayers(server, MANY_LAYERS);
    const last = `copy_${String(MANY_LAYERS - 1).padStart(6, '0')}`;
    const startedAt = performance.now();
    const { results } = await search(`q=${last}`);
    const firstMs = performance.now() - startedAt;
    await search('q=copy_00');
    const nextMs = performance.now() - startedAt - firstMs;

    expect(results.map(({ name }) => name)).toEqual([last]);
    expect((await search('q=copy&limit=1')).total).toBe(MANY_LAYERS);
    if (process.env['SEARCH_LAYERS'] !== undefined)
      console.log(`${MANY_LAYERS} layers: ${Math.round(firstMs)} ms, then ${Math.round(nextMs)} ms`);
  });
});
