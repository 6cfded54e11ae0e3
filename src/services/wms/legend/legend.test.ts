import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf } from '../../../../test/support/layer-groups.ts';
import { askMap, colourAt, fillSld, publishSquares } from '../../../../test/support/maps.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

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

describe('GetLegendGraphic', () => {
  it('draws a sample of a style in its colour', async () => {
    const reply = await askMap(server, `${LEGEND}&format=image/png&layer=topo:west`);

    expect(reply.headers['content-type']).toBe('image/png');
    expect(await colourAt(reply, 10, 10)).toBe('#ff0000');
  });

  it.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])('returns %s', async (format) => {
    const reply = await askMap(server, `${LEGEND}&format=${format}&layer=topo:west`);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, format]);
  });

  it('applies margins in pixels or in fractions of a sample', async () => {
    const widthOf = async (options: string) => (await sizeOf(`legend_options=forceLabels:on;${options}`)).width;
    const usual = await widthOf('labelMargin:0');

    expect((await widthOf('labelMargin:10')) - usual).toBe(10);
    expect((await widthOf('labelMargin:0.5;absoluteMargins:false')) - usual).toBe(10);
    expect((await widthOf('labelMargin:10;absoluteMargins:true')) - usual).toBe(10);
  });

  it('draws a style that is sent without a layer, unless strict', async () => {
    const sent = `${LEGEND}&sld_body=${encodeURIComponent(fillSld('#00ff00'))}`;

    const [strict, loose] = [await askMap(server, sent), await askMap(server, `${sent}&strict=false`)];

    expect(strict.text).toContain('MissingParameterValue');
    expect([loose.headers['content-type'], await colourAt(loose, 10, 10)]).toEqual(['image/png', '#00ff00']);
    expect((await askMap(server, `${LEGEND}&strict=false&format=image/png&style=polygon`)).text).toContain(
      'MissingParameterValue',
    );
  });

  it('draws the rules with a name or for a scale', async () => {
    const both = await sizeOf('');
    const named = await sizeOf('rule=fill');
    const near = await sizeOf('scale=10000');

    expect(both.height).toBeGreaterThan(40);
    expect([named, near]).toEqual([
      { width: 20, height: 20 },
      { width: 20, height: 20 },
    ]);
  });

  it('returns a warning with the reason if it is empty', async () => {
    const warningOf = async (query: string, format = 'image/png') => {
      const reply = await askMap(server, `${LEGEND}&format=${format}&layer=topo:west&${query}`);
      expect(reply.status, reply.text).toBe(200);
      return reply.headers['warning'];
    };

    expect(await warningOf('rule=fill')).toBeUndefined();
    expect(await warningOf('style=two&scale=1e12&rule=others')).toContain("no rule 'others' at the scale");
  });

  it.each(['image/png', 'application/json'])('rejects a rule that the style does not have, as %s', async (format) => {
    const { text } = await askMap(server, `${LEGEND}&format=${format}&layer=topo:west&rule=nothing`);

    expect(text).toContain('code="InvalidParameterValue" locator="rule"');
    expect(text).toMatch(/'nothing'.*expected one of fill\./);
  });

  it('applies the options for labels, fonts and order', async () => {
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

  it('draws the layers of a group', async () => {
    const off = await askMap(server, `${LEGEND}&format=image/png&layer=both&legend_options=forceTitles:off`);
    const beside = await askMap(
      server,
      `${LEGEND}&format=image/png&layer=both&legend_options=forceTitles:off;groupLayout:horizontal`,
    );
    const titled = await askMap(server, `${LEGEND}&format=image/png&layer=both`);

    expect([await colourAt(off, 10, 10), await colourAt(off, 10, 34)]).toEqual(['#ff0000', '#0000ff']);
    expect([await colourAt(beside, 10, 10), await colourAt(beside, 34, 10)]).toEqual(['#ff0000', '#0000ff']);
    expect([await colourAt(titled, 10, 28), await colourAt(titled, 10, 70)]).toEqual(['#ff0000', '#0000ff']);
  });

  it('draws each of several layers in its style', async () => {
    const query = `${LEGEND}&format=image/png&layer=topo:west,topo:east&style=,red&legend_options=forceTitles:off`;

    const reply = await askMap(server, query);

    expect([await colourAt(reply, 10, 10), await colourAt(reply, 10, 34)]).toEqual(['#ff0000', '#ff0000']);
  });

  it('applies the options for layout, scale and border', async () => {
    const plain = await sizeOf('legend_options=forceLabels:off');
    const columns = await sizeOf('legend_options=forceLabels:off;columns:2');
    const low = await sizeOf('legend_options=forceLabels:off;columnheight:30');
    const rows = await sizeOf('legend_options=forceLabels:off;layout:horizontal;rows:2');
    const narrow = await sizeOf('legend_options=forceLabels:off;layout:horizontal;rowwidth:30');
    const fine = await sizeOf('legend_options=forceLabels:off;dpi:181.43');
    const framed = await sizeOf('legend_options=forceLabels:off;border:true;borderColor:0x00FF00');
    const [near, far] = [await sizeOf('legend_options=labelMargin:0'), await sizeOf('legend_options=labelMargin:50')];

    expect(plain).toEqual({ width: 20, height: 44 });
    expect([columns, low]).toEqual([
      { width: 46, height: 20 },
      { width: 46, height: 20 },
    ]);
    expect([rows, narrow]).toEqual([plain, plain]);
    expect(fine).toEqual({ width: 40, height: 88 });
    expect(framed).toEqual({ width: 22, height: 46 });
    expect(far.width - near.width).toBe(50);
  });

  it('draws a title and wrapped labels', async () => {
    const one = 'rule=fill&legend_options=forceLabels:off';
    const titled = await sizeOf(`${one};forceTitles:on`);
    const sld = encodeURIComponent(fillSld('#00ff00').replace('Filled', 'A title of many words'));
    const [line, lines] = [
      await sizeOf(`sld_body=${sld}&legend_options=forceLabels:on`),
      await sizeOf(`sld_body=${sld}&legend_options=forceLabels:on;wrap:true;wrap_limit:50`),
    ];

    expect(titled.height).toBeGreaterThan(20 + 11);
    expect(lines.width).toBeLessThan(line.width);
    expect(lines.height).toBeGreaterThan(line.height);
  });

  it('draws letters without antialiasing on request', async () => {
    const query = `${LEGEND}&format=image/png&layer=topo:west&style=two&legend_options=bgColor:0xFFFFFF;fontAntiAliasing:`;
    const coloursOf = async (option: string): Promise<number> => {
      const { default: sharp } = await import('sharp');
      const { bytes } = await askMap(server, query + option);
      const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const colours = new Set<string>();
      for (let place = 0; place < info.width * info.height; place += 1) {
        if (place % info.width > 24) colours.add(data.subarray(place * 3, place * 3 + 3).toString('hex'));
      }
      return colours.size;
    };

    expect(await coloursOf('false')).toBe(2);
    expect(await coloursOf('true')).toBeGreaterThan(2);
  });

  it('counts the features of each rule on a map, and hides empty rules', async () => {
    const map = 'bbox=0,0,10,10&srs=EPSG:4326&srcwidth=20&srcheight=20';
    const all = await sizeOf(map);
    const counted = await sizeOf(`${map}&legend_options=countMatched:true`);
    const shown = await sizeOf(`${map}&legend_options=hideEmptyRules:true`);
    const none = await sizeOf(`${map}&cql_filter=rank>2&legend_options=hideEmptyRules:true`);
    const json = await askMap(
      server,
      `${LEGEND}&format=application/json&layer=topo:west&style=two&${map}&legend_options=hideEmptyRules:true`,
    );

    expect(counted.width).toBeGreaterThan(all.width);
    // The other rule is out of scale.
    expect([shown, none]).toEqual([
      { width: 20, height: 20 },
      { width: 20, height: 20 },
    ]);
    expect((json.json() as { Legend: { rules: unknown[] }[] }).Legend[0]?.rules).toHaveLength(1);
  });

  it('counts the features of rules whose marks have default colours', async () => {
    const plain = fillSld('#00ff00').replace(
      /<PolygonSymbolizer>.*<\/PolygonSymbolizer>/s,
      '<PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName></Mark></Graphic></PointSymbolizer>',
    );
    const reply = await askMap(
      server,
      `${LEGEND}&format=application/json&layer=topo:west&sld_body=${encodeURIComponent(plain)}&bbox=0,0,10,10&srs=EPSG:4326&srcwidth=20&srcheight=20&legend_options=hideEmptyRules:true`,
    );

    expect(plain).toContain('<PointSymbolizer>');
    expect((reply.json() as { Legend: { rules: unknown[] }[] }).Legend[0]?.rules).toHaveLength(1);
  });

  it.each(['ramp', 'intervals', 'values'])('lists the colours of a colour map of type %s', async (type) => {
    const sld = fillSld('#000000').replace(
      /<PolygonSymbolizer>.*<\/PolygonSymbolizer>/,
      `<RasterSymbolizer><ColorMap type="${type}"><ColorMapEntry color="#ff0000" quantity="1" label="one"/><ColorMapEntry color="#00ff00" quantity="2"/></ColorMap></RasterSymbolizer>`,
    );

    const reply = await askMap(
      server,
      `${LEGEND}&format=image/png&layer=topo:west&sld_body=${encodeURIComponent(sld)}`,
    );

    const { default: sharp } = await import('sharp');
    expect(await sharp(reply.bytes).metadata()).toMatchObject({ height: 44 });
    expect(await colourAt(reply, 10, 10)).toMatch(/^#f.0.00$/);
    const edges = [await colourAt(reply, 10, 19), await colourAt(reply, 10, 24)];
    if (type === 'ramp') expect(edges).not.toEqual(['#ff0000', '#00ff00']);
    else expect(edges).toEqual(['#ff0000', '#00ff00']);
  });

  it('reports why a style sent without a layer is invalid', async () => {
    const { text } = await askMap(server, `${LEGEND}&strict=false&sld_body=${encodeURIComponent('<a/>')}`);

    expect(text).toContain('The style in the request is invalid');
    expect(text).toContain('locator="sld_body"');
  });

  it('draws a style that is sent', async () => {
    const sld = encodeURIComponent(fillSld('#00ff00'));

    const reply = await askMap(server, `${LEGEND}&format=image/png&layer=topo:west&sld_body=${sld}`);

    expect(await colourAt(reply, 10, 10)).toBe('#00ff00');
  });

  it('returns the rules as JSON', async () => {
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
  ])('rejects invalid requests: %s', async (query, expected) => {
    const asked = query.includes('WIDTH') ? LEGEND.replace('width=20&', '') : LEGEND;
    expect((await askMap(server, `${asked}&${query}`)).text).toContain(expected);
  });
});

describe('DescribeLayer and GetStyles', () => {
  it('contain addresses of the workspace service if it was requested', async () => {
    const query = 'service=WMS&version=1.1.1&request=DescribeLayer&layers=west&outputFormat=application/json';

    const reply = await server.get(`//geoserver/topo/wms?${query}`, { as: null });

    expect(reply.json()).toMatchObject({
      layerDescriptions: [{ layerName: 'topo:west', owsURL: 'http://localhost:80/geoserver/topo/wfs?' }],
    });
  });

  it('return styles in the requested SLD version', async () => {
    const query = 'service=WMS&version=1.1.1&request=GetStyles&layers=topo:west';

    const [newer, none] = [await askMap(server, `${query}&sldVer=1.1.0`), await askMap(server, `${query}&sldVer=3`)];

    expect(newer.text).toContain('<StyledLayerDescriptor version="1.1.0"');
    expect(none.text).toContain('code="InvalidParameterValue" locator="sldVer"');
  });

  it('return the service of the features', async () => {
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

  it('return all styles as one SLD', async () => {
    const reply = await askMap(server, 'service=WMS&version=1.1.1&request=GetStyles&layers=topo:west');

    expect(reply.headers['content-type']).toBe('application/vnd.ogc.sld+xml');
    expect(reply.text).toContain('<Name>topo:west</Name>');
    expect(reply.text).toMatch(/<Name>red<\/Name>[\s\S]*<IsDefault>(?:1|true)<\/IsDefault>[\s\S]*#ff0000/);
  });
});
