/** Features edited in an uploaded GeoPackage are part of configuration archives and survive an apply. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addTown, townsOf, uploadTowns } from '../../../test/support/edited-stores.ts';
import { isOnPostgres } from '../../../test/support/shared-storage.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';

const ZIP = 'application/zip';
const storePath = '/workspaces/acme/datastores/roads';
const scope = '?path=/workspaces/acme';

/** Nodes do not edit files: there the file stays as uploaded. */
const edited = (...names: readonly string[]) => (isOnPostgres ? ['Bern'] : ['Bern', ...names]);

async function start(): Promise<TestServer> {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  return server;
}

async function startEdited(): Promise<TestServer> {
  const server = await start();
  await uploadTowns(server);
  await addTown(server, 'Basel');
  return server;
}

const createArchive = (server: TestServer) => server.get(`/configuration${scope}`, { accept: ZIP });

const post = (server: TestServer, what: 'apply' | 'diff', body: Buffer | string, mode = 'merge') =>
  server.request('POST', `/configuration/${what}?mode=${mode}`, {
    body,
    type: typeof body === 'string' ? 'json' : ZIP,
    accept: 'application/problem+json, application/json',
  });

describe('a configuration archive', () => {
  it('contains edited features and transfers them to another server', async () => {
    const [one, other] = [await startEdited(), await start()];

    const archive = await createArchive(one);
    const applied = await post(other, 'apply', archive.bytes);

    expect([archive.status, archive.headers['warning']]).toEqual([200, undefined]);
    expect(applied.status, applied.text).toBe(200);
    expect(await townsOf(other)).toEqual(edited('Basel'));
    for (const mode of ['merge', 'mirror']) {
      expect((await post(other, 'diff', archive.bytes, mode)).json()).toMatchObject({ steps: [] });
    }
    await addTown(other, 'Chur');
    expect(await townsOf(other)).toEqual(edited('Basel', 'Chur'));
    expect(await townsOf(one)).toEqual(edited('Basel'));
  });

  it('keeps edits on the same server, including later ones', async () => {
    const server = await startEdited();
    const archive = await createArchive(server);
    const document = await server.get(`/configuration${scope}`);
    await addTown(server, 'Chur');

    for (const mode of ['merge', 'mirror']) {
      for (const body of [archive.bytes, document.text]) {
        expect((await post(server, 'diff', body, mode)).json()).toMatchObject({ steps: [] });
      }
    }
    expect((await post(server, 'apply', archive.bytes)).status).toBe(200);
    expect(await townsOf(server)).toEqual(edited('Basel', 'Chur'));
  });

  it('has an ETag that depends on the edits, and an apply accepts each of the ETags', async () => {
    const server = await startEdited();
    const [first, again] = [await createArchive(server), await createArchive(server)];
    await addTown(server, 'Chur');
    const later = await createArchive(server);

    expect(again.headers['etag']).toBe(first.headers['etag']);
    if (!isOnPostgres) expect(later.headers['etag']).not.toBe(first.headers['etag']);
    const guarded = await server.request('POST', `/configuration/apply${scope}`, {
      body: later.bytes,
      type: ZIP,
      headers: { 'if-match': later.headers['etag'] ?? '' },
    });
    expect(guarded.status, guarded.text).toBe(200);
  });

  it('contains the other files and a warning when an edited file cannot be copied', async () => {
    const server = await startEdited();
    await rm(join(server.dataDir, 'data/acme/roads'), { recursive: true });

    const archive = await createArchive(server);

    expect(archive.status).toBe(200);
    expect(archive.headers['warning']).toContain(
      `The archive does not contain the edited features of ${storePath}: The file 'roads.gpkg' does not exist.`,
    );
    const applied = await post(await start(), 'apply', archive.bytes);
    expect(applied.json()).toMatchObject({
      code: 'configuration-invalid',
      errors: [
        {
          path: storePath,
          field: '/files',
          code: 'files-missing',
          message: 'the document contains no copy of roads.gpkg; export the configuration as an archive',
        },
      ],
    });
  });
});

describe('a document with files from before the first edit', () => {
  it('is rejected, so that no edit is hidden', async () => {
    const server = await start();
    await uploadTowns(server);
    const archive = await createArchive(server);
    await addTown(server, 'Basel');

    const applied = await post(server, 'apply', archive.bytes);

    expect(applied.status).toBe(422);
    expect(applied.json()).toMatchObject({
      code: 'configuration-invalid',
      errors: [
        {
          path: storePath,
          field: '/files',
          code: 'features-edited',
          message:
            "the features of this store were edited, and these files would hide the edits; leave out 'files' to keep the edits, or delete the store first",
        },
      ],
    });
    expect(await townsOf(server)).toEqual(edited('Basel'));
    await server.delete(`${storePath}?recurse=true`);
    expect((await post(server, 'apply', archive.bytes)).status).toBe(200);
    expect(await townsOf(server)).toEqual(['Bern']);
  });
});
