import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { publishTables } from '../../../../test/support/published-features.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();

beforeAll(() =>
  publishTables(server, 'topo', [
    {
      name: 'towns',
      attributes: [geometryColumn('Point'), column('name', 'string')],
      rows: [
        [wkt('POINT (7.123456789 46)'), 'Bern'],
        [wkt('POINT (8 47)'), 'Zug'],
      ],
    },
  ]),
);

afterEach(async () => {
  await set({
    maxFeatures: 1_000_000,
    title: null,
    keywords: null,
    srs: null,
    hitsIgnoreMaxFeatures: false,
    getFeatureOutputTypeCheckingEnabled: false,
    getFeatureOutputTypes: null,
    enabled: true,
  });
});

async function set(wfs: Readonly<Record<string, unknown>>): Promise<void> {
  const reply = await server.put('/services/wfs/settings', JSON.stringify({ wfs }));
  expect(reply.status, reply.text).toBe(200);
}

async function ask(query: string): Promise<string> {
  return (await server.get(`//geoserver/wfs?service=WFS&${query}`, { as: null })).text;
}

const FEATURES = 'version=2.0.0&request=GetFeature&typeNames=topo:towns';

describe('WFS settings', () => {
  it('limit the number of features, with links to further pages', async () => {
    await set({ maxFeatures: 1 });

    const text = await ask(`${FEATURES}&count=5&outputFormat=json`);

    expect(JSON.parse(text)).toMatchObject({ numberMatched: 2, numberReturned: 1, links: [{ rel: 'next' }] });
    expect(await ask('request=GetCapabilities')).toContain(
      'name="CountDefault"><ows:NoValues/><ows:DefaultValue>1</ows:DefaultValue>',
    );
  });

  it('limit or do not limit the count in older versions', async () => {
    const hits = 'version=1.1.0&request=GetFeature&typeName=topo:towns&resultType=hits';
    await set({ maxFeatures: 1 });

    expect(await ask(hits)).toContain('numberOfFeatures="1"');

    await set({ hitsIgnoreMaxFeatures: true });
    expect(await ask(hits)).toContain('numberOfFeatures="2"');
  });

  it('set the service metadata', async () => {
    await set({ title: 'Our <features>', keywords: { string: ['roads', 'towns'] }, srs: { string: ['2056'] } });

    const text = await ask('request=GetCapabilities');

    expect(text).toContain('<ows:Title>Our &lt;features&gt;</ows:Title>');
    expect(text).toContain('<ows:Keyword>roads</ows:Keyword><ows:Keyword>towns</ows:Keyword>');
    expect(text).toContain('<OtherCRS>urn:ogc:def:crs:EPSG::2056</OtherCRS>');
  });

  it('restrict the output formats', async () => {
    await set({ getFeatureOutputTypeCheckingEnabled: true, getFeatureOutputTypes: { string: ['application/json'] } });

    expect(await ask(`${FEATURES}&outputFormat=json`)).toContain('"FeatureCollection"');
    expect(await ask(`${FEATURES}&outputFormat=csv`)).toContain('locator="outputFormat"');
    expect(await ask('request=GetCapabilities')).not.toContain('text/csv');
  });

  it('disable the service', async () => {
    await set({ enabled: false });

    expect(await ask('request=GetCapabilities')).toContain('services are disabled');
  });
});

describe('server settings', () => {
  it('set the number of decimals of coordinates', async () => {
    expect(await ask(`${FEATURES}&outputFormat=json&featureId=towns.1`)).toContain('[7.12345679,46]');

    await server.put('/settings', '{"global":{"settings":{"numDecimals":2}}}');

    expect(await ask(`${FEATURES}&outputFormat=json&featureId=towns.1`)).toContain('[7.12,46]');
  });

  it('set the contact', async () => {
    await server.put('/settings/contact', '{"contact":{"contactOrganization":"Survey","contactEmail":"a@b.example"}}');

    const text = await ask('request=GetCapabilities');

    expect(text).toContain('<ows:ProviderName>Survey</ows:ProviderName>');
    expect(text).toContain('<ows:ElectronicMailAddress>a@b.example</ows:ElectronicMailAddress>');
  });
});
