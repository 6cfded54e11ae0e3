/** Stored queries: created, listed, described, called and dropped by WFS 2.0.0. */
import { beforeEach, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { publishEditableTables } from '../../../../test/support/published-features.ts';
import { type Reply, useTestServer } from '../../../../test/support/test-server.ts';
import { addUser } from '../../../../test/support/test-users.ts';

const server = useTestServer();

let made = 0;
/** Each test has its own workspace. */
let workspace = '';

const towns = {
  name: 'towns',
  attributes: [geometryColumn('Point'), column('name', 'string'), column('pop', 'integer')],
  rows: [
    [wkt('POINT (7.5 47)'), 'Bern', 134],
    [wkt('POINT (8.5 47.4)'), 'Zürich', 421],
    [wkt('POINT (6.1 46.2)'), "L'Isle & <b>", 1],
  ],
};

beforeEach(async () => {
  made += 1;
  workspace = `stored${made}`;
  await publishEditableTables(server, workspace, [towns, { ...towns, name: 'secret' }], 'towns');
});

const scopes = () =>
  `xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:t="http://${workspace}"`;

const post = (body: string, place = '', as?: string | null) =>
  server.post(`//geoserver/${place}wfs`, body, { type: 'text/xml', ...(as === undefined ? {} : { as }) });

const get = (query: string, place = '', as?: string | null) =>
  server.get(`//geoserver/${place}wfs?service=WFS&version=2.0.0&${query}`, as === undefined ? {} : { as });

function define(id: string, parameters: string, query: string, language = 'WFS_QueryExpression', more = ''): string {
  return `<wfs:StoredQueryDefinition id="${id}"><wfs:Title>Title of ${id}</wfs:Title>${parameters}<wfs:QueryExpressionText returnFeatureTypes="t:towns" language="urn:ogc:def:queryLanguage:OGC-WFS::${language}" isPrivate="false"${more}>${query}</wfs:QueryExpressionText></wfs:StoredQueryDefinition>`;
}

const create = (definitions: string) =>
  `<wfs:CreateStoredQuery service="WFS" version="2.0.0" ${scopes()}>${definitions}</wfs:CreateStoredQuery>`;

const limit = '<wfs:Parameter name="lim" type="xsd:int"/>';
const largerThan = (value: string, name = 'pop') =>
  `<fes:Filter><fes:PropertyIsGreaterThan><fes:ValueReference>${name}</fes:ValueReference><fes:Literal>${value}</fes:Literal></fes:PropertyIsGreaterThan></fes:Filter>`;
const equalTo = (value: string) =>
  `<fes:Filter><fes:PropertyIsEqualTo><fes:ValueReference>name</fes:ValueReference><fes:Literal>${value}</fes:Literal></fes:PropertyIsEqualTo></fes:Filter>`;
const query = (filter: string, type = 't:towns') => `<wfs:Query typeNames="${type}">${filter}</wfs:Query>`;
const big = () => define('big', limit, query(largerThan('${lim}')));

const call = (id: string, parameters: Readonly<Record<string, string>>, name = 'GetFeature', attributes = '') =>
  `<wfs:${name} service="WFS" version="2.0.0" outputFormat="application/json" ${attributes} ${scopes()}><wfs:StoredQuery id="${id}">${Object.entries(
    parameters,
  )
    .map(([key, value]) => `<wfs:Parameter name="${key}">${value}</wfs:Parameter>`)
    .join('')}</wfs:StoredQuery></wfs:${name}>`;

const readIds = (reply: Reply) => (reply.json() as { features: { id: string }[] }).features.map(({ id }) => id);

describe('stored queries', () => {
  it('are created, listed, described, called by pairs and documents, and dropped', async () => {
    const created = await post(create(big()), `${workspace}/`);
    expect([created.status, created.headers['content-type']]).toEqual([200, 'application/xml;charset=utf-8']);
    expect(created.text).toContain(
      '<wfs:CreateStoredQueryResponse xmlns:wfs="http://www.opengis.net/wfs/2.0" status="OK"/>',
    );

    const list = await get('request=ListStoredQueries', `${workspace}/`);
    expect(list.text).toContain('<wfs:StoredQuery id="big">\n    <wfs:Title>Title of big</wfs:Title>');
    expect(list.text.split('id="big"')[1]).toContain(`>${workspace}:towns</wfs:ReturnFeatureType>`);
    const described = await get('request=DescribeStoredQueries&storedQuery_id=big', `${workspace}/`);
    expect(described.text).toContain('<wfs:Parameter name="lim" type="xs:int"/>');
    expect(described.text).toContain(`returnFeatureTypes="${workspace}:towns"`);
    expect(described.text).toContain('${lim}');

    const pairs = await get(
      'request=GetFeature&storedQuery_id=big&LIM=133&outputFormat=application/json',
      `${workspace}/`,
    );
    expect(readIds(pairs)).toEqual(['towns.1', 'towns.2']);
    expect(pairs.headers['warning']).toBeUndefined();
    expect(readIds(await post(call('big', { lim: '134' }), `${workspace}/`))).toEqual(['towns.2']);
    const hits = await get('request=GetFeature&storedQuery_id=big&lim=1&resultType=hits', `${workspace}/`);
    expect(hits.text).toContain('numberMatched="2"');
    const page = await get('request=GetFeature&storedQuery_id=big&lim=1&count=1', `${workspace}/`);
    expect(page.text).toMatch(/next="[^"]*storedquery_id=big&amp;lim=1/);
    const values = await get('request=GetPropertyValue&storedQuery_id=big&lim=1&valueReference=name', `${workspace}/`);
    expect(values.text).toContain('Zürich');
    const mercator = await get(
      'request=GetFeature&storedQuery_id=big&lim=300&srsName=EPSG:3857&outputFormat=application/json',
      `${workspace}/`,
    );
    expect(mercator.text).toContain('EPSG::3857');

    expect((await get('request=GetFeature&storedQuery_id=big&lim=1')).status).toBe(400);
    const dropped = await get('request=DropStoredQuery&storedQuery_id=big', `${workspace}/`);
    expect(dropped.text).toContain('DropStoredQueryResponse');
    const again = await post(
      `<wfs:DropStoredQuery id="big" service="WFS" version="2.0.0" ${scopes()}/>`,
      `${workspace}/`,
    );
    expect([again.status, again.text]).toEqual([400, expect.stringContaining("Unknown stored query 'big'")]);
  });

  it('of the server exist in all workspaces, unless one has its own', async () => {
    expect((await post(create(define('all', '', query('', `t:towns`))))).status).toBe(200);
    expect(readIds(await post(call('all', {})))).toHaveLength(3);
    expect(readIds(await post(call('all', {}), `${workspace}/`))).toHaveLength(3);
    await post(create(define('all', '', query(equalTo('Bern')))), `${workspace}/`);
    expect(readIds(await post(call('all', {}), `${workspace}/`))).toEqual(['towns.1']);
    expect((await get('request=DropStoredQuery&id=all')).status).toBe(200);
  });

  it('treat values as values: neither tags nor placeholders in them have an effect', async () => {
    const text = '<wfs:Parameter name="who" type="xsd:string"/><wfs:Parameter name="other" type="xsd:string"/>';
    const filter = `<fes:Filter><fes:Or>${equalTo('${who}').slice(12, -13)}${equalTo('${other}').slice(12, -13)}</fes:Or></fes:Filter>`;
    expect((await post(create(define('named', text, query(filter))), `${workspace}/`)).text).toContain('OK');
    const ask = async (who: string, other = '-') => {
      const pairs = new URLSearchParams({ who, other });
      const base = 'request=GetFeature&storedQuery_id=named&outputFormat=application/json';
      return readIds(await get(`${base}&${pairs}`, `${workspace}/`));
    };
    expect(await ask("L'Isle & <b>")).toEqual(['towns.3']);
    expect(await ask('Bern', 'Zürich')).toEqual(['towns.1', 'towns.2']);
    expect(await ask('${other}', 'Bern')).toEqual(['towns.1']);
    for (const hostile of ["' OR 1=1 --", '</fes:Literal>', '*', '%', '${name}'])
      expect(await ask(hostile)).toEqual([]);
    const inDocument = await post(call('named', { who: "L'Isle &amp; &lt;b&gt;", other: '' }), `${workspace}/`);
    expect(readIds(inDocument)).toEqual(['towns.3']);
  });

  it('take geometries as elements of GML', async () => {
    const area = '<wfs:Parameter name="area" type="gml:PolygonType"/>';
    const within =
      '<fes:Filter><fes:Within><fes:ValueReference>the_geom</fes:ValueReference>${area}</fes:Within></fes:Filter>';
    expect((await post(create(define('inside', area, query(within))), `${workspace}/`)).text).toContain('OK');
    const polygon =
      '<gml:Polygon xmlns:gml="http://www.opengis.net/gml/3.2" srsName="urn:ogc:def:crs:EPSG::4326"><gml:exterior><gml:LinearRing><gml:posList>46.5 7 46.5 8 48 8 48 7 46.5 7</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>';
    expect(readIds(await post(call('inside', { area: polygon }), `${workspace}/`))).toEqual(['towns.1']);
    const pairs = `request=GetFeature&storedQuery_id=inside&outputFormat=application/json&area=${encodeURIComponent(polygon)}`;
    expect(readIds(await get(pairs, `${workspace}/`))).toEqual(['towns.1']);
    for (const wrong of ['POINT (1 2)', '<gml:Point xmlns:gml="http://www.opengis.net/gml"/>', '<x/>', '<x']) {
      const base = 'request=GetFeature&storedQuery_id=inside';
      const reply = await get(`${base}&area=${encodeURIComponent(wrong)}`, `${workspace}/`);
      expect([wrong, reply.status]).toEqual([wrong, 400]);
    }
  });

  it('name their types by parameters if they have placeholders there, one type for each', async () => {
    const type = '<wfs:Parameter name="type" type="xsd:QName"/>';
    await post(create(define('any', type, query('', '${type}'))), `${workspace}/`);
    expect(readIds(await post(call('any', { type: 'towns' }), `${workspace}/`))).toHaveLength(3);
    for (const wrong of ['towns,secret', 'towns secret', '(towns,secret)', '']) {
      const reply = await post(call('any', { type: wrong }), `${workspace}/`);
      expect(reply.text).toContain('expected the name of one feature type');
    }
  });

  it('lock features and can stand beside other queries', async () => {
    await post(create(big()), `${workspace}/`);
    const both = `<wfs:GetFeature service="WFS" version="2.0.0" outputFormat="application/json" ${scopes()}>${query(equalTo('Bern'))}<wfs:StoredQuery id="big"><wfs:Parameter name="lim">300</wfs:Parameter></wfs:StoredQuery></wfs:GetFeature>`;
    expect(readIds(await post(both, `${workspace}/`))).toEqual(['towns.1', 'towns.2']);
    const locked = await post(call('big', { lim: '300' }, 'GetFeatureWithLock', 'expiry="60"'), `${workspace}/`);
    expect(locked.text).toContain('"lockId"');
    const refused = await post(call('big', { lim: '1' }, 'LockFeature'), `${workspace}/`);
    expect(refused.text).toContain('CannotLockAllFeatures');
  });

  it('report missing, invalid and unknown values by name', async () => {
    await post(create(big()), `${workspace}/`);
    const base = 'request=GetFeature&storedQuery_id=big';
    const missing = await get(base, `${workspace}/`);
    expect(missing.status).toBe(400);
    expect(missing.text).toContain('exceptionCode="MissingParameterValue" locator="lim"');
    for (const value of ['x', '1.5', '', '99999999999', '1 or 1=1']) {
      const reply = await get(`${base}&lim=${encodeURIComponent(value)}`, `${workspace}/`);
      expect([value, reply.status, reply.text.includes('locator="lim"')]).toEqual([value, 400, true]);
    }
    const ignored = await get(`${base}&lim=1&more=2&bbox=0,0,1,1`, `${workspace}/`);
    expect(ignored.status).toBe(200);
    expect(String(ignored.headers['warning'])).toMatch(/more.*'bbox' has no effect on a stored query/);
    const inDocument = await post(call('big', { lim: '1', more: '2' }), `${workspace}/`);
    expect(String(inDocument.headers['warning'])).toContain("Unknown parameter 'more' of the stored query");
  });

  it('are created all or none, and not in a dry run', async () => {
    const twice = await post(create(`${define('one', '', query(''))}${big()}${big()}`), `${workspace}/`);
    expect([twice.status, twice.text]).toEqual([
      400,
      expect.stringContaining('exceptionCode="DuplicateStoredQueryIdValue" locator="big"'),
    ]);
    await server.post(`//geoserver/${workspace}/wfs?dryRun=true`, create(big()), { type: 'text/xml' });
    expect((await get('request=ListStoredQueries', `${workspace}/`)).text).not.toMatch(/id="(?:one|big)"/);
  });

  it.each([
    ['no id', define('', '', '<wfs:Query typeNames="a"/>'), 'stored query'],
    [
      'the id of GetFeatureById',
      define('urn:ogc:def:query:OGC-WFS::GetFeatureById', '', '<wfs:Query typeNames="a"/>'),
      'already exists',
    ],
    ['another language', define('x', '', '<wfs:Query typeNames="a"/>', 'SQL'), 'locator="language"'],
    ['no query', define('x', '', ''), 'expected 1 to 20 queries'],
    ['an element that is not a query', define('x', '', '<wfs:Delete typeName="a"/>'), 'expected the element Query'],
    ['a query without a type', define('x', '', '<wfs:Query/>'), 'typeNames of a query is missing'],
    ['an undeclared placeholder', define('x', '', query(equalTo('${y}'))), "placeholder '${y}' has no parameter"],
    ['an open placeholder', define('x', '', query(equalTo('${y'))), 'a placeholder is not closed'],
    ['an unknown type', define('x', '<wfs:Parameter name="a" type="xsd:nothing"/>', query('')), "type 'xsd:nothing'"],
    [
      'a reserved parameter',
      define('x', '<wfs:Parameter name="COUNT" type="xsd:int"/>', query('')),
      'a parameter of all requests',
    ],
    [
      'a parameter twice',
      define('x', '<wfs:Parameter name="a" type="xsd:int"/><wfs:Parameter name="A" type="xsd:int"/>', query('')),
      "two parameters are named 'a'",
    ],
    [
      'a geometry in an attribute',
      define('x', '<wfs:Parameter name="a" type="gml:PointType"/>', query('', '${a}')),
      'an attribute contains the geometry',
    ],
    ['an invalid filter', define('x', limit, query('<fes:Filter><fes:Nothing/></fes:Filter>')), 'Nothing'],
    ['an unknown part', define('x', '', '<wfs:Query typeNames="a"><wfs:Nothing/></wfs:Query>'), 'the unknown element'],
    ['an id with a slash', define('a/b', '', query('')), 'the character /'],
  ])('are rejected with %s', async (_what, definition, expected) => {
    const reply = await post(create(definition), `${workspace}/`);
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(expected)]);
  });

  it('can be changed by administrators of their workspace only, and disclose no hidden layers', async () => {
    const role = `BOSS${made}`;
    await server.post('/security/acl/layers', `{"${workspace}.*.a":"${role}","${workspace}.secret.r":"${role}"}`);
    const boss = await addUser(server, `boss${made}`, role);
    const ann = await addUser(server, `ann${made}`, 'STAFF');
    expect((await post(create(big()), `${workspace}/`, null)).status).toBe(401);
    expect((await post(create(big()), `${workspace}/`, ann)).status).toBe(403);
    expect((await post(create(big()), '', boss)).status).toBe(403);
    expect((await post(create(big()), `${workspace}/`, boss)).status).toBe(200);
    expect((await get('request=DropStoredQuery&id=big', `${workspace}/`, ann)).status).toBe(403);
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    const drop = `//geoserver/${workspace}/wfs?service=WFS&version=2.0.0&request=DropStoredQuery&id=big`;
    expect((await server.get(drop, foreign)).text).toContain('cross-site');

    await post(create(define('hidden', '', query('', 't:secret'))), `${workspace}/`, boss);
    await post(create(define('gone', '', query('', 't:nothing'))), `${workspace}/`, boss);
    await post(
      create(define('byName', '<wfs:Parameter name="a" type="xsd:string"/>', query('', '${a}'))),
      `${workspace}/`,
      boss,
    );
    expect((await get('request=ListStoredQueries', `${workspace}/`, boss)).text).toMatch(/"gone"[\s\S]*"hidden"/);
    const list = (await get('request=ListStoredQueries', `${workspace}/`, ann)).text;
    expect(list).toContain('"big"');
    expect(list).not.toMatch(/hidden|gone|secret/);
    const all = (await get('request=DescribeStoredQueries', `${workspace}/`, ann)).text;
    expect(all).toContain('"big"');
    expect(all).not.toMatch(/hidden|gone|secret/);
    for (const id of ['hidden', 'gone']) {
      for (const request of ['GetFeature', 'DescribeStoredQueries']) {
        const reply = await get(`request=${request}&storedQuery_id=${id}`, `${workspace}/`, ann);
        expect(reply.text).toContain(`Unknown stored query '${id}'`);
      }
    }
    expect((await post(call('byName', { a: 'secret' }), `${workspace}/`, ann)).text).toContain('secret');
    expect((await post(call('byName', { a: 'secret' }), `${workspace}/`, ann)).status).toBe(400);

    const rule = { name: `few${made}`, layer: `${workspace}:towns`, roles: ['STAFF'], rows: "name <> 'Bern'" };
    await server.post('/security/acl/data', JSON.stringify({ dataRule: rule }));
    expect(readIds(await post(call('big', { lim: '1' }), `${workspace}/`, ann))).toEqual(['towns.2']);
  });

  it('follow the setting that disables their management', async () => {
    const capabilities = () => get('request=GetCapabilities');
    expect((await capabilities()).text).toContain('ManageStoredQueries"><ows:NoValues/><ows:DefaultValue>TRUE');
    await server.put('/services/wfs/settings', '{"wfs":{"disableStoredQueriesManagement":true}}');
    expect((await capabilities()).text).toContain('ManageStoredQueries"><ows:NoValues/><ows:DefaultValue>FALSE');
    expect((await post(create(big()))).text).toContain('OperationNotSupported');
    await server.put('/services/wfs/settings', '{"wfs":{"disableStoredQueriesManagement":null}}');
  });

  it('with private queries are described without them', async () => {
    const secret = create(big().replace('isPrivate="false"', 'isPrivate="true"'));
    await post(secret, `${workspace}/`);
    const described = await get('request=DescribeStoredQueries&storedQuery_id=big', `${workspace}/`);
    expect(described.text).toContain('isPrivate="true"');
    expect(described.text).not.toContain('${lim}');
  });
});
