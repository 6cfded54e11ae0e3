/** Cached tiles under data rules: users share them only if they see the same data. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const attributes = [geometryColumn('Polygon'), column('owner', 'string'), column('dept', 'string')];
const lots = {
  name: 'lots',
  attributes,
  rows: [
    [wkt('POLYGON ((0 0, 40 0, 40 40, 0 40, 0 0))'), 'ann', 'red'],
    [wkt('POLYGON ((60 0, 90 0, 90 40, 60 40, 60 0))'), 'bob', 'blue'],
  ],
};

const TILE = '//geoserver/gwc/service/wmts/rest/land:lots/EPSG:900913/0/0/0?format=';
const VECTOR = 'application/vnd.mapbox-vector-tile';

describe('tiles under data rules', () => {
  const server = useTestServer({ flags: ['--trust-proxy', '127.0.0.1'] });
  let ann = '';
  let bob = '';
  let cy = '';
  beforeAll(async () => {
    await publishTables(server, 'land', [lots], 'lots');
    ann = await addUser(server, 'ann', 'FIELD');
    bob = await addUser(server, 'bob', 'FIELD');
    cy = await addUser(server, 'cy', 'AUDIT');
  });
  beforeEach(async () => {
    const { dataRules } = (await server.get('/security/acl/data')).json() as { dataRules: { name: string }[] };
    for (const { name } of dataRules) await server.delete(`/security/acl/data/${name}`);
    await server.delete('//geoserver/gwc/rest/layers/land:lots');
  });

  async function addRule(fields: object): Promise<void> {
    const dataRule = { layer: 'land:lots', ...fields };
    const reply = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
    expect(reply.status, reply.text).toBe(201);
  }
  /** Returns whether the tile was cached, and the owners in it. */
  const readTile = ({ headers, bytes }: Reply) => [
    headers['geowebcache-cache-result'],
    ['ann', 'bob'].filter((name) => bytes.includes(name)),
  ];
  const getTile = async (as: string | null | undefined, format = VECTOR) =>
    readTile(await server.get(`${TILE}${format}`, as === undefined ? {} : { as }));

  it('are shared by users with the same effective rule, and by no others', async () => {
    await addRule({ name: 'red', roles: ['FIELD'], rows: "dept = 'red'" });
    await addRule({ name: 'all', roles: ['AUDIT'] });

    expect(await getTile(ann)).toEqual(['MISS', ['ann']]);
    expect(await getTile(bob)).toEqual(['HIT', ['ann']]);
    expect(await getTile(cy)).toEqual(['MISS', ['ann', 'bob']]);
    expect(await getTile(null)).toEqual(['MISS', []]);
    expect(await getTile(undefined)).toEqual(['MISS', ['ann', 'bob']]);
    expect([await getTile(ann), await getTile(cy)]).toEqual([
      ['HIT', ['ann']],
      ['HIT', ['ann', 'bob']],
    ]);
    await server.put('/security/acl/data/red', '{"dataRule":{"rows":"owner = ${user.name}"}}');
    expect(await getTile(bob)).toEqual(['MISS', ['bob']]);
    expect(await getTile(ann)).toEqual(['MISS', ['ann']]);
  });

  it('depend on the claims that rules use, and on no others', async () => {
    const provider = {
      name: 'gate',
      className: 'org.geoserver.security.auth.RequestHeaderAuthenticationProvider',
      claimHeaders: { dept: 'X-Dept', session: 'X-Session' },
      defaultRoles: ['FIELD'],
    };
    const made = await server.post('/security/authproviders', JSON.stringify({ authprovider: provider }));
    expect(made.status, made.text).toBe(201);
    await addRule({ name: 'own', roles: ['FIELD'], rows: 'dept = ${claim.dept}' });
    const ask = async (dept: string, session: string) => {
      const headers = { 'x-forwarded-user': 'dan', 'x-dept': dept, 'x-session': session };
      return readTile(await server.get(`${TILE}${VECTOR}`, { as: null, headers }));
    };

    expect(await ask('red', '1')).toEqual(['MISS', ['ann']]);
    expect(await ask('red', '2')).toEqual(['HIT', ['ann']]);
    expect(await ask('blue', '2')).toEqual(['MISS', ['bob']]);
    expect(await ask('red', '3')).toEqual(['HIT', ['ann']]);
  });

  it('are seeded for anonymous users, also if they cannot read the layer', async () => {
    const seed = async () => {
      const seedRequest = { name: 'land:lots', zoomStart: 0, zoomStop: 0, format: VECTOR, gridSetId: 'EPSG:900913' };
      const body = JSON.stringify({ seedRequest });
      await server.post('//geoserver/gwc/rest/seed/land:lots.json', body);
      await expect
        .poll(async () => (await server.get('//geoserver/gwc/rest/seed.json')).json())
        .toEqual({ 'long-array-array': [] });
    };
    await addRule({ name: 'open', roles: ['*'], rows: "dept = 'red'" });
    await addRule({ name: 'all', roles: ['AUDIT'] });
    await seed();

    expect(await getTile(null)).toEqual(['HIT', ['ann']]);
    expect(await getTile(ann)).toEqual(['HIT', ['ann']]);
    expect(await getTile(undefined)).toEqual(['MISS', ['ann', 'bob']]);
    expect(await getTile(cy)).toEqual(['MISS', ['ann', 'bob']]);
    await server.post('/security/acl/layers', '{"land.lots.r":"FIELD,AUDIT"}');
    await server.delete('//geoserver/gwc/rest/layers/land:lots');
    await seed();
    expect(await getTile(ann)).toEqual(['HIT', ['ann']]);
    await server.delete('/security/acl/layers/land.lots.r');
  });
});
