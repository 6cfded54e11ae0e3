import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf } from '../../../../test/support/layer-groups.ts';
import { askMap, fillSld, publishSquares } from '../../../../test/support/maps.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { readXml } from '../../../lib/xml/reader.ts';

const server = useTestServer();

beforeAll(async () => {
  await publishSquares(server);
  await server.post('/workspaces', '<workspace><name>other</name></workspace>', { type: 'xml' });
  await server.post('/layergroups', groupOf('both', ['topo:west', 'topo:east'], { mode: 'SINGLE' }));
  const rule = '<MinScaleDenominator>1000</MinScaleDenominator><MaxScaleDenominator>2000000000</MaxScaleDenominator>';
  await server.post('/workspaces/topo/styles?name=near', fillSld('#00ff00', { rule, title: 'Near &amp; dear' }), {
    type: 'application/vnd.ogc.sld+xml',
  });
  const reply = await server.put(
    '/layers/topo:east',
    `<layer><defaultStyle><name>near</name><workspace>topo</workspace></defaultStyle><queryable>false</queryable><opaque>true</opaque>
<attribution><title>Survey</title><href>http://survey.example/?a&amp;b</href><logoURL>http://survey.example/logo.png</logoURL><logoType>image/png</logoType><logoWidth>10</logoWidth><logoHeight>20</logoHeight></attribution>
<authorityURLs><AuthorityURL><name>us</name><href>http://us.example</href></AuthorityURL></authorityURLs><identifiers><Identifier><authority>us</authority><identifier>17</identifier></Identifier></identifiers></layer>`,
    { type: 'xml' },
  );
  expect(reply.status, reply.text).toBe(200);
});

async function capabilities(query: string, path = 'wms'): Promise<string> {
  const reply = await server.get(`//geoserver/${path}?service=WMS&request=GetCapabilities&${query}`, { as: null });
  expect(reply.status, reply.text).toBe(200);
  return reply.text;
}

/** The element order that the standards require. */
const orders: Readonly<Record<string, readonly string[]>> = {
  Service:
    'Name Title Abstract KeywordList OnlineResource ContactInformation Fees AccessConstraints LayerLimit MaxWidth MaxHeight'.split(
      ' ',
    ),
  Capability: 'Request Exception UserDefinedSymbolization Layer'.split(' '),
  Request: 'GetCapabilities GetMap GetFeatureInfo DescribeLayer GetLegendGraphic GetStyles'.split(' '),
  Layer:
    'Name Title Abstract KeywordList SRS CRS EX_GeographicBoundingBox LatLonBoundingBox BoundingBox Dimension Extent Attribution AuthorityURL Identifier MetadataURL DataURL FeatureListURL Style MinScaleDenominator MaxScaleDenominator ScaleHint Layer'.split(
      ' ',
    ),
  Style: 'Name Title Abstract LegendURL StyleSheetURL StyleURL'.split(' '),
  Attribution: 'Title OnlineResource LogoURL'.split(' '),
};

function misplaced(element: XmlElement): readonly string[] {
  const order = orders[element.local];
  const children = element.children.filter((child): child is XmlElement => child.kind === 'element');
  const places = order === undefined ? [] : children.map(({ local }) => order.indexOf(local));
  const wrong = places.flatMap((place, index) =>
    place < 0 || place < (places[index - 1] ?? 0) ? [`${element.local}/${children[index]?.local}`] : [],
  );
  return [...wrong, ...children.flatMap(misplaced)];
}

describe.each(['1.1.1', '1.3.0'])('capabilities of WMS %s', (version) => {
  it('have their elements in the order of the standard', async () => {
    const text = (await capabilities(`version=${version}`)).replace(/<!DOCTYPE[^>]*>/, '');

    expect(misplaced(readXml(text, { maxDepth: 50, maxNodes: 100_000 }))).toEqual([]);
  });

  it('contain layers, styles, legends and addresses', async () => {
    const text = await capabilities(`version=${version}`);

    expect(text).toContain('<Name>topo:west</Name><Title>west</Title>');
    expect(text).toContain('<Style><Name>topo:red</Name>');
    expect(text).toMatch(
      /<LegendURL width="20" height="20"><Format>image\/png<\/Format><OnlineResource [^>]*xlink:href="http:\/\/localhost:80\/geoserver\/wms\?service=WMS&amp;version=1.3.0&amp;request=GetLegendGraphic&amp;[^"]*layer=topo%3Awest&amp;style=topo%3Ared"/,
    );
    expect(text).toContain('<Layer queryable="0" opaque="1">');
    expect(text).toContain('<Title>Near &amp; dear</Title>');
    expect(text).toContain('<Attribution><Title>Survey</Title>');
    expect(text).toContain('<AuthorityURL name="us">');
    expect(text).toContain('<Identifier authority="us">17</Identifier>');
    expect(text).toContain('<Name>both</Name>');
  });

  it('list few CRSs, although every known CRS is supported', async () => {
    const text = await capabilities(`version=${version}`);

    expect(text.match(/<[CS]RS>/g)?.length).toBeLessThan(10);
  });

  it('contain names without prefixes for a workspace, and one layer for a layer', async () => {
    const ofWorkspace = await capabilities(`version=${version}`, 'topo/wms');
    const ofLayer = await capabilities(`version=${version}`, 'topo/west/wms');

    expect(ofWorkspace).toContain('<Name>west</Name>');
    expect(ofWorkspace).toContain('<Style><Name>red</Name>');
    expect(ofLayer).toContain('<Name>west</Name>');
    expect(ofLayer).not.toContain('>east<');
    expect(await capabilities(`version=${version}&namespace=other`)).not.toContain('topo:west');
  });
});

describe('differences between the versions', () => {
  it('include the axis order of boxes', async () => {
    expect(await capabilities('version=1.3.0')).toContain(
      '<BoundingBox CRS="EPSG:4326" minx="0" miny="5" maxx="10" maxy="10"/>',
    );
    expect(await capabilities('version=1.1.1')).toContain(
      '<BoundingBox SRS="EPSG:4326" minx="5" miny="0" maxx="10" maxy="10"/>',
    );
  });

  it('include the notation of scales', async () => {
    expect(await capabilities('version=1.3.0')).toContain(
      '<MinScaleDenominator>1000</MinScaleDenominator><MaxScaleDenominator>2000000000</MaxScaleDenominator>',
    );
    expect(await capabilities('version=1.1.1')).toMatch(/<ScaleHint min="0\.3959797974\d*" max="791959\.59\d*"\/>/);
  });
});

describe('WMS versions', () => {
  it.each([
    ['', '1.3.0'],
    ['version=1.0.0', '1.1.1'],
    ['version=1.1.0', '1.1.1'],
    ['version=9.9.9', '1.3.0'],
    ['version=1.2.0', '1.1.1'],
  ])('are negotiated: %s returns %s', async (query, version) => {
    expect(await capabilities(query)).toContain(`_Capabilities version="${version}"`);
  });

  it('are required by other operations', async () => {
    const reply = await askMap(server, 'service=WMS&version=7.0.0&request=GetMap');

    expect(reply.text).toContain('code="InvalidParameterValue" locator="version"');
  });
});

describe('client with current capabilities', () => {
  it('receives CurrentUpdateSequence', async () => {
    const [, current = ''] = /updateSequence="(\d+)"/.exec(await capabilities('')) ?? [];

    expect(await capabilities(`updateSequence=${current}`)).toContain('code="CurrentUpdateSequence"');
    expect(await capabilities('updateSequence=999999')).toContain('code="InvalidUpdateSequence"');
    expect(await capabilities('updateSequence=0')).toContain('<WMS_Capabilities');
  });
});

describe('layer groups', () => {
  it('contain their layers in tree modes, and are listed beside them in single mode', async () => {
    await server.post('/layergroups', groupOf('tree', ['topo:west'], { mode: 'NAMED', title: 'A tree' }));

    const text = await capabilities('version=1.3.0');
    await server.delete('/layergroups/tree');

    expect(text).toMatch(/<Name>tree<\/Name><Title>A tree<\/Title>(?:(?!<\/Layer>)[\s\S])*<Name>topo:west<\/Name>/);
    expect(text.split('<Name>topo:west</Name>')).toHaveLength(2);
    expect(text.split('<Name>topo:east</Name>')).toHaveLength(2);
  });
});

describe('layers that are disabled or not advertised', () => {
  it('are not listed', async () => {
    await server.put('/layers/topo:west', '<layer><advertised>false</advertised></layer>', { type: 'xml' });
    const hidden = await capabilities('');
    await server.put('/layers/topo:west', '<layer><advertised>true</advertised><enabled>false</enabled></layer>', {
      type: 'xml',
    });
    const disabled = await capabilities('');
    await server.put('/layers/topo:west', '<layer><enabled>true</enabled></layer>', { type: 'xml' });

    expect([hidden, disabled].map((text) => text.includes('topo:west'))).toEqual([false, false]);
    expect(await capabilities('')).toContain('topo:west');
  });
});
