/** Stores over GeoParquet files: uploaded or on the server, read by services, changed and undone. */
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { featureTypes, readResource } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const fixtures = new URL('../../../test/fixtures/geoparquet/', import.meta.url).pathname;
const type = 'application/vnd.apache.parquet';

describe('GeoParquet files', () => {
  const server = useTestServer();
  let areas: Buffer;
  let lines: Buffer;
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    areas = await readFile(join(fixtures, 'areas-zstd.parquet'));
    lines = await readFile(join(fixtures, 'native-linestring.parquet'));
  });
  const put = (path: string, body: string | Buffer) => server.request('PUT', `${stores}/${path}`, { type, body });

  it('are uploaded as a single file and published', async () => {
    const reply = await put('land/file.parquet?filename=areas.parquet', areas);

    expect(reply).toMatchObject({ status: 201, text: 'Published acme:areas (EPSG:25832).\n' });
    expect(await readResource(server, `${stores}/land`)).toMatchObject({
      type: 'GeoParquet',
      connectionParameters: {
        entry: [
          { '@key': 'dbtype', $: 'geoparquet' },
          { '@key': 'namespace', $: 'http://acme' },
          { '@key': 'uri', $: expect.stringMatching(/^file:data\/acme\/land\/\d+\/$/) },
        ],
      },
    });
    expect(await readResource(server, `${stores}/land/featuretypes/areas`)).toMatchObject({
      nativeName: 'areas',
      srs: 'EPSG:25832',
      nativeBoundingBox: { minx: 0, maxx: 21, miny: 0, maxy: 21 },
      attributes: {
        attribute: [
          { name: 'name', binding: 'java.lang.String' },
          { name: 'geometry', binding: 'org.locationtech.jts.geom.MultiPolygon' },
        ],
      },
    });
  });

  it('are read by WFS with filters, and drawn by WMS', async () => {
    const path =
      '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:areas&outputFormat=application/json';
    const found = await server.get(`${path}&cql_filter=BBOX(geometry,9,9,12,12)`);
    const map = await server.get(
      '//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:areas&styles=&srs=EPSG:25832&bbox=0,0,21,21&width=64&height=64&format=image/png',
    );

    expect(found.json()).toMatchObject({
      numberMatched: 1,
      features: [{ id: 'areas.2', properties: { name: 'Straße' }, geometry: { type: 'MultiPolygon' } }],
    });
    expect([map.status, map.headers['content-type']]).toEqual([200, 'image/png']);
  });

  it('are added to a store, and an upload is undone', async () => {
    await put('both/file.parquet?filename=first.parquet', areas);
    const added = await put('both/file.parquet?filename=second.parquet&configure=all', lines);
    const before = await featureTypes(server, 'acme/both');
    const undone = await server.post(`/history/${added.headers['graticule-change']}/undo`, '');

    expect(added.text).toContain('Published acme:second (EPSG:4326).');
    expect(before).toEqual(['first', 'second']);
    expect([undone.status, await featureTypes(server, 'acme/both')]).toEqual([200, ['first']]);
  });

  it('on the server are published by a store with a path', async () => {
    await mkdir(join(server.dataDir, 'data', 'parquet'), { recursive: true });
    await copyFile(join(fixtures, 'native-point.parquet'), join(server.dataDir, 'data', 'parquet', 'spots.parquet'));
    const entry = [
      { '@key': 'dbtype', $: 'geoparquet' },
      { '@key': 'uri', $: 'file:data/parquet' },
    ];
    const document = JSON.stringify({ dataStore: { name: 'spots', connectionParameters: { entry } } });

    const rehearsed = await server.post(`${stores}?dryRun=true`, document);
    const missing = await server.get(`${stores}/spots`);
    const made = await server.post(stores, document);
    const published = await server.post(`${stores}/spots/featuretypes`, '{"featureType":{"name":"spots"}}');

    expect([rehearsed.status, missing.status, made.status, published.status]).toEqual([201, 404, 201, 201]);
    expect(await readResource(server, `${stores}/spots/featuretypes/spots`)).toMatchObject({
      srs: 'EPSG:4326',
      nativeBoundingBox: { minx: 1, maxx: 3, miny: 2, maxy: 4 },
    });
  });

  it.each([
    ['', 'a GeoParquet store requires a .parquet file or a folder of .parquet files'],
    ['ftp://maps.example/roads.parquet', 'it must be a path, a file: URL or an https: URL'],
  ])('are not opened from the address %j', async (uri, reason) => {
    const entry = [
      { '@key': 'dbtype', $: 'geoparquet' },
      { '@key': 'uri', $: uri },
    ];

    const reply = await server.post(
      stores,
      JSON.stringify({ dataStore: { name: 'odd', connectionParameters: { entry } } }),
    );

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(reason);
  });

  it('that are damaged are rejected, and nothing changes', async () => {
    const reply = await put('broken/file.parquet', areas.subarray(0, 5_000));

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(
      "The file 'broken.parquet' is not valid at byte 4996: it does not end like a Parquet file.",
    );
    expect((await server.get(`${stores}/broken`)).status).toBe(404);
  });
});
