import { describe, expect, it } from 'vitest';
import { readChangeNumber, recordsIn, startTrial } from '../../../test/support/history.ts';
import { lineSld, SLD_TYPE } from '../../../test/support/styles.ts';

const workspace = (name: string) => JSON.stringify({ workspace: { name } });
const problems = { accept: 'application/problem+json' };

describe('restore', () => {
  it('reverts all later changes in one new change', async () => {
    const { server, storage } = await startTrial();
    await server.post('/workspaces', workspace('acme'));
    const wanted = readChangeNumber(await server.post('/styles?name=stroke', lineSld('first'), { type: SLD_TYPE }));
    const before = await recordsIn(storage());
    await server.put('/styles/stroke', lineSld('second'), { type: SLD_TYPE });
    await server.delete('/workspaces/acme');
    await server.post('/workspaces', workspace('acme'));
    await server.post('/security/acl/layers', '{"acme.*.r":"ROLE_A"}');
    const last = readChangeNumber(await server.post('/workspaces', workspace('other')));

    const restored = await server.request('POST', `/history/${wanted}/restore`, problems);

    expect(restored.json()).toMatchObject({ sequence: last + 1, undoes: null });
    expect(await recordsIn(storage())).toEqual(before);
    expect((await server.get('/styles/stroke.sld')).text).toBe(lineSld('first'));
  });

  it('changes nothing for the last state', async () => {
    const { server } = await startTrial();
    const last = readChangeNumber(await server.post('/workspaces', workspace('acme')));

    expect((await server.request('POST', `/history/${last}/restore`)).json()).toMatchObject({
      sequence: null,
      items: [],
    });
  });

  it('resets the server to its initial state for 0', async () => {
    const { server, storage } = await startTrial();
    const fresh = await recordsIn(storage());
    await server.post('/workspaces', workspace('acme'));
    await server.put('/styles/point', lineSld('changed'), { type: SLD_TYPE });

    await server.request('POST', '/history/0/restore');

    expect(await recordsIn(storage())).toEqual(fresh);
    await server.post('/workspaces', workspace('again'));
    await server.request('POST', '/history/1/restore');
    expect(await recordsIn(storage())).toEqual(fresh);
  });

  it('is rejected if later changes are missing from the history', async () => {
    const { server, storage } = await startTrial();
    const wanted = readChangeNumber(await server.post('/workspaces', workspace('first')));
    for (const name of ['second', 'third', 'fourth']) await server.post('/workspaces', workspace(name));
    const whole = await recordsIn(storage());
    const sealedChanges = storage().listSealedChanges.bind(storage());
    const restoreWithout = (first: number, last: number) => {
      storage().listSealedChanges = async (after, limit) =>
        (await sealedChanges(after, limit)).filter(({ sequence }) => sequence < first || sequence > last);
      return server.request('POST', `/history/${wanted}/restore`, problems);
    };

    for (const [first, last] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [2, 3],
      [1, 3],
    ] as const) {
      const reply = await restoreWithout(wanted + first, wanted + last);
      expect([reply.status, reply.json()]).toMatchObject([
        410,
        {
          code: 'history-incomplete',
          detail: `Changes ${wanted + first} to ${wanted + last} are missing from the history, so nothing was restored. Restore a state after them.`,
        },
      ]);
    }

    storage().listSealedChanges = sealedChanges;
    expect(await recordsIn(storage())).toEqual(whole);
    expect((await server.request('POST', `/history/${wanted}/restore`)).status).toBe(200);
  });

  it('gives up when other changes always come first', async () => {
    const { server, storage } = await startTrial();
    const wanted = readChangeNumber(await server.post('/workspaces', workspace('acme')));
    const sealedChanges = storage().listSealedChanges.bind(storage());
    let count = 0;
    storage().listSealedChanges = async (after, limit) => {
      const entries = await sealedChanges(after, limit);
      count += 1;
      if (entries.length === 0) await server.post('/workspaces', workspace(`other${count}`));
      return entries;
    };

    const reply = await server.request('POST', `/history/${wanted}/restore`, problems);

    expect([reply.status, reply.json()]).toMatchObject([503, { code: 'restore-overtaken' }]);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect((await server.get('/workspaces/other1.json')).status).toBe(200);
  });

  it('returns 404 for an unknown state', async () => {
    const { server } = await startTrial();

    expect((await server.request('POST', '/history/99999/restore')).status).toBe(404);
    expect((await server.request('POST', '/history/x/restore')).status).toBe(404);
  });
});
