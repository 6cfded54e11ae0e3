/**
 * Attacks on data rules. Two layers differ only in rows, values and parts of geometries that the rules hide: every
 * response must be the same for both, whatever the request tries to learn.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { FEATURES } from '../support/features.ts';
import { postgisParameters } from '../support/postgis-sources.ts';
import { publishTables } from '../support/published-features.ts';
import { type Reply, type TestServer, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const attributes = [
  geometryColumn('Polygon'),
  column('owner', 'string'),
  column('num', 'integer'),
  column('tax', 'string'),
  column('seen', 'timestamp'),
];

const box = (x1: number, y1: number, x2: number, y2: number) =>
  wkt(`POLYGON ((${x1} ${y1}, ${x2} ${y1}, ${x2} ${y2}, ${x1} ${y2}, ${x1} ${y1}))`);
const day = (text: string) => new Date(`${text}T00:00:00Z`);

/** The hidden rows span the same extent, which is catalog data. */
const frame = [box(-20, -20, 60, 60), 'frame', 99, 'frame', day('2000-01-01')];
const common = [
  [box(0, 0, 10, 10), 'ann', 1, 'open', day('2020-01-01')],
  [box(12, 0, 14, 10), 'ann', 2, 'open', day('2020-01-02')],
];
const tables = {
  landq: [
    ...common,
    [box(5, 20, 25, 30), 'ann', 8, 'secret', day('2020-01-03')],
    [box(0, 15, 5, 18), 'ann', 9, 'zz', null],
    frame,
    [box(1, 1, 2, 2), 'bob', 1, 'mine', day('2021-01-01')],
  ],
  landz: [
    ...common,
    [box(5, 20, 45, 30), 'ann', 8, 'a', day('2020-01-03')],
    [box(0, 15, 5, 18), 'ann', 9, null, null],
    frame,
    [box(3, 3, 50, 50), 'cy', 70, 'open', day('1999-01-01')],
    [box(4, 4, 6, 6), 'dan', 3, 'yours', null],
  ],
};
type Name = keyof typeof tables;

const AREA = 'POLYGON ((-5 -5, 20 -5, 20 40, -5 40, -5 -5))';

const sld = (symbolizer: string, filter = '') =>
  encodeURIComponent(
    `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>LAYER</Name><UserStyle><FeatureTypeStyle><Rule>${filter}${symbolizer}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`,
  );
const FILL = '<PolygonSymbolizer><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></PolygonSymbolizer>';
const TEXT = '<TextSymbolizer><Label><ogc:PropertyName>tax</ogc:PropertyName></Label></TextSymbolizer>';
const sized = (expression: string) =>
  `<PolygonSymbolizer><Fill><CssParameter name="fill-opacity">${expression}</CssParameter></Fill></PolygonSymbolizer>`;
const LENGTH = '<ogc:Function name="strLength"><ogc:PropertyName>tax</ogc:PropertyName></ogc:Function>';
const IS_OPEN =
  '<ogc:Filter><ogc:PropertyIsNotEqualTo><ogc:PropertyName>tax</ogc:PropertyName><ogc:Literal>secret</ogc:Literal></ogc:PropertyIsNotEqualTo></ogc:Filter>';

const conditions = [
  "tax = 'secret'",
  "NOT (tax = 'secret')",
  'tax IS NULL',
  'NOT (tax IS NULL)',
  'strLength(tax) > 2',
  "strConcat(tax, owner) = 'secretann'",
  "tax LIKE 's%'",
  "tax BETWEEN 'b' AND 'zzz'",
  "in(tax, 'secret', 'zz') = true",
  'num > 5 OR tax IS NULL',
  "owner <> 'ann'",
  'area(the_geom) > 150',
  'INTERSECTS(the_geom, POLYGON ((21 21, 40 21, 40 29, 21 29, 21 21)))',
  'DISJOINT(the_geom, POLYGON ((30 21, 40 21, 40 29, 30 29, 30 21)))',
  'BBOX(the_geom, 26, 20, 50, 50)',
  'CONTAINS(the_geom, POINT (1.5 1.5))',
  "seen > '2020-06-01T00:00:00Z'",
  "IN ('lots.6', 'lots.7')",
  "jsonPointer(tax, '/a') = 1",
];

function listRequests(isMasked: boolean): readonly string[] {
  // Conditions on attributes that are hidden in all rows have few outcomes.
  const encoded = (isMasked ? conditions : conditions.slice(0, 3)).map(encodeURIComponent);
  const wfs = '//geoserver/wfs?service=WFS&version=2.0.0&typeNames=LAYER';
  const items = `${FEATURES}/collections/LAYER/items?limit=100`;
  const view =
    'service=WMS&version=1.1.1&layers=LAYER&styles=polygon&srs=EPSG:4326&bbox=-20,-20,60,60&width=160&height=160';
  const map = `//geoserver/wms?request=GetMap&format=image/png&${view}`;
  const info = `//geoserver/wms?request=GetFeatureInfo&query_layers=LAYER&info_format=application/json&feature_count=50&${view}`;
  const legend = '//geoserver/wms?service=WMS&version=1.1.1&request=GetLegendGraphic&layer=LAYER&format=image/png';
  const rules = `&sld_body=${sld(FILL, IS_OPEN)}`;
  const wmts =
    '//geoserver/gwc/service/wmts?service=WMTS&request=GetTile&version=1.0.0&layer=LAYER&tilematrixset=EPSG:4326';
  return [
    ...encoded.flatMap((each) => [
      `${wfs}&request=GetFeature&outputFormat=application/json&cql_filter=${each}`,
      `${wfs}&request=GetFeature&resultType=hits&cql_filter=${each}`,
      `${items}&filter-lang=ecql-text&filter=${each}`,
      `${map}&cql_filter=${each}`,
      `${info}&x=45&y=105&cql_filter=${each}`,
    ]),
    ...['application/json', 'gml2', 'gml3', 'gml32', 'csv', 'KML', 'text/html'].flatMap((each) => [
      `${wfs}&request=GetFeature&outputFormat=${encodeURIComponent(each)}`,
      `${wfs}&request=GetFeature&count=3&sortBy=tax,num&outputFormat=${encodeURIComponent(each)}`,
    ]),
    ...['tax', 'owner', 'the_geom', 'strLength(tax)', '@gml:id', 'lots/tax'].flatMap((each) => [
      `${wfs}&request=GetFeature&propertyName=${each}`,
      `${wfs}&request=GetPropertyValue&valueReference=${each}`,
    ]),
    ...['tax', '-tax', 'num', '-seen'].map((each) => `${items}&sortby=${each}`),
    ...[
      'tax=secret',
      'owner=bob',
      'num=70',
      'bbox=26,20,50,50',
      'datetime=2021-01-01/..',
      'datetime=../1999-12-31',
    ].map((each) => `${items}&${each}`),
    ...['lots.3', 'lots.5', 'lots.6', 'lots.7'].flatMap((id) => [
      `${FEATURES}/collections/LAYER/items/${id}`,
      `${wfs}&request=GetFeature&resourceId=${id}&outputFormat=application/json`,
    ]),
    `${FEATURES}/collections/LAYER`,
    `${FEATURES}/collections/LAYER/queryables`,
    `${wfs}&request=DescribeFeatureType`,
    `${wfs}&request=GetFeature&viewparams=tax:secret`,
    map,
    `${map}&sld_body=${sld(FILL, IS_OPEN)}`,
    `${map}&sld_body=${sld(`${FILL}${TEXT}`)}`,
    `${map}&sld_body=${sld(sized(LENGTH))}`,
    `${map}&env=tax:secret&viewparams=tax:secret`,
    `${map}&sortBy=tax`,
    `${map}&time=1999-01-01/2022-01-01`,
    ...[
      'application/vnd.google-earth.kml+xml',
      'image/svg+xml',
      'application/vnd.google-earth.kml+xml;mode=download',
    ].map((each) => map.replace('image/png', encodeURIComponent(each))),
    ...[
      [45, 105],
      [90, 70],
      [43, 117],
    ].flatMap(([x, y]) => [`${info}&x=${x}&y=${y}`, `${info}&x=${x}&y=${y}&propertyName=tax&buffer=20`]),
    ...['countMatched:true', 'hideEmptyRules:true', 'countMatched:true;hideEmptyRules:true'].flatMap((each) => [
      `${legend}&legend_options=${each}&srs=EPSG:4326&bbox=-20,-20,60,60&width=100&height=100&srcwidth=160&srcheight=160${rules}`,
      `${legend.replace('image/png', 'application/json')}&legend_options=${each}&srs=EPSG:4326&bbox=-20,-20,60,60&srcwidth=160&srcheight=160${rules}`,
    ]),
    '//geoserver/NAME/wms?service=WMS&version=1.3.0&request=GetCapabilities',
    '//geoserver/NAME/wfs?service=WFS&version=2.0.0&request=GetCapabilities',
    '//geoserver/wms/reflect?layers=LAYER',
    '//geoserver/wms/kml?layers=LAYER',
    ...['image/png', 'application/vnd.mapbox-vector-tile', 'application/json;type=utfgrid'].map(
      (each) => `${wmts}&tilematrix=EPSG:4326:0&tilerow=0&tilecol=1&format=${encodeURIComponent(each)}`,
    ),
    '/sldservice/LAYER/attributes.json',
    '/sldservice/LAYER/classify.json?attribute=tax&method=uniqueInterval',
    '/sldservice/LAYER/classify.json?attribute=num&method=uniqueInterval',
  ];
}

const variants = {
  'rows, attributes and a clipping area': [
    { rows: 'owner = ${user.name}', attributes: { tax: 'hide' }, area: { geometry: AREA, mode: 'clip' } },
  ],
  'attributes of some rows': [
    { rows: 'owner = ${user.name} AND num < 5', area: { geometry: AREA, mode: 'clip' } },
    { rows: 'owner = ${user.name}', attributes: { tax: 'hide' }, area: { geometry: AREA, mode: 'clip' } },
  ],
} as const;

async function compareResponses(server: TestServer, ann: string, isMasked: boolean): Promise<void> {
  const ask = async (path: string, name: Name): Promise<Reply> =>
    server.get(path.replaceAll('LAYER', `${name}:lots`).replaceAll('NAME', name), { as: ann });
  const normalize = (reply: Reply, name: Name) => [
    reply.status,
    reply.bytes
      .toString('latin1')
      .replaceAll(name, 'NAME')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'NOW'),
  ];
  const statuses: number[] = [];
  const compare = async (path: string): Promise<void> => {
    const [first, second] = await Promise.all([ask(path, 'landq'), ask(path, 'landz')]);
    statuses.push(first.status);
    expect.soft([path, ...normalize(first, 'landq')]).toEqual([path, ...normalize(second, 'landz')]);
    expect.soft([path, first.status < 500]).toEqual([path, true]);
  };
  const paths = listRequests(isMasked);
  for (let at = 0; at < paths.length; at += 8) await Promise.all(paths.slice(at, at + 8).map(compare));
  // Most requests reach the data.
  expect(statuses.filter((each) => each === 200).length).toBeGreaterThan(paths.length / 2);
}

async function replaceRules(server: TestServer, rules: readonly object[]): Promise<void> {
  const { dataRules } = (await server.get('/security/acl/data')).json() as { dataRules: { name: string }[] };
  for (const { name } of dataRules) await server.delete(`/security/acl/data/${name}`);
  for (const name of ['landq', 'landz']) {
    for (const [index, rule] of rules.entries()) {
      const dataRule = { name: `${name}-${index}`, layer: `${name}:lots`, roles: ['OWNER'], ...rule };
      const reply = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
      expect(reply.status, reply.text).toBe(201);
    }
  }
}

function testAttacks(
  server: TestServer,
  tried: readonly (keyof typeof variants)[],
  prepare: (name: Name) => Promise<void>,
): void {
  let ann = '';
  beforeAll(async () => {
    for (const name of ['landq', 'landz'] as const) {
      await server.post('/workspaces', JSON.stringify({ workspace: { name } }));
      await prepare(name);
      await publishTables(server, name, [{ name: 'lots', attributes, rows: tables[name] }], 'data');
    }
    ann = await addUser(server, 'ann', 'OWNER');
  }, 120_000);

  it.each(tried)(
    'no response depends on hidden data: %s',
    async (variant) => {
      await replaceRules(server, variants[variant]);
      await compareResponses(server, ann, variants[variant].length > 1);
    },
    300_000,
  );
}

describe('attacks on data rules of a GeoPackage', () => {
  testAttacks(
    useTestServer(),
    ['rows, attributes and a clipping area', 'attributes of some rows'],
    async () => undefined,
  );
});

describeWithPostgis('attacks on data rules of PostGIS', (postgis) => {
  const server = useTestServer();
  testAttacks(server, ['attributes of some rows'], async (name) => {
    await postgis.query(`CREATE SCHEMA ${name}`);
    const connectionParameters = { ...postgisParameters(postgis.connection), schema: name };
    const dataStore = JSON.stringify({ dataStore: { name: 'data', connectionParameters } });
    expect((await server.post(`/workspaces/${name}/datastores`, dataStore)).status).toBe(201);
  });
});
