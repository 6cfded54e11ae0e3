/** Who can export tiles, and what the archives contain. */
import { setTimeout as delay } from 'node:timers/promises';
import { PMTiles } from 'pmtiles';
import { beforeAll, describe, expect, it } from 'vitest';
import { BytesSource } from '../../../test/support/archive-bytes.ts';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { featuresOfTile } from '../../../test/support/vector-tiles.ts';

const table = (name: string) => ({
  name,
  attributes: [geometryColumn('Point'), column('town', 'string')],
  rows: [
    [wkt('POINT (10 50)'), 'Bonn'],
    [wkt('POINT (10.1 50)'), 'Mainz'],
  ],
});

describe('access to tile exports', () => {
  const server = useTestServer();
  let owner = '';
  let other = '';
  let most = '';
  beforeAll(async () => {
    await publishTables(server, 'ours', [table('places'), table('staff'), table('closed')]);
    await publishTables(server, 'theirs', [table('secrets')]);
    owner = await addUser(server, 'owner', 'OWNER');
    other = await addUser(server, 'other', 'OTHER');
    most = await addUser(server, 'most', 'MOST');
    const rules = {
      'ours.*.a': 'OWNER,MOST',
      'theirs.*.a': 'OTHER',
      '*.*.a': 'MOST',
      'ours.closed.r': 'STAFF',
      'theirs.secrets.r': 'OTHER',
    };
    expect((await server.post('/security/acl/layers', JSON.stringify(rules))).status).toBe(201);
    const dataRule = { name: 'bonn', layer: 'ours:staff', roles: ['*'], rows: "town = 'Bonn'" };
    const ruled = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
    expect(ruled.status, ruled.text).toBe(201);
    const layerGroup = { name: 'both', publishables: { published: ['ours:places', 'theirs:secrets'] } };
    const grouped = await server.post('/layergroups', JSON.stringify({ layerGroup }));
    expect(grouped.status, grouped.text).toBe(201);
  });

  const start = (layer: string, as?: string | null) =>
    server.post('/tileexports', JSON.stringify({ tileExport: { layer, format: 'mvt', zoomStop: 0 } }), {
      accept: 'application/json',
      ...(as === undefined ? {} : { as }),
    });

  /** Returns the towns in the archive, and the id of the export. */
  async function exportTowns(layer: string, as?: string): Promise<{ readonly id: string; readonly towns: unknown }> {
    const started = await start(layer, as);
    expect(started.status, started.text).toBe(202);
    const { id } = (started.json() as { tileExport: { id: string } }).tileExport;
    for (;;) {
      const { state, problem } = (
        (await server.get(`/tileexports/${id}.json`)).json() as { tileExport: { state: string; problem?: string } }
      ).tileExport;
      if (state === 'finished') break;
      if (state === 'failed') throw new Error(problem);
      await delay(20);
    }
    const archive = new PMTiles(new BytesSource((await server.get(`/tileexports/${id}/file`)).bytes));
    const tile = await archive.getZxy(0, 0, 0);
    const features = tile === undefined ? [] : featuresOfTile(new Uint8Array(tile.data));
    return { id, towns: features.map(({ properties }) => properties['town']).toSorted() };
  }

  it('administrators of the workspace export its layers, and other users do not', async () => {
    const { id, towns } = await exportTowns('ours:places', owner);
    const paths = [`/tileexports/${id}.json`, `/tileexports/${id}/file`, `/workspaces/ours/tileexports/${id}.json`];

    expect(towns).toEqual(['Bonn', 'Mainz']);
    for (const path of paths) {
      expect([(await server.get(path, { as: owner })).status, (await server.get(path, { as: null })).status]).toEqual([
        200, 401,
      ]);
      expect((await server.get(path, { as: other })).status).toBe(404);
    }
    for (const [method, path] of [
      ['DELETE', `/tileexports/${id}`],
      ['POST', `/tileexports/${id}/restart`],
      ['POST', `/tileexports/${id}/cancel`],
    ] as const) {
      expect((await server.request(method, path, { as: other })).status).toBe(404);
    }
    expect((await server.get('/tileexports.json', { as: other })).text).not.toContain(id);
    expect((await server.get('/tileexports.json', { as: owner })).text).toContain(id);
  });

  it('layers of other workspaces are rejected like unknown ones if they are hidden', async () => {
    const hidden = await start('theirs:secrets', owner);
    const visible = await start('ours:places', other);

    expect([hidden.status, hidden.text]).toEqual([400, expect.stringContaining("Unknown layer 'theirs:secrets'")]);
    expect(visible.status).toBe(403);
    expect((await start('ours:places', null)).status).toBe(401);
  });

  it('an archive contains what data rules show to anonymous users, also for administrators', async () => {
    expect((await exportTowns('ours:staff')).towns).toEqual(['Bonn']);
    expect((await exportTowns('ours:staff', owner)).towns).toEqual(['Bonn']);
  });

  it('layers that anonymous users cannot read are exported', async () => {
    expect((await exportTowns('ours:closed', owner)).towns).toEqual(['Bonn', 'Mainz']);
  });

  it('a group is exported without the layers that are hidden from anonymous users', async () => {
    const { id, towns } = await exportTowns('both', most);

    expect(towns).toEqual(['Bonn', 'Mainz']);
    expect((await server.get(`/tileexports/${id}/file`, { as: most })).status).toBe(200);
    expect((await server.get(`/tileexports/${id}/file`, { as: owner })).status).toBe(404);
    expect([400, 403]).toContain((await start('both', owner)).status);
  });

  it('a group with layers of other workspaces is exported by users who administer all of them only', async () => {
    expect((await server.put('/security/acl/layers', JSON.stringify({ 'theirs.secrets.r': '*' }))).status).toBe(200);
    const rejected = await start('both', most);
    const { id, towns } = await exportTowns('both');

    expect([rejected.status, rejected.text]).toEqual([
      403,
      expect.stringContaining('contains layers of workspaces that you do not administer'),
    ]);
    expect(towns).toEqual(['Bonn', 'Bonn', 'Mainz', 'Mainz']);
    expect((await server.get(`/tileexports/${id}/file`, { as: most })).status).toBe(404);
  });

  it('users whose rights are withdrawn neither see nor download the export, whether it runs or has ended', async () => {
    await publishTables(server, 'lent', [table('places')]);
    const lent = await addUser(server, 'lent', 'LENT');
    const setRule = async (role: string) =>
      expect((await server.put('/security/acl/layers', JSON.stringify({ 'lent.*.a': role }))).status).toBe(200);
    expect((await server.post('/security/acl/layers', JSON.stringify({ 'lent.*.a': 'LENT' }))).status).toBe(201);
    const { id } = await exportTowns('lent:places', lent);
    const long = await server.post(
      '/tileexports',
      JSON.stringify({ tileExport: { layer: 'lent:places', zoomStop: 9, bounds: [-180, -85, 180, 85] } }),
      { accept: 'application/json', as: lent },
    );
    const running = (long.json() as { tileExport: { id: string } }).tileExport.id;

    await setRule('ADMIN');

    for (const path of [`${id}.json`, `${id}/file`, `${running}.json`]) {
      expect((await server.get(`/tileexports/${path}`, { as: lent })).status).not.toBe(200);
    }
    expect((await server.get('/tileexports.json', { as: lent })).text).not.toContain(id);
    expect((await server.request('POST', `/tileexports/${running}/cancel`, { as: lent })).status).not.toBe(200);
    expect((await server.get(`/tileexports/${id}/file`)).status).toBe(200);
    expect((await server.delete(`/tileexports/${running}`)).status).toBe(200);
    await setRule('LENT');
    expect((await server.get(`/tileexports/${id}/file`, { as: lent })).status).toBe(200);
  });
});
