/** Nodes with an object store: uploads, lost disks, purges, backups and settings. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runCheckCommand } from '../../src/server/maintenance/check-command.ts';
import type { Check } from '../../src/server/maintenance/checks.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { credentialVariables, startObjectStore, type TestObjectStore } from '../support/object-store.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { putTiff } from '../support/raster-samples.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createGeotiff } from '../support/tiff-bytes.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

/** 90 kB: too large for the database. */
const SIZE = 300;
const samples = (value: number) => createGeotiff(SIZE, Buffer.alloc(SIZE * SIZE, value));
const map =
  '//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:photo&styles=&srs=EPSG:32633' +
  '&bbox=500000,4999800,500300,5000000&width=30&height=20&format=image/png';
const environment = { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64'), ...credentialVariables };

describeWithPostgis('nodes with an object store', (postgis) => {
  let server: TestObjectStore;
  beforeAll(async () => {
    server = await startObjectStore();
  });
  afterAll(() => server.close());
  beforeEach(() => server.fail(() => undefined));

  interface Node {
    readonly node: TestServer;
    readonly dataDir: string;
  }

  async function startNode(schema: string): Promise<Node> {
    const dataDir = await temporaryFolder();
    const flags = ['--storage', postgresAddress(postgis, schema), '--blobs', server.addressOf(schema)];
    const node = await startTestServer({ flags, environment, dataDir });
    onTestFinished(() => node.close());
    return { node, dataDir };
  }

  const createWorkspace = (node: TestServer) =>
    node.post('/workspaces', '{"workspace":{"name":"acme"}}', { type: 'application/json' });
  const upload = (node: TestServer, value = 7) =>
    putTiff(node, '/workspaces/acme/coveragestores/photo/file.geotiff', samples(value));
  const listFiles = async (schema: string) => (await server.listKeys(`${schema}/blobs/`)).length;

  test('a new node serves an upload after the loss of all disks, and a purge deletes it from the store', async () => {
    const [one, two] = [await startNode('loss'), await startNode('loss')];
    await createWorkspace(one.node);
    expect((await upload(one.node)).status).toBe(201);
    const expected = (await one.node.get(map)).bytes;
    expect(await listFiles('loss')).toBe(1);

    for (const { dataDir } of [one, two]) await rm(join(dataDir, 'blobs'), { recursive: true, force: true });
    const three = await startNode('loss');

    expect((await three.node.get(map)).bytes.equals(expected)).toBe(true);
    expect((await two.node.get(map)).bytes.equals(expected)).toBe(true);
    expect((await two.node.delete('/workspaces/acme/coveragestores/photo?recurse=true&purge=all')).status).toBe(200);
    expect(await listFiles('loss')).toBe(0);
  });

  test('an unavailable object store rejects uploads without a change, and reads of copies continue', async () => {
    const { node } = await startNode('down');
    await createWorkspace(node);
    await upload(node);
    expect((await node.get(map)).status).toBe(200);
    const before = (await node.get('/workspaces/acme/coveragestores/photo.json')).text;
    server.fail(() => 503);

    const rejected = await upload(node, 9);

    expect(rejected.status).toBe(503);
    expect(rejected.text).toMatch(/^The disk, the database or the object store of the server is unavailable\./);
    expect((await node.get('/workspaces/acme/coveragestores/photo.json')).text).toBe(before);
    expect((await node.get(map)).status).toBe(200);
    server.fail(() => undefined);
    expect((await upload(node, 9)).status).toBe(201);
  });

  test('a node that lacks the credentials or the object store does not start', async () => {
    const { node } = await startNode('required');
    const storage = ['--storage', postgresAddress(postgis, 'required')];
    const start = (flags: readonly string[], more: Record<string, string> = environment) =>
      startTestServer({ flags: [...storage, ...flags], environment: more });

    await expect(start([])).rejects.toThrow(/The database has files in an object store\. Set --blobs/);
    await expect(start(['--blobs', server.addressOf('elsewhere')])).rejects.toThrow(
      /^Cannot use --blobs: s3:\/\/maps\/elsewhere\/.* does not contain the files of the database/,
    );
    await expect(
      start(['--blobs', server.addressOf('required')], { GRATICULE_SERVER_KEY: environment.GRATICULE_SERVER_KEY }),
    ).rejects.toThrow('--blobs with an object store requires its credentials. Set AWS_ACCESS_KEY_ID');
    await expect(
      start(['--blobs', server.addressOf('required')], { ...environment, AWS_SECRET_ACCESS_KEY: 'other' }),
    ).rejects.toThrow(
      /^Cannot use --blobs: The object store s3:.* failed: GET returned status 403 \(SignatureDoesNotMatch\)\.$/,
    );
    expect((await node.get('/about/version.json')).status).toBe(200);
  });

  describe('graticule check', () => {
    async function check(prefix: string, variables: Record<string, string> = environment): Promise<Check | undefined> {
      const printed: string[] = [];
      const storage = postgresAddress(postgis, 'checked');
      const words = ['--json', '--port', '0', '--storage', storage, '--blobs', server.addressOf(prefix)];
      const dataDir = join(await temporaryFolder(), 'data');
      await runCheckCommand([...words, '--data-dir', dataDir], {
        environment: variables,
        print: (text) => printed.push(text),
      });
      const { checks } = JSON.parse(printed.join('')) as { readonly checks: readonly Check[] };
      return checks.find((each) => each.check === 'object store');
    }

    test('reports whether the object store can be used, and writes nothing', async () => {
      expect(await check('checked')).toMatchObject({
        status: 'ok',
        message: expect.stringMatching(/can be read\. The first start will use it\.$/),
      });
      expect(await server.listKeys('checked')).toEqual([]);

      await startNode('checked');

      expect(await check('checked')).toMatchObject({
        status: 'ok',
        message: expect.stringMatching(/contains the files of this database\.$/),
      });
      expect(await check('other')).toMatchObject({ status: 'failed' });
      const wrong = { ...environment, AWS_SECRET_ACCESS_KEY: 'a wrong secret' };
      expect(await check('checked', wrong)).toMatchObject({
        status: 'failed',
        message: expect.not.stringContaining('a wrong secret'),
      });
    });
  });
});
