import { beforeAll, describe, expect, it } from 'vitest';
import { askMap, colourAt, fillSld, publishSquares, SMALL_MAP } from '../../../../test/support/maps.ts';
import { blurredSvg, inlineGraphicSld, noiseSvg, shadowSvg } from '../../../../test/support/svg-graphics.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();

beforeAll(() => publishSquares(server));

const [RED, GREEN, BLUE, WHITE] = ['#ff0000', '#00ff00', '#0000ff', '#ffffff'];

async function colours(query: string): Promise<readonly string[]> {
  const reply = await askMap(server, `${SMALL_MAP}&${query}`);
  return [await colourAt(reply, 4, 15), await colourAt(reply, 4, 4), await colourAt(reply, 15, 4)];
}

const body = (sld: string) => `sld_body=${encodeURIComponent(sld)}`;

const document = (layers: string) =>
  `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">${layers}</StyledLayerDescriptor>`;

describe('style sent by a client', () => {
  it('applies to the layers it names, and leaves others unchanged', async () => {
    const sld = fillSld(GREEN ?? '', { layer: 'topo:west' });

    expect(await colours(`layers=topo:west,topo:east&${body(sld)}`)).toEqual([GREEN, GREEN, BLUE]);
  });

  it('determines the layers if the request names none', async () => {
    const named = '<NamedLayer><Name>topo:east</Name><NamedStyle><Name>red</Name></NamedStyle></NamedLayer>';

    expect(await colours(body(fillSld(GREEN ?? '', { layer: 'west' })))).toEqual([GREEN, GREEN, WHITE]);
    expect(await colours(body(document(named)))).toEqual([WHITE, WHITE, RED]);
    expect(await colours(body(document('<NamedLayer><Name>topo:east</Name></NamedLayer>')))).toEqual([
      WHITE,
      WHITE,
      BLUE,
    ]);
  });

  it('names layers to which filters of the request apply, also a layer repeatedly', async () => {
    const fill = (color = '') =>
      `<NamedLayer><Name>topo:west</Name><UserStyle><FeatureTypeStyle><Rule><PolygonSymbolizer><Fill><CssParameter name="fill">${color}</CssParameter></Fill></PolygonSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer>`;
    const twice = body(document(`${fill(GREEN)}${fill(BLUE)}`));

    expect(await colours(`${body(document(fill(GREEN)))}&cql_filter=rank=1`)).toEqual([GREEN, WHITE, WHITE]);
    expect(await colours(`${twice}&cql_filter=rank<3;rank=1`)).toEqual([BLUE, GREEN, WHITE]);
    const mismatch = await askMap(server, `${SMALL_MAP}&${twice}&cql_filter=rank=1;rank=2;rank=3`);
    expect(mismatch.text).toContain('expected one value for each of the 2 types');
    const many = await askMap(server, `${SMALL_MAP}&${body(document(fill(GREEN).repeat(101)))}`);
    expect(many.text).toContain('A map of 101 layers');
  });

  it('selects features by its constraints', async () => {
    const constraint =
      '<LayerFeatureConstraints><FeatureTypeConstraint><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>low</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter></FeatureTypeConstraint></LayerFeatureConstraints>';
    const layer = `<NamedLayer><Name>topo:west</Name>${constraint}</NamedLayer>`;

    expect(await colours(body(document(layer)))).toEqual([RED, WHITE, WHITE]);
  });

  it.each([
    ['of noise', noiseSvg, 2_000, "the filter primitive 'feTurbulence' is not supported; supported are feBlend,"],
    ['that is too large', blurredSvg, 2_000, 'its 4000000 pixels at this size exceed the limit of '],
    ['that is huge', shadowSvg, 1_000_000, 'its 1000000000000 pixels at this size exceed the limit of '],
  ])('is rejected with a graphic %s', async (_what, svg, size, reason) => {
    const sld = inlineGraphicSld(svg, { layer: 'topo:west', size });

    const reply = await askMap(server, `${SMALL_MAP}&${body(sld)}`);

    expect(reply.text).toContain('<ServiceException code="NoApplicableCode" locator="sld_body">');
    expect(reply.text).toContain('The style in the request is invalid: it contains an SVG graphic that is not drawn: ');
    expect(reply.text).toContain(reason);
  });

  it('may contain a graphic with a shadow', async () => {
    expect(await colours(body(inlineGraphicSld(shadowSvg, { layer: 'topo:west', size: 8 })))).toEqual([
      GREEN,
      GREEN,
      WHITE,
    ]);
  });

  it('can be sent in a form, which allows long styles', async () => {
    const reply = await server.post(
      '//geoserver/wms',
      `${SMALL_MAP}&${body(fillSld(GREEN ?? '', { layer: 'west' }))}`,
      { as: null, type: 'application/x-www-form-urlencoded' },
    );

    expect(await colourAt(reply, 4, 4)).toBe(GREEN);
  });

  it.each([
    ['<Other/>', 'ServiceException'],
    [fillSld('#00ff00', { layer: 'topo:nothing' }), 'code="LayerNotDefined"'],
    ['<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'ServiceException'],
    [
      document(
        '<UserLayer><Name>x</Name><RemoteOWS><Service>WFS</Service><OnlineResource xlink:href="http://127.0.0.1:1/"/></RemoteOWS><LayerFeatureConstraints><FeatureTypeConstraint/></LayerFeatureConstraints><UserStyle><FeatureTypeStyle><Rule><LineSymbolizer/></Rule></FeatureTypeStyle></UserStyle></UserLayer>',
      ),
      'RemoteOWS',
    ],
  ])('is rejected if it is invalid: %s', async (sld, expected) => {
    const reply = await askMap(server, `${SMALL_MAP}&${body(sld)}`);

    expect(reply.status).toBe(200);
    expect(reply.text).toContain(expected);
    expect(reply.text).not.toContain('root:');
  });

  it('is not fetched from addresses that no URL check permits', async () => {
    const reply = await askMap(server, `${SMALL_MAP}&layers=topo:west&sld=http://169.254.169.254/latest`);

    expect(reply.text).toContain('ServiceException');
  });

  it('is rejected if client styles are disabled', async () => {
    await server.put('/services/wms/settings', '{"wms":{"dynamicStylingDisabled":true}}');

    const reply = await askMap(server, `${SMALL_MAP}&layers=topo:west&${body(fillSld('#00ff00'))}`);
    await server.put('/services/wms/settings', '{"wms":{"dynamicStylingDisabled":false}}');

    expect(reply.text).toContain('code="OperationNotSupported"');
  });
});

describe('problems as images', () => {
  it.each([
    ['inimage', '1.1.1'],
    ['blank', '1.1.1'],
    ['INIMAGE', '1.3.0'],
    ['BLANK', '1.3.0'],
  ])('are drawn on request: %s in %s', async (kind, version) => {
    const exceptions = version === '1.1.1' ? `application/vnd.ogc.se_${kind}` : kind;
    const query = SMALL_MAP.replace('1.1.1', version)
      .replace('srs=', 'crs=')
      .replace('width=20&height=20', 'width=200&height=100');

    const reply = await askMap(server, `${query}&layers=topo:nothing&exceptions=${exceptions}`);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/png']);
    const { default: sharp } = await import('sharp');
    const { channels } = await sharp(reply.bytes).stats();
    expect(channels.some(({ min }) => min < 255)).toBe(kind.toLowerCase() === 'inimage');
  });

  it.each([
    ['wms', SMALL_MAP.replace('width=20&height=20', 'width=200&height=100')],
    ['wms/reflect', 'width=200&height=100&format=image/png&bbox=0,0,10,10'],
  ])('contain the message of the problem in red letters: %s', async (path, query) => {
    const problem = 'layers=topo:nothing&transparent=true&exceptions=application/vnd.ogc.se_inimage';
    const reply = await server.get(`//geoserver/${path}?${query}&${problem}`, { as: null });

    const { default: sharp } = await import('sharp');
    const pixels = await sharp(reply.bytes).ensureAlpha().raw().toBuffer();
    const drawn = Array.from({ length: 200 * 100 }, (_, at) => pixels.subarray(at * 4, at * 4 + 4)).filter(
      ([, , , opacity = 0]) => opacity >= 128,
    );
    expect(drawn.length).toBeGreaterThan(200);
    expect(drawn.every(([red = 0, green = 0]) => red > 150 && green < 20)).toBe(true);
  });

  it('are reported as text if the format is invalid, and as JSON on request', async () => {
    const wrong = await askMap(
      server,
      `${SMALL_MAP.replace('image/png', 'image/no')}&layers=topo:west&exceptions=application/vnd.ogc.se_inimage`,
    );
    const json = await askMap(server, `${SMALL_MAP}&layers=topo:nothing&exceptions=application/json`);

    expect(wrong.text).toContain('code="InvalidFormat"');
    expect(json.json()).toEqual({
      version: '1.1.1',
      exceptions: [{ code: 'LayerNotDefined', locator: 'layers', text: "Unknown layer 'topo:nothing'." }],
    });
  });
});

describe('GetMap with an XML document', () => {
  const box =
    '<BoundingBox srsName="http://www.opengis.net/gml/srs/epsg.xml#4326" xmlns:gml="http://www.opengis.net/gml"><gml:coord><gml:X>0</gml:X><gml:Y>0</gml:Y></gml:coord><gml:coord><gml:X>10</gml:X><gml:Y>10</gml:Y></gml:coord></BoundingBox>';
  const output =
    '<Output><Format>image/png</Format><Transparent>true</Transparent><Size><Width>20</Width><Height>20</Height></Size></Output>';
  const request = (parts: string, head = 'service="WMS" version="1.2.0" xmlns="http://www.opengis.net/ows"') =>
    `<GetMap ${head}>${parts}</GetMap>`;
  const post = (text: string, path = 'wms', type = 'text/xml') =>
    server.post(`//geoserver/${path}`, text, { as: null, type });

  it('draws the style in the document with its transparency', async () => {
    const sld = fillSld('#00ff00', { layer: 'topo:west' });

    for (const reply of [
      await post(request(sld + box + output)),
      await post(request(sld + box + output), 'ows', 'application/xml'),
    ]) {
      expect([await colourAt(reply, 4, 4), await colourAt(reply, 15, 4)]).toEqual([GREEN, '#00000000']);
    }
  });

  it('knows the prefixes declared around the style', async () => {
    const sld =
      '<sld:StyledLayerDescriptor version="1.0.0"><sld:NamedLayer><sld:Name>topo:east</sld:Name></sld:NamedLayer></sld:StyledLayerDescriptor>';
    const head = 'version="1.1.1" xmlns:sld="http://www.opengis.net/sld" xmlns="http://www.opengis.net/sld"';

    expect(await colourAt(await post(request(sld + box + output, head), 'ows'), 15, 4)).toBe(BLUE);
  });

  it('uses the axis order of version 1.3.0 if the document has that version', async () => {
    const corners =
      '<CRS>EPSG:4326</CRS><BoundingBox><LowerCorner>0 0</LowerCorner><UpperCorner>10 20</UpperCorner></BoundingBox>';
    const reply = await post(
      request(`<Layers>topo:east</Layers>${corners}${output}`, 'version="1.3.0" xmlns="http://www.opengis.net/sld"'),
    );

    expect([await colourAt(reply, 7, 4), await colourAt(reply, 15, 4)]).toEqual([BLUE, '#00000000']);
  });

  it('accepts a style alone, with the other parameters in the query', async () => {
    const reply = await post(fillSld('#00ff00', { layer: 'topo:west' }), `wms?${SMALL_MAP}`);

    expect([await colourAt(reply, 4, 4), await colourAt(reply, 15, 4)]).toEqual([GREEN, WHITE]);
  });

  it('reports errors in the requested format', async () => {
    const wrong = `<Layers>topo:nothing</Layers>${box}${output}`;

    expect((await post(request(wrong))).text).toContain('code="LayerNotDefined"');
    expect((await post(request(`${wrong}<Exceptions>application/json</Exceptions>`))).json()).toMatchObject({
      exceptions: [{ code: 'LayerNotDefined' }],
    });
    const picture = await post(request(`${wrong}<Exceptions>application/vnd.ogc.se_blank</Exceptions>`));
    expect(await colourAt(picture, 4, 4)).toBe('#00000000');
    expect((await post('<Nothing xmlns="http://www.opengis.net/sld"/>')).text).toContain("'GetMap'");
    expect((await post(`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${request(box)}`)).text).toContain(
      'ServiceException',
    );
  });

  it('accepts GetCapabilities too', async () => {
    const reply = await post('<GetCapabilities service="WMS" xmlns="http://www.opengis.net/wms"/>', 'ows');

    expect(reply.text).toContain('<WMS_Capabilities');
  });
});
