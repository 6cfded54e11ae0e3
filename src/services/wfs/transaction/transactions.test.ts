import { beforeEach, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { publishEditableTables } from '../../../../test/support/published-features.ts';
import { type Reply, useTestServer } from '../../../../test/support/test-server.ts';
import { addUser } from '../../../../test/support/test-users.ts';

const server = useTestServer();

let made = 0;
/** Each test has its own workspace. */
let workspace = '';

beforeEach(async () => {
  made += 1;
  workspace = `edits${made}`;
  await publishEditableTables(server, workspace, [
    {
      name: 'towns',
      attributes: [
        geometryColumn('Point'),
        column('name', 'string'),
        column('people', 'integer'),
        column('seen', 'date'),
      ],
      rows: [
        [wkt('POINT (7.5 47)'), 'Bern', 134, null],
        [wkt('POINT (8.5 47.4)'), 'Zürich', 421, new Date('2024-05-01T00:00:00Z')],
      ],
    },
    { name: 'parks', attributes: [geometryColumn('Point'), column('name', 'string')], rows: [[null, 'Elfenau']] },
  ]);
});

const namespaces = {
  '1.0.0':
    'xmlns:wfs="http://www.opengis.net/wfs" xmlns:f="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"',
  '1.1.0':
    'xmlns:wfs="http://www.opengis.net/wfs" xmlns:f="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"',
  '2.0.0':
    'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:f="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"',
} as const;

type Version = keyof typeof namespaces;

function transaction(version: Version, actions: string, as?: string | null, query = ''): Promise<Reply> {
  const body = `<wfs:Transaction service="WFS" version="${version}" ${namespaces[version]} xmlns:t="http://${workspace}">${actions}</wfs:Transaction>`;
  return server.post(`//geoserver/wfs${query}`, body, { type: 'text/xml', ...(as === undefined ? {} : { as }) });
}

const idFilter = (version: Version, id: string): string =>
  version === '2.0.0'
    ? `<f:Filter><f:ResourceId rid="${id}"/></f:Filter>`
    : `<f:Filter><f:FeatureId fid="${id}"/></f:Filter>`;

async function rows(): Promise<readonly string[]> {
  const query = `service=WFS&version=2.0.0&request=GetFeature&typeNames=${workspace}:towns&outputFormat=json&sortBy=name`;
  const { features } = (await server.get(`//geoserver/wfs?${query}`)).json() as {
    features: { properties: { name: string; people: number | null }; geometry: { coordinates: number[] } | null }[];
  };
  return features.map(({ properties, geometry }) => `${properties.name} ${properties.people} ${geometry?.coordinates}`);
}

async function parks(): Promise<readonly string[]> {
  const reply = await server.get(`//geoserver/ogc/features/v1/collections/${workspace}:parks/items`);
  const { features } = reply.json() as { features: { properties: { name: string } }[] };
  return features.map(({ properties }) => properties.name);
}

describe.each(['1.0.0', '1.1.0', '2.0.0'] as const)('transaction of WFS %s', (version) => {
  const position = version === '1.0.0' ? '6.1 46.2' : '46.2 6.1';
  const point = `<gml:Point><gml:pos>${position}</gml:pos></gml:Point>`;
  const name = version === '2.0.0' ? 'ValueReference' : 'Name';

  it('inserts, updates and deletes features', async () => {
    const reply = await transaction(
      version,
      `<wfs:Insert handle="new"><t:towns><t:the_geom>${point}</t:the_geom><t:name>Genève</t:name><t:people>203</t:people><t:seen>2024-06-01</t:seen></t:towns></wfs:Insert>
       <wfs:Update typeName="t:towns"><wfs:Property><wfs:${name}>people</wfs:${name}><wfs:Value>135</wfs:Value></wfs:Property>${idFilter(version, 'towns.1')}</wfs:Update>
       <wfs:Delete typeName="t:towns">${idFilter(version, 'towns.2')}</wfs:Delete>`,
    );

    expect(reply).toMatchObject({ status: 200, text: expect.stringContaining('towns.3') });
    expect(await rows()).toEqual(['Bern 135 7.5,47', 'Genève 203 6.1,46.2']);
    if (version !== '1.0.0') {
      expect(reply.text).toContain('<wfs:totalInserted>1</wfs:totalInserted><wfs:totalUpdated>1</wfs:totalUpdated>');
      expect(reply.text).toContain('<wfs:totalDeleted>1</wfs:totalDeleted>');
    }
  });

  it('changes nothing if one of its actions fails', async () => {
    const before = await rows();

    const reply = await transaction(
      version,
      `<wfs:Delete typeName="t:towns">${idFilter(version, 'towns.1')}</wfs:Delete>
       <wfs:Insert><t:towns><t:people>many</t:people></t:towns></wfs:Insert>`,
    );

    expect(reply.text).toContain('is an invalid value of');
    expect(await rows()).toEqual(before);
  });

  it('reads geometries in the CRS that they name', async () => {
    await transaction(
      version,
      `<wfs:Insert><t:towns><t:the_geom><gml:Point srsName="EPSG:4326"><gml:pos>6.1 46.2</gml:pos></gml:Point></t:the_geom><t:name>A</t:name></t:towns></wfs:Insert>`,
    );

    expect(await rows()).toContain('A null 6.1,46.2');
  });
});

describe('transaction', () => {
  it('replaces a feature as a whole', async () => {
    const reply = await transaction(
      '2.0.0',
      `<wfs:Replace><t:towns><t:name>Berne</t:name></t:towns>${idFilter('2.0.0', 'towns.1')}</wfs:Replace>`,
    );

    expect(reply.text).toContain('<wfs:totalReplaced>1</wfs:totalReplaced>');
    expect(await rows()).toContain('Berne null undefined');
  });

  it('clears a property without a value', async () => {
    await transaction(
      '1.1.0',
      `<wfs:Update typeName="t:towns"><wfs:Property><wfs:Name>people</wfs:Name></wfs:Property>${idFilter('1.1.0', 'towns.1')}</wfs:Update>`,
    );

    expect(await rows()).toContain('Bern null 7.5,47');
  });

  it('changes several layers of one store together, also in one Insert', async () => {
    const reply = await transaction(
      '2.0.0',
      `<wfs:Insert><t:towns><t:name>Thun</t:name></t:towns><t:parks><t:name>Schadau</t:name></t:parks><t:towns><t:name>Biel</t:name></t:towns></wfs:Insert>
       <wfs:Delete typeName="t:parks">${idFilter('2.0.0', 'parks.1')}</wfs:Delete>`,
    );

    expect([...reply.text.matchAll(/rid="([^"]*)"/g)].map(([, id]) => id)).toEqual(['towns.3', 'parks.2', 'towns.4']);
    expect(await rows()).toHaveLength(4);
    expect(await parks()).toEqual(['Schadau']);
  });

  it('changes none of several layers if one cannot be changed', async () => {
    const before = await rows();

    const reply = await transaction(
      '2.0.0',
      `<wfs:Delete typeName="t:towns">${idFilter('2.0.0', 'towns.1')}</wfs:Delete>
       <wfs:Insert><t:parks><t:the_geom><gml:LineString><gml:posList>1 2 3 4</gml:posList></gml:LineString></t:the_geom></t:parks></wfs:Insert>`,
    );

    expect(reply.status).toBe(400);
    expect([await rows(), await parks()]).toEqual([before, ['Elfenau']]);
  });

  it('is rejected with a reason for several stores', async () => {
    const woods = { name: 'woods', attributes: [column('name', 'string')], rows: [['Bremgarten']] };
    await publishEditableTables(server, workspace, [woods], 'other');

    const reply = await transaction(
      '2.0.0',
      `<wfs:Insert><t:towns><t:name>Thun</t:name></t:towns><t:woods><t:name>Dählhölzli</t:name></t:woods></wfs:Insert>`,
    );

    expect(reply.text).toContain(
      `A transaction across several stores (${workspace}:towns and ${workspace}:woods) is not supported`,
    );
    expect(await rows()).toHaveLength(2);
  });

  it('changes nothing in a dry run, also for uploaded data', async () => {
    const storeNow = async () => (await server.get(`/workspaces/${workspace}/datastores/data.json`)).text;
    const before = await storeNow();

    const { status, text } = await transaction(
      '2.0.0',
      `<wfs:Insert><t:towns><t:name>Thun</t:name></t:towns></wfs:Insert>`,
      undefined,
      '?dryRun=true',
    );

    expect([status, text]).toEqual([200, expect.stringContaining('rid="towns.3"')]);
    expect(await rows()).toHaveLength(2);
    expect(await storeNow()).toBe(before);
  });

  it('requires write access, and is never permitted anonymously', async () => {
    await server.post('/security/acl/layers', `{"${workspace}.towns.w":"ROLE_EDITOR"}`);
    const editor = await addUser(server, `editor${made}`, 'ROLE_EDITOR');
    const stranger = await addUser(server, `stranger${made}`, 'ROLE_NOBODY');
    const actions = `<wfs:Delete typeName="t:towns">${idFilter('2.0.0', 'towns.1')}</wfs:Delete>`;

    expect((await transaction('2.0.0', actions, null)).status).toBe(401);
    expect((await transaction('2.0.0', actions, stranger)).status).toBe(403);
    expect(await rows()).toHaveLength(2);
    expect((await transaction('2.0.0', actions, editor)).status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  it.each([
    ['<wfs:Delete typeName="t:towns"/>', 'a Delete requires a Filter'],
    ['<wfs:Insert/>', 'an Insert contains no feature'],
    ['<wfs:Explode/>', "unexpected element 'wfs:Explode'"],
    ['', 'expected an Insert, Update, Delete or Replace'],
    ['<wfs:Insert><t:villages/></wfs:Insert>', 'Unknown feature type'],
    ['<wfs:Insert><t:towns><t:secret>1</t:secret></t:towns></wfs:Insert>', "has no property 'secret'"],
    [
      '<wfs:Insert><t:towns><t:the_geom><gml:Point><gml:pos>a b</gml:pos></gml:Point></t:the_geom></t:towns></wfs:Insert>',
      "the geometry 'the_geom' is invalid",
    ],
    ['<wfs:Native vendorId="x" safeToIgnore="false"/>', 'Native is not supported'],
  ])('is rejected with a reason: %s', async (actions, reason) => {
    const reply = await transaction('2.0.0', actions);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(reason);
  });

  it('is offered unless the service is read-only', async () => {
    const capabilities = () => server.get('//geoserver/wfs?service=WFS&version=2.0.0&request=GetCapabilities');

    expect((await capabilities()).text).toContain('<ows:Operation name="Transaction">');

    await server.put('/services/wfs/settings', '{"wfs":{"serviceLevel":"BASIC"}}');
    const actions = `<wfs:Delete typeName="t:towns">${idFilter('2.0.0', 'towns.1')}</wfs:Delete>`;
    expect((await capabilities()).text).not.toContain('Transaction"');
    expect((await transaction('2.0.0', actions)).status).toBe(403);
    expect(await rows()).toHaveLength(2);
    await server.put('/services/wfs/settings', '{"wfs":{"serviceLevel":"COMPLETE"}}');
  });
});
