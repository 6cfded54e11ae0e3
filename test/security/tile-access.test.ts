/** Access to tiles: at every address, in every catalog mode, and regardless of who requested a cached tile first. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { publishTables } from '../support/published-features.ts';
import { type Reply, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { readVectorTile } from '../support/vector-tiles.ts';

const server = useTestServer();

let reader = '';
let other = '';

const table = (name: string) => ({
  name,
  attributes: [geometryColumn('Point'), column('word', 'string')],
  rows: [[wkt('POINT (1 2)'), 'classified']],
});

beforeAll(async () => {
  await publishTables(server, 'topo', [table('open'), table('hidden')]);
  await server.post(
    '/layergroups',
    JSON.stringify({
      layerGroup: {
        name: 'both',
        mode: 'SINGLE',
        publishables: {
          published: [
            { '@type': 'layer', name: 'topo:open' },
            { '@type': 'layer', name: 'topo:hidden' },
          ],
        },
      },
    }),
  );
  reader = await addUser(server, 'reader', 'ROLE_READER');
  other = await addUser(server, 'other', 'ROLE_OTHER');
  await server.post('/security/acl/layers', '{"topo.hidden.r":"ROLE_READER"}');
});

const kvp = 'service=WMTS&request=GetTile&tilematrixset=EPSG:900913&tilematrix=0&tilerow=0&tilecol=0';

const info = `${kvp.replace('GetTile', 'GetFeatureInfo')}&infoformat=application/json`;

/** Requests for a tile of the hidden layer; `%s` is its name. */
const addresses: Readonly<Record<string, string>> = {
  'WMTS, vector': `/gwc/service/wmts?${kvp}&layer=topo:%s&format=pbf`,
  'WMTS, picture': `/gwc/service/wmts?${kvp}&layer=topo:%s&format=image/png`,
  'WMTS with a bare name': `/gwc/service/wmts?${kvp}&layer=%s&format=image/png`,
  'WMTS with a style that is not there': `/gwc/service/wmts?${kvp}&layer=topo:%s&style=x&format=image/png`,
  'WMTS outside of the grid': `/gwc/service/wmts?${kvp.replace('tilerow=0', 'tilerow=9')}&layer=topo:%s&format=image/png`,
  'WMTS by path': '/gwc/service/wmts/rest/topo:%s/point/EPSG:900913/0/0/0?format=image/png',
  'WMTS of the workspace': `/topo/gwc/service/wmts?${kvp}&layer=%s&format=pbf`,
  TMS: '/gwc/service/tms/1.0.0/topo:%s@EPSG:900913@png/0/0/0.png',
  'TMS, map': '/gwc/service/tms/1.0.0/topo:%s@EPSG:900913@png',
  XYZ: '/gwc/service/xyz/topo:%s@EPSG:900913@pbf/0/0/0.pbf',
  'WMS-C':
    '/gwc/service/wms?request=GetMap&layers=topo:%s&srs=EPSG:4326&bbox=-180,-90,0,90&width=256&height=256&format=image/png',
  'WMTS, what is drawn at a pixel': `/gwc/service/wmts?${info}&layer=topo:%s&format=image/png&i=128&j=126`,
  'WMTS by path, what is drawn': '/gwc/service/wmts/rest/topo:%s/EPSG:900913/0/0/0/126/128?format=application/json',
  'WMS-C, what is drawn':
    '/gwc/service/wms?request=GetFeatureInfo&layers=topo:%s&srs=EPSG:4326&bbox=0,-90,180,90&x=1&y=125&info_format=application/json',
  'WMTS with a filter': `/gwc/service/wmts?${kvp}&layer=topo:%s&format=pbf&cql_filter=word='classified'`,
  'WMTS with a filter that is none': `/gwc/service/wmts?${kvp}&layer=topo:%s&format=pbf&cql_filter=word=`,
  'by zoom': '/gwc/service/gmaps?layers=topo:%s&zoom=0&x=0&y=0&format=image/png',
  'OGC API, vector': '/ogc/tiles/v1/collections/topo:%s/tiles/WebMercatorQuad/0/0/0',
  'OGC API, picture': '/ogc/tiles/v1/collections/topo:%s/map/tiles/WebMercatorQuad/0/0/0?f=png',
};

function ask(path: string, as: string | null): Promise<Reply> {
  return server.get(`//geoserver${path}`, { as });
}

const reported = ({ status, headers, text }: Reply, name: string) => [
  status,
  headers['geowebcache-cache-result'],
  headers['etag'],
  text.replaceAll(name, 'hidden'),
];

describe.each(['HIDE', 'MIXED', 'CHALLENGE'] as const)('tile access in catalog mode %s', (mode) => {
  beforeAll(async () => {
    await server.put('/security/acl/catalog', JSON.stringify({ mode }));
  });

  it.each(Object.keys(addresses))('%s does not return a cached tile to unauthorized users', async (name) => {
    const path = (addresses[name] ?? '').replaceAll('%s', 'hidden');

    const own = await ask(path, reader);
    const again = await ask(path, reader);
    const tag = { 'if-none-match': String(own.headers['etag']) };
    const [anonymous, signedIn] = [await ask(path, null), await ask(path, other)];
    const tagged = await server.get(`//geoserver${path}`, { as: null, headers: tag });

    expect(own.text).not.toContain('Unknown layer');
    expect([200, 400]).toContain(own.status);
    if (own.headers['geowebcache-cache-result'] !== undefined) {
      expect(again.headers['geowebcache-cache-result']).toBe('HIT');
    }
    if (mode === 'HIDE') {
      const absent = reported(await ask((addresses[name] ?? '').replaceAll('%s', 'absent'), null), 'absent');
      for (const each of [anonymous, signedIn, tagged]) expect(reported(each, 'hidden')).toEqual(absent);
    } else {
      expect([anonymous.status, signedIn.status, tagged.status]).toEqual([401, 403, 401]);
    }
    for (const { text } of [anonymous, signedIn, tagged]) expect(text).not.toContain('classified');
  });

  it.each([
    '/gwc/service/wmts?request=GetCapabilities',
    '/gwc/service/wmts/rest/WMTSCapabilities.xml',
    '/topo/gwc/service/wmts?request=GetCapabilities',
    '/gwc/service/tms/1.0.0',
    '/ogc/tiles/v1/collections',
  ])('%s names the layer only to users who may know that it exists', async (path) => {
    const names = async (as: string | null) => (await ask(path, as)).text.includes('hidden');

    expect([await names(null), await names(other), await names(reader)]).toEqual(
      mode === 'CHALLENGE' ? [true, true, true] : [false, false, true],
    );
  });

  it('draws a group with the layers each user may see, also from the cache', async () => {
    const path = `/gwc/service/wmts?${kvp}&layer=both&format=pbf`;
    const layersFor = async (as: string | null) => readVectorTile((await ask(path, as)).bytes).map(({ name }) => name);

    const seen = [await layersFor(reader), await layersFor(null), await layersFor(other), await layersFor(reader)];

    expect(seen).toEqual([['open', 'hidden'], ['open'], ['open'], ['open', 'hidden']]);
  });
});

describe('rule changes', () => {
  it('applies a new rule from the next request on, also to cached tiles', async () => {
    const paths = [
      `/gwc/service/wmts?${kvp}&layer=topo:open&format=image/png`,
      '/ogc/tiles/v1/collections/topo:open/tiles/WebMercatorQuad/0/0/0',
    ];
    const askAll = async () => {
      const replies = [...(await Promise.all(paths.map((path) => ask(path, null))))];
      return replies.map(({ status, headers }) => [status, headers['geowebcache-cache-result']]);
    };
    await server.put('/security/acl/catalog', '{"mode":"CHALLENGE"}');
    await askAll();
    const before = await askAll();

    await server.post('/security/acl/layers', '{"topo.open.r":"ROLE_READER"}');
    const closed = await askAll();
    await server.delete('/security/acl/layers/topo.open.r');
    const open = await askAll();

    expect(before).toEqual(paths.map(() => [200, 'HIT']));
    expect(closed).toEqual(paths.map(() => [401, undefined]));
    expect(open).toEqual(before);
  });
});

describe('service rules for tiles', () => {
  it('closes tiles by a service rule, and removes features from tiles for users without access to WFS', async () => {
    const picture = `/gwc/service/wmts?${kvp}&layer=topo:open&format=image/png`;
    const vector = `/gwc/service/wmts?${kvp}&layer=topo:open&format=pbf`;
    await server.post('/security/acl/services', '{"wfs.GetFeature":"ROLE_READER"}');
    const withoutFeatures = [await ask(picture, null), await ask(vector, null), await ask(vector, reader)];
    await server.delete('/security/acl/services/wfs.GetFeature');
    await server.post('/security/acl/services', '{"wmts.GetTile":"ROLE_READER"}');
    const withoutTiles = [await ask(picture, null), await ask(picture, other), await ask(picture, reader)];
    await server.delete('/security/acl/services/wmts.GetTile');

    expect(withoutFeatures.map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(withoutTiles.map(({ status }) => status)).toEqual([401, 403, 200]);
  });
});
