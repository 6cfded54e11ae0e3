/** A node with a full disk beside a node with free space. */
import { randomBytes } from 'node:crypto';
import { stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeWithSmallDisks, smallDisk } from '../e2e/small-disk.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { putTiff } from '../support/raster-samples.ts';
import { type Reply, startTestServer, type TestServer } from '../support/test-server.ts';
import { createGeotiff } from '../support/tiff-bytes.ts';
import { describeWithPostgis, type PostgisUnderTest } from '../support/with-postgis.ts';

const DISK_MEGABYTES = 24;
const schema = 'full_disk';

async function startNode(postgis: Pick<PostgisUnderTest, 'connection'>, dataDir?: string): Promise<TestServer> {
  const node = await startTestServer({
    flags: ['--storage', postgresAddress(postgis, schema)],
    environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  onTestFinished(() => node.close());
  return node;
}

/** A raster of one megabyte with unique content. */
function putRaster(node: TestServer, store: string): Promise<Reply> {
  const path = `/workspaces/acme/coveragestores/${store}/file.geotiff`;
  return putTiff(node, path, createGeotiff(1_000, randomBytes(1_000_000)));
}

function createStyle(node: TestServer, name: string): Promise<Reply> {
  const body = `/* ${name} */ * { stroke: navy; }`;
  return node.request('POST', `/styles?name=${name}`, { type: 'application/vnd.graticule.geocss+css', body });
}

describeWithSmallDisks('full disk of a node', () => {
  describeWithPostgis('full disk of a node on a shared database', (postgis) => {
    /** The sizes of everything that the nodes share. */
    const shared = async () =>
      (await postgis.query(`SELECT bytes FROM ${schema}.blobs WHERE bytes IS NOT NULL ORDER BY bytes`)).map((row) =>
        Number(row['bytes']),
      );

    test('rejects file uploads without leftovers, and all nodes can still read, store and delete', async () => {
      const disk = smallDisk(DISK_MEGABYTES);
      const other = await startNode(postgis);
      const full = await startNode(postgis, join(disk, 'data'));
      await full.post('/workspaces', '{"workspace":{"name":"acme"}}', { type: 'application/json' });
      expect((await putRaster(full, 'photo')).status).toBe(201);
      const reserve = () =>
        stat(join(disk, 'data', 'disk.reserve')).then(
          ({ size }) => size,
          () => 0,
        );
      await expect.poll(reserve).toBe((DISK_MEGABYTES * 1_048_576) / 16);
      const { bavail, bsize } = await statfs(disk);
      await writeFile(join(disk, 'ballast'), Buffer.alloc(bavail * bsize - 100_000));
      const before = await shared();

      expect((await putRaster(full, 'refused')).status).toBe(507);
      expect(await shared()).toEqual(before);
      expect((await other.get('/workspaces/acme/coveragestores/refused')).status).toBe(404);

      await writeFile(join(disk, 'more ballast'), Buffer.alloc(100_000)).catch(() => undefined);
      expect((await createStyle(other, 'plan')).status).toBe(201);
      expect((await full.get('/styles/plan.css')).text).toContain('/* plan */');
      expect((await full.get('/doctor')).text).toContain('"code":"disk-nearly-full"');
      expect((await other.get('/doctor')).json()).toMatchObject({ healthy: true });

      const purged = await full.delete('/workspaces/acme/coveragestores/photo?recurse=true&purge=all');
      expect([purged.status, purged.text]).toEqual([200, '']);
      expect((await shared()).some((bytes) => bytes > 1_000_000)).toBe(false);
      expect((await putRaster(other, 'photo')).status).toBe(201);
    });
  });
});
