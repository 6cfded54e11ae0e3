import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bareTiff,
  geotiffWithCompression,
  putRasterZip,
  putTiff,
  worldImageZip,
  zipOfFiles,
} from '../../../test/support/raster-samples.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { geotiffBytes } from '../../../test/support/tiff-bytes.ts';
import { readResource, snapshot } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/coveragestores';

describe('raster upload', () => {
  const outside = useTemporaryFolder('rasters');
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  it('creates a store, a coverage, and a layer with the raster style', async () => {
    const reply = await putTiff(server, `${stores}/relief/file.geotiff`);

    expect(reply.status).toBe(201);
    expect(reply.headers['location']).toMatch(/\/workspaces\/acme\/coveragestores\/relief$/);
    expect(reply.text).toBe('Published acme:relief (EPSG:32633).\n');
    expect(await readResource(server, `${stores}/relief`)).toMatchObject({
      type: 'GeoTIFF',
      url: 'file:data/acme/relief/1/relief.geotiff',
    });
    expect(await readResource(server, '/layers/acme:relief')).toMatchObject({
      type: 'RASTER',
      defaultStyle: { name: 'raster' },
      resource: { '@class': 'coverage', name: 'acme:relief' },
    });
  });

  it('returns a report in JSON or XML', async () => {
    const sent = { type: 'image/tiff', body: geotiffBytes(5, 5), headers: { host: 'h' } };

    const json = await server.request('PUT', `${stores}/reported/file.geotiff`, {
      ...sent,
      accept: 'application/json',
    });
    const xml = await server.request('PUT', `${stores}/reported/file.geotiff`, { ...sent, accept: 'application/xml' });

    const href = 'http://h/geoserver/rest/workspaces/acme/coveragestores/reported';
    expect(json.json()).toEqual({
      upload: {
        store: { name: 'reported', href: `${href}.json` },
        coverages: {
          coverage: [
            {
              name: 'reported',
              nativeName: 'reported',
              srs: 'EPSG:32633',
              outcome: 'published',
              href: `${href}/coverages/reported.json`,
            },
          ],
        },
        unpublished: { string: [] },
        warnings: { string: [] },
      },
    });
    expect(xml.text).toContain('<outcome>updated</outcome>');
  });

  it('accepts a ZIP archive, in which the file keeps its name', async () => {
    const zip = zipOfFiles({ 'north/dem.tif': geotiffBytes(6, 4), 'north/read.me': Buffer.from('words') });

    const reply = await putRasterZip(server, `${stores}/zipped/file.geotiff`, zip);

    expect(reply.status).toBe(201);
    expect(await readResource(server, `${stores}/zipped`)).toMatchObject({
      url: 'file:data/acme/zipped/1/north/dem.tif',
    });
    expect(await readResource(server, '/workspaces/acme/coverages/dem')).toMatchObject({ nativeName: 'dem' });
  });

  it('reports the ignored files of an archive', async () => {
    const zip = zipOfFiles({ 'a.tif': geotiffBytes(6, 4), 'b.tif': geotiffBytes(6, 4) });

    const reply = await putRasterZip(server, `${stores}/two/file.geotiff`, zip);

    expect(reply.status).toBe(201);
    expect(reply.headers['warning']).toContain("'b.tif'");
  });

  it('accepts an image with a world file and its CRS', async () => {
    const reply = await putRasterZip(server, `${stores}/photo/file.worldimage`, worldImageZip());

    expect(reply.status).toBe(201);
    expect(await readResource(server, `${stores}/photo`)).toMatchObject({ type: 'WorldImage' });
    expect(await readResource(server, '/workspaces/acme/coverages/photo')).toMatchObject({
      srs: 'EPSG:4326',
      nativeFormat: 'WorldImage',
      nativeBoundingBox: { minx: 10, maxx: 20, miny: 45, maxy: 50 },
      dimensions: { coverageDimension: [{ name: 'RED_BAND' }, { name: 'GREEN_BAND' }, { name: 'BLUE_BAND' }] },
    });
  });

  it.each(['ocean-3.nc', 'ocean-4.nc'])('publishes every variable of a NetCDF file: %s', async (file) => {
    const workspace = file.replace('.nc', '');
    await server.post('/workspaces', `<workspace><name>${workspace}</name></workspace>`);
    const own = `/workspaces/${workspace}/coveragestores/ocean`;
    const body = await readFile(join('test', 'fixtures', 'rasters', file));

    const named = await server.request('PUT', `${own}/file.netcdf?coverageName=sea`, { body });
    const reply = await server.request('PUT', `${own}/file.netcdf`, { body });

    expect(named.status).toBe(400);
    expect(named.text).toContain("so the name 'sea' is ambiguous");
    expect(reply.status).toBe(201);
    expect(reply.text).toBe(
      `Published ${workspace}:temperature (EPSG:4326).\nPublished ${workspace}:salinity (EPSG:4326).\n`,
    );
    expect(await readResource(server, own)).toMatchObject({ type: 'NetCDF' });
    expect(await readResource(server, `/workspaces/${workspace}/coverages/temperature`)).toMatchObject({
      nativeFormat: 'NetCDF',
      title: 'Temperature of the sea',
      grid: { range: { high: '24 20' }, transform: { translateX: 5.125 } },
      nativeBoundingBox: { minx: 5, maxx: 11, miny: 40, maxy: 50 },
      dimensions: {
        coverageDimension: [{ unit: 'K', nullValues: { double: [-999] }, dimensionType: { name: 'SIGNED_16BITS' } }],
      },
    });
  });

  it('creates editable dimensions from the axes of the data', async () => {
    const body = await readFile(join('test', 'fixtures', 'rasters', 'ocean-4.nc'));
    await server.post('/workspaces', '<workspace><name>axes</name></workspace>');
    await server.request('PUT', '/workspaces/axes/coveragestores/ocean/file.netcdf', { body });
    const coverage = '/workspaces/axes/coverages/temperature';
    const stored = '/workspaces/axes/coveragestores/ocean/coverages/temperature';

    expect(await readResource(server, coverage)).toMatchObject({
      metadata: {
        entry: expect.arrayContaining([
          { '@key': 'time', dimensionInfo: { enabled: true, presentation: 'LIST', units: 'ISO8601' } },
          {
            '@key': 'elevation',
            dimensionInfo: { enabled: true, presentation: 'LIST', units: 'EPSG:5030', unitSymbol: 'm' },
          },
        ]),
      },
    });
    expect((await server.get(`${coverage}.xml`)).text).toContain(
      '<entry key="time">\n      <dimensionInfo>\n        <enabled>true</enabled>\n        <presentation>LIST</presentation>',
    );

    const off = '<entry key="time"><dimensionInfo><enabled>false</enabled></dimensionInfo></entry>';
    await server.put(stored, `<coverage><metadata>${off}</metadata></coverage>`);
    await server.request('PUT', '/workspaces/axes/coveragestores/ocean/file.netcdf', { body });

    expect(await readResource(server, coverage)).toMatchObject({
      metadata: { entry: [{ '@key': 'time', dimensionInfo: { enabled: false } }] },
    });
  });

  it('selects among several coverages of the data by name', async () => {
    const body = await readFile(join('test', 'fixtures', 'rasters', 'ocean-4.nc'));
    await server.request('PUT', `${stores}/sea/file.netcdf?configure=none`, { body });

    const unclear = await server.post(`${stores}/sea/coverages`, '{"coverage":{"name":"sea"}}');
    const clear = await server.post(`${stores}/sea/coverages`, '{"coverage":{"name":"salinity"}}');

    expect(unclear.status).toBe(400);
    expect(unclear.text).toContain("It has 'temperature', 'salinity'");
    expect(clear.status).toBe(201);
    expect((await server.get(`${stores}/sea/coverages.json?list=available`)).json()).toEqual({
      list: { string: ['temperature'] },
    });
  });

  it('warns if the data has no CRS', async () => {
    const reply = await putRasterZip(server, `${stores}/lost/file.worldimage`, worldImageZip('lost', ['png', 'pgw']));

    expect(reply.status).toBe(201);
    expect(reply.text).toContain('unknown CRS');
    expect(reply.headers['warning']).toContain("The data of 'lost' declares no reference system");
    const lost = await readResource(server, '/workspaces/acme/coverages/lost');
    expect(lost['srs']).toBeUndefined();
    expect(lost['latLonBoundingBox']).toBeUndefined();
  });

  it('declares a stated CRS for data without one, also if the data is replaced', async () => {
    const [bare, declared] = ['', '&srs=EPSG:32632'];
    const outcomes: unknown[] = [];
    for (const query of [bare, declared]) {
      const path = `${stores}/stated/file.worldimage?details=true${query}`;
      expect((await putRasterZip(server, path, worldImageZip('stated', ['png', 'pgw']))).status).toBe(201);
      outcomes.push((await readResource(server, '/workspaces/acme/coverages/stated'))['srs']);
    }
    await putRasterZip(server, `${stores}/stated2/file.worldimage?srs=EPSG:32632`, worldImageZip('s2', ['png', 'pgw']));
    outcomes.push((await readResource(server, '/workspaces/acme/coverages/s2'))['srs']);

    expect(outcomes).toEqual([undefined, 'EPSG:32632', 'EPSG:32632']);
    const unknown = await putRasterZip(server, `${stores}/s3/file.worldimage?srs=x`, worldImageZip('s3', ['png']));
    expect(unknown.status).toBe(400);
  });

  it('accepts data without a location on the Earth and with its own bands', async () => {
    const reply = await putTiff(server, `${stores}/bare/file.geotiff`, bareTiff());

    expect(reply.status).toBe(201);
    expect(reply.headers['warning']).toContain('has no georeference');
    const bare = await readResource(server, '/workspaces/acme/coverages/bare');
    expect(bare['nativeBoundingBox']).toBeUndefined();
    expect(bare).toMatchObject({
      grid: { range: { low: '0 0', high: '4 2' } },
      dimensions: {
        coverageDimension: [
          { name: 'GRAY_INDEX', nullValues: { double: [65_535] }, dimensionType: { name: 'UNSIGNED_16BITS' } },
          { name: 'depth', unit: 'm', nullValues: { double: [65_535] } },
          { name: 'Band3' },
        ],
      },
    });
  });

  it('publishes nothing with configure=none', async () => {
    const reply = await putTiff(server, `${stores}/waiting/file.geotiff?configure=none`);

    expect(reply.status).toBe(201);
    expect(reply.text).toMatch(
      /^Nothing was published from the store waiting\.\nNot published: waiting\. To publish one, POST a document such as \{"coverage":\{"name":"waiting"\}\} to \/workspaces\/[^/]+\/coveragestores\/waiting\/coverages\.\n$/,
    );
    expect((await server.get(`${stores}/waiting/coverages.json`)).json()).toEqual({ coverages: { coverage: [] } });
    expect((await server.get(`${stores}/waiting/coverages.json?list=available`)).json()).toEqual({
      list: { string: ['waiting'] },
    });
  });

  it('publishes the coverage under the requested name, or the default', async () => {
    const named = await putTiff(server, `${stores}/named/file.geotiff?coverageName=Hills&filename=dem.tif`);
    const taken = await putTiff(server, `${stores}/taken/file.geotiff?coverageName=Hills`);
    const illegal = await putTiff(server, `${stores}/illegal/file.geotiff?coverageName=a:b`);

    expect(named.text).toBe('Published acme:Hills, named dem in the data (EPSG:32633).\n');
    expect(await readResource(server, `${stores}/named`)).toMatchObject({ url: 'file:data/acme/named/1/dem.tif' });
    expect(taken.status).toBe(409);
    expect(illegal.status).toBe(400);
    expect((await server.get(`${stores}/taken`)).status).toBe(404);
    expect((await server.get(`${stores}/illegal`)).status).toBe(404);
  });

  it('appends a number to a name that is in use', async () => {
    await putTiff(server, `${stores}/first/file.geotiff?filename=same.tif`);

    const second = await putTiff(server, `${stores}/second/file.geotiff?filename=same.tif`);

    expect(second.text).toContain('Published acme:same1, named same in the data');
    expect(await readResource(server, '/workspaces/acme/coverages/same1')).toMatchObject({ title: 'same1' });
  });

  it('replaces the file of a store and keeps the metadata of the coverage', async () => {
    await putTiff(server, `${stores}/again/file.geotiff`);
    await server.put(`${stores}/again/coverages/again`, '{"coverage":{"name":"kept","title":"Kept"}}');

    const reply = await putTiff(server, `${stores}/again/file.geotiff`, geotiffBytes(60, 20));

    expect(reply.text).toBe('Updated acme:kept, named again in the data (EPSG:32633).\n');
    expect(await readResource(server, '/workspaces/acme/coverages/kept')).toMatchObject({
      title: 'Kept',
      grid: { range: { high: '60 20' } },
      nativeBoundingBox: { maxx: 500_600 },
    });
  });

  it('rejects a replacement that lacks published data', async () => {
    await putTiff(server, `${stores}/safe/file.geotiff?filename=one.tif`);

    const reply = await putTiff(server, `${stores}/safe/file.geotiff?filename=two.tif`);

    expect(reply.status).toBe(409);
    expect(reply.text).toContain('acme:one');
    expect((await server.get(`${stores}/safe/coverages.json?list=all`)).text).toContain('one');
  });

  it('leaves nothing behind after a dry run', async () => {
    const blobs = join(server.dataDir, 'blobs');
    const before = await snapshot(blobs);

    const tried = await putTiff(server, `${stores}/tried/file.geotiff?dryRun=true`, geotiffBytes(7, 3));

    expect(tried.status).toBe(201);
    expect(tried.text).toBe('Published acme:tried (EPSG:32633).\n');
    expect((await server.get(`${stores}/tried`)).status).toBe(404);
    expect(await snapshot(blobs)).toEqual(before);
  });

  it('accepts a file on the server, which stays in place', async () => {
    const folder = join(outside, 'here');
    await mkdir(folder);
    await writeFile(join(folder, 'plain.tif'), geotiffBytes(9, 9));
    await writeFile(join(folder, 'packed.zip'), worldImageZip('shot'));
    const before = await snapshot(folder);
    const external = (store: string, format: string, body: string) =>
      server.request('PUT', `${stores}/${store}/external.${format}`, { type: 'text/plain', body });

    const plain = await external('plain', 'geotiff', `file://${folder}/plain.tif`);
    const packed = await external('packed', 'worldimage', join(folder, 'packed.zip'));
    const missing = await external('missing', 'geotiff', join(folder, 'none.tif'));
    const odd = await external('odd', 'geotiff', '/etc/hostname');

    expect([plain, packed, missing, odd].map(({ status }) => status)).toEqual([201, 201, 400, 400]);
    expect(await readResource(server, `${stores}/plain`)).toMatchObject({ url: `file://${folder}/plain.tif` });
    await server.delete(`${stores}/plain?recurse=true&purge=all`);
    expect(await snapshot(folder)).toEqual(before);
  });

  it.each([
    ['nothing', 'file.geotiff', '', 400, 'no body'],
    ['a file that is not an image', 'file.geotiff', 'II no picture', 400, 'store-x.geotiff'],
    ['a truncated image', 'file.geotiff', geotiffBytes(30, 20).subarray(0, 100), 400, 'store-x.geotiff'],
    ['an unsupported compression', 'file.geotiff', geotiffWithCompression(34_712), 400, 'JPEG 2000'],
    ['an archive without a raster', 'file.geotiff', zipOfFiles({ 'a.txt': Buffer.from('a') }), 400, '.tiff'],
    ['an image without a world file', 'file.worldimage', worldImageZip('p', ['png']), 400, 'p.pgw'],
    ['an unknown format', 'file.ecw', 'a', 400, 'geotiff, worldimage, netcdf, mbtiles, pmtiles, imagemosaic'],
    ['a mosaic without granules', 'file.imagemosaic', 'a', 400, "The mosaic 'store-x' has no granules"],
    ['an unknown method', 'remote.geotiff', 'a', 400, "'remote'"],
    ['a URL that no check allows', 'url.geotiff', 'http://h/a.tif', 403, 'h'],
    ['an invalid file name', 'file.geotiff?filename=..%2Fa.tif', 'a', 400, 'file name'],
  ])('is rejected with %s, and leaves nothing behind', async (_what, address, body, status, said) => {
    const reply = await server.request('PUT', `${stores}/store-x/${address}`, { type: 'image/tiff', body });

    expect(reply.text).toContain(said);
    expect(reply.status).toBe(status);
    expect((await server.get(`${stores}/store-x`)).status).toBe(404);
    expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
  });

  it('is rejected for a store of another type', async () => {
    await putTiff(server, `${stores}/kind/file.geotiff`);

    const reply = await putRasterZip(server, `${stores}/kind/file.worldimage`, worldImageZip());

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('has the type GeoTIFF');
  });

  it('requires an existing workspace and checks the conditional headers', async () => {
    await putTiff(server, `${stores}/known/file.geotiff`);

    const nowhere = await putTiff(server, '/workspaces/nowhere/coveragestores/a/file.geotiff');
    const outdated = await server.request('PUT', `${stores}/known/file.geotiff`, {
      type: 'image/tiff',
      body: geotiffBytes(5, 5),
      headers: { 'if-match': '"0"' },
    });

    expect(nowhere.status).toBe(404);
    expect(outdated.status).toBe(412);
  });
});

describe('raster upload in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  it('returns the store document, in XML by default', async () => {
    const xml = await putTiff(server, `${stores}/relief/file.geotiff`);
    const json = await putRasterZip(server, `${stores}/photo/file.worldimage`, worldImageZip(), 'application/json');

    expect(xml.status).toBe(201);
    expect(xml.headers['content-type']).toBe('application/xml');
    expect(xml.text).toContain('<url>file:data/acme/relief/1/relief.geotiff</url>');
    expect(json.json()).toMatchObject({ coverageStore: { name: 'photo', type: 'WorldImage' } });
  });

  it('returns an empty body if nothing is published', async () => {
    const reply = await putTiff(server, `${stores}/waiting/file.geotiff?configure=none`);

    expect(reply.status).toBe(201);
    expect(reply.text).toBe('');
  });

  it('creates no dimensions by default', async () => {
    const body = await readFile(join('test', 'fixtures', 'rasters', 'ocean-4.nc'));
    await server.request('PUT', `${stores}/ocean/file.netcdf`, { body });

    expect((await server.get('/workspaces/acme/coverages/temperature.json')).text).not.toContain('dimensionInfo');
  });

  it('assumes EPSG:4326 if the data has no CRS', async () => {
    const reply = await putRasterZip(server, `${stores}/lost/file.worldimage`, worldImageZip('lost', ['png', 'pgw']));

    expect(reply.status).toBe(201);
    expect(reply.headers['warning']).toContain('EPSG:4326 is assumed');
    expect(await readResource(server, '/workspaces/acme/coverages/lost')).toMatchObject({
      srs: 'EPSG:4326',
      projectionPolicy: 'FORCE_DECLARED',
      latLonBoundingBox: { minx: 10, maxx: 20, miny: 45, maxy: 50 },
    });
  });
});
