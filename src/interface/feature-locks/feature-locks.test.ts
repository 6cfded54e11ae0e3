/** Locks of features in the REST interface. */
import { expect, it } from 'vitest';
import { column, geometryColumn } from '../../../test/support/feature-collections.ts';
import { publishEditableTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const nowMs = Date.parse('2026-05-01T00:00:00Z');
const server = useTestServer({ clock: () => nowMs });
const attributes = [geometryColumn('Point'), column('name', 'string')];

it('administrators list, read and release locks of features', async () => {
  await publishEditableTables(
    server,
    'acme',
    [
      {
        name: 'towns',
        attributes,
        rows: [
          [null, 'Bern'],
          [null, 'Genf'],
        ],
      },
    ],
    'towns',
  );
  expect((await server.get('/locks')).json()).toEqual({ locks: [] });
  for (const id of [1, 2]) {
    const query = `service=WFS&version=2.0.0&request=LockFeature&typeNames=acme:towns&resourceId=towns.${id}&expiry=60`;
    expect((await server.get(`//geoserver/wfs?${query}`)).status).toBe(200);
  }

  const listed = await server.get('/locks?limit=1');
  const { locks } = listed.json() as { locks: { id: string }[] };
  const id = locks[0]?.id ?? '';
  const lock = {
    id,
    user: 'admin',
    layers: ['acme:towns'],
    features: 1,
    created: '2026-05-01T00:00:00.000Z',
    expires: '2026-05-01T00:01:00.000Z',
  };
  expect(locks).toEqual([lock]);
  expect(listed.headers['link']).toContain(`after=${id}`);
  expect((await server.get(`/locks/${id}`)).json()).toEqual({ lock });
  expect((await server.get('/locks.html')).text).toContain('acme:towns');
  expect((await server.get('/doctor')).text).toContain('2 locks of users hold 2 features.');

  const ann = await addUser(server, 'ann', 'STAFF');
  expect((await server.get('/locks', { as: ann })).status).toBe(403);
  expect((await server.delete(`/locks/${id}`, { as: ann })).status).toBe(403);
  expect((await server.delete(`/locks/${id}?dryRun=true`)).status).toBe(200);
  expect((await server.get(`/locks/${id}`)).status).toBe(200);
  expect((await server.delete(`/locks/${id}`)).status).toBe(200);
  expect(await server.delete(`/locks/${id}`)).toMatchObject({
    status: 404,
    text: `No such lock: '${id}'. Lock the features again.\n`,
  });
  expect((await server.get('/locks')).json()).toMatchObject({ locks: [{ features: 1 }] });
});
