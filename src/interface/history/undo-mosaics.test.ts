/** Undo for mosaics and their granules. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgisParameters } from '../../../test/support/postgis-sources.ts';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { type Reply, startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const store = '/workspaces/acme/coveragestores/water';
const place = { left: 10, top: 50, pixel: 0.25, epsg: 4326 };
const zipped = (...names: readonly string[]) => ({
  type: 'application/zip',
  body: zipOfFiles(
    Object.fromEntries(names.map((name, index) => [`${name}.tif`, granuleBytes({ ...place, left: 10 + index * 5 })])),
  ),
});
const problems = { accept: 'application/problem+json' };

async function start(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** A server with a mosaic of two granules. */
async function startWithMosaic(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await start(options);
  await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  changeOf(await server.request('PUT', `${store}/file.imagemosaic`, zipped('a', 'b')));
  return server;
}

function changeOf(reply: Reply): number {
  expect(reply.status, reply.text).toBeLessThan(300);
  return Number(reply.headers['graticule-change']);
}

const undo = (server: TestServer, change: number) => server.request('POST', `/history/${change}/undo`, problems);
const harvest = (server: TestServer, ...names: readonly string[]) =>
  server.request('POST', `${store}/file.imagemosaic?updateBBox=true`, zipped(...names));

/** The names of its granules in alphabetical order. */
async function granules(server: TestServer): Promise<string> {
  const reply = await server.get(`${store}/coverages/water/index/granules.json`);
  expect(reply.status, reply.text).toBe(200);
  const { features } = reply.json() as { features: readonly { properties: { location: string } }[] };
  return features
    .map(({ properties }) => properties.location.replace('.tif', ''))
    .toSorted()
    .join(' ');
}

/** The ids of its granules by name. */
async function idsOf(server: TestServer): Promise<Readonly<Record<string, string>>> {
  const reply = await server.get(`${store}/coverages/water/index/granules.json`);
  const { features } = reply.json() as {
    features: readonly { id: string; properties: { location: string } }[];
  };
  return Object.fromEntries(features.map(({ id, properties }) => [properties.location.replace('.tif', ''), id]));
}

const wholeHash = async (server: TestServer) => (await server.get('/configuration')).headers['etag'];

describe('undo of mosaic changes', () => {
  it('removes the granules of a harvest and their files', async () => {
    const server = await startWithMosaic();
    const before = await wholeHash(server);
    const harvested = changeOf(await harvest(server, 'c', 'd', 'e'));
    expect(await granules(server)).toBe('a b c d e');

    const undone = changeOf(await undo(server, harvested));

    expect(await granules(server)).toBe('a b');
    expect(await wholeHash(server)).toBe(before);
    changeOf(await undo(server, undone));
    expect(await granules(server)).toBe('a b c d e');
  });

  it('restores removed granules', async () => {
    const server = await startWithMosaic();
    const removed = changeOf(await server.delete(`${store}/coverages/water/index/granules?filter=location='a.tif'`));

    changeOf(await undo(server, removed));

    expect(await granules(server)).toBe('a b');
  });

  it('keeps the id of every granule, however often the mosaic is written afterwards', async () => {
    const server = await startWithMosaic();
    const before = await idsOf(server);
    const removed = changeOf(await server.delete(`${store}/coverages/water/index/granules?filter=location='a.tif'`));

    changeOf(await undo(server, removed));
    changeOf(await harvest(server, 'c'));
    const harvested = await idsOf(server);
    const again = changeOf(await server.delete(`${store}/coverages/water/index/granules/${before['a']}`));
    changeOf(await undo(server, again));

    expect(harvested).toMatchObject(before);
    expect(new Set(Object.values(harvested)).size).toBe(3);
    expect(await idsOf(server)).toEqual(harvested);
    const one = await server.get(`${store}/coverages/water/index/granules/${before['a']}.json`);
    expect(one.text).toContain('a.tif');
  });

  it('restores a deleted mosaic with its granules, also after a restart', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'graticule-test-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startWithMosaic({ dataDir });
    const deleted = changeOf(await server.delete(`${store}?recurse=true`));
    await server.close();
    const again = await start({ dataDir });

    const undone = changeOf(await undo(again, deleted));

    expect(await granules(again)).toBe('a b');
    changeOf(await harvest(again, 'c'));
    expect(await granules(again)).toBe('a b c');
    expect((await undo(again, undone)).json()).toMatchObject({ code: 'undo-conflict' });
  });

  it('restores a mosaic with its workspace', async () => {
    const server = await startWithMosaic();
    const deleted = changeOf(await server.delete('/workspaces/acme?recurse=true'));

    changeOf(await undo(server, deleted));

    expect(await granules(server)).toBe('a b');
  });

  it('allows further harvests, and always succeeds in reverse order', async () => {
    const server = await startWithMosaic();
    const first = changeOf(await harvest(server, 'c'));
    const undone = changeOf(await undo(server, first));
    const second = changeOf(await harvest(server, 'd'));
    expect(await granules(server)).toBe('a b d');

    changeOf(await undo(server, second));
    expect(await granules(server)).toBe('a b');
    changeOf(await undo(server, undone));
    expect(await granules(server)).toBe('a b c');
    changeOf(await undo(server, first));

    expect(await granules(server)).toBe('a b');
    changeOf(await server.request('POST', `/history/${second}/restore`, problems));
    expect(await granules(server)).toBe('a b d');
  });

  it('reverts a second upload', async () => {
    const server = await startWithMosaic();
    const replaced = changeOf(await server.request('PUT', `${store}/file.imagemosaic`, zipped('x')));
    expect(await granules(server)).toBe('x');

    changeOf(await undo(server, replaced));

    expect(await granules(server)).toBe('a b');
  });

  it('is rejected for purged files and beyond the retention period of files', async () => {
    let nowMs = Date.now();
    const server = await startWithMosaic({ clock: () => nowMs });
    const harvested = changeOf(await harvest(server, 'c'));
    nowMs += 25 * 3_600_000;
    const deleted = changeOf(await server.delete(`${store}?recurse=true&purge=all`));

    expect((await undo(server, deleted)).json()).toMatchObject({ code: 'undo-files-gone' });
    expect((await undo(server, harvested)).status).toBe(409);
  });
});

describeWithPostgis('a mosaic with its index in an external database', (postgis) => {
  it('is not undone because external tables are not modified, and no part of the change is undone', async () => {
    const server = await start();
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const { dbtype: _dbtype, ...parameters } = postgisParameters(postgis.connection);
    const lines = Object.entries(parameters).map(([key, value]) => `${key.replaceAll(' ', '\\ ')}=${value}`);
    const ocean = await readFile(join('test', 'fixtures', 'rasters', 'ocean-4.nc'));
    const upload = zipOfFiles({
      'datastore.properties': Buffer.from(['SPI=PostgisNGDataStoreFactory', ...lines].join('\n')),
      'ocean.nc': ocean,
    });
    const body = { type: 'application/zip', body: upload };
    changeOf(await server.request('PUT', `${store}/file.imagemosaic`, body));
    const described = changeOf(await server.put(store, '{"coverageStore":{"description":"warm"}}'));
    const again = { type: 'application/zip', body: zipOfFiles({ 'more.nc': ocean }) };
    const harvested = changeOf(await server.request('POST', `${store}/file.imagemosaic`, again));

    expect((await undo(server, harvested)).json()).toMatchObject({ status: 409, code: 'undo-files-gone' });
    expect((await server.request('POST', `/history/${described}/restore`, problems)).status).toBe(409);
    const renamed = changeOf(await server.put(store, '{"coverageStore":{"description":"cold"}}'));
    changeOf(await undo(server, renamed));

    expect((await server.get(`${store}.json`)).json()).toMatchObject({ coverageStore: { description: 'warm' } });
    changeOf(await server.delete(`${store}?recurse=true`));
  });
});
