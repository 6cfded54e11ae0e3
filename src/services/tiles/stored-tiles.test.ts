/** Tiles of archives that services return as they are stored. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RangeServer, startRangeServer } from '../../../test/support/range-server.ts';
import { SLD_TYPE } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import {
  coloredTiles,
  createTownTiles,
  encodeMvt,
  encodePmtiles,
  townMetadata,
  writeMbtiles,
} from '../../../test/support/tile-archives.ts';
import { readVectorTile } from '../../../test/support/vector-tiles.ts';

const stores = '/workspaces/acme/coveragestores';

describe('tiles of an archive with images', () => {
  let remote: RangeServer;
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  const pmtiles = encodePmtiles({ tiles: coloredTiles, tileType: 2 });

  beforeAll(async () => {
    remote = await startRangeServer({ '/far.pmtiles': { bytes: pmtiles, etag: '"1"' } });
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post(
      '/urlchecks',
      JSON.stringify({
        regexUrlCheck: { name: 'data', regex: `^http://data\\.example\\.test:${remote.port}/.*$`, enabled: true },
      }),
    );
    await server.request('PUT', `${stores}/uploaded/file.pmtiles`, { type: 'application/octet-stream', body: pmtiles });
    writeMbtiles(join(server.dataDir, 'near.mbtiles'), { tiles: coloredTiles });
    for (const [name, url] of [
      ['near', 'file:near.mbtiles'],
      ['far', `http://data.example.test:${remote.port}/far.pmtiles`],
    ]) {
      await server.post(stores, JSON.stringify({ coverageStore: { name, url } }));
      await server.post(`${stores}/${name}/coverages`, JSON.stringify({ coverage: { name, nativeName: name } }));
    }
  });
  afterAll(() => remote.close());

  const read = async (path: string) => server.get(`//geoserver${path}`, { as: null });
  const stored = coloredTiles.find(({ z, x, y }) => z === 1 && x === 1 && y === 0)?.bytes ?? Buffer.alloc(0);
  const isStored = (bytes: Buffer) => bytes.equals(Buffer.from(stored));

  it.each([
    ['XYZ', '/gwc/service/xyz/acme:LAYER@EPSG:900913@png/1/1/0.png'],
    ['TMS', '/gwc/service/tms/1.0.0/acme:LAYER@EPSG:900913@png/1/1/1.png'],
    ['WMTS', '/gwc/service/wmts/rest/acme:LAYER/EPSG:900913/1/0/1?format=image/png'],
    ['OGC API Tiles', '/ogc/tiles/v1/collections/acme:LAYER/map/tiles/WebMercatorQuad/1/0/1?f=png'],
  ])('are the stored ones: %s', async (_, path) => {
    for (const layer of ['uploaded', 'near', 'far']) {
      const reply = await read(path.replace('LAYER', layer));

      expect([layer, reply.status, reply.headers['content-type']]).toEqual([layer, 200, 'image/png']);
      expect([layer, isStored(reply.bytes)]).toEqual([layer, true]);
    }
  });

  it.each([
    ['another size', '/gwc/service/xyz/acme:near@EPSG:900913@png/1/1/0@2x.png'],
    ['another format', '/gwc/service/xyz/acme:near@EPSG:900913@jpeg/1/1/0.jpeg'],
    ['another grid', '/gwc/service/xyz/acme:near@EPSG:4326@png/1/1/0.png'],
    ['an option', '/gwc/service/xyz/acme:near@EPSG:900913@png/1/1/0.png?bgcolor=0x102030'],
    ['a finer zoom', '/gwc/service/xyz/acme:near@EPSG:900913@png/2/2/0.png'],
  ])('are drawn for %s', async (_, path) => {
    await server.put(
      '//geoserver/gwc/rest/layers/acme:near.json',
      JSON.stringify({
        GeoServerLayer: {
          gridSubsets: [
            { gridSetName: 'EPSG:900913', zoomStop: 2 },
            { gridSetName: 'EPSG:4326', zoomStop: 2 },
          ],
        },
      }),
    );
    const reply = await read(path);

    expect(reply.status).toBe(200);
    expect(isStored(reply.bytes)).toBe(false);
    const { data } = await sharp(reply.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(data.subarray(0, 3).length).toBe(3);
  });

  it('are transparent where the archive has no tile', async () => {
    const reply = await read('/gwc/service/xyz/acme:near@EPSG:900913@png/1/1/1.png');
    const { data } = await sharp(reply.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

    expect(data.every((value) => value === 0)).toBe(true);
  });

  it('are drawn with a style that changes colors', async () => {
    const sld = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>faint</Name><UserStyle><FeatureTypeStyle><Rule><RasterSymbolizer><Opacity>0.5</Opacity></RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    await server.request('POST', '/workspaces/acme/styles?name=faint', { type: SLD_TYPE, body: sld });
    await server.put('/layers/acme:uploaded', JSON.stringify({ layer: { defaultStyle: { name: 'acme:faint' } } }));
    const reply = await read('/gwc/service/xyz/acme:uploaded@EPSG:900913@png/1/1/0.png');
    const { data } = await sharp(reply.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

    expect(data[3]).toBeGreaterThan(120);
    expect(data[3]).toBeLessThan(135);
  });

  it('are cut to the area that a data rule allows', async () => {
    const rule = await server.post(
      '/security/acl/data',
      JSON.stringify({
        dataRule: {
          name: 'part',
          layer: 'acme:near',
          roles: ['*'],
          area: { geometry: 'POLYGON ((0 0, 0 80, 90 80, 90 0, 0 0))', crs: 'EPSG:4326' },
        },
      }),
    );
    const reply = await read('/gwc/service/xyz/acme:near@EPSG:900913@png/1/1/0.png');

    expect([rule.status, isStored(reply.bytes)]).toEqual([201, false]);
    const { data, info } = await sharp(reply.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => data[(y * info.width + x) * 4 + 3];
    expect([at(60, 200), at(200, 200)]).toEqual([255, 0]);
  });
});

describe('tiles of an archive with vector tiles', () => {
  const server = useTestServer();
  const towns = createTownTiles((bytes) => gzipSync(bytes));
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const body = encodePmtiles({ tiles: towns, tileType: 1, isPacked: true, metadata: townMetadata });
    await server.request('PUT', '/workspaces/acme/datastores/city/file.pmtiles?configure=all', {
      type: 'application/octet-stream',
      body,
    });
    await writeFile(join(server.dataDir, 'single.pmtiles'), body);
  });

  const read = (layer: string, more = '') =>
    server.get(`//geoserver/gwc/service/xyz/acme:${layer}@EPSG:900913@pbf/1/0/0.pbf${more}`, { as: null });

  it('are the layer of the stored tile', async () => {
    const expected = encodeMvt({
      towns: [
        { kind: 'point', paths: [[2_048, 2_048]], properties: { name: 'Aden', people: 100, harbour: true } },
        { kind: 'point', paths: [[1_000, 3_000]], properties: { name: 'Bonn', people: 20, harbour: false } },
      ],
    });
    const reply = await read('towns');

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
    expect(readVectorTile(reply.bytes)).toEqual(readVectorTile(expected));
    // Layers keep their margin.
    const [areas] = readVectorTile((await read('areas')).bytes);
    expect(areas?.features[0]?.places[0]).toEqual([-64, -64]);
  });

  it('have the name of the published layer', async () => {
    await server.put(
      '/workspaces/acme/datastores/city/featuretypes/areas',
      JSON.stringify({ featureType: { name: 'land' } }),
    );

    expect(readVectorTile((await read('land')).bytes).map(({ name }) => name)).toEqual(['land']);
  });

  it('are created from features for a filter, and for a finer zoom', async () => {
    await server.put(
      '//geoserver/gwc/rest/layers/acme:towns.json',
      JSON.stringify({ GeoServerLayer: { gridSubsets: [{ gridSetName: 'EPSG:900913', zoomStop: 2 }] } }),
    );
    const filtered = await read('towns', '?cql_filter=people%3E50');
    const finer = await server.get('//geoserver/gwc/service/xyz/acme:towns@EPSG:900913@pbf/2/1/1.pbf', { as: null });

    expect(readVectorTile(filtered.bytes)[0]?.features.map(({ properties }) => properties['name'])).toEqual(['Aden']);
    expect(readVectorTile(finer.bytes)[0]?.features.map(({ properties }) => properties['name'])).toContain('Aden');
  });

  it.each([
    ['rows', { rows: 'people > 50' }, [{ name: 'Aden', people: 100, harbour: true }]],
    [
      'attributes',
      { attributes: { people: 'hide' } },
      [
        { name: 'Aden', harbour: true },
        { name: 'Bonn', harbour: false },
      ],
    ],
    [
      'an area',
      { area: { geometry: 'POLYGON ((-100 60, -100 70, -80 70, -80 60, -100 60))', crs: 'EPSG:4326' } },
      [{ name: 'Aden', people: 100, harbour: true }],
    ],
  ])('have what a data rule allows: %s', async (_, limits, expected) => {
    const dataRule = { name: 'part', layer: 'acme:towns', roles: ['*'], ...limits };
    const rule = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
    const reply = await read('towns');
    await server.delete('/security/acl/data/part');

    expect(rule.status, rule.text).toBe(201);
    expect(readVectorTile(reply.bytes)[0]?.features.map(({ properties }) => properties)).toEqual(expected);
  });

  it('are empty where the archive has no tile', async () => {
    const reply = await server.get('//geoserver/gwc/service/xyz/acme:towns@EPSG:900913@pbf/1/0/1.pbf', { as: null });

    expect(reply.status).toBe(204);
  });
});
