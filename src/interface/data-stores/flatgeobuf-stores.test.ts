/** Stores over FlatGeobuf files: uploaded or on the server, read by services, changed and undone. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeFlatgeobuf, flatParcels } from '../../../test/support/flatgeobuf-files.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { featureTypes, readResource } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const type = 'application/flatgeobuf';

describe('FlatGeobuf files', () => {
  const server = useTestServer();
  let areas: Buffer;
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    areas = await encodeFlatgeobuf(flatParcels);
  });
  const put = (path: string, body: string | Buffer) => server.request('PUT', `${stores}/${path}`, { type, body });

  it('are uploaded as a single file and published', async () => {
    const reply = await put('land/file.fgb?filename=areas.fgb', areas);

    expect(reply).toMatchObject({ status: 201, text: 'Published acme:areas (EPSG:25832).\n' });
    expect(await readResource(server, `${stores}/land`)).toMatchObject({
      type: 'FlatGeobuf',
      connectionParameters: {
        entry: [
          { '@key': 'dbtype', $: 'fgb' },
          { '@key': 'file', $: expect.stringMatching(/^file:data\/acme\/land\/\d+\/$/) },
          { '@key': 'namespace', $: 'http://acme' },
        ],
      },
    });
    expect(await readResource(server, `${stores}/land/featuretypes/areas`)).toMatchObject({
      nativeName: 'areas',
      srs: 'EPSG:25832',
      nativeBoundingBox: { minx: 0, maxx: 21, miny: 0, maxy: 21 },
      attributes: {
        attribute: [
          { name: 'geom', binding: 'org.locationtech.jts.geom.Polygon' },
          { name: 'name', binding: 'java.lang.String' },
        ],
      },
    });
  });

  it('are read by WFS with filters and by id, and drawn by WMS', async () => {
    const path =
      '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:areas&outputFormat=application/json';
    const found = await server.get(`${path}&cql_filter=BBOX(geom,9,9,12,12)`);
    const { id } = (found.json() as { features: [{ id: string }] }).features[0];
    const byId = await server.get(`${path}&featureId=${id}`);
    const map = await server.get(
      '//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:areas&styles=&srs=EPSG:25832&bbox=0,0,21,21&width=64&height=64&format=image/png',
    );

    const features = [{ properties: { name: 'Straße' }, geometry: { type: 'Polygon' } }];
    expect(found.json()).toMatchObject({ numberMatched: 1, features });
    expect(byId.json()).toMatchObject({ numberMatched: 1, features });
    expect([map.status, map.headers['content-type']]).toEqual([200, 'image/png']);
  });

  it('are added to a store, and an upload is undone', async () => {
    await put('both/file.fgb?filename=first.fgb', areas);
    const added = await put('both/file.fgb?filename=second.fgb&configure=all', areas);
    const before = await featureTypes(server, 'acme/both');
    const undone = await server.post(`/history/${added.headers['graticule-change']}/undo`, '');

    expect(added.text).toContain('Published acme:second (EPSG:25832).');
    expect(before).toEqual(['first', 'second']);
    expect([undone.status, await featureTypes(server, 'acme/both')]).toEqual([200, ['first']]);
  });

  it('are imported into a GeoPackage on request', async () => {
    const reply = await put('tables/file.fgb?filename=editable.fgb&target=gpkg', areas);

    expect([reply.status, reply.text]).toEqual([201, expect.stringContaining('Published acme:editable (EPSG:25832).')]);
    expect(await readResource(server, `${stores}/tables`)).toMatchObject({ type: 'GeoPackage' });
  });

  it('on the server are published by a store with a path', async () => {
    await mkdir(join(server.dataDir, 'data', 'flat'), { recursive: true });
    await writeFile(join(server.dataDir, 'data', 'flat', 'spots.fgb'), areas);
    const entry = [
      { '@key': 'dbtype', $: 'fgb' },
      { '@key': 'file', $: 'file:data/flat' },
    ];
    const document = JSON.stringify({ dataStore: { name: 'spots', connectionParameters: { entry } } });

    const rehearsed = await server.post(`${stores}?dryRun=true`, document);
    const missing = await server.get(`${stores}/spots`);
    const made = await server.post(stores, document);
    const published = await server.post(`${stores}/spots/featuretypes`, '{"featureType":{"name":"spots"}}');

    expect([rehearsed.status, missing.status, made.status, published.status]).toEqual([201, 404, 201, 201]);
    expect(await readResource(server, `${stores}/spots/featuretypes/spots`)).toMatchObject({ srs: 'EPSG:25832' });
  });

  it('that are damaged are rejected, and nothing changes', async () => {
    const reply = await put('broken/file.fgb', areas.subarray(0, 40));

    expect(reply.status).toBe(400);
    expect(reply.text).toContain("The file 'broken.fgb' is not valid at byte 8: its header is larger than the file.");
    expect((await server.get(`${stores}/broken`)).status).toBe(404);
  });
});
