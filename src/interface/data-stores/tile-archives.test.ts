/** Archives of vector tiles as data stores: uploaded or on the server, read by services. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RangeServer, startRangeServer } from '../../../test/support/range-server.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { createTownTiles, encodePmtiles, townMetadata, writeMbtiles } from '../../../test/support/tile-archives.ts';
import { readResource } from '../../../test/support/vector-samples.ts';
import { readVectorTile } from '../../../test/support/vector-tiles.ts';

const stores = '/workspaces/acme/datastores';
const type = 'application/octet-stream';
const pmtiles = encodePmtiles({
  tiles: createTownTiles((bytes) => gzipSync(bytes)),
  tileType: 1,
  isPacked: true,
  metadata: townMetadata,
});

describe('archives of vector tiles', () => {
  const folder = useTemporaryFolder('vector-tiles');
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  let remote: RangeServer;
  beforeAll(async () => {
    remote = await startRangeServer({ '/far.pmtiles': { bytes: pmtiles, etag: '"1"' } });
    const regex = `^http://data[.]example[.]test:${remote.port}/.*$`;
    await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'data', regex, enabled: true } }));
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const { name, attribution, ...json } = townMetadata;
    writeMbtiles(join(folder, 'towns.mbtiles'), {
      tiles: createTownTiles((bytes) => gzipSync(bytes)),
      metadata: { name, attribution, format: 'pbf', minzoom: '0', maxzoom: '1', json: JSON.stringify(json) },
    });
    await writeFile(join(server.dataDir, 'local.pmtiles'), pmtiles);
  });
  afterAll(() => remote.close());

  const readNames = async (layer: string, filter: string) => {
    const reply = await server.get(
      `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:${layer}&outputFormat=application/json&srsName=EPSG:4326&${filter}`,
    );
    return (reply.json() as { features: { id: string; properties: { name: string } }[] }).features.map(
      ({ id, properties }) => [id, properties.name],
    );
  };

  it('are uploaded, and each layer of the tiles is published', async () => {
    const body = await readFile(join(folder, 'towns.mbtiles'));
    const reply = await server.request('PUT', `${stores}/city/file.mbtiles?configure=all`, { type, body });

    expect([reply.status, reply.text]).toEqual([
      201,
      'Published acme:areas (EPSG:3857).\nPublished acme:towns (EPSG:3857).\n',
    ]);
    expect(await readResource(server, `${stores}/city`)).toMatchObject({ type: 'MBTiles with vector tiles' });
    expect(await readResource(server, `${stores}/city/featuretypes/areas`)).toMatchObject({
      title: 'areas',
      description: 'Land',
    });
    expect(await readNames('towns', '')).toEqual([
      ['towns.1-0-0-0', 'Aden'],
      ['towns.1-0-0-1', 'Bonn'],
      ['towns.1-1-0-0', 'Cork'],
    ]);
    expect(await readNames('towns', 'cql_filter=people%3E50')).toEqual([
      ['towns.1-0-0-0', 'Aden'],
      ['towns.1-1-0-0', 'Cork'],
    ]);
    expect(await readNames('towns', 'resourceId=towns.1-0-0-1')).toEqual([['towns.1-0-0-1', 'Bonn']]);
    expect(await readNames('towns', 'bbox=0,0,80,170,urn:ogc:def:crs:EPSG::4326')).toEqual([['towns.1-1-0-0', 'Cork']]);
  });

  it('give their attribution to the layers, which keep that of an administrator', async () => {
    const tileset = '//geoserver/ogc/tiles/v1/collections/acme:areas/tiles/WebMercatorQuad';
    const attribution = { title: '© Surveyors', href: 'https://example.org/', logoWidth: 0, logoHeight: 0 };
    const html = '<a href="https://example.org/">© Surveyors</a>';

    expect(await readResource(server, '/layers/acme:areas')).toMatchObject({ attribution });
    expect((await server.get(`${tileset}?f=tilejson`)).json()).toMatchObject({ attribution: html });
    expect((await server.get(tileset)).json()).toMatchObject({ attribution: '© Surveyors' });
    expect((await server.get('//geoserver/wms?service=WMS&version=1.3.0&request=GetCapabilities')).text).toMatch(
      /<Attribution><Title>© Surveyors<\/Title><OnlineResource [^>]*xlink:href="https:\/\/example.org\/"/,
    );

    const own = { title: '<b>Own</b>', href: 'javascript:alert(1)' };
    await server.put('/layers/acme:areas', JSON.stringify({ layer: { attribution: own } }));
    const body = await readFile(join(folder, 'towns.mbtiles'));
    await server.request('PUT', `${stores}/city/file.mbtiles`, { type, body });
    const maps = '//geoserver/ogc/tiles/v1/collections/acme:areas/map/tiles/WebMercatorQuad?f=tilejson';

    expect(await readResource(server, '/layers/acme:areas')).toMatchObject({ attribution: own });
    expect((await server.get(maps)).json()).toMatchObject({ attribution: '&lt;b&gt;Own&lt;/b&gt;' });
  });

  it.each([
    ['local', () => 'file:local.pmtiles'],
    ['far', () => `http://data.example.test:${remote.port}/far.pmtiles`],
  ])('are read where they are: %s', async (name, locate) => {
    const expected = 'PMTiles';
    const entry = [{ '@key': 'pmtiles', $: locate() }];
    const created = await server.post(
      `${stores}?validate=connect`,
      JSON.stringify({ dataStore: { name, type: expected, connectionParameters: { entry } } }),
    );
    const published = await server.post(
      `${stores}/${name}/featuretypes`,
      JSON.stringify({ featureType: { name: `${name}-areas`, nativeName: 'areas' } }),
    );

    expect([created.text, created.status, published.status]).toEqual([name, 201, 201]);
    expect(await readResource(server, `${stores}/${name}`)).toMatchObject({ type: expected });
    expect(await readNames(`${name}-areas`, 'count=1')).toEqual([[`${name}-areas.1-0-0-0`, 'world']]);
    const tile = await server.get(`//geoserver/gwc/service/xyz/acme:${name}-areas@EPSG:900913@pbf/1/0/0.pbf`);
    expect(readVectorTile(tile.bytes).map((layer) => layer.name)).toEqual([`${name}-areas`]);
  });

  it('are rejected without a request if no URL check allows their address', async () => {
    const before = remote.asked.length;
    const entry = [{ '@key': 'pmtiles', $: `http://other.example.test:${remote.port}/far.pmtiles` }];
    const reply = await server.post(
      stores,
      JSON.stringify({ dataStore: { name: 'other', connectionParameters: { entry } } }),
    );

    expect([reply.status, remote.asked.length]).toEqual([403, before]);
    expect(reply.text).toContain('no enabled URL check matches it');
  });

  it('are drawn with the zoom of the map', async () => {
    const map = await server.get(
      '//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:local-areas&styles=polygon&srs=EPSG:3857&bbox=-20000000,-20000000,20000000,20000000&width=256&height=256&format=image/png',
    );
    const { data, info } = await sharp(map.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];

    // Zoom 0 covers the world; zoom 1 has no tiles in the south.
    expect(at(64, 192)).toEqual(at(64, 64));
    expect(at(64, 192)).not.toEqual([255, 255, 255]);
    const details = await server.get(
      '//geoserver/wms?service=WMS&version=1.1.1&request=GetFeatureInfo&layers=acme:local-areas&query_layers=acme:local-areas&styles=&srs=EPSG:3857&bbox=-20000000,-20000000,20000000,20000000&width=256&height=256&x=64&y=64&info_format=application/json',
    );
    expect((details.json() as { features: unknown[] }).features).toHaveLength(1);
  });

  it('are rejected with the reason if they are not valid', async () => {
    const put = (format: string, body: Buffer) => server.request('PUT', `${stores}/bad/file.${format}`, { type, body });
    const replies = [
      await put('mbtiles', Buffer.from('text'.repeat(50))),
      await put('pmtiles', pmtiles.subarray(0, 100)),
      await put('pmtiles', Buffer.concat([pmtiles.subarray(0, 99), Buffer.from([2]), pmtiles.subarray(100)])),
    ];

    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(replies[0]?.text).toContain('it is not an MBTiles file');
    expect(replies[1]?.text).toContain('it is not a PMTiles archive');
    expect(replies[2]?.text).toContain('its tiles are images; create a coverage store for it');
  });
});
