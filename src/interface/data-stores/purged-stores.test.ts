import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeInDirectory } from '../../../test/support/shared-storage.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

describeInDirectory('deleting a data store', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  const countBlobs = async () =>
    (await readdir(join(server.dataDir, 'blobs'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length;
  const upload = (store: string, points: number) =>
    putZip(server, `${stores}/${store}/file.shp`, zipOf({ places: pointShapefile(points) }));

  it('deletes the uploaded bytes at once with purge=all, with those of earlier uploads', async () => {
    const before = await countBlobs();
    await upload('purged', 4);
    await upload('purged', 5);

    const reply = await server.delete(`${stores}/purged?recurse=true&purge=all`);

    expect([reply.status, reply.headers['warning']]).toEqual([200, undefined]);
    expect(await countBlobs()).toBe(before);
  });

  it('keeps the uploaded bytes for an undo', async () => {
    const before = await countBlobs();
    await upload('kept', 3);
    const uploaded = await countBlobs();

    expect((await server.delete(`${stores}/kept?recurse=true`)).status).toBe(200);

    expect(uploaded).toBeGreaterThan(before);
    expect(await countBlobs()).toBe(uploaded);
  });

  it('keeps bytes that another store uses', async () => {
    await upload('one', 6);
    await upload('other', 6);
    const before = await countBlobs();

    expect((await server.delete(`${stores}/one?recurse=true&purge=all`)).status).toBe(200);

    expect(await countBlobs()).toBe(before);
    expect((await server.get(`${stores}/other/featuretypes.json`)).text).toContain('"name":"places');
  });

  it('deletes nothing as a dry run', async () => {
    const before = await countBlobs();

    const reply = await server.delete(`${stores}/other?recurse=true&purge=all&dryRun=true`);

    expect([reply.status, reply.headers['graticule-dry-run']]).toEqual([200, 'true']);
    expect(await countBlobs()).toBe(before);
  });
});

describe('undoing the deletion of a data store', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  async function deleteAndUndo(store: string, query: string): Promise<number> {
    await putZip(server, `${stores}/${store}/file.shp`, zipOf({ [store]: pointShapefile(store.length) }));
    const deleted = await server.delete(`${stores}/${store}?recurse=true${query}`);
    expect(deleted.status, deleted.text).toBe(200);
    return (await server.post(`/history/${deleted.headers['graticule-change']}/undo`, '')).status;
  }

  it('restores the store and its features without purge', async () => {
    expect(await deleteAndUndo('kept', '')).toBe(200);
    const features = await server.get('//geoserver/ogc/features/v1/collections/acme:kept/items?f=json');
    expect(features.json()).toMatchObject({ numberMatched: 4 });
  });

  it('is rejected after purge=all, because the bytes are gone', async () => {
    expect(await deleteAndUndo('purged', '&purge=all')).toBe(409);
    expect((await server.get(`${stores}/purged.json`)).status).toBe(404);
  });
});
