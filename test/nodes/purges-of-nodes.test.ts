/** Purges on one node concurrent with uploads on another, and the copies on other nodes. */
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Files, openFiles } from '../../src/records/files/files.ts';
import { hashBytes } from '../../src/storage/blobs/port.ts';
import { PostgresBlobs } from '../../src/storage/postgres/nodes/blobs.ts';
import { PostgresPins } from '../../src/storage/postgres/nodes/file-pins.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { openPostgresPlaces, postgresAddress } from '../support/postgres-places.ts';
import { putTiff } from '../support/raster-samples.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createGeotiff } from '../support/tiff-bytes.ts';
import { describeWithPostgis, type PostgisUnderTest } from '../support/with-postgis.ts';

const ROUNDS = Number(process.env['PURGE_ROUNDS'] ?? 15);

type Postgis = Pick<PostgisUnderTest, 'connection'>;

interface NodeOptions {
  readonly flags?: readonly string[];
  readonly dataDir?: string;
}

async function startNode(postgis: Postgis, schema: string, options: NodeOptions = {}): Promise<TestServer> {
  const { flags = [], dataDir } = options;
  const node = await startTestServer({
    flags: ['--storage', postgresAddress(postgis, schema), ...flags],
    environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  onTestFinished(() => node.close());
  return node;
}

const blobPlaces = [
  ['in the database', async () => []],
  ['in a shared directory', async () => ['--blobs', await temporaryFolder()]],
] as const;

/** Files below a folder that contain this text. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes?.includes(text) === true) found.push(file);
  }
  return found;
}

interface NodeFiles extends Files {
  readonly root: string;
  /** The files of the same node after a restart. */
  startAgain(): Promise<Files>;
}

function createStyle(node: TestServer, name: string, content: string) {
  return node.request('POST', `/styles?name=${name}`, {
    type: 'application/vnd.graticule.geocss+css',
    body: content,
  });
}

describeWithPostgis('purges on several nodes', (postgis) => {
  const places = openPostgresPlaces(postgis);

  /** The files of two nodes; `named` contains the hashes referenced by records. */
  async function openNodeFiles(named: ReadonlySet<string>): Promise<readonly [NodeFiles, NodeFiles]> {
    const place = places.take();
    await (await openPostgresStorage({ location: place, kinds: [] })).close();
    const open = (root: string): Files => {
      const pins = new PostgresPins(place);
      onTestFinished(() => pins.close());
      const files = openFiles({
        root,
        isNamed: async (file) => named.has(file),
        shared: {
          openSharedBytes(shelf) {
            const blobs = new PostgresBlobs({ location: place, shelf, clock: Date.now });
            onTestFinished(() => blobs.close());
            return blobs;
          },
          pins,
          maxSetBytes: 1_000_000,
          cache: {
            limitBytes: 1_000_000,
            graceMs: 60_000,
            clock: Date.now,
            onFailure: (reason) => {
              throw reason;
            },
          },
        },
      });
      onTestFinished(() => files.waitUntilIdle());
      return files;
    };
    const openIn = (root: string) => ({ ...open(root), root, startAgain: async () => open(root) });
    return [openIn(await temporaryFolder()), openIn(await temporaryFolder())];
  }

  const bytes = Buffer.from('the same style');
  const target = { kind: 'bytes', hash: hashBytes(bytes) } as const;

  test('a purge keeps bytes that an operation on another node has stored but not referenced yet', async () => {
    const named = new Set<string>();
    const isNamed = async (file: string) => named.has(file);
    const [one, other] = await openNodeFiles(named);
    await one.runFileOperation((keeper) => keeper.storeBytes(bytes));

    await other.runFileOperation(async (keeper) => {
      await keeper.storeBytes(bytes);
      await one.changeAndPurge(isNamed, [target], async () => [target]);
      named.add(target.hash);
    });

    expect((await one.read(target.hash)).toString()).toBe('the same style');
    await one.finishPurges(isNamed);
    expect((await other.read(target.hash)).toString()).toBe('the same style');
  });

  test('a purge that skipped bytes of an operation on another node runs after that operation fails', async () => {
    const isNamed = async () => false;
    const [one, other] = await openNodeFiles(new Set());
    await one.runFileOperation((keeper) => keeper.storeBytes(bytes));

    const failing = other.runFileOperation(async (keeper) => {
      await keeper.storeBytes(bytes);
      await one.changeAndPurge(isNamed, [target], async () => [target]);
      expect(await one.stored.blobs.getState(target.hash)).toBe('present');
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    await one.finishPurges(isNamed);

    expect(await other.stored.blobs.getState(target.hash)).not.toBe('present');
  });

  test('a failed operation keeps bytes that an operation on another node has stored too', async () => {
    const named = new Set<string>();
    const [one, other] = await openNodeFiles(named);

    await other.runFileOperation(async (keeper) => {
      const failing = one.runFileOperation(async (inner) => {
        await inner.storeBytes(bytes);
        await keeper.storeBytes(bytes);
        throw new Error('refused');
      });
      await expect(failing).rejects.toThrow('refused');
      named.add(target.hash);
    });

    expect(await other.stored.blobs.getState(target.hash)).toBe('present');
  });

  test('a starting node that completes earlier purges keeps bytes that another node is storing', async () => {
    const named = new Set<string>();
    const isNamed = async (file: string) => named.has(file);
    const [one, other] = await openNodeFiles(named);
    await other.runFileOperation((keeper) => keeper.storeBytes(bytes));
    await expect(
      other.changeAndPurge(isNamed, [target], async () => {
        // Simulates a node that dies right after the change: its note remains.
        await rename(join(other.root, 'purges'), join(other.root, 'purges of a dead node'));
        throw new Error('died');
      }),
    ).rejects.toThrow('died');
    await rename(join(other.root, 'purges of a dead node'), join(other.root, 'purges'));

    await one.runFileOperation(async (keeper) => {
      await keeper.storeBytes(bytes);
      const again = await other.startAgain();
      await again.recover();
      await again.checkCopies();
      await again.finishPurges(isNamed);
      named.add(target.hash);
    });

    expect((await one.read(target.hash)).toString()).toBe('the same style');
    expect(await readdir(join(other.root, 'purges'))).not.toEqual([]);
  });

  test.each(blobPlaces)(
    'a style keeps its content when another node purges it concurrently, with files %s',
    async (where, flags) => {
      const options = { flags: await flags() };
      const schema = `race_${where.replaceAll(' ', '_')}`;
      const [one, other] = [await startNode(postgis, schema, options), await startNode(postgis, schema, options)];
      const lost: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const content = `/* round ${round} */ * { stroke: navy; }`;
        expect((await createStyle(one, `old${round}`, content)).status).toBe(201);

        const [purged, created] = await Promise.all([
          one.request('DELETE', `/styles/old${round}?purge=true`),
          createStyle(other, `new${round}`, content),
        ]);

        expect([purged.status, created.status]).toEqual([200, 201]);
        for (const node of [one, other]) {
          const read = await node.get(`/styles/new${round}.css`);
          if (read.status !== 200 || read.text !== content) lost.push(`new${round}: ${read.status}`);
        }
      }
      expect(lost).toEqual([]);
    },
  );

  test.each(blobPlaces)(
    'a purge on one node deletes the files of the others, even of a node that starts later, with files %s',
    async (where, flags) => {
      const options = { flags: await flags() };
      const schema = `copies_${where.replaceAll(' ', '_')}`;
      const one = await startNode(postgis, schema, options);
      const other = await startNode(postgis, schema, options);
      const absent = await startNode(postgis, schema, { ...options, dataDir: await temporaryFolder() });
      const map =
        '//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:photo&styles=&srs=EPSG:32633' +
        '&bbox=500000,4999800,500300,5000000&width=30&height=20&format=image/png';
      const secret = 'a hidden house';
      const samples = Buffer.concat([Buffer.from(secret.padEnd(30, '.')), Buffer.alloc(570, 7)]);
      await one.post('/workspaces', '{"workspace":{"name":"acme"}}', { type: 'application/json' });
      expect(
        (await putTiff(one, '/workspaces/acme/coveragestores/photo/file.geotiff', createGeotiff(30, samples))).status,
      ).toBe(201);
      expect((await createStyle(one, 'plan', `/* ${secret} */ * { stroke: navy; }`)).status).toBe(201);
      for (const node of [other, absent]) {
        expect((await node.get('/styles/plan.css')).text).toContain(secret);
        expect((await node.get(map)).status).toBe(200);
        expect((await filesWith(node.dataDir, secret)).length).toBeGreaterThan(2);
      }
      await absent.close();

      expect((await one.delete('/workspaces/acme/coveragestores/photo?recurse=true&purge=all')).status).toBe(200);
      expect((await one.delete('/styles/plan?purge=true')).status).toBe(200);

      expect(await filesWith(one.dataDir, secret)).toEqual([]);
      await expect.poll(() => filesWith(other.dataDir, secret)).toEqual([]);
      const again = await startNode(postgis, schema, { ...options, dataDir: absent.dataDir });
      expect(await filesWith(again.dataDir, secret)).toEqual([]);
    },
  );
});
