/** Stores whose files are changed or deleted without the server. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeInDirectory } from '../../../test/support/shared-storage.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import {
  pointShapefile,
  polygonShapefile,
  putZip,
  readResource,
  writeShapefiles,
  zipOf,
} from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

describe('a file changed on disk', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });
  /** A store with a folder of its own, all of it published. */
  async function publish(store: string, names: readonly string[]): Promise<string> {
    const shapefiles = Object.fromEntries(names.map((name) => [name, pointShapefile(2, [1, 1])]));
    const folder = await writeShapefiles(join(server.dataDir, 'data', store), shapefiles);
    const external = { type: 'text/plain', body: `data/${store}` };
    expect((await server.request('PUT', `${stores}/${store}/external.shp?configure=all`, external)).status).toBe(201);
    return folder;
  }
  const typeOf = (store: string, name: string) => readResource(server, `${stores}/${store}/featuretypes/${name}`);
  const attributesOf = async (store: string, name: string) =>
    ((await typeOf(store, name))['attributes'] as { attribute: readonly { name: string }[] }).attribute.map(
      (each) => each.name,
    );

  it.each(['POST', 'PUT'])('is described again after a reset of the store by %s', async (method) => {
    const name = `changed-${method.toLowerCase()}`;
    const folder = await publish(name, [name]);
    await server.put(`${stores}/${name}/featuretypes/${name}`, '<featureType><title>Said</title></featureType>');
    await writeShapefiles(folder, { [name]: polygonShapefile() });
    expect(await attributesOf(name, name)).toEqual(['the_geom', 'name', 'rank', 'seen']);

    const reply = await server.request(method, `${stores}/${name}/reset`);

    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(await attributesOf(name, name)).toEqual(['the_geom', 'id']);
    expect(await typeOf(name, name)).toMatchObject({
      title: 'Said',
      nativeBoundingBox: { minx: 0, maxx: 2, miny: 0, maxy: 1 },
      latLonBoundingBox: { minx: 0, maxx: 2, miny: 0, maxy: 1 },
    });
  });

  it('is described again after a reset of its feature type only', async () => {
    const folder = await publish('single', ['one-of-two', 'two-of-two']);
    await writeShapefiles(folder, { 'one-of-two': polygonShapefile(), 'two-of-two': polygonShapefile() });

    await server.post(`${stores}/single/featuretypes/one-of-two/reset`, '');

    expect(await attributesOf('single', 'one-of-two')).toEqual(['the_geom', 'id']);
    expect(await attributesOf('single', 'two-of-two')).toEqual(['the_geom', 'name', 'rank', 'seen']);
  });

  it('keeps the version of unchanged resources', async () => {
    await publish('same', ['same']);
    const before = await server.get(`${stores}/same/featuretypes/same.xml`);

    await server.post(`${stores}/same/reset`, '');

    const after = await server.get(`${stores}/same/featuretypes/same.xml`);
    expect([after.headers['etag'], after.text]).toEqual([before.headers['etag'], before.text]);
  });

  it('is reported if it is missing, and the published metadata stays', async () => {
    const folder = await publish('gone', ['gone', 'left']);
    await rm(join(folder, 'gone.shp'));

    const reply = await server.post(`${stores}/gone/reset`, '');

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toContain(
      "The feature type 'gone' is unchanged: the data no longer contains 'gone'.",
    );
    expect(await attributesOf('gone', 'gone')).toEqual(['the_geom', 'name', 'rank', 'seen']);
  });
});

describeInDirectory('an uploaded GeoPackage whose bytes are lost', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, `${stores}/lost/file.shp?target=gpkg`, zipOf({ lost: pointShapefile() }));
    await rm(join(server.dataDir, 'blobs'), { recursive: true });
    await rm(join(server.dataDir, 'files'), { recursive: true, force: true });
  });

  it.each(['application/json', 'application/xml'])('rejects an import with the reason in %s', async (accept) => {
    const body = zipOf({ more: pointShapefile() });

    const reply = await server.request('PUT', `${stores}/lost/file.shp`, { type: 'application/zip', body, accept });

    expect(reply).toMatchObject({
      status: 400,
      text: expect.stringMatching(/The file ('|&apos;)lost\.gpkg('|&apos;) does not exist\./),
    });
  });

  it('rejects a new table with the reason', async () => {
    const reply = await server.post(
      `${stores}/lost/featuretypes`,
      '{"featureType":{"name":"new","attributes":{"attribute":{"name":"n","binding":"java.lang.Integer"}}}}',
    );

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("The file 'lost.gpkg' does not exist.")]);
  });
});
