/** Exports tiles with the REST interface, and reads the archives with other implementations. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { PMTiles } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BytesSource } from '../../../test/support/archive-bytes.ts';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type RequestOptions, startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { featuresOfTile } from '../../../test/support/vector-tiles.ts';

const folder = useTemporaryFolder('tile-export-jobs');

interface Export {
  readonly id: string;
  readonly state: string;
  readonly file?: string;
  readonly problem?: string;
  readonly tilesDone: number;
}

const read = (text: string) => (JSON.parse(text) as { readonly tileExport: Export }).tileExport;

describe('tile exports', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await publishTables(server, 'acme', [
      {
        name: 'towns',
        attributes: [geometryColumn('Point'), column('name', 'string')],
        rows: [
          [wkt('POINT (10 50)'), 'Bonn'],
          [wkt('POINT (-60 -20)'), 'Sucre'],
        ],
      },
    ]);
  });
  afterAll(() => server.close());

  const order = (fields: object) => JSON.stringify({ tileExport: { layer: 'acme:towns', zoomStop: 2, ...fields } });
  const start = (fields: object = {}, options: RequestOptions = {}) =>
    server.post('/tileexports', order(fields), { accept: 'application/json', ...options });
  const get = (id: string) => server.get(`/tileexports/${id}.json`);

  async function waitForEnd(id: string): Promise<Export> {
    for (;;) {
      const found = read((await get(id)).text);
      if (found.state !== 'pending' && found.state !== 'running') return found;
      await delay(20);
    }
  }

  it('answers 202 with the address of the export, which is then finished', async () => {
    const started = await start({ format: 'mvt' });
    const { id } = read(started.text);
    const ended = await waitForEnd(id);

    expect([started.status, started.headers['location']]).toEqual([202, expect.stringMatching(`/tileexports/${id}$`)]);
    expect(read(started.text)).toMatchObject({ state: 'pending', tilesDone: 0, createdBy: 'admin' });
    expect(ended).toMatchObject({
      layer: 'acme:towns',
      archive: 'pmtiles',
      format: 'application/vnd.mapbox-vector-tile',
      zoomStart: 0,
      zoomStop: 2,
      state: 'finished',
      tilesIncomplete: 0,
      attempts: 1,
      file: expect.stringMatching(`/rest/tileexports/${id}/file$`),
      started: expect.any(String),
      finished: expect.any(String),
      expires: expect.any(String),
    });
    expect(ended).toMatchObject({ tilesDone: (ended as unknown as { tilesTotal: number }).tilesTotal });
  });

  it('writes vector tiles as PMTiles that another reader reads', async () => {
    const { id } = read((await start({ format: 'mvt', zoomStop: 3 })).text);
    const ended = await waitForEnd(id);
    const file = await server.get(`/tileexports/${id}/file`);
    const archive = new PMTiles(new BytesSource(file.bytes));
    const tile = await archive.getZxy(3, 4, 2);

    expect([file.status, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
      200,
      'application/vnd.pmtiles',
      `attachment; filename="towns.pmtiles"; filename*=UTF-8''towns.pmtiles`,
    ]);
    expect(ended).toMatchObject({ bytes: file.bytes.length });
    expect(await archive.getHeader()).toMatchObject({ tileType: 1, minZoom: 0, maxZoom: 3, clustered: true });
    expect(await archive.getMetadata()).toMatchObject({ name: 'towns', vector_layers: [{ id: 'towns' }] });
    expect(featuresOfTile(new Uint8Array(tile?.data ?? new ArrayBuffer(0))).map((each) => each.properties)).toEqual([
      { name: 'Bonn' },
    ]);
    expect(await archive.getZxy(3, 7, 7)).toBeUndefined();
  });

  it('writes MBTiles, and returns ranges of the file', async () => {
    const fields = { archive: 'mbtiles', format: 'mvt', bounds: [5, 45, 15, 55] };
    const { id } = read((await start(fields)).text);
    await waitForEnd(id);
    const file = await server.get(`/tileexports/${id}/file`);
    const part = await server.get(`/tileexports/${id}/file`, { headers: { range: 'bytes=0-14' } });
    await writeFile(join(folder, 'towns.mbtiles'), file.bytes);
    const database = new DatabaseSync(join(folder, 'towns.mbtiles'), { readOnly: true });
    const tiles = database.prepare('SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles').all();
    const format = database.prepare("SELECT value FROM metadata WHERE name = 'format'").get();
    database.close();

    expect([part.status, part.text]).toEqual([206, 'SQLite format 3']);
    expect(format).toEqual({ value: 'pbf' });
    expect(tiles.map((each) => `${each['zoom_level']}/${each['tile_column']}/${each['tile_row']}`)).toEqual([
      '0/0/0',
      '1/1/1',
      '2/2/2',
    ]);
    expect(featuresOfTile(gunzipSync(tiles[2]?.['tile_data'] as Uint8Array)).map((each) => each.properties)).toEqual([
      { name: 'Bonn' },
    ]);
  });

  it('writes images that are those of other clients', async () => {
    const { id } = read((await start({ zoomStart: 2, bounds: [5, 45, 15, 55] })).text);
    await waitForEnd(id);
    const archive = new PMTiles(new BytesSource((await server.get(`/tileexports/${id}/file`)).bytes));
    const served = await server.get(
      '//geoserver/ogc/tiles/v1/collections/acme:towns/map/tiles/WebMercatorQuad/2/1/2?f=png',
    );

    expect(await archive.getHeader()).toMatchObject({ tileType: 2, numAddressedTiles: 1 });
    expect(Buffer.from((await archive.getZxy(2, 2, 1))?.data ?? new ArrayBuffer(0)).equals(served.bytes)).toBe(true);
  });

  it('reads and writes XML', async () => {
    const sent =
      '<tileExport><layer>towns</layer><zoomStop>0</zoomStop><bounds><double>5</double><double>45</double><double>15</double><double>55</double></bounds></tileExport>';
    const started = await server.post('/workspaces/acme/tileexports', sent, { accept: 'application/xml' });
    const id = /<id>(\w+)<\/id>/.exec(started.text)?.[1] ?? '';
    const state = await waitForEnd(id);
    const listed = await server.get('/workspaces/acme/tileexports.xml');

    expect([started.status, started.headers['location']]).toEqual([
      202,
      expect.stringMatching(`/workspaces/acme/tileexports/${id}$`),
    ]);
    expect(started.text).toMatch(/<bounds>\s*<double>5<\/double>\s*<double>45<\/double>/);
    expect(state.state).toBe('finished');
    expect(listed.text).toContain(`<name>${id}</name>`);
  });

  it('keeps an archive when a store with the same bytes is purged', async () => {
    const { id } = read((await start({ archive: 'mbtiles', zoomStop: 1 })).text);
    await waitForEnd(id);
    const file = await server.get(`/tileexports/${id}/file`);
    const uploaded = await server.request('PUT', '/workspaces/acme/coveragestores/copy/file.mbtiles', {
      body: file.bytes,
      type: 'application/octet-stream',
    });
    const purged = await server.delete('/workspaces/acme/coveragestores/copy?recurse=true&purge=all');
    const again = await server.get(`/tileexports/${id}/file`);
    await server.delete(`/tileexports/${id}`);

    expect([uploaded.status, purged.status, again.status]).toEqual([201, 200, 200]);
    expect(again.bytes.equals(file.bytes)).toBe(true);
  });

  it('lists exports with their progress', async () => {
    const { id } = read((await start({ zoomStop: 1 })).text);
    await waitForEnd(id);
    const { tileExports } = (await server.get('/tileexports.json')).json() as {
      tileExports: { tileExport: { name: string }[] };
    };

    expect(tileExports.tileExport.find(({ name }) => name === id)).toMatchObject({
      ...{ layer: 'acme:towns', state: 'finished', createdBy: 'admin', archive: 'pmtiles' },
      ...{ tilesTotal: expect.any(Number), tilesDone: expect.any(Number), format: expect.stringContaining('/') },
      ...{ tilesIncomplete: 0, layerChanged: false },
    });
  });

  it('deletes an export with its archive', async () => {
    const { id } = read((await start({ zoomStop: 0 })).text);
    await waitForEnd(id);
    const deleted = await server.delete(`/tileexports/${id}`);

    expect(deleted.status).toBe(200);
    for (const path of [`/tileexports/${id}.json`, `/tileexports/${id}/file`]) {
      expect(await server.get(path)).toMatchObject({ status: 404 });
    }
  });

  it('cancels a running export and starts it again', async () => {
    const { id } = read((await start({ zoomStop: 9, bounds: [-180, -85, 180, 85] })).text);
    const cancelled = await server.post(`/tileexports/${id}/cancel`, '');
    const state = await waitForEnd(id);
    const download = await server.get(`/tileexports/${id}/file`);
    const again = await server.post(`/tileexports/${id}/restart`, '');
    const restarted = read((await get(id)).text);
    await server.delete(`/tileexports/${id}`);

    expect([cancelled.status, state.state, download.status, again.status]).toEqual([200, 'cancelled', 409, 200]);
    expect(download.text).toContain('The export is cancelled. The operation requires: finished.');
    expect(['pending', 'running']).toContain(restarted.state);
  });

  it('starts nothing in a dry run', async () => {
    const before = (await server.get('/tileexports.json')).text;
    const tried = await server.post('/tileexports?dryRun=true', order({}), { accept: 'application/json' });

    expect(tried.status).toBe(202);
    expect((await server.get('/tileexports.json')).text).toBe(before);
  });

  it('starts one export for an idempotency key', async () => {
    const headers = { 'idempotency-key': 'export-once' };
    const [one, other] = [await start({ zoomStop: 0 }, { headers }), await start({ zoomStop: 0 }, { headers })];
    const { id } = read(one.text);

    expect([one.status, other.text]).toEqual([202, one.text]);
    expect(await waitForEnd(id)).toMatchObject({ state: 'finished' });
  });

  it.each([
    [{ layer: 'acme:none' }, 400, 'tileExport.layer', "Unknown layer 'acme:none'"],
    [{ layer: '../secret' }, 400, 'tileExport.layer', 'Unknown layer'],
    [{ zoomStop: undefined }, 400, 'tileExport.zoomStop', 'is required'],
    [{ zoomStop: 99 }, 400, 'tileExport.zoomStop', 'expected an integer from 0 to'],
    [{ zoomStop: -1 }, 400, 'tileExport.zoomStop', 'expected an integer from 0 to'],
    [{ zoomStart: 3 }, 400, 'tileExport.zoomStop', 'expected an integer from 3 to'],
    [{ archive: 'zip' }, 400, 'tileExport.archive', 'expected pmtiles or mbtiles'],
    [{ format: 'image/gif' }, 400, 'tileExport.format', "Unsupported tile format 'image/gif'"],
    [{ style: 'no such style' }, 400, 'tileExport.style', 'Unknown style'],
    [{ bounds: [10, 0, 5, 1] }, 400, 'tileExport.bounds', 'west below east'],
    [{ bounds: [-180, 86, 180, 90] }, 400, 'tileExport.bounds', 'The export has no tiles'],
    [{ bounds: [1, 2, 3] }, 400, 'tileExport.bounds', 'four numbers'],
    [{ bounds: ['a', 0, 5, 1] }, 400, 'tileExport.bounds', 'list of numbers'],
    [{ zoomStop: 20, bounds: [-180, -85, 180, 85] }, 400, 'tileExport.zoomStop', 'the limit is 10000000'],
  ])('rejects %j with the field and what is allowed', async (fields, status, field, message) => {
    const reply = await start(fields, { accept: 'application/problem+json' });

    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(message)]);
    expect(reply.text).toContain(field);
  });

  it('reports that the style of the layer changed during the export', async () => {
    await publishTables(server, 'changed', [
      { name: 'towns', attributes: [geometryColumn('Point')], rows: [[wkt('POINT (10 50)')]] },
    ]);
    const world = { layer: 'changed:towns', zoomStop: 4, bounds: [-180, -85, 180, 85] };
    const unchanged = read((await start({ ...world, zoomStop: 1 })).text);
    expect(await waitForEnd(unchanged.id)).toMatchObject({ state: 'finished', layerChanged: false });
    const { id } = read((await start(world)).text);
    const countDone = async () => read((await get(id)).text).tilesDone;
    await expect.poll(countDone, { interval: 5 }).toBeGreaterThan(0);
    await server.put('/layers/changed:towns', '{"layer":{"defaultStyle":{"name":"line"}}}');

    expect(await waitForEnd(id)).toMatchObject({ state: 'finished', layerChanged: true });
    const { tileExports } = (await server.get('/tileexports.json')).json() as {
      tileExports: { tileExport: { name: string; layerChanged: boolean }[] };
    };
    expect(tileExports.tileExport.find(({ name }) => name === id)?.layerChanged).toBe(true);
  });

  it('fails with the reason when the style of a layer or group is deleted', async () => {
    const type = 'application/vnd.graticule.geocss+css';
    await server.request('POST', '/styles?name=brief', { type, body: '* { mark: symbol(circle); }' });
    const published = ['acme:towns'];
    const brief = { name: 'brief', layers: { published }, styles: { style: ['point'] } };
    const layerGroup = { name: 'styled', publishables: { published } };
    const withStyle = { ...layerGroup, layerGroupStyles: { LayerGroupStyle: [brief] } };
    expect((await server.post('/layergroups', JSON.stringify({ layerGroup: withStyle }))).status).toBe(201);
    const long = { style: 'brief', zoomStop: 9, bounds: [-180, -85, 180, 85] };
    const countDone = async (id: string) => read((await get(id)).text).tilesDone;

    const ofGroup = read((await start({ ...long, layer: 'styled' })).text);
    await expect.poll(() => countDone(ofGroup.id), { interval: 5 }).toBeGreaterThan(0);
    const withoutStyle = { ...layerGroup, layerGroupStyles: { LayerGroupStyle: [] } };
    expect((await server.put('/layergroups/styled', JSON.stringify({ layerGroup: withoutStyle }))).status).toBe(200);
    expect(await waitForEnd(ofGroup.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('its style or tile settings have changed'),
    });

    const ofLayer = read((await start(long)).text);
    await expect.poll(() => countDone(ofLayer.id), { interval: 5 }).toBeGreaterThan(0);
    expect((await server.delete('/styles/brief')).status).toBe(200);
    expect(await waitForEnd(ofLayer.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('it has no style'),
    });
  });

  it('fails with the reason when the layer is deleted', async () => {
    await publishTables(server, 'brief', [
      { name: 'lost', attributes: [geometryColumn('Point')], rows: [[wkt('POINT (10 50)')]] },
    ]);
    const { id } = read((await start({ layer: 'brief:lost', zoomStop: 9, bounds: [-180, -85, 180, 85] })).text);
    await server.delete('/layers/brief:lost?recurse=true');

    expect(await waitForEnd(id)).toMatchObject({
      state: 'failed',
      problem:
        "The tiles of the layer 'brief:lost' cannot be exported: it was deleted, renamed or disabled, or its style or tile settings have changed.",
    });
  });
});
