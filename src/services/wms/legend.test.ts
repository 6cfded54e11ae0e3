import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf } from '../../../test/support/layer-groups.ts';
import { askMap, colourAt, fillSld, publishSquares } from '../../../test/support/maps.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer();

const filter = (kind: string) =>
  `<ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>${kind}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>`;

beforeAll(async () => {
  await publishSquares(server);
  const other =
    '<Rule><Name>others</Name><ElseFilter/><MaxScaleDenominator>5000</MaxScaleDenominator><PolygonSymbolizer><Fill><CssParameter name="fill">#0000ff</CssParameter><CssParameter name="fill-opacity">0.5</CssParameter></Fill></PolygonSymbolizer></Rule>';
  const sld = fillSld('#ff0000', { rule: filter('low') }).replace('</FeatureTypeStyle>', `${other}</FeatureTypeStyle>`);
  await server.post('/workspaces/topo/styles?name=two', sld, { type: 'application/vnd.ogc.sld+xml' });
  await server.post('/layergroups', groupOf('both', ['topo:west', 'topo:east']));
});

const LEGEND = 'service=WMS&version=1.0.0&request=GetLegendGraphic&width=20&height=20';

async function sizeOf(query: string): Promise<{ readonly width: number; readonly height: number }> {
  const { default: sharp } = await import('sharp');
  const reply = await askMap(server, `${LEGEND}&format=image/png&layer=topo:west&style=two&${query}`);
  const { width, height } = await sharp(reply.bytes).metadata();
  return { width, height };
}

describe('a legend', () => {
  it('shows a sample of a style in its colour', async () => {
    const reply = await askMap(server, `${LEGEND}&format=image/png&layer=topo:west`);

    expect(reply.headers['content-type']).toBe('image/png');
    expect(await colourAt(reply, 10, 10)).toBe('#ff0000');
  });

  it.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])('comes as %s', async (format) => {
    const reply = await askMap(server, `${LEGEND}&format=${format}&layer=topo:west`);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, format]);
  });

  it('shows the rules of a name or of a scale', async () => {
    const both = await sizeOf('');
    const named = await sizeOf('rule=fill');
    const near = await sizeOf('scale=10000');

    expect(both.height).toBeGreaterThan(40);
    expect([named, near]).toEqual([
      { width: 20, height: 20 },
      { width: 20, height: 20 },
    ]);
  });

  it('has labels, letters and an order as its options say', async () => {
    const plain = await sizeOf('');
    const large = await sizeOf('legend_options=fontSize:40;fontName:Serif;fontStyle:bold;fontColor:0xFF0000');
    const without = await sizeOf('legend_options=forceLabels:off');
    const beside = await sizeOf('legend_options=layout:horizontal');
    const forced = await sizeOf('rule=fill&legend_options=forceLabels:on');

    expect(large.width).toBeGreaterThan(plain.width);
    expect(without.width).toBe(20);
    expect(beside.height).toBe(20);
    expect(beside.width).toBeGreaterThan(plain.width);
    expect(forced.width).toBeGreaterThan(20);
  });

  it('of a group shows its layers', async () => {
    const reply = await askMap(server, `${LEGEND}&format=image/png&layer=both`);

    expect([await colourAt(reply, 10, 10), await colourAt(reply, 10, 34)]).toEqual(['#ff0000', '#0000ff']);
  });

  it('shows a style that is sent', async () => {
    const sld = encodeURIComponent(fillSld('#00ff00'));

    const reply = await askMap(server, `${LEGEND}&format=image/png&layer=topo:west&sld_body=${sld}`);

    expect(await colourAt(reply, 10, 10)).toBe('#00ff00');
  });

  it('is a document of rules as JSON', async () => {
    const reply = await askMap(server, `${LEGEND}&format=application/json&layer=topo:west&style=two`);

    expect(reply.json()).toEqual({
      Legend: [
        {
          layerName: 'topo:west',
          title: 'west',
          rules: [
            {
              name: 'fill',
              title: 'Filled',
              filter: "[kind = 'low']",
              symbolizers: [{ Polygon: { fill: '#ff0000' } }],
            },
            {
              name: 'others',
              ElseFilter: 'true',
              MaxScaleDenominator: 5000,
              symbolizers: [{ Polygon: { fill: '#0000ff', 'fill-opacity': '0.5' } }],
            },
          ],
        },
      ],
    });
  });

  it.each([
    ['format=image/svg&layer=topo:west', 'code="InvalidFormat"'],
    ['layer=topo:west', 'code="MissingParameterValue" locator="format"'],
    ['format=image/png&layer=topo:nothing', 'code="LayerNotDefined"'],
    ['format=image/png&layer=topo:west&style=nothing', 'code="StyleNotDefined"'],
    ['format=image/png&layer=topo:west&WIDTH=99999', 'code="InvalidParameterValue"'],
  ])('tells what is wrong: %s', async (query, told) => {
    const asked = query.includes('WIDTH') ? LEGEND.replace('width=20&', '') : LEGEND;
    expect((await askMap(server, `${asked}&${query}`)).text).toContain(told);
  });
});

describe('other words about layers', () => {
  it('say by which service their features are had', async () => {
    const query = 'service=WMS&version=1.1.1&request=DescribeLayer&layers=topo:west';

    const xml = await askMap(server, query);
    const json = await askMap(server, `${query}&output_format=application/json`);

    expect(xml.headers['content-type']).toBe('application/vnd.ogc.wms_xml');
    expect(xml.text).toContain(
      '<LayerDescription name="topo:west" wfs="http://localhost:80/geoserver/wfs?" owsURL="http://localhost:80/geoserver/wfs?" owsType="WFS"><Query typeName="topo:west"/></LayerDescription>',
    );
    expect(json.json()).toEqual({
      version: '1.1.1',
      layerDescriptions: [
        {
          layerName: 'topo:west',
          owsURL: 'http://localhost:80/geoserver/wfs?',
          owsType: 'WFS',
          typeName: 'topo:west',
        },
      ],
    });
    expect((await askMap(server, query.replace('1.1.1', '1.3.0'))).text).toContain('code="OperationNotSupported"');
  });

  it('give all their styles as one SLD', async () => {
    const reply = await askMap(server, 'service=WMS&version=1.1.1&request=GetStyles&layers=topo:west');

    expect(reply.headers['content-type']).toBe('application/vnd.ogc.sld+xml');
    expect(reply.text).toContain('<Name>topo:west</Name>');
    expect(reply.text).toMatch(/<Name>red<\/Name>[\s\S]*<IsDefault>(?:1|true)<\/IsDefault>[\s\S]*#ff0000/);
  });
});
