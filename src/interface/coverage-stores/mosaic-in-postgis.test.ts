/** Mosaics with an index in an external database: behaviour when the database or the mosaic is removed. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { postgisParameters } from '../../../test/support/postgis-sources.ts';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { type Relay, startRelay } from '../../../test/support/relay.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';
import { coverageStoreKind } from '../../catalog/kinds/coverage-store.ts';
import { removeStore } from '../../catalog/kinds/stores.ts';
import { openPendingDrops } from '../../catalog/mosaic-indexes/pending-drops.ts';
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { openCatalog } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { realDisk } from '../../storage/blobs/disk.ts';

const store = '/workspaces/acme/coveragestores/ocean';
const principal = { name: 'admin', roles: new Set([ROLE_ADMINISTRATOR]) };

describeWithPostgis('a mosaic with its index in PostGIS', (postgis) => {
  const tables = async () =>
    (await postgis.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"))
      .map(({ tablename }) => String(tablename))
      .filter((name) => ['temperature', 'salinity'].includes(name));

  async function dataDirectory(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  async function start(dataDir: string): Promise<TestServer> {
    const server = await startTestServer({ dataDir });
    onTestFinished(() => server.close());
    return server;
  }

  /** A server with the mosaic and a database connection that the test can cut. */
  async function prepare(): Promise<{ readonly server: TestServer; readonly relay: Relay; readonly dataDir: string }> {
    const dataDir = await dataDirectory();
    const relay = await startRelay(postgis.connection);
    const { dbtype: _dbtype, ...parameters } = postgisParameters(postgis.connection);
    const reached = { ...parameters, host: '127.0.0.1', port: String(relay.port), 'Connection timeout': '3' };
    const lines = Object.entries(reached).map(([key, value]) => `${key.replaceAll(' ', '\\ ')}=${value}`);
    const server = await start(dataDir);
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const made = await server.request('PUT', `${store}/file.imagemosaic`, {
      type: 'application/zip',
      body: zipOfFiles({
        'datastore.properties': Buffer.from(['SPI=PostgisNGDataStoreFactory', ...lines].join('\n')),
        'ocean.nc': await readFile(join('test', 'fixtures', 'rasters', 'ocean-4.nc')),
      }),
    });
    expect(made.status, made.text).toBe(200);
    expect(await tables()).toEqual(['salinity', 'temperature']);
    return { server, relay, dataDir };
  }

  it('has dropped its tables when the deletion is answered', async () => {
    const { server, dataDir } = await prepare();

    expect((await server.delete(`${store}?recurse=true&dryRun=true`)).status).toBe(200);
    expect(await tables()).toEqual(['salinity', 'temperature']);
    const reply = await server.delete(`${store}?recurse=true`);

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toBeUndefined();
    expect(await tables()).toEqual([]);
    expect(await readdir(join(dataDir, 'index-drops'))).toEqual([]);
  });

  it('names the store whose database does not respond, and is deleted nevertheless', async () => {
    const { server, relay, dataDir } = await prepare();
    relay.cut();

    const read = await server.get(`${store}/coverages/temperature/index/granules.json`);
    const deleted = await server.delete(`${store}?recurse=true`);

    expect(read.status).toBe(502);
    expect(read.text).toContain("'ocean'");
    expect(deleted.status).toBe(200);
    expect(deleted.headers['warning']).toContain("The index tables of 'ocean' may still exist");
    expect((await server.get(`${store}.xml`)).status).toBe(404);
    const notes = await readdir(join(dataDir, 'index-drops'));
    const [note = ''] = await Promise.all(notes.map((name) => readFile(join(dataDir, 'index-drops', name), 'utf8')));
    expect(note).not.toContain(postgis.connection.password);
    relay.mend();
    await server.close();
    await start(dataDir);
    await vi.waitFor(async () => expect(await tables()).toEqual([]), { timeout: 60_000 });
    await vi.waitFor(async () => expect(await readdir(join(dataDir, 'index-drops'))).toEqual([]), { timeout: 60_000 });
  });

  it('leaves no tables when the server crashes between the deletion of the store and of the tables', async () => {
    const { server, dataDir } = await prepare();
    const catalog = openCatalog(server.server.storage);
    const workspace = await catalog.find(workspaceKind, null, 'acme');
    const found = await catalog.find(coverageStoreKind, workspace?.id ?? '', 'ocean');
    if (found?.mosaic == null) throw new Error('The mosaic is not there');
    const drops = openPendingDrops({ folder: join(dataDir, 'index-drops'), disk: realDisk });
    await drops.add({ ...found, mosaic: found.mosaic });
    await catalog.change(principal, 'delete', (transaction) => removeStore(transaction, found, { recurse: true }));
    await server.close();
    expect(await tables()).toEqual(['salinity', 'temperature']);

    await start(dataDir);

    await vi.waitFor(async () => expect(await tables()).toEqual([]), { timeout: 60_000 });
  });

  it('keeps its tables when the server crashes before its deletion', async () => {
    const { server, dataDir } = await prepare();
    const catalog = openCatalog(server.server.storage);
    const workspace = await catalog.find(workspaceKind, null, 'acme');
    const found = await catalog.find(coverageStoreKind, workspace?.id ?? '', 'ocean');
    if (found?.mosaic == null) throw new Error('The mosaic is not there');
    const drops = openPendingDrops({ folder: join(dataDir, 'index-drops'), disk: realDisk });
    await drops.add({ ...found, mosaic: found.mosaic });
    await server.close();

    const again = await start(dataDir);

    expect(await readdir(join(dataDir, 'index-drops'))).toEqual([]);
    expect((await again.get(`${store}/coverages/temperature/index/granules.json?limit=1`)).status).toBe(200);
    await again.delete('/workspaces/acme?recurse=true');
    expect(await tables()).toEqual([]);
  });

  it('accepts a harvest after one of its tables was dropped', async () => {
    const { server } = await prepare();
    await postgis.query('DROP TABLE temperature');

    const harvested = await server.request('POST', `${store}/file.imagemosaic?filename=ocean.nc`, {
      type: 'application/x-netcdf',
      body: await readFile(join('test', 'fixtures', 'rasters', 'ocean-4.nc')),
    });

    expect(harvested.status, harvested.text).toBe(201);
    const granules = await server.get(`${store}/coverages/temperature/index/granules.json`);
    expect((granules.json() as { features: readonly unknown[] }).features).toHaveLength(6);
    await server.delete(`${store}?recurse=true`);
  });
});
