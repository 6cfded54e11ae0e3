/** The function `reproject` in filters and styles: it computes in the CRS that it names, on each kind of source. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { askMap, colourAt } from '../../../test/support/maps.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

/** Of one degree each, so that the northern one covers less ground. */
const plots = {
  name: 'plots',
  attributes: [geometryColumn('Polygon'), column('name', 'string')],
  rows: [
    [wkt('POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))'), 'south'],
    [wkt('POLYGON ((0 60, 1 60, 1 61, 0 61, 0 60))'), 'north'],
  ],
} as const;

const sites = {
  name: 'sites',
  attributes: [geometryColumn('Point'), column('name', 'string')],
  rows: [
    [wkt('POINT (5 5)'), 'middle'],
    [wkt('POINT (9 9)'), 'corner'],
  ],
} as const;

describe('the function reproject', () => {
  const server = useTestServer();

  const find = (layer: string, filter: string) =>
    server.get(
      `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:${layer}&outputFormat=application/json&cql_filter=${encodeURIComponent(filter)}`,
    );
  const MAP = 'service=WMS&request=GetMap&layers=topo:sites&format=image/png&width=20&height=20';
  const addStyle = async (name: string, css: string) => {
    const type = 'application/vnd.geoserver.geocss+css';
    const reply = await server.post(`/workspaces/topo/styles?name=${name}`, css, { type });
    expect([reply.text, reply.status, reply.headers['warning']]).toEqual([name, 201, undefined]);
  };
  const draw = (style: string, map = 'version=1.1.1&srs=EPSG:4326&bbox=0,0,10,10') =>
    askMap(server, `${MAP}&${map}&styles=topo:${style}`);

  beforeAll(() => publishTables(server, 'topo', [plots, sites]));

  it.each([
    // In EPSG:6933, which preserves areas, a square degree at 60 degrees covers half of one at the equator.
    ['plots', "area(reproject(the_geom, 'EPSG:6933')) > 8e9", ['south']],
    ['plots', "area(reproject(the_geom, 'urn:ogc:def:crs:EPSG::6933')) < 8e9", ['north']],
    [
      'plots',
      "area(reproject(reproject(the_geom, 'EPSG:3857'), 'EPSG:4326')) BETWEEN 0.99 AND 1.01",
      ['south', 'north'],
    ],
    ['sites', "getX(reproject(geometry(), 'EPSG:3857')) BETWEEN 556597 AND 556598", ['middle']],
    ['sites', "getX(reproject(the_geom, 'EPSG:4326', 'EPSG:3857')) < 0.0001", ['middle', 'corner']],
    // Geometries without a CRS are in the CRS of the other side; those with one are converted.
    ['sites', "DWITHIN(reproject(the_geom, 'EPSG:3857'), POINT (556000 557000), 1500, m)", ['middle']],
    ['sites', "INTERSECTS(buffer(reproject(the_geom, 'EPSG:3857'), 1000), SRID=4326;POINT (5.005 5))", ['middle']],
    [
      'sites',
      "INTERSECTS(reproject(buffer(reproject(the_geom, 'EPSG:3857'), 1000), 'EPSG:4326'), POINT (9.005 9))",
      ['corner'],
    ],
  ])('selects features of %s: %s', async (layer, filter, names) => {
    const reply = await find(layer, filter);

    expect(reply.status, reply.text).toBe(200);
    const { features } = reply.json() as { features: readonly { properties: { name: string } }[] };
    expect(features.map(({ properties }) => properties.name)).toEqual(names);
  });

  it.each([
    [
      "area(reproject(the_geom, 'EPSG:99999999')) > 1",
      "unknown or unsupported coordinate reference system 'EPSG:99999999'",
    ],
    ["area(reproject(the_geom, 'EPSG:4978')) > 1", "unknown or unsupported coordinate reference system 'EPSG:4978'"],
    ['area(reproject(the_geom, name)) > 1', 'the CRS of reproject must be constant, such as EPSG:3857'],
    ['area(reproject(the_geom)) > 1', 'reproject requires a geometry and the CRS of the result, such as EPSG:3857'],
    ["area(reproject(name, 'EPSG:3857')) > 1", "'name' is not a geometry attribute"],
  ])('rejects the filter %s', async (filter, reason) => {
    const reply = await find('plots', filter);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('draws a buffer in metres, in the CRS of the data and in others', async () => {
    await addStyle('around', "* { fill: #ff0000; geometry: [buffer(reproject(the_geom, 'EPSG:3857'), 150000)]; }");
    for (const map of [
      'version=1.1.1&srs=EPSG:4326&bbox=0,0,10,10',
      'version=1.1.1&srs=EPSG:3857&bbox=0,0,1113195,1118890',
    ]) {
      const picture = await draw('around', map);
      // 150 km are 1.35 degrees, which are 2.7 pixels.
      expect(
        await Promise.all([colourAt(picture, 10, 10), colourAt(picture, 11, 10), colourAt(picture, 14, 10)]),
      ).toEqual(['#ff0000', '#ff0000', '#ffffff']);
    }
  });

  it('is evaluated in conditions and values of styles', async () => {
    const css = `[INTERSECTS(buffer(reproject(the_geom, 'EPSG:3857'), 1000), POINT (556597 557305))] { mark: symbol(square); mark-size: 6; :mark { fill: #00ff00; stroke: #00ff00; } }
      [getX(reproject(the_geom, 'EPSG:3857')) > 600000] { mark: symbol(square); mark-size: [getX(reproject(the_geom, env('system', 'EPSG:3857'))) / 100000]; :mark { fill: #0000ff; stroke: #0000ff; } }`;
    await addStyle('chosen', css);
    const picture = await draw('chosen');

    expect(await Promise.all([colourAt(picture, 10, 10), colourAt(picture, 18, 2), colourAt(picture, 14, 6)])).toEqual([
      '#00ff00',
      '#0000ff',
      '#0000ff',
    ]);
  });

  it('makes a map fail with a status of 400 if its CRS is unknown', async () => {
    await addStyle('unknown', "* { fill: #ff0000; geometry: [buffer(reproject(the_geom, 'EPSG:0'), 1)]; }");
    const reply = await server.get('//geoserver/ogc/maps/v1/collections/topo:sites/styles/topo:unknown/map?f=png');

    expect([reply.status, reply.text]).toEqual([
      400,
      expect.stringContaining(
        "Invalid call of 'reproject' in the style: unknown or unsupported coordinate reference system 'EPSG:0'; use a code such as EPSG:3857. Correct the style.",
      ),
    ]);
  });
});
