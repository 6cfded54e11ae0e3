/** Maps of collections for OGC API clients. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf } from '../../../../test/support/layer-groups.ts';
import { colourAt, publishSquares } from '../../../../test/support/maps.ts';
import { type RequestOptions, useTestServer } from '../../../../test/support/test-server.ts';

const [RED, BLUE, WHITE] = ['#ff0000', '#0000ff', '#ffffff'];

interface Linked {
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type?: string }[];
}

describe('OGC API Maps', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishSquares(server);
    await server.post('/layergroups', groupOf('both', ['topo:west', 'topo:east']));
  });

  const ask = (path: string, options: RequestOptions = {}) =>
    server.get(`//geoserver/ogc/maps/v1${path}`, { as: null, ...options });

  it('has a landing page that links to every resource, and an API definition', async () => {
    const { links } = (await ask('')).json() as Linked;
    for (const { href } of links) expect((await ask(href.split('/ogc/maps/v1')[1] ?? '')).status).toBe(200);
    const source = (await ask('/api')).text;

    const problems = await lintFromString({ source, config: await createConfig({ extends: ['spec'] }) });

    expect(problems.map(({ message }) => message)).toEqual([]);
  });

  it('lists layers and groups with their maps and styles', async () => {
    const { collections } = (await ask('/collections')).json() as { collections: readonly ({ id: string } & Linked)[] };

    expect(collections.map(({ id }) => id).sort()).toEqual(['both', 'topo:east', 'topo:west']);
    for (const { links } of collections) {
      const [map] = links.filter(({ rel }) => rel.endsWith('/map'));
      expect((await ask(map?.href.split('/ogc/maps/v1')[1] ?? '')).headers['content-type']).toBe('image/png');
    }
    expect((await ask('/collections/topo:west/styles')).json()).toMatchObject({ default: 'topo:red' });
  });

  it('lists collections in pages, and those whose id or title contains a text', async () => {
    interface Page extends Linked {
      readonly collections: readonly { readonly id: string }[];
    }
    const read = async (path: string) => {
      const reply = await ask(path);
      expect(reply.status, reply.text).toBe(200);
      const { collections, links } = reply.json() as Page;
      const next = links.find(({ rel }) => rel === 'next')?.href.split('/ogc/maps/v1')[1];
      return { ids: collections.map(({ id }) => id), next };
    };
    const pages: (readonly string[])[] = [];
    for (let next: string | undefined = '/collections?limit=1'; next !== undefined; ) {
      const page = await read(next);
      pages.push(page.ids);
      next = page.next;
    }
    expect(pages).toEqual([['both'], ['topo:east'], ['topo:west']]);
    expect(await read('/collections?limit=3')).toEqual({ ids: ['both', 'topo:east', 'topo:west'], next: undefined });
    expect((await read('/collections?q=EAS')).ids).toEqual(['topo:east']);
    expect((await read('/collections?q=o&limit=1')).next).toContain('q=o');
    // The layer of a link may be deleted before it is followed.
    expect((await read('/collections?after=layer:topo:f')).ids).toEqual(['topo:west']);

    await server.put('/workspaces/topo/datastores/data/featuretypes/west', '{"featureType":{"title":"Sunset"}}');
    expect((await read('/collections?q=suns')).ids).toEqual(['topo:west']);
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'after=x', `q=${'a'.repeat(201)}`]) {
      expect([query, (await ask(`/collections?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('draws a map of a box in the requested size', async () => {
    const reply = await ask('/collections/both/map?bbox=0,0,10,10&width=20&f=png');

    expect([await colourAt(reply, 4, 4), await colourAt(reply, 15, 4)]).toEqual([RED, BLUE]);
    expect(reply.headers['content-bbox']).toBe('0,0,10,10');
    expect(reply.headers['content-crs']).toBe('<http://www.opengis.net/def/crs/OGC/1.3/CRS84>');
  });

  it('draws the whole collection on a transparent background by default', async () => {
    const reply = await ask('/collections/topo:west/map');

    expect(await colourAt(reply, 100, 100)).toBe(RED);
    expect(await colourAt(await ask('/collections/topo:west/map?bbox=6,0,10,4&width=8'), 4, 4)).toBe('#00000000');
    expect(await colourAt(await ask('/collections/topo:west/map?bbox=6,0,10,4&width=8&bgcolor=0xFFFFFF'), 4, 4)).toBe(
      WHITE,
    );
  });

  it('draws in other CRSs with boxes in their axis order', async () => {
    const north = 'http://www.opengis.net/def/crs/EPSG/0/4326';
    const boxed = await ask(`/collections/both/map?bbox=0,0,10,5&bbox-crs=${north}&width=20&height=40`);
    const mercator = await ask(
      '/collections/both/map?crs=http://www.opengis.net/def/crs/EPSG/0/3857&bbox=0,0,1113194,1118889&width=20&height=20',
    );

    expect(await colourAt(boxed, 10, 20)).toBe(RED);
    expect([await colourAt(mercator, 4, 5), await colourAt(mercator, 15, 5)]).toEqual([RED, BLUE]);
  });

  it('draws in another style', async () => {
    const reply = await ask('/collections/topo:west/styles/topo:blue/map?bbox=0,0,4,4&width=8&f=jpeg');

    expect(reply.headers['content-type']).toBe('image/jpeg');
    expect((await colourAt(reply, 4, 4)).endsWith('fe') || (await colourAt(reply, 4, 4)).endsWith('ff')).toBe(true);
  });

  it.each([
    ['/collections/topo:nowhere/map', 404],
    ['/collections/topo:west/styles/nothing/map', 404],
    ['/collections/topo:west/styles/nothing', 404],
    ['/collections/topo:west/map?bbox=1,2,3', 400],
    ['/collections/topo:west/map?bbox=3,0,1,1', 400],
    ['/collections/topo:west/map?bbox=NaN,0,1,1', 400],
    ['/collections/topo:west/map?width=99999', 400],
    ['/collections/topo:west/map?width=8000&height=8000', 400],
    ['/collections/topo:west/map?width=-1', 400],
    ['/collections/topo:west/map?crs=EPSG:1', 400],
    ['/collections/topo:west/map?bgcolor=red', 400],
    ['/collections/topo:west/map?f=exe', 400],
    ['/collections/topo:west/map?sld=http://example.com/', 400],
    ['/nothing', 404],
  ])('rejects %s', async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });

  it('returns 404 for a layer that the principal cannot view', async () => {
    await server.post('/security/acl/layers', JSON.stringify({ 'topo.east.r': 'ROLE_SECRET' }));
    const hidden = await ask('/collections/topo:east/map');
    const absent = await ask('/collections/topo:none/map');
    const group = await ask('/collections/both/map?bbox=0,0,10,10&width=20&f=png');
    await server.delete('/security/acl/layers/topo.east.r');

    expect([hidden.status, hidden.text.replaceAll('east', 'none')]).toEqual([absent.status, absent.text]);
    expect([await colourAt(group, 4, 4), await colourAt(group, 15, 4)]).toEqual([RED, '#00000000']);
  });

  it('returns styles of layers and groups as MapLibre styles on the tiles of the server', async () => {
    const { styles } = (await ask('/collections/topo:west/styles')).json() as { styles: readonly Linked[] };
    const [sheet] = styles[0]?.links ?? [];
    const layer = await ask(sheet?.href.split('/ogc/maps/v1')[1] ?? '');
    const group = (await ask('/collections/both/styles/default')).json() as {
      sources: Readonly<Record<string, { tiles: readonly [string] }>>;
    };

    expect(layer.headers['content-type']).toBe('application/vnd.mapbox.style+json');
    expect(layer.json()).toMatchObject({
      version: 8,
      sources: { '1 topo:west': { type: 'vector', bounds: [0, 0, 5, 10] } },
      layers: [
        {
          id: '1 topo:west 1 fill',
          type: 'fill',
          source: '1 topo:west',
          'source-layer': 'west',
          paint: { 'fill-color': '#ff0000' },
        },
      ],
    });
    expect(Object.keys(group.sources)).toEqual(['1 topo:west', '2 topo:east']);
    for (const { tiles } of Object.values(group.sources)) {
      const [, path = ''] = tiles[0].split('/geoserver');
      const tile = await server.get(`//geoserver${path.replace('{z}/{y}/{x}', '0/0/0')}`, { as: null });
      expect(tile.headers['content-type']).toBe('application/vnd.mapbox-vector-tile');
    }
    expect((await ask('/collections/both/styles/nothing')).status).toBe(404);
  });
});
