import { beforeAll, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const lanesView = {
  name: 'wide',
  sql: 'select id, lanes, geom from roads where lanes >= %low% order by id',
  keyColumn: 'id',
  geometry: { name: 'geom', type: 'Point', srid: 4326 },
  parameter: { name: 'low', defaultValue: '3', regexpValidator: '^\\d+$' },
};

const GET_FEATURE = '/wfs?service=WFS&version=2.0.0&request=GetFeature&outputFormat=application/json';
const GET_MAP = '/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:wide&styles=&srs=EPSG:4326';
const MAP = `${GET_MAP}&bbox=-1,-1,5,5&width=20&height=20&format=image/png`;
const FEATURES = '/ogc/features/v1/collections/acme:wide/items';
const TILE = '/ogc/tiles/v1/collections/acme:wide/tiles/WebMercatorQuad/0/0/0?f=mvt';

describeWithPostgis('viewparams', (postgis) => {
  const server = useTestServer();
  const ask = (path: string) => server.get(`//geoserver${path}`);
  const listLanes = async (path: string) => {
    const reply = await ask(path);
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    const { features } = reply.json() as { features: { properties: { lanes: number } }[] };
    return features.map(({ properties }) => properties.lanes);
  };

  beforeAll(async () => {
    await postgis.query('CREATE TABLE roads (id serial PRIMARY KEY, lanes int4, geom geometry(Point, 4326))');
    await postgis.query(
      `INSERT INTO roads (lanes, geom) SELECT n, ST_SetSRID(ST_MakePoint(n, n), 4326) FROM generate_series(1, 4) AS n`,
    );
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post(
      '/workspaces/acme/datastores',
      JSON.stringify({ dataStore: { name: 'db', connectionParameters } }),
    );
    const metadata = { entry: [{ '@key': 'JDBC_VIRTUAL_TABLE', virtualTable: lanesView }] };
    const created = await server.post(
      '/workspaces/acme/datastores/db/featuretypes',
      JSON.stringify({ featureType: { name: 'wide', metadata } }),
    );
    expect(created.status).toBe(201);
  });

  it.each([
    ['WFS without viewparams', `${GET_FEATURE}&typeNames=acme:wide`, [3, 4]],
    ['WFS', `${GET_FEATURE}&typeNames=acme:wide&viewparams=low:2`, [2, 3, 4]],
    [
      'WFS for each of two queries',
      `${GET_FEATURE}&typeNames=(acme:wide)(acme:wide)&viewparams=low:4,low:3`,
      [4, 3, 4],
    ],
    ['WFS for the second query', `${GET_FEATURE}&typeNames=(acme:wide)(acme:wide)&viewparams=,low:4`, [3, 4, 4]],
    ['WFS by id', `${GET_FEATURE}&featureId=wide.1&viewparams=low:1`, [1]],
    ['OGC API Features', `${FEATURES}?viewparams=low:2`, [2, 3, 4]],
    [
      'WMS GetFeatureInfo',
      `${MAP.replace('GetMap', 'GetFeatureInfo')}&query_layers=acme:wide&x=6&y=13&info_format=application/json&viewparams=low:1`,
      [1],
    ],
  ])('sets the parameters of an SQL view in %s', async (_, path, lanes) => {
    expect(await listLanes(path)).toEqual(lanes);
  });

  it('sets them in a WFS document, for the count of hits and for one feature of OGC API Features', async () => {
    const query = '<wfs:Query typeName="acme:wide"/>';
    const document = `<wfs:GetFeature xmlns:wfs="http://www.opengis.net/wfs" service="WFS" version="1.1.0"
      outputFormat="application/json" viewParams="low:4">${query}</wfs:GetFeature>`;
    const sent = await server.post('//geoserver/wfs', document, { type: 'text/xml' });
    const hits = await ask(`${GET_FEATURE}&typeNames=acme:wide&resultType=hits&viewparams=low:1`);

    expect(sent.json()).toMatchObject({ features: [{ properties: { lanes: 4 } }] });
    expect(hits.text).toContain('numberMatched="4"');
    expect((await ask(`${FEATURES}/wide.1`)).status).toBe(404);
    expect((await ask(`${FEATURES}/wide.1?viewparams=low:1`)).json()).toMatchObject({ properties: { lanes: 1 } });
  });

  it('is kept by the links to further pages and to single features', async () => {
    const page = await ask(`${FEATURES}?viewparams=low:1&limit=2`);
    const { links } = page.json() as { links: { rel: string; href: string }[] };
    const html = await ask(`${FEATURES}?viewparams=low:1&f=html`);

    expect(links.find(({ rel }) => rel === 'next')?.href).toContain('viewparams=low%3A1');
    expect(html.text).toMatch(/items\/wide\.1\?f=html&#?\w+;viewparams=low%3A1/);
  });

  it.each([
    ['WFS', `${GET_FEATURE}&typeNames=acme:wide`, 400],
    ['WFS hits', `${GET_FEATURE}&typeNames=acme:wide&resultType=hits`, 400],
    ['OGC API Features', `${FEATURES}?f=json`, 400],
    ['OGC API Tiles', TILE, 400],
    ['OGC API Maps', '/ogc/maps/v1/collections/acme:wide/map?f=png', 400],
    // Exceptions of WMS have the status 200.
    ['WMS', MAP, 200],
  ])('returns an error in %s for a value that fails the validator', async (_, path, status) => {
    const reply = await ask(`${path}&viewparams=low:1%20or%20true`);

    expect(reply.status).toBe(status);
    expect(reply.text).toMatch(/'1 or true'.*'low' must match '\^\\+d\+\$'/);
  });

  it.each([
    ['OGC API Tiles', TILE],
    ['OGC API Maps', '/ogc/maps/v1/collections/acme:wide/map?f=png'],
  ])('sets the parameters in %s', async (_, path) => {
    const [usual, none] = [await ask(path), await ask(`${path}&viewparams=low:9`)];

    expect([usual.status, none.status]).toEqual([200, expect.toSatisfy((status) => status === 200 || status === 204)]);
    expect(none.text).not.toBe(usual.text);
  });
});
