/** Vector tiles for maps in browsers. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import MVT from 'ol/format/MVT.js';
import { getTileSetInfo } from 'ol/source/ogcTileUtil.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { column, geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { type OgrFeature, runGdal } from '../../../../test/support/gdal.ts';
import { groupOf } from '../../../../test/support/layer-groups.ts';
import { publishTables } from '../../../../test/support/published-features.ts';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { type RequestOptions, useTestServer } from '../../../../test/support/test-server.ts';
import { featuresOfTile } from '../../../../test/support/vector-tiles.ts';
import { describeWithTool } from '../../../../test/support/with-tool.ts';

const TILES = '/geoserver/ogc/tiles/v1';
const TILE = 'application/vnd.mapbox-vector-tile';

const tables = [
  {
    name: 'places',
    attributes: [
      geometryColumn('Point'),
      column('name', 'string'),
      column('rank', 'integer'),
      column('share', 'double'),
      column('depth', 'integer'),
      column('open', 'boolean'),
    ],
    rows: [
      [wkt('POINT (7.4386 46.9511)'), 'Bern', 1, 0.5, -3, true],
      [wkt('POINT (139.6917 35.6895)'), '東京', 2, null, 0, false],
    ],
  },
  {
    name: 'tracks',
    attributes: [geometryColumn('LineString', 'EPSG:2056'), column('name', 'string')],
    rows: [[wkt('LINESTRING (2600000 1200000, 2600400 1200000, 2600400 1200300)'), 'path']],
  },
  {
    name: 'fields',
    attributes: [geometryColumn('Polygon'), column('name', 'string')],
    rows: [
      [wkt('POLYGON ((10 10, 40 10, 40 40, 10 40, 10 10), (20 20, 30 20, 30 30, 20 30, 20 20))'), 'with a hole'],
      [wkt('POLYGON ((-20 -20, -10 -20, -10 -10, -20 -10, -20 -20))'), 'whole'],
    ],
  },
  { name: 'notes', attributes: [column('text', 'string')], rows: [['without a place']] },
];

type Place = readonly [number, number];

interface Linked {
  readonly links: readonly { readonly rel: string; readonly href: string; readonly templated?: boolean }[];
}

/** The part of XMLHttpRequest that OpenLayers uses, with responses of the test server. */
function createXmlHttpRequest(read: (path: string, accept: string) => Promise<{ status: number; text: string }>) {
  return class {
    status = 0;
    responseText = '';
    #load: (event: { target: unknown }) => void = () => undefined;
    #path = '';
    #accept = '';
    addEventListener(name: string, listener: (event: { target: unknown }) => void) {
      if (name === 'load') this.#load = listener;
    }
    open(_: string, url: string) {
      this.#path = new URL(url).pathname;
    }
    setRequestHeader(_: string, value: string) {
      this.#accept = value;
    }
    async send() {
      const { status, text } = await read(this.#path, this.#accept);
      this.status = status;
      this.responseText = text;
      this.#load({ target: this });
    }
  };
}

describe('OGC API Tiles', () => {
  const server = useTestServer();
  beforeAll(() => publishTables(server, 'acme', tables));

  const ask = (path: string, options: RequestOptions = {}) => server.get(`/${TILES}${path}`, { as: null, ...options });

  it.each([
    ['WebMercatorQuad', [2, 2, 1]],
    ['WorldCRS84Quad', [1, 2, 0]],
  ])('is read by the vector tile source of OpenLayers in %s', async (set, coordinate) => {
    const read = (path: string, accept: string) => server.get(`/${path}`, { as: null, headers: { accept } });
    vi.stubGlobal('XMLHttpRequest', createXmlHttpRequest(read));
    const format = new MVT();
    const url = `http://localhost${TILES}/collections/acme:fields/tiles/${set}`;
    const { urlFunction, projection } = await getTileSetInfo({
      url,
      supportedMediaTypes: format.supportedMediaTypes ?? [],
    }).finally(() => vi.unstubAllGlobals());
    const tile = await server.get(`/${new URL(urlFunction?.(coordinate, 1, projection) ?? '').pathname}`, { as: null });

    const features = format.readFeatures(new Uint8Array(tile.bytes).buffer, {
      extent: [0, 0, 1, 1],
      featureProjection: projection,
    });
    expect(features.map((each) => each.get('name'))).toEqual(['with a hole']);
  });

  it('has a landing page that links to every resource', async () => {
    const reply = await ask('');
    const { links } = reply.json() as Linked;

    expect(links.map(({ rel }) => rel)).toEqual(
      expect.arrayContaining([
        'service-desc',
        'conformance',
        'data',
        'http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes',
      ]),
    );
    for (const { href } of links) {
      expect((await ask(href.split('/ogc/tiles/v1')[1] ?? '')).status, href).toBe(200);
    }
  });

  it('lists its conformance classes', async () => {
    expect((await ask('/conformance')).json()).toMatchObject({
      conformsTo: expect.arrayContaining(['http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core']),
    });
  });

  it('has a valid API definition', async () => {
    const source = (await ask('/api')).text;

    const problems = await lintFromString({ source, config: await createConfig({ extends: ['spec'] }) });

    expect(problems.map(({ message }) => message)).toEqual([]);
  });

  it('lists the collections that can be drawn on a map', async () => {
    const { collections } = (await ask('/collections')).json() as { collections: readonly { id: string }[] };

    expect(collections.map(({ id }) => id)).toEqual(['acme:fields', 'acme:places', 'acme:tracks']);
  });

  it.each(['WebMercatorQuad', 'WorldCRS84Quad'])('returns the tileset of a collection in %s', async (set) => {
    const reply = await ask(`/collections/acme:places/tiles/${set}`);
    const { links } = reply.json() as Linked;

    expect(reply.json()).toMatchObject({ dataType: 'vector', tileMatrixSetURI: expect.stringContaining(set) });
    const item = links.find(({ rel }) => rel === 'item');
    expect(item).toMatchObject({ type: TILE, templated: true });
    expect(item?.href).toContain('/{tileMatrix}/{tileRow}/{tileCol}');
    expect(links).toContainEqual(
      expect.objectContaining({
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme',
        type: 'application/json',
      }),
    );
  });

  it('describes the levels of a tile matrix set', async () => {
    const { tileMatrices } = (await ask('/tileMatrixSets/WebMercatorQuad')).json() as {
      tileMatrices: readonly Readonly<Record<string, unknown>>[];
    };

    expect(tileMatrices[0]).toMatchObject({ id: '0', matrixWidth: 1, matrixHeight: 1, tileWidth: 256 });
    expect(Number(tileMatrices[0]?.['scaleDenominator'])).toBeCloseTo(559_082_264.029, 2);
    expect(tileMatrices[3]).toMatchObject({ id: '3', matrixWidth: 8, matrixHeight: 8 });
    expect((await ask('/tileMatrixSets/WorldCRS84Quad')).json()).toMatchObject({
      orderedAxes: ['Lon', 'Lat'],
      tileMatrices: expect.arrayContaining([expect.objectContaining({ id: '0', matrixWidth: 2, matrixHeight: 1 })]),
    });
  });

  it('returns TileJSON for MapLibre and QGIS', async () => {
    const reply = await ask('/collections/acme:places/tiles/WebMercatorQuad?f=tilejson');

    expect(reply.json()).toMatchObject({
      tilejson: '3.0.0',
      tiles: ['http://localhost:80/geoserver/ogc/tiles/v1/collections/acme:places/tiles/WebMercatorQuad/{z}/{y}/{x}'],
      vector_layers: [{ id: 'places', fields: { name: 'String', rank: 'Number', open: 'Boolean' } }],
    });
  });

  it('returns the requested attributes, and tilesets and TileJSON with these attributes', async () => {
    const set = '/collections/acme:places/tiles/WebMercatorQuad';
    const keysOf = (bytes: Uint8Array) => featuresOfTile(bytes).map(({ properties }) => Object.keys(properties).sort());

    expect(keysOf((await ask(`${set}/0/0/0?properties=rank,name`)).bytes)).toEqual([
      ['name', 'rank'],
      ['name', 'rank'],
    ]);
    expect(keysOf((await ask(`${set}/0/0/0?properties=`)).bytes)).toEqual([[], []]);
    const tileJson = (await ask(`${set}?f=tilejson&properties=rank`)).json() as { readonly tiles: readonly string[] };
    expect(tileJson).toMatchObject({ maxTileBytes: 500_000, vector_layers: [{ fields: { rank: 'Number' } }] });
    expect(tileJson.tiles[0]).toMatch(/\/\{z\}\/\{y\}\/\{x\}\?properties=rank$/);
    expect((await ask(`${set}?properties=rank`)).json()).toMatchObject({
      description: expect.stringContaining('500000 bytes'),
      layers: [{ propertiesSchema: { properties: { rank: { type: 'number' } } } }],
    });
  });

  it('rejects unknown attributes, and attributes of map tiles', async () => {
    const unknown = await ask('/collections/acme:places/tiles/WebMercatorQuad/0/0/0?properties=rang');
    const picture = await ask('/collections/acme:places/map/tiles/WebMercatorQuad/0/0/0?properties=rank');

    expect(unknown.json()).toMatchObject({
      status: 400,
      field: 'properties',
      detail: expect.stringContaining('rang'),
    });
    expect(picture.json()).toMatchObject({ status: 400, code: 'parameter-unknown' });
  });

  it('returns tiles with an ETag, and 204 for empty tiles', async () => {
    const full = await ask('/collections/acme:places/tiles/WebMercatorQuad/0/0/0');
    const again = await ask('/collections/acme:places/tiles/WebMercatorQuad/0/0/0', {
      headers: { 'if-none-match': String(full.headers['etag']) },
    });
    const empty = await ask('/collections/acme:places/tiles/WebMercatorQuad/10/0/0');

    expect([full.status, full.headers['content-type']]).toEqual([200, TILE]);
    expect(again.status).toBe(304);
    expect([empty.status, empty.text]).toEqual([204, '']);
  });

  it('returns TileJSON of map tiles in a given style or the default style', async () => {
    const [usual, styled] = [
      await ask('/collections/acme:fields/map/tiles/WebMercatorQuad?f=tilejson'),
      await ask('/collections/acme:fields/styles/polygon/map/tiles/WebMercatorQuad?f=tilejson'),
    ];
    const addressOf = ({ text }: { readonly text: string }) =>
      (JSON.parse(text) as { tiles: [string] }).tiles[0].replace('{z}', '0').replace('{y}', '0').replace('{x}', '0');

    expect(usual.headers['content-type']).toBe('application/vnd.mapbox.tile+json');
    for (const reply of [usual, styled]) {
      const tile = await ask(addressOf(reply).split(TILES)[1] ?? '');
      expect([tile.status, tile.headers['content-type']]).toEqual([200, 'image/png']);
    }
  });

  it('returns map tiles in the default style or another one', async () => {
    const collection = (await ask('/collections/acme:fields')).json() as Linked;
    const rel = 'http://www.opengis.net/def/rel/ogc/1.0/tilesets-map';
    const tilesets = collection.links.find((each) => each.rel === rel)?.href.split('/ogc/tiles/v1')[1] ?? '';
    const tileset = await ask(`${tilesets}/WebMercatorQuad`);
    const items = (tileset.json() as Linked).links.filter((each) => each.rel === 'item');

    expect((await ask(tilesets)).json()).toMatchObject({ tilesets: [{ dataType: 'map' }, { dataType: 'map' }] });
    expect(items.length).toBeGreaterThan(2);
    for (const { href } of items) {
      const path = href
        .split('/ogc/tiles/v1')[1]
        ?.replace('{tileMatrix}', '0')
        .replace('{tileRow}', '0')
        .replace('{tileCol}', '0');
      const tile = await ask(path ?? '');
      expect([tile.status, tile.headers['content-type']?.toString().startsWith('image/')]).toEqual([200, true]);
    }
    const styled = await ask('/collections/acme:fields/styles/polygon/map/tiles/WebMercatorQuad/0/0/0?f=png');
    const jpeg = await ask('/collections/acme:fields/map/tiles/EPSG:900913/0/0/0', {
      headers: { accept: 'image/jpeg' },
    });
    expect([styled.status, jpeg.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect((await ask('/collections/acme:fields/map/tiles/EPSG:900913/EPSG:900913:0/0/0?f=png')).status).toBe(200);
    expect((await ask('/collections/acme:fields/styles/nothing/map/tiles')).status).toBe(404);
    expect((await ask('/collections/acme:fields/map/tiles/WebMercatorQuad/0/0/0?f=mvt')).status).toBe(400);
  });

  it('uses collection ids without a prefix in the service of a workspace', async () => {
    const reply = await server.get(`//geoserver/acme/ogc/tiles/v1/collections/places/tiles/WebMercatorQuad/0/0/0`, {
      as: null,
    });

    expect(reply.status).toBe(200);
  });

  it.each([
    ['/collections/acme:nowhere/tiles', 404, 'collection-unknown'],
    ['/collections/acme:notes/tiles', 404, 'collection-unknown'],
    ['/collections/acme:fields/styles/nothing/map/tiles', 404, 'collection-style-unknown'],
    ['/collections/acme:places/tiles/Quad', 404, 'tile-matrix-set-unknown'],
    ['/tileMatrixSets/Quad', 404, 'tile-matrix-set-unknown'],
    ['/collections/acme:places/tiles/WebMercatorQuad/0/0/1', 404, 'tile-unknown'],
    ['/collections/acme:places/tiles/WebMercatorQuad/x/0/0', 404, 'tile-unknown'],
    ['/collections/acme:places/tiles/WebMercatorQuad/25/0/0', 404, 'tile-unknown'],
    ['/collections/acme:places/tiles/WebMercatorQuad/-1/0/0', 404, 'tile-unknown'],
    ['/collections/acme:places/tiles/WebMercatorQuad/0/0/0?f=png', 400, 'query-invalid'],
    ['/collections/acme:places/tiles/WebMercatorQuad/0/0/0?style=x', 400, 'parameter-unknown'],
    ['/tiles', 404, 'service-path-unknown'],
  ])('rejects %s', async (path, status, code) => {
    const reply = await ask(path, { headers: { accept: 'application/problem+json, */*;q=0.1' } });

    expect([reply.status, (reply.json() as { code?: string }).code]).toEqual([status, code]);
  });

  it('names the map tiles of a group, which has no vector tiles', async () => {
    await server.post('/layergroups', groupOf('both', ['acme:places', 'acme:fields']));

    for (const path of ['', '/WebMercatorQuad/0/0/0']) {
      const reply = await ask(`/collections/both/tiles${path}`);
      expect(reply.status).toBe(404);
      expect(reply.text).toMatch(/The collection 'both' has no vector tiles\. .*\/collections\/both\/map\/tiles\./);
    }
  });

  it('returns 404 for a layer that the principal cannot read', async () => {
    await server.post('/security/acl/layers', JSON.stringify({ 'acme.fields.r': 'ROLE_SECRET' }));

    const tile = await ask('/collections/acme:fields/tiles/WebMercatorQuad/0/0/0');
    const absent = await ask('/collections/acme:absent/tiles/WebMercatorQuad/0/0/0');
    const { collections } = (await ask('/collections')).json() as { collections: readonly { id: string }[] };
    const own = await server.get(`/${TILES}/collections/acme:fields/tiles/WebMercatorQuad/0/0/0`);
    await server.delete('/security/acl/layers/acme.fields.r');

    expect([tile.status, tile.text.replaceAll('fields', 'absent')]).toEqual([absent.status, absent.text]);
    expect(collections.map(({ id }) => id)).not.toContain('acme:fields');
    expect(own.status).toBe(200);
  });

  describeWithTool('gdal', 'GDAL reads of a tile', () => {
    const folder = useTemporaryFolder('tiles');

    async function featuresOf(
      layer: string,
      level: number,
      row: number,
      column: number,
    ): Promise<readonly OgrFeature[]> {
      const path = `/collections/acme:${layer}/tiles/WebMercatorQuad/${level}/${row}/${column}`;
      const { bytes } = await ask(path);
      const file = join(folder, `${layer}-${level}.pbf`);
      await writeFile(file, bytes);
      const address = ['-oo', `X=${column}`, '-oo', `Y=${row}`, '-oo', `Z=${level}`, '-oo', 'CLIP=NO'];
      const args = ['-f', 'GeoJSON', '/vsistdout/', file, ...address, '-t_srs', 'EPSG:4326', '-lco', 'RFC7946=NO'];
      const { features } = JSON.parse(await runGdal('ogr2ogr', args)) as { features: readonly OgrFeature[] };
      return features;
    }

    /** Within the precision of a tile at level 0: a tenth of a degree. */
    const near = (coordinates: unknown): unknown =>
      Array.isArray(coordinates) ? coordinates.map(near) : Math.round(Number(coordinates));

    it('reads points with their values', async () => {
      const features = await featuresOf('places', 0, 0, 0);

      expect(features.map(({ properties }) => properties)).toEqual([
        expect.objectContaining({ name: 'Bern', rank: 1, share: 0.5, depth: -3, open: true }),
        expect.objectContaining({ name: '東京', rank: 2, depth: 0, open: false }),
      ]);
      expect(features.map(({ geometry }) => near(geometry?.coordinates))).toEqual([
        [7, 47],
        [140, 36],
      ]);
    });

    it('reads polygons with their holes', async () => {
      const features = await featuresOf('fields', 0, 0, 0);

      expect(features.map(({ properties }) => properties['name'])).toEqual(['with a hole', 'whole']);
      const polygons = features.map(({ geometry }) => near(geometry?.coordinates) as readonly Place[][][]);
      expect(polygons.map(([polygon]) => polygon?.length)).toEqual([2, 1]);
      expect(new Set(polygons[1]?.[0]?.[0]?.map(String))).toEqual(
        new Set(['-20,-20', '-10,-20', '-10,-10', '-20,-10']),
      );
    });

    it('reads lines of another CRS, clipped to the tile', async () => {
      // The tile in the east of Bern where the line begins.
      const features = await featuresOf('tracks', 12, 1_441, 2_132);

      expect(features.map(({ geometry }) => geometry?.type)).toEqual(['LineString']);
      const [[longitude, latitude] = [0, 0]] = (features[0]?.geometry?.coordinates ?? []) as readonly (readonly [
        number,
        number,
      ])[];
      expect(longitude).toBeCloseTo(7.4386, 3);
      expect(latitude).toBeCloseTo(46.951, 3);
    });
  });
});
