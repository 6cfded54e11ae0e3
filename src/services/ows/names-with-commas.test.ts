/** Names may contain commas, which also separate names in requests. */
import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf } from '../../../test/support/layer-groups.ts';
import { askMap, colourAt, fillSld, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { putTiff } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const [RED, BLUE, GREEN, WHITE] = ['#ff0000', '#0000ff', '#008000', '#ffffff'];

describe('name with a comma', () => {
  const server = useTestServer();
  const get = (query: string) => server.get(`//geoserver/${query}`, { as: null });

  beforeAll(async () => {
    await publishSquares(server);
    const { href } = ((await server.get('/layers/topo:west.json')).json() as { layer: { resource: { href: string } } })
      .layer.resource;
    const types = href.slice(href.indexOf('/workspaces/'), href.lastIndexOf('/'));
    for (const name of ['west', 'east']) {
      const reply = await server.put(`${types}/${name}`, JSON.stringify({ featureType: { name: `${name},1` } }));
      expect([reply.status, reply.headers['warning']]).toEqual([200, undefined]);
    }
    await server.post('/workspaces/topo/styles?name=green,2', fillSld('#008000'), {
      type: 'application/vnd.ogc.sld+xml',
    });
    await server.post('/layergroups', groupOf('all,2', ['topo:west,1', 'topo:east,1']));
    await putTiff(server, '/workspaces/topo/coveragestores/hills/file.geotiff');
    const coverages = '/workspaces/topo/coveragestores/hills/coverages';
    await server.put(`${coverages}/hills`, '{"coverage":{"name":"hills,3"}}');
  });

  const ends = async (query: string) => {
    const reply = await askMap(server, query);
    return [await colourAt(reply, 4, 4), await colourAt(reply, 15, 4)];
  };

  it.each([
    ['one layer', 'topo:west,1', [RED, WHITE]],
    ['several', 'topo:west,1,topo:east%2C1', [RED, BLUE]],
    ['a group', 'all,2', [RED, BLUE]],
  ])('is accepted in GetMap for %s', async (_, layers, colours) => {
    expect(await ends(`${SMALL_MAP}&layers=${layers}`)).toEqual(colours);
  });

  it('counts as one name for styles and filters', async () => {
    const map = SMALL_MAP.replace('&styles=', '');

    expect(await ends(`${map}&layers=topo:west,1,topo:east,1&styles=topo:blue,`)).toEqual([BLUE, BLUE]);
    expect(await ends(`${map}&layers=topo:west,1&styles=topo:green,2`)).toEqual([GREEN, WHITE]);
    expect(await ends(`${map}&layers=topo:west,1,topo:east,1&cql_filter=rank=9;INCLUDE`)).toEqual([WHITE, BLUE]);
    expect(await ends(`${map}&layers=topo:west,1&featureid=west,1.2,west,1.9`)).toEqual([RED, WHITE]);
  });

  it('is accepted in GetFeatureInfo', async () => {
    const info = SMALL_MAP.replace('GetMap', 'GetFeatureInfo');
    const reply = await askMap(
      server,
      `${info}&layers=topo:east,1,topo:west,1&query_layers=topo:west,1&x=4&y=4&info_format=application/json`,
    );

    expect((reply.json() as { features: readonly object[] }).features).toMatchObject([
      { properties: { kind: 'high' } },
    ]);
  });

  it.each([
    [
      'legends',
      'wms?service=WMS&request=GetLegendGraphic&format=application/json&layer=topo:west,1&style=topo:green,2',
    ],
    ['styles', 'wms?service=WMS&version=1.1.1&request=GetStyles&layers=topo:west,1'],
    ['descriptions', 'wms?service=WMS&version=1.1.1&request=DescribeLayer&layers=topo:west,1'],
    ['tiles', 'gwc/service/wms?request=GetMap&layers=topo:west,1&srs=EPSG:4326&bbox=-180,-90,0,90&format=image/png'],
    ['types', 'wfs?service=WFS&version=2.0.0&request=DescribeFeatureType&typeNames=topo:west,1'],
    ['features', 'wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:west,1'],
    ['features of several types', 'wfs?service=WFS&version=1.1.0&request=GetFeature&typeName=topo:west,1,topo:east,1'],
    ['features by id', 'wfs?service=WFS&version=2.0.0&request=GetFeature&featureId=west,1.2'],
    ['coverages', 'wcs?service=WCS&version=2.0.1&request=DescribeCoverage&coverageId=topo__hills,3'],
  ])('is accepted in a request for %s', async (_, query) => {
    const reply = await get(query);

    expect([reply.status, reply.text]).toEqual([200, expect.not.stringContaining('Exception')]);
  });

  it('returns the same error for a hidden layer as for an unknown one', async () => {
    await server.post('/security/acl/layers', JSON.stringify({ 'topo.west,1.r': 'ROLE_SECRET' }));
    const hidden = await askMap(server, `${SMALL_MAP}&layers=topo:west,1`);
    const absent = await askMap(server, `${SMALL_MAP}&layers=topo:none,1`);
    await server.delete('/security/acl/layers/topo.west,1.r');

    expect(hidden.text.replaceAll('west', 'none')).toBe(absent.text);
    expect(absent.text).toContain("'topo:none'");
  });
});
