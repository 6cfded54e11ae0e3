/** `graticule storage copy` of files in object stores, also interrupted at any request. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { runStorageCommand } from '../../src/server/maintenance/storage-command.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { fillStorage, readEverything } from '../support/filled-storages.ts';
import { credentialVariables, startObjectStore, type TestObjectStore } from '../support/object-store.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { putTiff } from '../support/raster-samples.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createGeotiff } from '../support/tiff-bytes.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const environment = { GRATICULE_SERVER_KEY: Buffer.alloc(32, 3).toString('base64'), ...credentialVariables };

/** 90 kB: too large for the database of nodes with an object store. */
const SIZE = 300;
const photos = ['one', 'two', 'three'];

describeWithPostgis('storage copy with object stores', (postgis) => {
  let server: TestObjectStore;
  beforeAll(async () => {
    server = await startObjectStore();
  });
  afterAll(() => server.close());
  beforeEach(() => server.fail(() => undefined));

  async function run(...words: readonly string[]): Promise<{ code: number; output: string }> {
    let output = '';
    const print = (text: string) => {
      output += text;
    };
    const code = await runStorageCommand(['copy', ...words], {
      ...{ folder: '/', environment: credentialVariables },
      ...{ print, printError: print },
    });
    return { code, output };
  }

  const source = (schema: string) => [
    ...['--from', postgresAddress(postgis, schema)],
    ...['--from-blobs', server.addressOf(schema)],
  ];
  const target = (schema: string) => [
    ...['--to', postgresAddress(postgis, schema)],
    ...['--to-blobs', server.addressOf(schema)],
  ];

  async function startNode(schema: string): Promise<TestServer> {
    const flags = ['--storage', postgresAddress(postgis, schema), '--blobs', server.addressOf(schema)];
    const node = await startTestServer({ flags, environment });
    onTestFinished(() => node.close());
    return node;
  }

  async function startDirectory(dataDir: string): Promise<TestServer> {
    const single = await startTestServer({ dataDir, environment });
    onTestFinished(() => single.close());
    return single;
  }

  async function createDirectory(): Promise<string> {
    const dataDir = join(await temporaryFolder(), 'single');
    const single = await startDirectory(dataDir);
    expect((await single.post('/workspaces', '{"workspace":{"name":"photos"}}')).status).toBe(201);
    for (const [value, name] of photos.entries()) {
      const samples = createGeotiff(SIZE, Buffer.alloc(SIZE * SIZE, value + 1));
      expect((await putTiff(single, `/workspaces/photos/coveragestores/${name}/file.geotiff`, samples)).status).toBe(
        201,
      );
    }
    await single.close();
    return dataDir;
  }

  const draw = async (node: TestServer) =>
    Promise.all(
      photos.map(async (name) => {
        const map = `//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=photos:${name}&styles=&srs=EPSG:32633&bbox=500000,4999800,500300,5000000&width=30&height=20&format=image/png`;
        const { status, bytes } = await node.get(map);
        expect(status).toBe(200);
        return bytes.toString('base64');
      }),
    );

  test('preserves everything from a directory into a bucket, into another bucket and back', async () => {
    const dataDir = await createDirectory();
    const first = await startDirectory(dataDir);
    await fillStorage(first);
    const [before, maps] = [await readEverything(first), await draw(first)];
    await first.close();

    const there = await run('--from', dataDir, ...target('copy_one'));
    expect(there.code, there.output).toBe(0);
    expect(there.output).toMatch(/\/copy_one\/\?endpoint=.*: [3-9] files uploaded, 0 were present\n/);
    const one = await startNode('copy_one');
    expect(await readEverything(one)).toEqual(before);
    expect(await draw(one)).toEqual(maps);
    expect((await server.listKeys('copy_one/blobs')).length).toBeGreaterThanOrEqual(3);

    const across = await run(...source('copy_one'), ...target('copy_two'));
    expect(across.code, across.output).toBe(0);
    const two = await startNode('copy_two');
    expect(await readEverything(two)).toEqual(before);
    await two.close();

    const back = join(await temporaryFolder(), 'back');
    const again = await run(...source('copy_two'), '--to', back);
    expect(again.code, again.output).toBe(0);
    const last = await startDirectory(back);
    expect(await readEverything(last)).toEqual(before);
    expect(await draw(last)).toEqual(maps);
  });

  test('a copy that was interrupted at any write of the store is continued by repeating it', async () => {
    const dataDir = await createDirectory();
    let puts = 0;
    const isUpload = ({ method, path }: { method: string; path: string }) =>
      method === 'PUT' && path.includes('/blobs/');
    for (let allowed = 0; allowed < photos.length; allowed += 1) {
      puts = 0;
      // One more upload succeeds with each attempt.
      server.fail((request) => {
        puts += isUpload(request) ? 1 : 0;
        return isUpload(request) && puts > 1 ? 403 : undefined;
      });
      const { code, output } = await run('--from', dataDir, ...target('interrupted'));
      if (allowed < photos.length - 1) {
        expect(code).toBe(1);
        expect(output).toMatch(
          /^graticule: The upload of the files was interrupted and can be continued by repeating the copy: The object store/m,
        );
      } else expect(code, output).toBe(0);
    }
    expect(await server.listKeys('interrupted/blobs')).toHaveLength(photos.length);

    expect(await draw(await startNode('interrupted'))).toEqual(await draw(await startDirectory(dataDir)));
  });

  test('a copy that fails after the uploads is repeated without them', async () => {
    const dataDir = await createDirectory();
    const wrong = await run('--from', dataDir, ...target('repeated').slice(0, 2), '--to-blobs', 's3://maps?key=secret');
    expect(wrong.output).toMatch(/^graticule: Invalid --to-blobs\. Expected an address such as s3:/);
    const place = postgresAddress(postgis, 'repeated');
    expect((await run('--from', dataDir, ...target('repeated'))).code).toBe(0);

    const busy = await run('--from', dataDir, ...target('repeated'));
    expect(busy.output).toMatch(/the database is not empty\.$/m);
    await postgis.query('TRUNCATE repeated.records, repeated.changes CASCADE');
    const without = await run('--from', dataDir, '--to', place);
    expect(without.output).toMatch(/an interrupted copy has uploaded files to an object store\. Set --to-blobs/);
    const again = await run('--from', dataDir, ...target('repeated'));
    expect(again.code, again.output).toBe(0);
    expect(again.output).toContain(': 0 files uploaded, 3 were present\n');
    expect(await server.listKeys('repeated/blobs')).toHaveLength(photos.length);
  });

  test('a wrong or missing store of the source is rejected', async () => {
    const dataDir = await createDirectory();
    expect((await run('--from', dataDir, ...target('named'))).code).toBe(0);
    const back = join(await temporaryFolder(), 'back');
    const place = ['--from', postgresAddress(postgis, 'named')];

    expect((await run(...place, '--to', back)).output).toMatch(
      /the files of the database are in an object store\. Set --from-blobs to its address\.$/m,
    );
    expect((await run(...place, '--from-blobs', server.addressOf('elsewhere'), '--to', back)).output).toMatch(
      /^graticule: Cannot use --from-blobs: s3:.*\/elsewhere\/.* does not contain the files of the database/,
    );
    expect((await run('--from', dataDir, '--from-blobs', server.addressOf('named'), '--to', back)).output).toBe(
      'graticule: --from-blobs requires a PostgreSQL address for --from. Remove it.\n',
    );
    expect((await run(...source('named'), '--to', back)).code).toBe(0);
  });
});
