import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addTown, townsOf, uploadTowns } from '../../../test/support/edited-stores.ts';
import { readChangeNumber, startTrial } from '../../../test/support/history.ts';
import { isOnPostgres } from '../../../test/support/shared-storage.ts';
import type { TestServer } from '../../../test/support/test-server.ts';

const problems = { accept: 'application/problem+json' };
const storePath = '/workspaces/acme/datastores/roads';
const post = (server: TestServer, path: string) => server.request('POST', `/history/${path}`, problems);

/** Nodes do not edit files: there the file stays as uploaded. */
const edited = (...names: readonly string[]) => (isOnPostgres ? ['Bern'] : ['Bern', ...names]);

const editedCopies = (server: TestServer) => readdir(join(server.dataDir, 'data/acme/roads'));

describe('a change that made features editable', () => {
  it('is not undone, so that no edit is hidden and the next one changes the same file', async () => {
    const { server } = await startTrial();
    await uploadTowns(server);
    const change = await addTown(server, 'Basel');

    const undone = await post(server, `${change}/undo`);

    expect(undone.status).toBe(409);
    expect(undone.json()).toMatchObject({
      code: 'undo-hides-edits',
      detail: `Change ${change} made the features of ${storePath} editable and cannot be undone: the uploaded file lacks all edits since, and they would be hidden. To go back to the uploaded file, upload it to the store again; to restore the rest, restore a state after change ${change}.`,
    });
    await addTown(server, 'Chur');
    expect(await townsOf(server)).toEqual(edited('Basel', 'Chur'));
    expect(await editedCopies(server)).toEqual(['1']);
  });

  it('is skipped with a warning when an earlier state is restored', async () => {
    const { server } = await startTrial();
    await uploadTowns(server);
    const wanted = server.server.storage.position();
    await server.put(storePath, '{"dataStore":{"description":"later"}}');
    const change = await addTown(server, 'Basel');
    await server.put(storePath, '{"dataStore":{"description":"last"}}');
    await server.post('/workspaces', '{"workspace":{"name":"other"}}');

    const tried = await post(server, `${wanted}/restore?dryRun=true`);
    const restored = await post(server, `${wanted}/restore`);

    const warning = `${storePath} keeps its edited features: change ${change}, which made them editable, was not undone.`;
    for (const reply of [tried, restored]) {
      expect(reply.status, reply.text).toBe(200);
      expect(reply.headers['warning']).toContain(warning);
    }
    expect((await server.get('/workspaces/other')).status).toBe(404);
    expect((await server.get(`${storePath}.json`)).text).not.toContain('last');
    await addTown(server, 'Chur');
    expect(await townsOf(server)).toEqual(edited('Basel', 'Chur'));
    expect(await editedCopies(server)).toEqual(['1']);
  });

  it('is skipped for a store deleted since, which is restored with its edits', async () => {
    const { server } = await startTrial();
    await uploadTowns(server);
    const wanted = server.server.storage.position();
    await addTown(server, 'Basel');
    await server.delete(`${storePath}?recurse=true`);

    const restored = await post(server, `${wanted}/restore`);

    expect(restored.status, restored.text).toBe(200);
    expect(restored.headers['warning']).toContain(`${storePath} keeps its edited features`);
    expect(await townsOf(server)).toEqual(edited('Basel'));
  });

  it('rejects restoring other data than the edited one', async () => {
    const { server } = await startTrial();
    await uploadTowns(server);
    const wanted = server.server.storage.position();
    await addTown(server, 'Basel');
    const between = server.server.storage.position();
    await uploadTowns(server);
    const change = await addTown(server, 'Chur');

    for (const state of [wanted, between]) {
      const refused = await post(server, `${state}/restore`);

      expect(refused.json()).toMatchObject({ status: 409, code: 'undo-hides-edits' });
      expect(refused.text).toContain(`restore a state after change ${change}`);
    }
    expect(await townsOf(server)).toEqual(edited('Chur'));
  });

  it('does not keep a store that did not exist in the restored state', async () => {
    const { server } = await startTrial();
    const wanted = readChangeNumber(await server.post('/workspaces', '{"workspace":{"name":"first"}}'));
    await uploadTowns(server);
    await addTown(server, 'Basel');

    const restored = await post(server, `${wanted}/restore`);

    expect([restored.status, restored.headers['warning']]).toEqual([200, undefined]);
    expect((await server.get(storePath)).status).toBe(404);
    const again = await post(server, `${(restored.json() as { sequence: number }).sequence}/undo`);
    expect(again.status, again.text).toBe(200);
    expect(await townsOf(server)).toEqual(edited('Basel'));
  });
});
