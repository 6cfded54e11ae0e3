import { beforeAll, describe, expect, it } from 'vitest';
import { askMap, colourAt, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { putTiff } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer();

const PLANE = SMALL_MAP.replace('EPSG:4326', 'EPSG:404000');
const [RED, BLUE, WHITE] = ['#ff0000', '#0000ff', '#ffffff'];

beforeAll(async () => {
  await publishSquares(server);
  const plane = { featureType: { srs: 'EPSG:404000' } };
  const path = '/workspaces/topo/datastores/data/featuretypes/west';
  expect((await server.put(path, JSON.stringify(plane), { type: 'json' })).status).toBe(200);
  expect((await putTiff(server, '/workspaces/topo/coveragestores/heights/file.geotiff')).status).toBe(201);
});

async function readColours(query: string): Promise<readonly string[]> {
  const reply = await askMap(server, query);
  return [await colourAt(reply, 4, 15), await colourAt(reply, 15, 4)];
}

describe('EPSG:404000, a plane without a CRS,', () => {
  it('is drawn without reprojection in all versions', async () => {
    const later = PLANE.replace('1.1.1', '1.3.0').replace('srs=', 'crs=');

    expect(await readColours(`${PLANE}&layers=topo:west,topo:east`)).toEqual([RED, BLUE]);
    expect(await readColours(`${later}&layers=topo:west,topo:east`)).toEqual([RED, BLUE]);
    expect(await readColours(`${PLANE}&layers=topo:west`)).toEqual([RED, WHITE]);
  });

  it.each(['text/plain', 'application/json', 'application/vnd.ogc.gml', 'text/html'])(
    'has feature info as %s',
    async (format) => {
      const info = PLANE.replace('GetMap', 'GetFeatureInfo');
      const query = `${info}&layers=topo:west,topo:east&query_layers=topo:west,topo:east&x=4&y=4`;

      const reply = await askMap(server, `${query}&info_format=${format}`);

      expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('high')]);
    },
  );

  it.each([
    'application/pdf',
    'image/svg+xml',
    'image/gif',
    'image/geotiff',
    'application/json;type=utfgrid',
    'application/vnd.google-earth.kml+xml',
    'application/openlayers',
  ])('is drawn as %s', async (format) => {
    const query = PLANE.replace('image/png', encodeURIComponent(format));
    const reply = await askMap(server, `${query}&layers=topo:west`);

    expect([reply.status, reply.text.includes('ServiceException') ? reply.text : '']).toEqual([200, '']);
  });

  it.each([
    '&clip=POLYGON((0 0,0 5,5 5,5 0,0 0))',
    '&clip=srid=4326;POLYGON((0 0,0 5,5 5,5 0,0 0))',
    '&format_options=scaleMethod:accurate',
    '&cql_filter=bbox(the_geom,0,0,5,5)',
    '&tiled=true',
  ])('has the same pixels with %s', async (further) => {
    expect(await readColours(`${PLANE}&layers=topo:west${further}`)).toEqual([RED, WHITE]);
  });

  it('draws rasters in their own coordinates', async () => {
    const query = `${SMALL_MAP.replace('4326', '32633').replace('0,0,10,10', '500000,4999800,500200,5000000')}&layers=topo:heights`;
    const earth = await askMap(server, query);

    const plane = await askMap(server, query.replace('EPSG:32633', 'EPSG:404000'));

    const places = [2, 6, 10, 14, 18].flatMap((x) => [2, 6, 10, 14, 18].map((y) => [x, y] as const));
    const drawn = await Promise.all(places.map(([x, y]) => colourAt(plane, x, y)));
    expect(drawn).toEqual(await Promise.all(places.map(([x, y]) => colourAt(earth, x, y))));
    expect(new Set(drawn).size).toBeGreaterThan(1);
  });

  it.each(['1.0.0', '1.1.0', '2.0.0'])('is an output CRS of features in WFS %s', async (version) => {
    const query = `service=WFS&version=${version}&request=GetFeature&typeName=topo:east&typeNames=topo:east`;

    const reply = await server.get(`//geoserver/wfs?${query}&srsName=EPSG:404000`);

    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('EPSG:404000')]);
    expect(reply.text).toMatch(/5[ ,]0 10[ ,]0 10[ ,]10/);
  });

  it.each([
    ['2.0.0', 'typeNames=topo:west', 1],
    ['2.0.0', 'typeNames=topo:east', 0],
    ['1.1.0', 'typeName=topo:west', 1],
    ['1.0.0', 'typeName=topo:east', 0],
  ])('is the CRS of a box in WFS %s with %s', async (version, type, count) => {
    const query = `service=WFS&version=${version}&request=GetFeature&${type}&bbox=0,0,3,3,EPSG:404000`;

    const reply = await server.get(`//geoserver/wfs?${query}&outputFormat=application/json`);

    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"features"')]);
    expect((reply.json() as { features: unknown[] }).features).toHaveLength(count);
  });

  it('is the CRS of a geometry in a filter', async () => {
    const filter = encodeURIComponent('INTERSECTS(the_geom, SRID=404000;POINT(1 1))');
    const query = `service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:west&cql_filter=${filter}`;

    const reply = await server.get(`//geoserver/wfs?${query}&outputFormat=application/json`);

    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"west.1"')]);
  });

  it('can contain the box of a group, which has no place on the Earth', async () => {
    const bounds = { minx: 0, maxx: 10, miny: 0, maxy: 20, crs: 'EPSG:404000' };
    const published = [{ '@type': 'layer', name: 'topo:west' }];
    const group = { layerGroup: { name: 'plane', publishables: { published }, bounds } };

    const made = await server.post('/layergroups', JSON.stringify(group), { type: 'json' });
    const read = await server.get('/layergroups/plane.json');
    const page = await server.get('/layergroups/plane.html');
    const capabilities = ['1.1.1', '1.3.0'].map((version) =>
      askMap(server, `service=WMS&version=${version}&request=GetCapabilities`),
    );

    expect([made.status, made.text]).toEqual([201, 'plane']);
    expect(read.json()).toMatchObject({ layerGroup: { bounds } });
    expect(page.status).toBe(200);
    for (const reply of await Promise.all(capabilities)) {
      expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('<Name>plane</Name>')]);
    }
    expect(await readColours(`${PLANE}&layers=plane`)).toEqual([RED, WHITE]);
    expect((await server.put('/layergroups/plane', JSON.stringify(read.json()), { type: 'json' })).status).toBe(200);
  });
});
