/** Functions that read other layers: in filters and styles, with permissions and limits, from files and databases. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { askMap, colourAt } from '../../../test/support/maps.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

/** Squares beside each other, in the box 0, 0, 10, 10. */
const zones = {
  name: 'zones',
  attributes: [geometryColumn('Polygon'), column('name', 'string'), column('level', 'integer')],
  rows: [
    [wkt('POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0))'), 'west', 1],
    [wkt('POLYGON ((5 0, 10 0, 10 5, 5 5, 5 0))'), 'east', 2],
    [wkt('POLYGON ((0 5, 5 5, 5 10, 0 10, 0 5))'), 'north', 2],
  ],
} as const;

const sites = {
  name: 'sites',
  attributes: [geometryColumn('Point'), column('zone', 'string'), column('level', 'integer')],
  rows: [
    [wkt('POINT (2 2)'), 'west', 1],
    [wkt('POINT (5 2)'), 'east', 2],
    [wkt('POINT (8 2)'), 'east', 2],
    [wkt('POINT (8 8)'), 'none', 3],
  ],
} as const;

const WEST = "querySingle('topo:zones', 'the_geom', 'name = ''west''')";
const UPPER = "collectGeometries(queryCollection('topo:zones', 'the_geom', 'level = 2'))";

const findSites = (server: TestServer, filter: string, as: string | null = null, path = '/wfs') =>
  server.get(
    `//geoserver${path}?service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:sites&outputFormat=application/json&cql_filter=${encodeURIComponent(filter)}`,
    { as },
  );

async function listSites(...[server, filter, as, path]: Parameters<typeof findSites>): Promise<readonly string[]> {
  const reply = await findSites(server, filter, as, path);
  expect(reply.status, reply.text).toBe(200);
  return (reply.json() as { features: readonly { id: string }[] }).features.map(({ id }) => id.replace(/.*\./, ''));
}

const filters: readonly (readonly [string, readonly string[]])[] = [
  [`INTERSECTS(the_geom, ${WEST})`, ['1', '2']],
  [`WITHIN(the_geom, ${UPPER})`, ['3']],
  [`DWITHIN(the_geom, ${WEST}, 3.5, m) AND level > 0`, ['1', '2']],
  ["level = querySingle('topo:zones', 'level', 'name = ''west''')", ['1']],
  ["zone IN (queryCollection('topo:zones', 'name', 'level = 2'))", ['2', '3']],
  ["in3(zone, queryCollection('topo:zones', 'name', 'INCLUDE')) = true", ['1', '2', '3']],
  [
    "level = querySingle('topo:zones', 'level', 'INTERSECTS(the_geom, querySingle(''topo:sites'', ''the_geom'', ''level = 1''))')",
    ['1'],
  ],
  ["INTERSECTS(the_geom, querySingle('topo:zones', 'the_geom', 'name = ''nowhere'''))", []],
  ["zone IN (queryCollection('topo:zones', 'name', 'level = 9'))", []],
];

describe('functions that read other layers', () => {
  const server = useTestServer();
  let ann = '';

  const addStyle = async (name: string, css: string) => {
    const type = 'application/vnd.geoserver.geocss+css';
    const reply = await server.post(`/workspaces/topo/styles?name=${name}`, css, { type });
    expect([reply.text, reply.status, reply.headers['warning']]).toEqual([name, 201, undefined]);
  };
  const MAP =
    'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&bbox=0,0,10,10&width=20&height=20&format=image/png';
  const draw = (style: string, as: string | null = null, more = '') =>
    askMap(server, `${MAP}&layers=topo:zones&styles=topo:${style}${more}`, as);

  beforeAll(async () => {
    const many = {
      name: 'many',
      attributes: [geometryColumn('LineString'), column('n', 'integer')],
      rows: Array.from({ length: 1_001 }, (_, n) => [
        wkt(`LINESTRING (${Array.from({ length: 11 }, (_position, x) => `${x} ${n}`).join(', ')})`),
        n,
      ]),
    };
    await publishTables(server, 'topo', [zones, sites, many]);
    await publishTables(server, 'secret', [{ ...zones, name: 'plans' }]);
    await server.post('/security/acl/layers', '{"secret.*.r":"PLANNER"}');
    ann = await addUser(server, 'ann', 'PLANNER');
    await addStyle('near', `[INTERSECTS(the_geom, ${WEST})] { fill: #ff0000; }`);
    await addStyle('plan', "* { fill: #00ff00; fill-opacity: [querySingle('secret:plans', 'level', 'level = 1')]; }");
    await addStyle(
      'chosen',
      "[level = querySingle('topo:sites', 'level', strConcat('level > 0 AND zone = ', env('zone', '''none''')))] { fill: #0000ff; }",
    );
  });

  it.each(filters)('select features: %s', async (filter, ids) => {
    expect(await listSites(server, filter)).toEqual(ids);
  });

  it('work in Filter Encoding, in the items of OGC API and in the service of a workspace', async () => {
    const xml = `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0"><fes:Intersects><fes:ValueReference>the_geom</fes:ValueReference><fes:Function name="querySingle"><fes:Literal>topo:zones</fes:Literal><fes:Literal>the_geom</fes:Literal><fes:Literal>name = 'west'</fes:Literal></fes:Function></fes:Intersects></fes:Filter>`;
    const encoded = await server.get(
      `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:sites&filter=${encodeURIComponent(xml)}&resultType=hits`,
    );
    const text = encodeURIComponent("zone = querySingle('topo:zones', 'name', 'level = 1')");
    const items = await server.get(`//geoserver/ogc/features/v1/collections/topo:sites/items?filter=${text}`);

    expect(encoded.text).toContain('numberMatched="2"');
    expect((items.json() as { numberMatched: number }).numberMatched).toBe(1);
    // The other layer can change without a change of this one.
    expect(items.headers['etag']).toBeUndefined();
    expect(await listSites(server, "zone = querySingle('zones', 'name', 'level = 1')", null, '/topo/wfs')).toEqual([
      '1',
    ]);
    expect(
      await listSites(server, "zone = querySingle('secret:plans', 'name', 'level = 1')", ann, '/topo/sites/wfs'),
    ).toEqual(['1']);
  });

  it('report hidden layers as unknown', async () => {
    const read = (layer: string) => `zone = querySingle('${layer}', 'name', 'level = 1')`;
    const [hidden, unknown] = [
      await findSites(server, read('secret:plans')),
      await findSites(server, read('no:plans')),
    ];

    expect(await listSites(server, read('secret:plans'), ann)).toEqual(['1']);
    expect([hidden.status, unknown.status]).toEqual([400, 400]);
    expect(hidden.text).toContain("unknown layer 'secret:plans'");
    expect(unknown.text).toBe(hidden.text.replaceAll('secret:plans', 'no:plans'));
  });

  it('read only what data rules show', async () => {
    const dataRule = { name: 'low', layer: 'secret:plans', roles: ['PLANNER'], rows: 'level = 1' };
    const added = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
    expect(added.status, added.text).toBe(201);
    const all = "zone IN (queryCollection('secret:plans', 'name', 'INCLUDE'))";

    expect(await listSites(server, all, ann)).toEqual(['1']);
    await server.delete('/security/acl/data/low');
    expect(await listSites(server, all, ann)).toEqual(['1', '2', '3']);
  });

  it.each([
    ["zone = querySingle('topo:zones', 'name', zone)", "the attribute 'zone' depends on the feature"],
    ["zone = querySingle('topo:zones', 'nam', 'INCLUDE')", "no attribute 'nam'; did you mean 'name'?"],
    ["zone = querySingle('topo:zones', 'name', 'size = 1')", 'the filter of querySingle is invalid at line 1'],
    ["zone = querySingle('topo:zones', 'name')", 'requires three arguments'],
    ["zone = queryCollection('topo:zones', 'name', 'INCLUDE')", 'queryCollection returns a list'],
    ["level IN (queryCollection('topo:many', 'n', 'INCLUDE'))", 'more than 1000 features'],
    [
      "INTERSECTS(the_geom, collectGeometries(queryCollection('topo:many', 'the_geom', 'n < 950')))",
      'more than 10000 positions',
    ],
    [
      "INTERSECTS(the_geom, collectGeometries(queryCollection('topo:zones', 'name', '1=1')))",
      "'name' is not a geometry",
    ],
  ])('reject %s', async (filter, message) => {
    const reply = await findSites(server, filter);

    expect([reply.status, reply.text.replaceAll('&apos;', "'").replaceAll('&quot;', '"')]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });

  it('are limited to ten different calls in a request, and equal calls count once', async () => {
    const join = (levels: readonly number[]) =>
      levels.map((level) => `level = querySingle('topo:zones', 'level', 'level = ${level}')`).join(' OR ');
    const tooMany = await findSites(server, join([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));

    expect([tooMany.status, tooMany.text]).toEqual([400, expect.stringContaining('at most 10 times')]);
    expect(await listSites(server, join([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]))).toEqual(['1']);
  });

  it('are rejected in filters that are too large for the main thread', async () => {
    const long = `zone = querySingle('topo:zones', 'name', '${' '.repeat(9_000)}level = 1')`;
    const reply = await findSites(server, long);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('short filters')]);
  });

  it('are rejected in the filters of layers, which are cached for all principals', async () => {
    const path = '/workspaces/topo/datastores/data/featuretypes/many';
    await server.put(
      path,
      JSON.stringify({ featureType: { cqlFilter: "n = querySingle('topo:zones', 'level', '1=1')" } }),
    );
    const reply = await server.get('//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:many');
    await server.put(path, JSON.stringify({ featureType: { cqlFilter: '' } }));

    expect([reply.status, reply.text]).toEqual([
      expect.toSatisfy((it) => it >= 400),
      expect.stringContaining('filter'),
    ]);
  });

  it('draw maps with values of other layers and variables of the request', async () => {
    const near = await draw('near');
    const east = await draw('chosen', null, "&env=zone:'east'");

    expect(await colourAt(near, 5, 15)).toBe('#ff0000');
    // The squares beside it touch it, and the opposite corner is empty.
    expect(await colourAt(near, 15, 5)).toBe('#ffffff');
    expect([await colourAt(east, 5, 15), await colourAt(east, 15, 15)]).toEqual(['#ffffff', '#0000ff']);
    expect(await colourAt(await draw('chosen'), 15, 15)).toBe('#ffffff');
  });

  it('draw no map for principals that cannot see the other layer, also not from the tile cache', async () => {
    const tile = (as: string | null) =>
      server.get(
        '//geoserver/gwc/service/wmts?service=WMTS&version=1.0.0&request=GetTile&layer=topo:zones&style=topo:plan&tilematrixset=EPSG:900913&tilematrix=EPSG:900913:0&tilerow=0&tilecol=0&format=image/png',
        { as },
      );
    await server.put('/layers/topo:zones', '{"layer":{"styles":{"style":[{"name":"plan","workspace":"topo"}]}}}');

    expect((await draw('plan', ann)).headers['content-type']).toBe('image/png');
    expect((await draw('plan')).text).toContain("unknown layer 'secret:plans'");
    const drawn = await tile(ann);
    expect([drawn.status, drawn.headers['content-type']]).toEqual([200, 'image/png']);
    expect((await tile(ann)).headers['geowebcache-cache-result']).toBe('MISS');
    expect((await tile(null)).text).toContain("unknown layer 'secret:plans'");
  });
});

describeWithPostgis('functions that read layers of PostGIS', (postgis) => {
  const server = useTestServer();

  beforeAll(async () => {
    await postgis.query(`
      CREATE TABLE zones (id int PRIMARY KEY, name text, level int, the_geom geometry(Polygon, 3857));
      INSERT INTO zones VALUES
        (1, 'west', 1, ST_Transform(ST_MakeEnvelope(0, 0, 5, 5, 4326), 3857)),
        (2, 'east', 2, ST_Transform(ST_MakeEnvelope(5, 0, 10, 5, 4326), 3857)),
        (3, 'north', 2, ST_Transform(ST_MakeEnvelope(0, 5, 5, 10, 4326), 3857));
      CREATE TABLE sites (id int PRIMARY KEY, zone text, level int, the_geom geometry(Point, 4326));
      INSERT INTO sites VALUES (1, 'west', 1, ST_SetSRID(ST_MakePoint(2, 2), 4326)),
        (2, 'east', 2, ST_SetSRID(ST_MakePoint(5.1, 2), 4326)), (3, 'east', 2, ST_SetSRID(ST_MakePoint(8, 2), 4326)),
        (4, 'none', 3, ST_SetSRID(ST_MakePoint(8, 8), 4326))`);
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    await server.post('/workspaces', '<workspace><name>topo</name></workspace>');
    await server.post(
      '/workspaces/topo/datastores',
      JSON.stringify({ dataStore: { name: 'db', connectionParameters } }),
    );
    for (const name of ['zones', 'sites'])
      await server.post('/workspaces/topo/datastores/db/featuretypes', JSON.stringify({ featureType: { name } }));
  });

  it('convert geometries to the CRS of the layer', async () => {
    expect(await listSites(server, `INTERSECTS(the_geom, ${WEST})`)).toEqual(['1']);
    expect(await listSites(server, `WITHIN(the_geom, ${UPPER})`)).toEqual(['2', '3']);
    expect(await listSites(server, "zone IN (queryCollection('topo:zones', 'name', 'level = 2'))")).toEqual(['2', '3']);
    expect(await listSites(server, "level > querySingle('topo:zones', 'level', 'name = ''east''')")).toEqual(['4']);
  });
});
