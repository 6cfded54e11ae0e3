/** `graticule storage move-files`, also interrupted at any request, and backups of objects. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { runStorageCommand } from '../../src/server/maintenance/storage-command.ts';
import { hashBytes } from '../../src/storage/blobs/port.ts';
import { S3Store } from '../../src/storage/objects/s3-store.ts';
import { PostgresBlobs } from '../../src/storage/postgres/nodes/blobs.ts';
import { ObjectBlobs } from '../../src/storage/postgres/nodes/object-blobs.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { credentialVariables, startObjectStore, type TestObjectStore } from '../support/object-store.ts';
import { placeIn, postgresAddress } from '../support/postgres-places.ts';
import { putTiff } from '../support/raster-samples.ts';
import { runRestore, saveBackup } from '../support/restored-servers.ts';
import { startTestServer } from '../support/test-server.ts';
import { createGeotiff } from '../support/tiff-bytes.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const contents = Array.from({ length: 4 }, () => randomBytes(100_000));

describeWithPostgis('storage move-files', (postgis) => {
  let server: TestObjectStore;
  beforeAll(async () => {
    server = await startObjectStore();
  });
  afterAll(() => server.close());
  beforeEach(() => server.fail(() => undefined));

  async function move(schema: string, direction: 'in' | 'out'): Promise<{ code: number; output: string }> {
    let output = '';
    const print = (text: string) => {
      output += text;
    };
    const store = server.addressOf(schema);
    const [from, to] = direction === 'in' ? ['database', store] : [store, 'database'];
    const words = ['move-files', '--storage', postgresAddress(postgis, schema), '--from', from, '--to', to];
    const code = await runStorageCommand(words, {
      ...{ folder: '/', environment: credentialVariables },
      ...{ print, printError: print },
    });
    return { code, output };
  }

  test('moves files into a bucket and back, and continues after interruptions', async () => {
    const schema = 'moved';
    const location = placeIn(postgis, schema);
    await (await openPostgresStorage({ location, kinds: [] })).close();
    const rows = new PostgresBlobs({ location, shelf: 'blobs', clock: Date.now });
    const objects = new S3Store(server.options(schema));
    const node = new ObjectBlobs({ location, shelf: 'blobs', clock: Date.now, objects });
    onTestFinished(async () => {
      await rows.close();
      await node.close();
      objects.close();
    });
    for (const bytes of contents) await rows.put(hashBytes(bytes), bytes);
    await rows.put(hashBytes(Buffer.from('a style')), Buffer.from('a style'));
    const purged = hashBytes(Buffer.from('purged'));
    await rows.put(purged, Buffer.from('purged'));
    await rows.delete(purged, { purged: true });
    const areIntact = async () => {
      for (const bytes of contents) expect(await node.isIntact(hashBytes(bytes))).toBe(true);
    };
    const countObjects = async () => (await server.listKeys(`${schema}/blobs`)).length;

    let puts = 0;
    server.fail(({ method, path }) => {
      puts += method === 'PUT' && path.includes('/blobs/') ? 1 : 0;
      return puts > 2 ? 403 : undefined;
    });
    expect((await move(schema, 'in')).output).toMatch(/^graticule: The move was interrupted and can be repeated: /);
    expect(await countObjects()).toBe(2);
    server.fail(() => undefined);
    await areIntact();
    expect(await move(schema, 'in')).toEqual({ code: 0, output: 'Moved 2 files (200000 bytes).\n' });
    expect(await countObjects()).toBe(4);
    await areIntact();
    expect((await postgis.query(`SELECT hash FROM ${schema}.blob_pieces`)).length).toBe(1);
    expect(await node.getState(purged)).toBe('purged');

    let reads = 0;
    server.fail(({ method, path }) => {
      reads += method === 'GET' && path.includes('/blobs/') ? 1 : 0;
      return reads > 1 ? 403 : undefined;
    });
    expect((await move(schema, 'out')).code).toBe(1);
    server.fail(() => undefined);
    await areIntact();
    expect(await move(schema, 'out')).toMatchObject({ code: 0, output: expect.stringMatching(/^Moved [23] files/) });

    expect(await server.listKeys(schema)).toEqual([]);
    for (const bytes of contents) expect(await rows.isIntact(hashBytes(bytes))).toBe(true);
  });

  test('rejects a database of running nodes, invalid places and missing credentials', async () => {
    const schema = 'used';
    const node = await startTestServer({
      flags: ['--storage', postgresAddress(postgis, schema)],
      environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
    });
    onTestFinished(() => node.close());

    expect((await move(schema, 'in')).output).toMatch(
      /1 node uses the database without the object store\. Stop every node, or start all with --blobs first\.\n$/,
    );
    expect((await move(schema, 'out')).output).toMatch(/1 node uses the database\. Stop every node first\.\n$/);
    const errors: string[] = [];
    const run = (...words: readonly string[]) =>
      runStorageCommand(['move-files', '--storage', postgresAddress(postgis, schema), ...words], {
        ...{ folder: '/', environment: {}, print: () => undefined },
        printError: (text) => errors.push(text),
      });
    expect(await run('--from', 'database', '--to', 'database')).toBe(1);
    expect(await run('--from', 'database', '--to', server.addressOf('a'))).toBe(1);
    expect(errors).toEqual([
      expect.stringContaining("Invalid --from and --to. Expected 'database' and an address"),
      expect.stringContaining('an object store requires its credentials. Set AWS_ACCESS_KEY_ID'),
    ]);
  });

  test('a backup contains the objects, and is restored without the object store', async () => {
    const folder = await temporaryFolder();
    const environment = { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64'), ...credentialVariables };
    const node = await startTestServer({
      flags: ['--storage', postgresAddress(postgis, 'saved'), '--blobs', server.addressOf('saved')],
      environment,
    });
    onTestFinished(() => node.close());
    await node.post('/workspaces', '{"workspace":{"name":"acme"}}', { type: 'application/json' });
    const raster = createGeotiff(300, randomBytes(90_000));
    expect((await putTiff(node, '/workspaces/acme/coveragestores/photo/file.geotiff', raster)).status).toBe(201);
    expect(await server.listKeys('saved/blobs')).toHaveLength(1);

    await saveBackup(node, join(folder, 'backup'));
    const restored = await runRestore([join(folder, 'backup'), '--database', postgresAddress(postgis, 'restored')]);

    expect(restored.code, restored.errors).toBe(0);
    const rows = new PostgresBlobs({ location: placeIn(postgis, 'restored'), shelf: 'blobs', clock: Date.now });
    onTestFinished(() => rows.close());
    expect(await rows.isIntact(hashBytes(raster))).toBe(true);
  });
});
