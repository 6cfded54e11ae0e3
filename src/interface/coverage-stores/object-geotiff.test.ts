/** GeoTIFF files in S3-compatible object stores as coverage stores and granules. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { credentialVariables, startObjectStore, type TestObjectStore } from '../../../test/support/object-store.ts';
import { startRangeServer } from '../../../test/support/range-server.ts';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { geotiffBytes, granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { hashBytes } from '../../storage/blobs/port.ts';
import { S3Store } from '../../storage/objects/s3-store.ts';

const stores = '/workspaces/acme/coveragestores';
const bytes = geotiffBytes(600, 400);

describe('coverage store with a GeoTIFF file of an object store', () => {
  let objects: TestObjectStore;
  let port: string;
  const server = useTestServer({
    environment: credentialVariables,
    flags: ['--tiles', 's3://maps/tiles?endpoint=https://s3.example.test'],
    resolveHost: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const locate = (key: string) => `s3://maps/${key}?endpoint=http://s3.example.test:${port}`;
  const create = (name: string, url: string, query = '?validate=connect') =>
    server.post(`${stores}${query}`, JSON.stringify({ coverageStore: { name, url } }));
  const allow = (name: string, regex: string) =>
    server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name, regex, enabled: true } }));
  const draw = (layer: string) =>
    server.get(
      `//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&styles=&format=image/png&width=300&height=200&srs=EPSG:32633&layers=acme:${layer}&bbox=500000,4996000,506000,5000000`,
    );

  beforeAll(async () => {
    objects = await startObjectStore();
    port = new URL(/endpoint=([^&]+)/.exec(objects.address)?.[1] ?? '').port;
    const store = new S3Store(objects.options(''));
    const granule = (left: number, value: number) =>
      granuleBytes({ left, top: 4, pixel: 1, epsg: 4326, value: () => value });
    const files = {
      'data/dem.tif': bytes,
      'tiles/dem.tif': bytes,
      'data/west.tif': granule(0, 11),
      'data/east.tif': granule(4, 22),
    };
    for (const [key, content] of Object.entries(files)) {
      await store.put(key, { kind: 'bytes', bytes: content, hash: hashBytes(content) });
    }
    store.close();
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await writeFile(join(server.dataDir, 'local.tif'), bytes);
    expect((await create('local', 'file:local.tif')).status).toBe(201);
    await server.post(
      `${stores}/local/coverages`,
      JSON.stringify({ coverage: { name: 'local', nativeName: 'local' } }),
    );
  });
  afterAll(() => objects.close());
  beforeEach(() => objects.fail(() => undefined));

  it('is rejected without a check of its location, also if a check matches the URL of the request', async () => {
    expect((await allow('web', `^http://s3\\.example\\.test:${port}/.*$`)).status).toBe(201);
    const before = objects.requests.length;

    const { status, text } = await create('early', locate('data/dem.tif'));

    expect(status).toBe(403);
    expect(text).toContain(
      'no enabled URL check matches it; an administrator can allow it with a check at /urlchecks, such as ^s3://maps/.*$',
    );
    expect(objects.requests.length).toBe(before);
    expect((await allow('bucket', '^s3://maps/.*$')).status).toBe(201);
  });

  it('is drawn like a local file, by signed requests', async () => {
    const url = locate('data/dem.tif');
    const created = await create('dem', url);
    expect([created.status, created.text]).toEqual([201, 'dem']);
    const body = JSON.stringify({ coverage: { name: 'dem', nativeName: 'dem' } });
    expect((await server.post(`${stores}/dem/coverages`, body)).status).toBe(201);

    expect((await server.get(`${stores}/dem.json`)).json()).toMatchObject({ coverageStore: { type: 'GeoTIFF', url } });
    expect((await draw('dem')).bytes.equals((await draw('local')).bytes)).toBe(true);
  });

  it.each([
    ['a missing object', () => locate('data/missing.tif'), /404/],
    ['an object of the server itself', () => locate('tiles/dem.tif'), /in the place of --blobs or --tiles/],
    [
      'an object of the server itself with escapes',
      () => locate('%74iles/dem.tif'),
      /in the place of --blobs or --tiles/,
    ],
    [
      'an object of the server itself, whose bucket is in the host name',
      () => `s3://tiles/dem.tif?endpoint=http://maps.s3.example.test:${port}`,
      /in the place of --blobs or --tiles/,
    ],
    ['a path to another bucket', () => locate('data/../../other/dem.tif'), /it is not an address such as s3:/],
    ['a location that is too long', () => locate(`data/${'a'.repeat(10_000)}.tif`), /no enabled URL check matches it/],
    ['a location without a key', () => 's3://maps', /it is not an address such as s3:/],
    ['credentials in the location', () => 's3://key:secret@maps/dem.tif', /it is not an address such as (?!.*secret)/],
    ['another server, which no check allows', () => 's3://maps/data/dem.tif', /no enabled URL check matches it/],
  ])('rejects %s', async (_, locateIt, message) => {
    const { status, text } = await create('rejected', locateIt());

    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).toMatch(message);
    expect(text).not.toContain('secret');
  });

  it('sends no signature to the target of a redirect', async () => {
    const remote = await startRangeServer({ '/dem.tif': { bytes, etag: '"1"' } });
    onTestFinished(() => remote.close());
    remote.files.set('/maps/moved.tif', {
      bytes,
      answer(_, response) {
        response.writeHead(302, { location: `http://other.example.test:${remote.port}/dem.tif` }).end();
        return true;
      },
    });
    await allow('remote', `^http://(?:s3|other)\\.example\\.test:${remote.port}/.*$`);
    await allow('remote s3', `^http://s3\\.example\\.test:${remote.port}/.*$`);
    await allow('remote other', `^http://other\\.example\\.test:${remote.port}/.*$`);

    const created = await create('moved', `s3://maps/moved.tif?endpoint=http://s3.example.test:${remote.port}`);

    expect(created.status, created.text).toBe(201);
    const signatures = remote.headers.map(({ host, authorization }) => [
      host?.split('.')[0],
      authorization?.slice(0, 16),
    ]);
    expect(signatures.slice(0, 2)).toEqual([
      ['s3', 'AWS4-HMAC-SHA256'],
      ['other', undefined],
    ]);
  });

  it('is a granule of a mosaic of a STAC item collection', async () => {
    const definition = zipOfFiles({
      'indexer.properties': Buffer.from(
        'CanBeEmpty=true\nSchema=*the_geom:Polygon,location:String,time:java.util.Date\nTimeAttribute=time',
      ),
    });
    const path = `${stores}/scenes/file.imagemosaic?configure=none`;
    expect((await server.request('PUT', path, { type: 'application/zip', body: definition })).status).toBe(200);
    const item = (id: string, datetime: string) => ({
      ...{ type: 'Feature', id, properties: { datetime } },
      assets: { data: { href: locate(`data/${id}.tif`), type: 'image/tiff; application=geotiff' } },
    });
    const features = [item('west', '2026-01-15T00:00:00Z'), item('east', '2026-02-15T00:00:00Z')];

    const harvested = await server.request('POST', `${stores}/scenes/remote.imagemosaic`, {
      ...{ type: 'text/plain', body: JSON.stringify({ type: 'FeatureCollection', features }) },
    });

    expect(harvested.text).toContain('Harvested 2 granules');
    await server.post(`${stores}/scenes/coverages`, JSON.stringify({ coverage: { name: 'scenes' } }));
    const { text } = await server.get(`${stores}/scenes/coverages/scenes/index/granules.json`);
    expect(text).toContain(locate('data/east.tif'));
    const query = 'service=WCS&version=1.0.0&request=GetCoverage&coverage=acme:scenes&format=GML&crs=EPSG:4326';
    const sampled = await server.get(`//geoserver/wcs?${query}&width=1&height=1&bbox=5,1,6,2`);
    expect(/tupleList[^>]*>(\S*)/.exec(sampled.text)?.[1]).toBe('22');
  });
});
