import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { coverageStoreKind } from '../../catalog/kinds/coverage-store.ts';
import { openCatalog } from '../../records/catalog.ts';
import { openFiles } from '../../records/files/files.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { hashBytes } from '../../storage/blobs/port.ts';

const picture = (left: number) => granuleBytes({ left, top: 50, pixel: 0.25, epsg: 4326 });

describe('files of removed granules', () => {
  const server = useTestServer();
  beforeAll(() => server.post('/workspaces', '{"workspace":{"name":"acme"}}'));

  const granulesOf = (store: string) => `/workspaces/acme/coveragestores/${store}/coverages/${store}/index/granules`;
  const remove = (store: string, location: string, query: string) =>
    server.delete(`${granulesOf(store)}?filter=${encodeURIComponent(`location = '${location}'`)}${query}`);

  async function uploadedFiles(store: string): Promise<readonly string[]> {
    const catalog = openCatalog(server.server.storage);
    const workspace = await catalog.find(workspaceKind, null, 'acme');
    const found = await catalog.find(coverageStoreKind, workspace?.id ?? '', store);
    const set = await openFiles({ root: server.dataDir }).stored.readSetFiles(found?.fileSet ?? '');
    return set.map(({ path }) => path).sort();
  }

  async function upload(store: string): Promise<void> {
    const reply = await server.request('PUT', `/workspaces/acme/coveragestores/${store}/file.imagemosaic`, {
      type: 'application/zip',
      body: zipOfFiles({
        'a.tif': picture(10),
        'a.tif.ovr': Buffer.from('overview'),
        'a.tfw': Buffer.from('world file'),
        'ab.tfw': Buffer.from('of another'),
        'a.raw': Buffer.from('data of another kind'),
        'b.tif': picture(20),
      }),
    });
    if (reply.status !== 200) throw new Error(reply.text);
  }

  async function isKept(bytes: Buffer): Promise<boolean> {
    const entries = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && /\/(?:blobs|files)(?:\/|$)/.test(entry.parentPath));
    const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
    return contents.some((content) => hashBytes(content) === hashBytes(bytes));
  }

  it.each(['', '&purge=none', '&purge=metadata'])('stay with%s', async (query) => {
    const store = `kept${query.replace(/\\W/g, '-')}`.replace(/[^a-z-]/g, '-');
    await upload(store);
    const before = await uploadedFiles(store);

    expect((await remove(store, 'a.tif', query)).status).toBe(200);

    expect(await uploadedFiles(store)).toEqual(before);
  });

  it('are removed from the store with purge=all if uploaded, together with their sidecar files', async () => {
    await upload('purged');

    const reply = await remove('purged', 'a.tif', '&purge=all');

    expect(reply.status, reply.text).toBe(200);
    expect(await uploadedFiles('purged')).toEqual(['a.raw', 'ab.tfw', 'b.tif']);
    const harvested = await server.request('POST', '/workspaces/acme/coveragestores/purged/file.imagemosaic', {
      type: 'application/zip',
      body: zipOfFiles({ 'a.tif': picture(10) }),
    });
    expect(harvested.status, harvested.text).toBe(201);
    expect(await uploadedFiles('purged')).toEqual(['a.raw', 'a.tif', 'ab.tfw', 'b.tif']);
  });

  it('are deleted from disk immediately with purge=all, unless another store uses the bytes', async () => {
    const [own, shared] = [picture(31), picture(32)];
    const put = (store: string, files: Record<string, Buffer>) =>
      server.request('PUT', `/workspaces/acme/coveragestores/${store}/file.imagemosaic`, {
        type: 'application/zip',
        body: zipOfFiles(files),
      });
    await put('first', { 'own.tif': own, 'shared.tif': shared, 'third.tif': picture(33) });
    await put('second', { 'copy.tif': shared });

    await remove('first', 'own.tif', '&purge=all&dryRun=true');
    const tried = await isKept(own);
    await remove('first', 'own.tif', '&purge=all');
    await remove('first', 'shared.tif', '&purge=all');

    expect([tried, await isKept(own), await isKept(shared), await isKept(picture(33))]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect((await server.get('/workspaces/acme/coveragestores/second/coverages/second.json')).status).toBe(200);
  });

  it('are deleted with their store with purge=all, including earlier versions', async () => {
    const path = '/workspaces/acme/coveragestores/whole';
    const put = (file: Buffer) => server.request('PUT', `${path}/file.geotiff`, { type: 'image/tiff', body: file });
    await put(picture(41));
    await put(picture(42));

    expect((await server.delete(`${path}?recurse=true&purge=all&dryRun=true`)).status).toBe(200);
    const tried = await isKept(picture(42));
    const reply = await server.delete(`${path}?recurse=true&purge=all`);

    expect(reply.status, reply.text).toBe(200);
    expect([tried, await isKept(picture(41)), await isKept(picture(42))]).toEqual([true, false, false]);
    expect(await readdir(join(server.dataDir, 'purges'))).toEqual([]);
  });

  it('are deleted with their store if they are in its folder, and other files stay', async () => {
    const folder = join(server.dataDir, 'data', 'ending');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'a.tif'), picture(10));
    await writeFile(join(folder, 'readme.txt'), 'Mine.');
    const path = '/workspaces/acme/coveragestores/ending';
    await server.request('PUT', `${path}/external.imagemosaic`, { type: 'text/plain', body: 'file:data/ending' });

    const reply = await server.delete(`${path}?recurse=true&purge=all`);

    expect(reply.status, reply.text).toBe(200);
    expect(await readdir(folder)).toEqual(['readme.txt']);
  });

  it('stay in a folder of the server for users who cannot access it', async () => {
    const folder = join(server.dataDir, 'data', 'guarded');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'a.tif'), picture(10));
    await server.post('/workspaces', '{"workspace":{"name":"anns"}}');
    const ann = await addUser(server, 'ann', 'ROLE_ANN');
    await server.post('/security/acl/layers', '{"anns.*.a":"ROLE_ANN"}');
    await server.post('/security/acl/rest', '{"/workspaces/**:GET,POST,PUT,DELETE":"ROLE_ANN,ROLE_ADMINISTRATOR"}');
    const path = '/workspaces/anns/coveragestores/guarded';
    await server.request('PUT', `${path}/external.imagemosaic`, { type: 'text/plain', body: 'file:data/guarded' });

    const granules = await server.delete(`${path}/coverages/guarded/index/granules?purge=all`, { as: ann });
    const whole = await server.delete(`${path}?recurse=true&purge=all`, { as: ann });

    for (const reply of [granules, whole]) {
      expect(reply.status, reply.text).toBe(403);
      expect(reply.text).toContain("The files of the mosaic 'guarded' are in a folder of the server");
    }
    expect(await readdir(folder)).toEqual(['a.tif']);
    expect((await server.delete(`${path}?recurse=true`, { as: ann })).status).toBe(200);
    expect(await readdir(folder)).toEqual(['a.tif']);
  });

  it('stay while granules of another coverage use them', async () => {
    const made = await server.request('PUT', '/workspaces/acme/coveragestores/shared/file.imagemosaic', {
      type: 'application/zip',
      body: zipOfFiles({ 'ocean.nc': await readFile(join('test', 'fixtures', 'rasters', 'ocean-4.nc')) }),
    });
    expect(made.status, made.text).toBe(200);
    const coverages = '/workspaces/acme/coveragestores/shared/coverages';
    const listed = (await server.get(`${coverages}.json`)).json() as { coverages: { coverage: { name: string }[] } };
    const names = listed.coverages.coverage.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(1);

    const files: (readonly string[])[] = [];
    for (const name of names) {
      const reply = await server.delete(`${coverages}/${name}/index/granules?purge=all`);
      expect(reply.status, reply.text).toBe(200);
      files.push(await uploadedFiles('shared'));
    }

    expect(files.at(-2)).toEqual(['ocean.nc']);
    expect(files.at(-1)).toEqual([]);
  });

  it('are deleted from the folder of a mosaic with purge=all, but not from other folders', async () => {
    const [folder, elsewhere] = ['passes', 'elsewhere'].map((name) => join(server.dataDir, 'data', name));
    await mkdir(folder ?? '', { recursive: true });
    await mkdir(elsewhere ?? '', { recursive: true });
    await writeFile(join(folder ?? '', 'a.tif'), picture(10));
    await writeFile(join(folder ?? '', 'a.prj'), 'PROJCS');
    await writeFile(join(folder ?? '', 'b.tif'), picture(20));
    await writeFile(join(elsewhere ?? '', 'c.tif'), picture(30));
    const made = await server.request('PUT', '/workspaces/acme/coveragestores/passes/external.imagemosaic', {
      type: 'text/plain',
      body: `file://${folder}`,
    });
    expect(made.status, made.text).toBe(200);
    const more = await server.request('POST', '/workspaces/acme/coveragestores/passes/external.imagemosaic', {
      type: 'text/plain',
      body: `file://${elsewhere}/c.tif`,
    });
    expect(more.status, more.text).toBe(201);

    const inside = await remove('passes', 'a.tif', '&purge=all');
    const tried = await server.delete(`${granulesOf('passes')}?purge=all&dryRun=true`);
    const outside = await server.delete(
      `${granulesOf('passes')}?filter=${encodeURIComponent("location LIKE '%c.tif'")}&purge=ALL`,
    );

    expect([inside.status, tried.status, outside.status]).toEqual([200, 200, 200]);
    expect((await readdir(folder ?? '')).filter((name) => /\.(tif|prj)$/.test(name))).toEqual(['b.tif']);
    expect(await readdir(elsewhere ?? '')).toEqual(['c.tif']);
    expect(outside.headers['warning']).toContain("'c.tif' is kept because");
  });
});
