/** GeoTIFF files of other servers as coverage stores. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RangeServer, startRangeServer } from '../../../test/support/range-server.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { geotiffBytes } from '../../../test/support/tiff-bytes.ts';

const stores = '/workspaces/acme/coveragestores';
const MINUTE_MS = 60_000;

describe('coverage store with a remote GeoTIFF file', () => {
  let now = Date.UTC(2026, 10, 15);
  let remote: RangeServer;
  const server = useTestServer({
    clock: () => now,
    resolveHost: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const bytes = geotiffBytes(600, 400);

  const urlOf = (path: string) => `http://data.example.test:${remote.port}${path}`;
  const create = (name: string, fields: Readonly<Record<string, unknown>>, query = '') =>
    server.post(`${stores}${query}`, JSON.stringify({ coverageStore: { name, ...fields } }));
  const publish = (store: string, nativeName: string, name: string) =>
    server.post(`${stores}/${store}/coverages`, JSON.stringify({ coverage: { name, nativeName } }));
  const draw = async (layer: string, box = '500000,4996000,506000,5000000') =>
    server.get(
      `//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&styles=&format=image/png&width=300&height=200&srs=EPSG:32633&layers=acme:${layer}&bbox=${box}`,
    );

  beforeAll(async () => {
    remote = await startRangeServer({ '/dem.tif': { bytes, etag: '"1"' } });
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await writeFile(join(server.dataDir, 'local.tif'), bytes);
    await server.post(
      '/urlchecks',
      JSON.stringify({
        regexUrlCheck: { name: 'data', regex: `^http://data\\.example\\.test:${remote.port}/.*$`, enabled: true },
      }),
    );
    await create('local', { url: 'file:local.tif' }, '?validate=connect');
    expect((await publish('local', 'local', 'local')).status).toBe(201);
  });
  afterAll(() => remote.close());

  it('is created, described, published and drawn like a local file', async () => {
    const created = await create('dem', { url: urlOf('/dem.tif') }, '?validate=connect');
    const published = await publish('dem', 'dem', 'dem');

    expect([created.status, created.text, published.status]).toEqual([201, 'dem', 201]);
    expect((await server.get(`${stores}/dem.json`)).json()).toMatchObject({
      coverageStore: { name: 'dem', type: 'GeoTIFF', url: urlOf('/dem.tif') },
    });
    const [local, drawn] = [await draw('local'), await draw('dem')];
    expect(drawn.headers['content-type']).toBe('image/png');
    expect(drawn.bytes.equals(local.bytes)).toBe(true);
    const described = await server.get(`${stores}/dem/coverages/dem.json`);
    const ofLocal = await server.get(`${stores}/local/coverages/local.json`);
    const pick = (reply: typeof described) => (reply.json() as { coverage: Record<string, unknown> }).coverage['grid'];
    expect(pick(described)).toEqual(pick(ofLocal));
  });

  it('is drawn again without requests for a minute, and then with one', async () => {
    await create('again', { url: urlOf('/dem.tif') }, '?validate=connect');
    await publish('again', 'dem', 'again');
    const first = await draw('again');
    remote.asked.length = 0;

    const second = await draw('again');
    const afterSecond = [...remote.asked];
    now += MINUTE_MS;
    const third = await draw('again');

    expect([second.bytes.equals(first.bytes), third.bytes.equals(first.bytes)]).toEqual([true, true]);
    expect([afterSecond, remote.asked]).toEqual([[], ['GET /dem.tif bytes=0-0']]);
  });

  it('is drawn from the new content only, after its file has changed', async () => {
    // Three megabytes, of which each map below reads one.
    const [old, changed] = [geotiffBytes(2_000, 1_500, () => 10), geotiffBytes(2_000, 1_500, () => 200)];
    const [upper, lower] = ['500000,4998000,503000,5000000', '500000,4985000,503000,4987000'];
    remote.files.set('/moving.tif', { bytes: old, etag: '"old"' });
    remote.files.set('/still.tif', { bytes: changed });
    for (const name of ['moving', 'still']) {
      await create(name, { url: urlOf(`/${name}.tif`) }, '?validate=connect');
      await publish(name, name, name);
    }
    const before = await draw('moving', upper);

    remote.files.set('/moving.tif', { bytes: changed, etag: '"new"' });
    const [lowerPart, upperPart] = [await draw('moving', lower), await draw('moving', upper)];

    expect(lowerPart.bytes.equals((await draw('still', lower)).bytes)).toBe(true);
    expect(upperPart.bytes.equals((await draw('still', upper)).bytes)).toBe(true);
    expect(upperPart.bytes.equals(before.bytes)).toBe(false);
  });

  it('reports a file that changes all the time', async () => {
    let version = 0;
    remote.files.set('/restless.tif', {
      bytes,
      answer: (request, response) => {
        const [, first, last] = (/^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []).map(Number);
        const [from, end] = [first ?? 0, Math.min(last ?? 0, bytes.length - 1)];
        version += 1;
        response.writeHead(206, { etag: `"${version}"`, 'content-range': `bytes ${from}-${end}/${bytes.length}` });
        response.end(bytes.subarray(from, end + 1));
        return true;
      },
    });
    await create('restless', { url: urlOf('/restless.tif') });
    await publish('restless', 'restless', 'restless');

    const read = await server.get(
      '//geoserver/wcs?service=WCS&version=2.0.1&request=GetCoverage&coverageId=acme__restless&format=image/tiff',
    );

    expect(read.status).toBe(503);
    expect(read.text).toContain('The data of this layer changed while it was read. Retry the request.');
    expect(version).toBeGreaterThan(3);
  });

  it.each([
    ['/missing.tif', undefined, 'it returned status 404'],
    ['/without-ranges.tif', [200, {}, 0], 'its server does not support range requests'],
    ['/other-range.tif', [206, { 'content-range': 'bytes 5-9/100' }, 5], 'its response is not the requested range'],
    ['/no-range.tif', [206, {}, 5], 'its response is not the requested range'],
    ['/short.tif', [206, { 'content-range': 'bytes 0-9/10' }, 4], 'its response has 4 bytes instead of 10'],
    ['/long.tif', [206, { 'content-range': 'bytes 0-9/10' }, 90_000], 'exceeds the limit of'],
    ['/packed.tif', [206, { 'content-range': 'bytes 0-9/10', 'content-encoding': 'gzip' }, 10], 'content encoding'],
    ['/loop.tif', [302, { location: '/loop.tif' }, 0], 'it redirects more than 5 times'],
    ['/away.tif', [302, { location: 'http://other.example.test/dem.tif' }, 0], 'no enabled URL check matches it'],
  ] as const)('is rejected with validate=connect if the answer for %s is wrong', async (path, answered, reason) => {
    if (answered !== undefined) {
      const [status, headers, length] = answered;
      remote.files.set(path, {
        bytes,
        answer: (_, response) => {
          response.writeHead(status, headers).end(Buffer.alloc(length));
          return true;
        },
      });
    }

    const reply = await create('wrong', { url: urlOf(path) }, '?validate=connect');

    expect([400, 403]).toContain(reply.status);
    expect(reply.text).toContain(reason);
    expect((await server.get(`${stores}/wrong.json`)).status).toBe(404);
  });

  it('is not created for URLs that no check allows, nor for types that read local files', async () => {
    const other = await create('refused', { url: 'https://elsewhere.example.test/dem.tif?token=secret' });
    const netcdf = await create('refused', { type: 'NetCDF', url: urlOf('/dem.nc') });

    expect([other.status, netcdf.status]).toEqual([403, 400]);
    expect(other.text).toContain("The URL 'https://elsewhere.example.test/dem.tif' is not allowed");
    expect(other.text).not.toContain('secret');
    expect(netcdf.text).toContain(
      'Stores of the type NetCDF cannot read data of other servers. Use the type GeoTIFF or PMTiles, or upload the data.',
    );
  });

  it('accepts the notation of other servers, and a query', async () => {
    const created = await create('prefixed', { url: `cog://${urlOf('/dem.tif')}?token=secret` }, '?validate=connect');
    await publish('prefixed', 'dem', 'prefixed');

    expect(created.status).toBe(201);
    expect((await draw('prefixed')).bytes.equals((await draw('local')).bytes)).toBe(true);
    expect(server.log.join('')).not.toContain('secret');
  });

  it('is not created by a dry run, and disappears when its creation is undone', async () => {
    const dry = await create('brief', { url: urlOf('/dem.tif') }, '?dryRun=true');
    const afterDry = await server.get(`${stores}/brief.json`);
    const created = await create('brief', { url: urlOf('/dem.tif') });
    const undone = await server.post(`/history/${created.headers['graticule-change']}/undo`, '');

    expect([dry.status, afterDry.status, created.status]).toEqual([201, 404, 201]);
    expect(undone.status).toBe(200);
    expect((await server.get(`${stores}/brief.json`)).status).toBe(404);
  });

  it('is exported with its URL, and restored from the configuration with its coverage', async () => {
    await create('kept', { url: urlOf('/dem.tif') }, '?validate=connect');
    await publish('kept', 'dem', 'kept');
    const { text: exported } = await server.get('/configuration.json?path=/workspaces/acme/coveragestores/kept');
    await server.delete(`${stores}/kept?recurse=true`);

    const applied = await server.request('POST', '/configuration/apply?mode=merge', { type: 'json', body: exported });

    expect(exported).toContain(`"url":"${urlOf('/dem.tif')}"`);
    expect(applied.status, applied.text).toBe(200);
    expect((await draw('kept')).bytes.equals((await draw('local')).bytes)).toBe(true);
  });
});
