import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { snapshot } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/coveragestores';
const place = { left: 10, top: 50, pixel: 0.25, epsg: 4326 };

/** Time and elevation are in the names of the granules. */
const definition = {
  'indexer.properties': Buffer.from(
    [
      'Schema=*the_geom:Polygon,location:String,time:java.util.Date,elevation:Double',
      'PropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time),DoubleFileNameExtractorSPI[elevationregex](elevation)',
      'TimeAttribute=time',
      'ElevationAttribute=elevation',
    ].join('\n'),
  ),
  'timeregex.properties': Buffer.from("regex=[0-9]{8}T[0-9]{9}Z,format=yyyyMMdd'T'HHmmssSSS'Z'"),
  'elevationregex.properties': Buffer.from('regex=(?<=_)(\\\\d{3})(?=_)'),
};

function granules(...names: readonly string[]): Record<string, Buffer> {
  return Object.fromEntries(names.map((name, index) => [name, granuleBytes({ ...place, left: 10 + index * 5 })]));
}

const first = 'water_000_20081031T000000000Z.tif';
const second = 'water_050_20081102T000000000Z.tif';

const ocean = () => readFile(join('test', 'fixtures', 'rasters', 'ocean-4.nc'));

function put(server: TestServer, path: string, files: Record<string, Buffer>, accept?: string) {
  const body = zipOfFiles(files);
  return server.request('PUT', path, { type: 'application/zip', body, ...(accept === undefined ? {} : { accept }) });
}

function harvest(
  server: TestServer,
  store: string,
  body: string | Buffer,
  how: { query?: string; accept?: string } = {},
) {
  const method = typeof body === 'string' ? 'external' : 'file';
  const path = `${stores}/${store}/${method}.imagemosaic${how.query ?? ''}`;
  const type = typeof body === 'string' ? 'text/plain' : 'application/zip';
  return server.request('POST', path, { type, body, ...(how.accept === undefined ? {} : { accept: how.accept }) });
}

async function read(server: TestServer, path: string): Promise<Record<string, unknown>> {
  const { status, text, json } = await server.get(`${path}.json`);
  expect(status, text).toBe(200);
  return Object.values(json() as Record<string, Record<string, unknown>>)[0] ?? {};
}

describe('a mosaic', () => {
  const server = useTestServer();
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  it.each(['../../evil', 'a/b'])(
    'is rejected with the name %s, and leaves no store, coverage or file',
    async (name) => {
      const indexer = { 'indexer.properties': Buffer.from(`Name=${name}`) };
      const before = await snapshot(server.dataDir);

      const reply = await put(server, `${stores}/evil/file.imagemosaic`, { ...indexer, ...granules('one.tif') });

      expect(reply.status).toBe(400);
      expect(reply.text).toContain(
        `'Name' in indexer.properties, line 1: '${name}' is not a valid coverage name, because it contains the character /`,
      );
      expect((await server.get(`${stores}/evil.json`)).status).toBe(404);
      expect((await server.get('/workspaces/acme/coverages.json')).text).not.toContain('evil');
      expect(await snapshot(server.dataDir)).toEqual(before);
    },
  );

  it('is created from an archive with its definition and its granules', async () => {
    const reply = await put(server, `${stores}/water/file.imagemosaic`, { ...definition, ...granules(first, second) });

    expect(reply.status, reply.text).toBe(200);
    expect(reply.text).toBe('Published acme:water (EPSG:4326).\n');
    expect(reply.headers['location']).toMatch(/\/workspaces\/acme\/coveragestores\/water$/);
    expect(await read(server, `${stores}/water`)).toMatchObject({
      type: 'ImageMosaic',
      url: 'file:data/acme/water/1/',
      enabled: true,
    });
    expect(await read(server, `${stores}/water/coverages/water`)).toMatchObject({
      nativeName: 'water',
      nativeCoverageName: 'water',
      nativeFormat: 'ImageMosaic',
      srs: 'EPSG:4326',
      metadata: {
        entry: expect.arrayContaining([
          expect.objectContaining({ '@key': 'time', dimensionInfo: expect.objectContaining({ units: 'ISO8601' }) }),
          expect.objectContaining({ '@key': 'elevation' }),
        ]),
      },
    });
    expect(await read(server, '/layers/acme:water')).toMatchObject({
      type: 'RASTER',
      defaultStyle: { name: 'raster' },
    });
  });

  it('has a grid that encloses all its granules', async () => {
    await put(server, `${stores}/grid/file.imagemosaic`, granules('a.tif', 'b.tif'));
    const { nativeBoundingBox: box, grid } = (await read(server, `${stores}/grid/coverages/grid`)) as {
      nativeBoundingBox: { minx: number; maxx: number; miny: number; maxy: number };
      grid: { range: { high: string }; transform: { scaleX: number } };
    };
    const [width = 0] = grid.range.high.split(' ').map(Number);

    expect(box.minx).toBe(10);
    expect(box.maxx).toBeGreaterThan(15);
    expect(grid.transform.scaleX).toBeCloseTo(0.25);
    expect(width).toBe((box.maxx - box.minx) / 0.25);
  });

  it('reports in JSON and XML the published coverages and the unread files', async () => {
    const files = { ...granules('a.tif'), 'broken.tif': Buffer.from('II*\0broken') };
    const json = await put(server, `${stores}/reported/file.imagemosaic`, files, 'application/json');
    const xml = await put(server, `${stores}/told2/file.imagemosaic`, files, 'application/xml');

    expect(json.json()).toMatchObject({
      upload: {
        store: { name: 'reported' },
        coverages: { coverage: [{ name: 'reported', outcome: 'published' }] },
        warnings: { string: [expect.stringMatching(/^Skipped broken\.tif: /)] },
      },
    });
    expect(xml.status).toBe(200);
    expect(xml.text).toContain('Skipped broken.tif: ');
    expect(server.log.some((line) => line.includes('"file":"broken.tif"'))).toBe(true);
  });

  it('may be empty if its definition allows it, and is published after a harvest', async () => {
    const empty = { 'indexer.properties': Buffer.from('CanBeEmpty=true\nName=sea') };
    const made = await put(server, `${stores}/later/file.imagemosaic?configure=none`, empty);
    await mkdir(join(server.dataDir, 'data', 'later'), { recursive: true });
    await writeFile(join(server.dataDir, 'data', 'later', 'a.tif'), granuleBytes(place));

    const before = await server.post(`${stores}/later/coverages`, '{"coverage":{"name":"sea"}}');
    const harvested = await harvest(server, 'later', 'file:data/later/a.tif');
    const names = await server.get(`${stores}/later/coverages.xml?list=all`);
    const after = await server.post(
      `${stores}/later/coverages`,
      '<coverage><nativeCoverageName>sea</nativeCoverageName><name>sea</name></coverage>',
    );

    expect(made.status, made.text).toBe(200);
    expect(before.status).toBe(400);
    expect(harvested.status, harvested.text).toBe(201);
    expect(harvested.text).toBe('Harvested 1 granule from 1 file into acme:later.\nNew coverages: sea.\n');
    expect(names.text).toContain('sea');
    expect(after.status, after.text).toBe(201);
    expect(await read(server, `${stores}/later/coverages/sea`)).toMatchObject({ nativeFormat: 'ImageMosaic' });
  });

  it('is rejected without granules unless it may be empty', async () => {
    const before = await snapshot(server.dataDir);

    const none = await put(server, `${stores}/none/file.imagemosaic`, definition);
    const broken = await put(server, `${stores}/none/file.imagemosaic`, { 'a.tif': Buffer.from('II*\0') });

    expect([none.status, broken.status]).toEqual([400, 400]);
    expect(none.text).toContain('CanBeEmpty=true');
    expect(broken.text).toContain('a.tif: ');
    expect((await server.get(`${stores}/none.xml`)).status).toBe(404);
    expect(Object.keys(await snapshot(server.dataDir)).filter((name) => /^(blobs|sets|staging)/.test(name))).toEqual(
      Object.keys(before).filter((name) => /^(blobs|sets|staging)/.test(name)),
    );
  });

  it.each([
    ['an unknown collector', { 'indexer.properties': 'PropertyCollectors=NoSuchSPI[a](b)' }, 'NoSuchSPI'],
    ['an invalid schema', { 'indexer.properties': 'Schema=the_geom:Polygon,location:Nonsense' }, 'Nonsense'],
    ['an indexer that is not XML', { 'indexer.xml': '<Indexer>' }, 'indexer.xml'],
    ['an unknown type of index', { 'datastore.properties': 'SPI=org.example.Oracle' }, 'datastore.properties'],
  ])('is rejected with %s in its definition, and the error names the property', async (_what, files, named) => {
    const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));

    const reply = await put(server, `${stores}/wrong/file.imagemosaic`, { ...bytes, ...granules('a.tif') });

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(named);
    expect((await server.get(`${stores}/wrong.xml`)).status).toBe(404);
  });

  it('is rejected when the database for its index is unreachable', async () => {
    const properties =
      'SPI=org.geotools.data.postgis.PostgisNGDataStoreFactory\nhost=127.0.0.1\nport=1\ndatabase=no\nuser=u\npasswd=hunter2';

    const reply = await put(server, `${stores}/lost/file.imagemosaic`, {
      ...granules('a.tif'),
      'datastore.properties': Buffer.from(properties),
    });

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('datastore.properties');
    expect(reply.text).not.toContain('hunter2');
    expect((await server.get(`${stores}/lost.xml`)).status).toBe(404);
  });

  it('has a coverage for each variable of NetCDF files', async () => {
    const reply = await put(server, `${stores}/ocean/file.imagemosaic`, { 'ocean.nc': await ocean() });

    expect(reply.text).toBe('Published acme:temperature (EPSG:4326).\nPublished acme:salinity (EPSG:4326).\n');
    expect(await read(server, `${stores}/ocean/coverages/temperature`)).toMatchObject({
      title: 'Temperature of the sea',
      nativeBoundingBox: { minx: 5, maxx: 11, miny: 40, maxy: 50 },
      grid: { range: { high: '24 20' } },
      metadata: { entry: expect.arrayContaining([expect.objectContaining({ '@key': 'time' })]) },
    });
  });

  it('can use a folder of the server, where its files stay', async () => {
    const folder = join(server.dataDir, 'data', 'outside');
    await mkdir(join(folder, 'deep'), { recursive: true });
    await writeFile(join(folder, 'a.tif'), granuleBytes(place));
    await writeFile(join(folder, 'deep', 'b.tif'), granuleBytes({ ...place, left: 20 }));

    const reply = await server.request('PUT', `${stores}/outside/external.imagemosaic`, {
      type: 'text/plain',
      body: 'file:data/outside',
    });
    const uploaded = await harvest(server, 'outside', zipOfFiles(granules('c.tif')));

    expect(reply.status, reply.text).toBe(200);
    expect(await read(server, `${stores}/outside`)).toMatchObject({ url: 'file:data/outside/' });
    expect(uploaded.status).toBe(400);
    expect(uploaded.text).toContain('external');
    await server.delete(`${stores}/outside?recurse=true&purge=metadata`);
    expect(Object.keys(await snapshot(folder))).toEqual(expect.arrayContaining(['a.tif', 'deep/b.tif']));
  });

  it('is replaced by another upload unless published coverages would lose their data', async () => {
    await put(server, `${stores}/again/file.imagemosaic`, granules('a.tif'));
    const wider = await put(server, `${stores}/again/file.imagemosaic`, granules('a.tif', 'b.tif', 'c.tif'));
    const other = await put(server, `${stores}/again/file.imagemosaic`, {
      ...granules('a.tif'),
      'indexer.properties': Buffer.from('Name=other'),
    });

    expect(wider.text).toBe('Updated acme:again (EPSG:4326).\n');
    expect(other.status).toBe(409);
    expect(other.text).toContain('acme:again');
    expect(await read(server, `${stores}/again/coverages/again`)).toMatchObject({
      nativeBoundingBox: { minx: 10, maxx: 21 },
    });
  });

  it('leaves nothing behind after a dry run', async () => {
    const before = await snapshot(server.dataDir);

    const reply = await put(server, `${stores}/tried/file.imagemosaic?dryRun=true`, granules('a.tif'));

    expect(reply.status, reply.text).toBe(200);
    expect(reply.text).toBe('Published acme:tried (EPSG:4326).\n');
    expect((await server.get(`${stores}/tried.xml`)).status).toBe(404);
    const kept = (files: object) => Object.keys(files).filter((name) => !name.startsWith('granules.sqlite'));
    expect(kept(await snapshot(server.dataDir))).toEqual(kept(before));
  });

  it('can be created by a document from a folder of the server, without publishing', async () => {
    const folder = join(server.dataDir, 'data', 'by-document');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'a.tif'), granuleBytes(place));
    const body =
      '<coverageStore><name>by-document</name><description>By a document</description><type>ImageMosaic</type><url>file:data/by-document</url></coverageStore>';

    const tried = await server.post(`${stores}?dryRun=true`, body);
    const created = await server.post(stores, body);
    const again = await server.post(stores, body);

    expect([tried.status, created.status, again.status]).toEqual([201, 201, 409]);
    expect(created.text).toBe('by-document');
    expect(await read(server, `${stores}/by-document`)).toMatchObject({
      type: 'ImageMosaic',
      description: 'By a document',
      url: 'file:data/by-document/',
    });
    expect((await server.get(`${stores}/by-document/coverages.json`)).text).toBe('{"coverages":{"coverage":[]}}');
    expect((await server.post(`${stores}/by-document/coverages`, '{"coverage":{"name":"by-document"}}')).status).toBe(
      201,
    );
    expect((await server.get(`${stores}/by-document/coverages/by-document/index/granules.json`)).text).toContain(
      'a.tif',
    );
  });

  it.each([
    ['no url', '{"coverageStore":{"name":"m","type":"ImageMosaic"}}', 'no url'],
    ['a missing folder', '{"coverageStore":{"name":"m","type":"imagemosaic","url":"file:data/nothing"}}', 'nothing'],
    ['an empty folder', '{"coverageStore":{"name":"m","type":"ImageMosaic","url":"file:data/bare"}}', 'm'],
    ['a file', '{"coverageStore":{"name":"m","type":"ImageMosaic","url":"file:data/bare/notes.txt"}}', 'folder'],
  ])('is rejected in a document with %s', async (_, body, message) => {
    await mkdir(join(server.dataDir, 'data', 'bare'), { recursive: true });
    await writeFile(join(server.dataDir, 'data', 'bare', 'notes.txt'), 'not a raster');

    const reply = await server.post(stores, body);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
    expect((await server.get(`${stores}/m`)).status).toBe(404);
  });

  it('keeps its type, as other stores do', async () => {
    await put(server, `${stores}/kept/file.imagemosaic`, granules('a.tif'));
    await server.request('PUT', `${stores}/plain/file.geotiff`, { type: 'image/tiff', body: granuleBytes(place) });
    const before = await read(server, `${stores}/kept`);

    const refused = await server.put(`${stores}/kept`, '{"coverageStore":{"type":"GeoTIFF"}}');
    const other = await server.put(`${stores}/plain`, '<coverageStore><type>ImageMosaic</type></coverageStore>');
    const same = await server.put(`${stores}/kept`, JSON.stringify({ coverageStore: before }));

    expect([refused.status, other.status, same.status]).toEqual([400, 400, 200]);
    expect(refused.text).toContain("The type of the coverage store 'kept' cannot be changed");
    expect(await read(server, `${stores}/kept`)).toMatchObject({ type: 'ImageMosaic', url: before['url'] });
  });
});

describe('a harvest', () => {
  const server = useTestServer();
  const folder = () => join(server.dataDir, 'data', 'granules');
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await mkdir(join(folder(), 'deep'), { recursive: true });
    await writeFile(join(folder(), 'a.tif'), granuleBytes(place));
    await writeFile(join(folder(), 'deep', 'b.tif'), granuleBytes({ ...place, left: 20 }));
    await writeFile(join(folder(), 'broken.tif'), 'II*\0broken');
    await writeFile(join(folder(), 'notes.txt'), 'not a raster');
    await put(server, `${stores}/made/file.imagemosaic`, granules('start.tif'));
  });

  it('reads a folder recursively and reports skipped files', async () => {
    const reply = await harvest(server, 'made', 'file:data/granules', { accept: 'application/json' });

    expect(reply.status, reply.text).toBe(201);
    expect(reply.json()).toMatchObject({
      harvest: {
        store: { name: 'made' },
        granules: 2,
        skipped: { file: expect.arrayContaining([{ name: 'broken.tif', reason: expect.any(String) }]) },
        newCoverages: { string: [] },
      },
    });
  });

  it('reports the result in plain text and in XML as well', async () => {
    const text = await harvest(server, 'made', 'file:data/granules');
    const xml = await harvest(server, 'made', 'file:data/granules', { accept: 'application/xml' });

    expect(text.text).toMatch(/^Harvested 2 granules from \d files into acme:made\.\nSkipped broken\.tif: [^\n]+\.\n/);
    expect(xml.text).toContain('<granules>2</granules>');
    expect(xml.text).toContain('<name>broken.tif</name>');
  });

  it('updates the boxes of published coverages only on request', async () => {
    const box = async () =>
      ((await read(server, `${stores}/made/coverages/made`)) as { nativeBoundingBox: { maxx: number } })
        .nativeBoundingBox.maxx;
    const before = await box();
    await harvest(server, 'made', 'file:data/granules/deep/b.tif');
    const between = await box();

    await harvest(server, 'made', 'file:data/granules/deep/b.tif', { query: '?updateBBox=true' });

    expect(between).toBe(before);
    expect(await box()).toBeGreaterThan(before);
  });

  it('accepts an archive or a single file, which the store keeps', async () => {
    const zip = await harvest(server, 'made', zipOfFiles(granules('zipped.tif', 'other.tif')));
    const single = await server.request('POST', `${stores}/made/file.geotiff?filename=single.tif`, {
      type: 'image/tiff',
      body: granuleBytes({ ...place, left: 40 }),
    });

    expect(zip.text).toBe('Harvested 2 granules from 2 files into acme:made.\n');
    expect(single.text).toBe('Harvested 1 granule from 1 file into acme:made.\n');
  });

  it('is one history entry with its counts', async () => {
    const reply = await server.request('POST', `${stores}/made/external.imagemosaic`, {
      type: 'text/plain',
      body: 'file:data/granules',
      accept: 'application/vnd.graticule.change+json',
    });

    expect(reply.status).toBe(201);
    expect(reply.json()).toMatchObject({
      what: expect.stringMatching(/^harvest into made in acme: 2 granules of \d files, \d skipped$/),
    });
  });

  it('adds new coverages from other files', async () => {
    await put(server, `${stores}/mixed/file.imagemosaic?configure=none`, granules('start.tif'));
    await writeFile(join(server.dataDir, 'data', 'ocean.nc'), await ocean());

    const reply = await harvest(server, 'mixed', 'file:data/ocean.nc');

    expect(reply.text).toContain('New coverages: temperature, salinity.');
    expect((await server.get(`${stores}/mixed/coverages.json?list=all`)).json()).toEqual({
      list: { string: ['mixed', 'temperature', 'salinity'] },
    });
  });

  it('leaves nothing behind after a dry run and reports the expected result', async () => {
    await put(server, `${stores}/dry/file.imagemosaic?configure=none`, {
      'indexer.properties': Buffer.from('CanBeEmpty=true'),
    });

    const reply = await harvest(server, 'dry', 'file:data/granules', { query: '?dryRun=true' });

    expect(reply.text).toContain('Harvested 2 granules');
    expect((await server.get(`${stores}/dry/coverages.json?list=all`)).json()).toEqual({ list: { string: [] } });
  });

  it.each([
    ['an unknown store', 'nowhere', 'file:data/granules', 404, 'nowhere'],
    ['a missing file', 'made', 'file:data/missing.tif', 400, 'it does not exist'],
    ['a location that is not allowed for data', 'made', '/proc/self', 403, '/proc'],
    ['nothing', 'made', '', 400, 'path'],
  ])('is rejected for %s', async (_what, store, body, status, named) => {
    const reply = await harvest(server, store, body);

    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(named)]);
  });

  it('accepts only mosaics and supported methods and formats', async () => {
    await server.request('PUT', `${stores}/single/file.geotiff`, { type: 'image/tiff', body: granuleBytes(place) });

    expect((await harvest(server, 'single', 'file:data/granules')).status).toBe(405);
    const odd = await server.request('POST', `${stores}/made/external.ecw`, { type: 'text/plain', body: 'a' });
    expect([odd.status, odd.text]).toEqual([400, expect.stringContaining('imagemosaic')]);
    const method = await server.request('POST', `${stores}/made/sideways.imagemosaic`, {
      type: 'text/plain',
      body: 'a',
    });
    expect(method.status).toBe(400);
  });

  it('is shown in the server status', async () => {
    expect((await server.get('/about/status/graticule-mosaics.json')).json()).toMatchObject({
      status: { message: 'No harvest is running.' },
    });
  });
});

describe('a mosaic in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  it('answers an upload with 201 and the store, or an empty body if nothing is published, and a harvest with 202', async () => {
    const made = await put(server, `${stores}/water/file.imagemosaic`, granules('a.tif'));
    const bare = await put(server, `${stores}/bare/file.imagemosaic?configure=none`, granules('a.tif'));
    const harvested = await harvest(server, 'bare', zipOfFiles(granules('b.tif')));

    expect(made.status).toBe(201);
    expect(made.text).toContain('<coverageStore>');
    expect([bare.status, bare.text]).toEqual([201, '']);
    expect([harvested.status, harvested.text]).toEqual([202, '']);
    expect((await server.get('/workspaces/acme/coverages/water.xml')).text).not.toContain('dimensionInfo');
  });
});
