/** Files below `data` by path: written, moved, copied and deleted; and files uploaded to stores. */
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';

describe('a file below data', () => {
  const server = useTestServer();
  const onDisk = (path: string) => readFile(join(server.dataDir, path), 'utf8');

  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await putZip(server, '/workspaces/acme/datastores/towns/file.shp', zipOf({ towns: pointShapefile() }));
  });

  it('is stored below data with its folders', async () => {
    const created = await server.request('PUT', '/resource/data/maps/2026/a.csv', { body: 'a,b\n1,2\n' });
    const replaced = await server.request('PUT', '/resource/data/maps/2026/a.csv', { body: 'a,b\n3,4\n' });

    expect([created.status, replaced.status]).toEqual([201, 200]);
    expect(await onDisk('data/maps/2026/a.csv')).toBe('a,b\n3,4\n');
    expect((await server.get('/resource/data/maps/2026/a.csv')).headers['content-type']).toBe('text/csv');
  });

  it('can be empty or large', async () => {
    const large = Buffer.alloc(3_000_000, 'graticule ');
    await server.request('PUT', '/resource/data/empty.bin', { body: '' });
    await server.request('PUT', '/resource/data/large.bin', { body: large });

    expect((await server.get('/resource/data/empty.bin')).bytes.length).toBe(0);
    expect((await server.get('/resource/data/large.bin')).bytes.equals(large)).toBe(true);
  });

  it('is moved, copied and deleted, and a folder is deleted when empty', async () => {
    const put = (path: string, operation: string, body: string) =>
      server.request('PUT', `/resource/${path}?operation=${operation}`, { type: 'text/plain', body });
    await server.request('PUT', '/resource/data/box/one.txt', { body: 'one' });

    const copied = await put('data/box/two.txt', 'copy', 'data/box/one.txt');
    const moved = await put('data/box/three.txt', 'move', 'data/box/one.txt');

    expect([copied.status, moved.status]).toEqual([201, 201]);
    expect((await server.delete('/resource/data/box')).status).toBe(403);
    expect((await server.delete('/resource/data/box/two.txt')).status).toBe(200);
    expect((await server.delete('/resource/data/box/three.txt')).status).toBe(200);
    expect((await server.delete('/resource/data/box')).status).toBe(200);
    expect((await server.get('/resource/data/box')).status).toBe(404);
    expect((await server.delete('/resource/data')).status).toBe(405);
  });

  it('cannot replace a folder, and folders are not written directly', async () => {
    const put = (path: string) => server.request('PUT', `/resource/${path}`, { body: 'text' });
    await put('data/folder/file.txt');

    for (const path of [
      'data',
      'data/folder',
      'data/acme/towns',
      'styles',
      'workspaces',
      'workspaces/acme',
      'elsewhere/a.txt',
    ]) {
      expect((await put(path)).status, path).toBe(405);
    }
    expect((await put('data/folder/file.txt/below')).status).toBe(403);
  });

  it('that was uploaded to a store can be read and copied, and changes only by uploads', async () => {
    const path = '/resource/data/acme/towns/1/towns.shp';
    const read = await server.get(path);
    const copied = await server.request('PUT', '/resource/data/copy.shp?operation=copy', {
      type: 'text/plain',
      body: 'data/acme/towns/1/towns.shp',
    });

    const reason =
      "'data/acme/towns/1/towns.shp' belongs to the uploaded data of the store 'towns'. Upload to the store to change it.\n";
    expect(read.bytes.length).toBeGreaterThan(100);
    expect(await server.request('PUT', path, { body: 'x' })).toMatchObject({ status: 403, text: reason });
    expect(await server.delete(path)).toMatchObject({ status: 403, text: reason });
    expect((await server.request('PUT', '/resource/data/acme/towns/1/new.txt', { body: 'x' })).status).toBe(403);
    expect(copied.status).toBe(201);
    expect((await server.get('/resource/data/copy.shp')).bytes.equals(read.bytes)).toBe(true);
  });

  it('is opened by a store that refers to it', async () => {
    for (const [ending, bytes] of Object.entries(pointShapefile())) {
      const put = await server.request('PUT', `/resource/data/shapes/places.${ending}`, { body: bytes as Buffer });
      expect(put.status).toBe(201);
    }
    await server.post(
      '/workspaces/acme/datastores',
      JSON.stringify({
        dataStore: {
          name: 'places',
          connectionParameters: { entry: [{ '@key': 'url', $: 'file:data/shapes/places.shp' }] },
        },
      }),
    );

    const listed = await server.get('/workspaces/acme/datastores/places/featuretypes.json?list=available');

    expect(listed.text).toContain('places');
  });

  it('is written subject to conditional headers', async () => {
    const put = (headers: Record<string, string>) =>
      server.request('PUT', '/resource/data/known.txt', { body: 'known', headers });
    await put({});
    const { headers } = await server.get('/resource/data/known.txt');

    expect((await put({ 'if-none-match': '*' })).status).toBe(412);
    expect((await put({ 'if-match': headers['etag'] ?? '' })).status).toBe(200);
    expect((await put({ 'if-match': headers['etag'] ?? '' })).status).toBe(412);
  });

  it('is hidden if it is a symbolic link', async () => {
    await symlink('/etc', join(server.dataDir, 'data/etc'));

    expect((await server.get('/resource/data?format=json')).text).not.toContain('etc');
    expect((await server.get('/resource/data/etc/hostname')).status).toBe(403);
  });
});
