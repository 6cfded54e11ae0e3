/**
 * Styles that cost far more than they look: each ends with a map or an error within the limits, and other clients are
 * served in the meantime.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { publishTables } from '../support/published-features.ts';
import { putTiff } from '../support/raster-samples.ts';
import { type Reply, useTestServer } from '../support/test-server.ts';

const server = useTestServer();

/** The shortest limit of a map, so that endless work ends soon. */
const RENDERING_SECONDS = 1;

beforeAll(async () => {
  const attributes = [column('name', 'string'), column('n', 'integer')];
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  await publishTables(server, 'w', [
    {
      name: 'points',
      attributes: [geometryColumn('Point'), ...attributes],
      rows: numbers.map((n) => [wkt(`POINT (${n} ${(n * 7) % 10})`), `name ${n}`, n]),
    },
    {
      name: 'lines',
      attributes: [geometryColumn('LineString'), ...attributes],
      rows: numbers.map((n) => [wkt(`LINESTRING (${n} 0, ${20 - n} 10, ${n} 5)`), `name ${n}`, n]),
    },
    {
      name: 'areas',
      attributes: [geometryColumn('Polygon'), ...attributes],
      rows: numbers.map((n) => [wkt(`POLYGON ((${n} 0, ${n + 0.9} 0, ${n + 0.9} 9, ${n} 9, ${n} 0))`), `name ${n}`, n]),
    },
  ]);
  await putTiff(server, '/workspaces/w/coveragestores/relief/file.geotiff');
  const settings = `<wms><maxRenderingTime>${RENDERING_SECONDS}</maxRenderingTime></wms>`;
  await server.put('/services/wms/settings', settings, { type: 'xml' });
});

const RELIEF_BOX = 'srs=EPSG:32633&bbox=500000,4999980,500030,5000000';

/** Draws a layer while another client asks for something else; fails if that client is not served. */
async function draw(layer: string, more: Readonly<Record<string, string>>): Promise<Reply> {
  const frame = layer === 'relief' ? RELIEF_BOX : 'srs=EPSG:4326&bbox=0,0,20,10';
  const map = `service=WMS&version=1.1.1&request=GetMap&${frame}&width=400&height=200&format=image/png&styles=&layers=w:${layer}`;
  const body = `${map}&${new URLSearchParams(more)}`;
  const options = { as: null, type: 'application/x-www-form-urlencoded' };
  const [reply, other] = await Promise.all([server.post('//geoserver/wms', body, options), server.get('/livez')]);
  expect(other.status).toBe(200);
  return reply;
}

const drawSld = (layer: string, content: string) => draw(layer, { sld_body: createSld(layer, content) });

function createSld(layer: string, content: string): string {
  const names =
    'xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink"';
  return `<StyledLayerDescriptor version="1.0.0" ${names}><NamedLayer><Name>w:${layer}</Name><UserStyle>${content}</UserStyle></NamedLayer></StyledLayerDescriptor>`;
}

const drawRule = (layer: string, symbolizer: string) =>
  drawSld(layer, `<FeatureTypeStyle><Rule>${symbolizer}</Rule></FeatureTypeStyle>`);

/** A map, or the exception that it takes too long. */
function expectBounded({ status, headers, text }: Reply): void {
  if (status === 503) expect(text).toContain(`longer than the limit of ${RENDERING_SECONDS} second`);
  else expect([status, headers['content-type'], text.slice(0, 4)]).toEqual([200, 'image/png', '\ufffdPNG']);
}

const literal = (value: string | number) => `<ogc:Literal>${value}</ogc:Literal>`;
const property = (name: string) => `<ogc:PropertyName>${name}</ogc:PropertyName>`;
const call = (name: string, ...parts: readonly string[]) =>
  `<ogc:Function name="${name}">${parts.join('')}</ogc:Function>`;
const repeat = (count: number, wrap: (inner: string) => string, start: string): string =>
  Array.from({ length: count }).reduce<string>((inner) => wrap(inner), start);
const option = (name: string, value: string | number) => `<VendorOption name="${name}">${value}</VendorOption>`;
const label = (text: string, more = '') => `<TextSymbolizer><Label>${text}</Label>${more}</TextSymbolizer>`;
const fill = '<Fill><CssParameter name="fill">#ff0000</CssParameter></Fill>';
const area = (geometry: string) => `<PolygonSymbolizer><Geometry>${geometry}</Geometry>${fill}</PolygonSymbolizer>`;
const graphic = (size: string | number, name = 'circle') =>
  `<Graphic><Mark><WellKnownName>${name}</WellKnownName>${fill}</Mark><Size>${size}</Size></Graphic>`;
const mark = (size: string | number, name?: string) => `<PointSymbolizer>${graphic(size, name)}</PointSymbolizer>`;
const stroke = (parameters: Readonly<Record<string, string>>, inner = '') => {
  const written = Object.entries(parameters).map(
    ([name, value]) => `<CssParameter name="${name}">${value}</CssParameter>`,
  );
  return `<LineSymbolizer><Stroke>${inner}${written.join('')}</Stroke></LineSymbolizer>`;
};
const pattern = (size: number, options = '') =>
  `<PolygonSymbolizer><Fill><GraphicFill>${graphic(size)}</GraphicFill></Fill>${options}</PolygonSymbolizer>`;
const corners = (count: number) =>
  Array.from({ length: count }, (_, index) => `${Math.sin(index).toFixed(3)} ${Math.cos(index * 1.3).toFixed(3)}`);

describe('expressions', () => {
  const condition = (test: string) => `<ogc:Filter>${test}</ogc:Filter>${mark(4)}`;

  it.each([
    [
      'a text that doubles 60 times',
      label(repeat(60, (x) => call('strReplace', x, literal('.'), literal('$0$0'), literal('true')), property('name'))),
    ],
    [
      'a function of 5,000 arguments',
      label(call('Concatenate', ...Array.from({ length: 5_000 }, () => property('name')))),
    ],
    [
      'a regular expression that backtracks',
      label(call('strReplace', property('name'), literal('(a*)*(a*)*b{0,1000}'), literal('x'), literal('true'))),
    ],
    [
      'a regular expression of a billion states',
      label(
        call(
          'strReplace',
          property('name'),
          literal('((((a{0,1000}){0,1000}){0,1000}){0,1000})'),
          literal('x'),
          literal('true'),
        ),
      ),
    ],
    [
      '1,000 conditions with wildcards',
      condition(
        `<ogc:Or>${`<ogc:PropertyIsLike wildCard="*" singleChar="?" escapeChar="!">${property('name')}${literal('*a*b*c*d*e*')}</ogc:PropertyIsLike>`.repeat(1_000)}</ogc:Or>`,
      ),
    ],
  ])('bounds %s', async (_, symbolizer) => {
    expectBounded(await drawRule('points', symbolizer));
  });

  it.each([
    ['nested buffers', repeat(30, (x) => call('buffer', x, literal(1)), property('geom'))],
    [
      'a buffer of 100 million segments',
      call('bufferWithSegments', property('geom'), literal(1), literal(100_000_000)),
    ],
    ['a buffer of 1e300', call('buffer', property('geom'), literal('1e300'))],
    ['a line with a position at every nanodegree', call('densify', property('geom'), literal('1e-9'))],
    [
      'a union of 50 buffers',
      repeat(50, (x) => call('union', x, call('buffer', property('geom'), literal(5))), property('geom')),
    ],
  ])('bounds %s', async (_, geometry) => {
    expectBounded(await drawRule('areas', area(geometry)));
  });

  it('rejects functions that are nested 5,000 levels deep', async () => {
    const reply = await drawRule('points', label(repeat(5_000, (x) => call('strTrim', x), property('name'))));

    expect(reply.text).toContain('nested deeper than 200 levels');
  });
});

describe('symbols', () => {
  it.each([
    ['points', 'marks of a billion pixels', mark('1e9')],
    ['points', 'marks of no size', mark('NaN')],
    ['points', 'a mark of 10,000 corners', mark(500, `wkt://MULTILINESTRING((${corners(10_000)}))`)],
    ['lines', 'dashes of a billionth of a pixel', stroke({ 'stroke-dasharray': '1e-9 1e-9' })],
    ['lines', 'a pattern of 100,000 dashes', stroke({ 'stroke-dasharray': '1 1 '.repeat(50_000) })],
    ['lines', 'a dash offset of 1e300', stroke({ 'stroke-dasharray': '3 3', 'stroke-dashoffset': '1e300' })],
    ['lines', 'lines of a billion pixels', stroke({ 'stroke-width': '1e9', 'stroke-linejoin': 'round' })],
    [
      'lines',
      'marks of a thousandth of a pixel along lines',
      stroke({}, `<GraphicStroke>${graphic(0.001)}</GraphicStroke>`),
    ],
    ['areas', 'patterns of a hundredth of a pixel', pattern(0.01)],
    ['areas', 'patterns with negative margins', pattern(4, option('graphic-margin', '-3.99999'))],
    [
      'areas',
      'a billion scattered symbols',
      pattern(4, option('random', 'free') + option('random-symbol-count', 1e9) + option('random-tile-size', 1e6)),
    ],
    [
      'points',
      'an order of 20,000 attributes',
      `${mark(4)}</Rule>${option('sortBy', `${'name,'.repeat(20_000)}n`)}<Rule>`,
    ],
  ])('bounds %s with %s', async (layer, _, symbolizer) => {
    expectBounded(await drawRule(layer, symbolizer));
  });

  it('bounds 1,500 rules', async () => {
    expectBounded(
      await drawSld('points', `<FeatureTypeStyle>${`<Rule>${mark(4)}</Rule>`.repeat(1_500)}</FeatureTypeStyle>`),
    );
  });

  it('bounds 2,000 blended feature type styles', async () => {
    const blended = `<FeatureTypeStyle><Rule>${mark(4)}</Rule>${option('composite', 'multiply')}</FeatureTypeStyle>`;

    expectBounded(await drawSld('points', blended.repeat(2_000)));
  });
});

describe('labels', () => {
  const along = '<LabelPlacement><LinePlacement/></LabelPlacement>';
  const font = (size: number) => `<Font><CssParameter name="font-size">${size}</CssParameter></Font>`;

  it.each([
    [
      'lines',
      'repeated every thousandth of a pixel',
      label(
        property('name'),
        along + option('repeat', '0.001') + option('followLine', 'true') + option('conflictResolution', 'false'),
      ),
    ],
    [
      'lines',
      'moved by a billion pixels along them',
      label(property('name'), along + option('repeat', '0.001') + option('maxDisplacement', '1e9')),
    ],
    ['points', 'moved by a billion pixels', label(property('name'), option('maxDisplacement', '1e9'))],
    [
      'points',
      'that shrink from 5,000 pixels',
      label(property('name'), font(5_000) + option('fontShrinkSizeMin', '0.01')),
    ],
    [
      'points',
      'of 400,000 characters',
      label('abc '.repeat(100_000), option('autoWrap', 10) + option('conflictResolution', 'false')),
    ],
    [
      'areas',
      'of 20,000 characters in a polygon',
      label('x'.repeat(20_000), option('goodnessOfFit', 1) + option('polygonAlign', 'mbr')),
    ],
  ])('bounds labels of %s %s', async (layer, _, symbolizer) => {
    expectBounded(await drawRule(layer, symbolizer));
  });
});

describe('pictures', () => {
  const show = (href: string, format: string) =>
    `<PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="${href}"/><Format>${format}</Format></ExternalGraphic></Graphic></PointSymbolizer>`;
  const picture = (bytes: string | Buffer, format: string) =>
    show(`data:${format};base64,${Buffer.from(bytes).toString('base64')}`, format);
  const svg = (inner: string, size = 100) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}">${inner}</svg>`;
  const uses = Array.from({ length: 30 }, (_, n) => `<g id="a${n + 1}">${`<use xlink:href="#a${n}"/>`.repeat(10)}</g>`);
  const bigHead = Buffer.from('89504e470d0a1a0a0000000d494844520000ffff0000ffff080600000000000000', 'hex');

  it.each([
    [
      'an SVG of 10 to the power of 30 shapes',
      picture(
        svg(`<defs><rect id="a0" width="1" height="1"/>${uses.join('')}</defs><use xlink:href="#a30"/>`),
        'image/svg+xml',
      ),
    ],
    [
      'an SVG with entities',
      picture(
        `<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]>${svg(`<text>${'&b;'.repeat(1_000)}</text>`)}`,
        'image/svg+xml',
      ),
    ],
    ['an SVG of a billion pixels', picture(svg('<rect width="1e9" height="1e9"/>', 1e9), 'image/svg+xml')],
    [
      'an SVG with a blur of a billion pixels',
      picture(
        svg(
          '<filter id="f"><feGaussianBlur stdDeviation="1e9"/></filter><rect width="9" height="9" filter="url(#f)"/>',
        ),
        'image/svg+xml',
      ),
    ],
    [
      'an SVG with a file of the server',
      picture(svg('<image width="9" height="9" xlink:href="file:///etc/passwd"/>'), 'image/svg+xml'),
    ],
    ['a PNG of four billion pixels', picture(bigHead, 'image/png')],
    ['pictures of another server', show('http://elsewhere.invalid/$' + '{name}.svg', 'image/svg+xml')],
  ])('bounds %s', async (_, symbolizer) => {
    expectBounded(await drawRule('points', symbolizer));
  });

  it.each([
    ['text', Buffer.from('This is not a font.')],
    ['a head without tables', Buffer.from(`00010000${'ffff'.repeat(4)}`, 'hex')],
    ['an empty file', Buffer.alloc(0)],
    ['tables beyond the end', Buffer.from(`0001000000010000000000006e616d6500000000${'ffffffff'.repeat(2)}`, 'hex')],
  ])('rejects a font that is %s', async (_, body) => {
    const reply = await server.request('PUT', '/fonts/evil.ttf', { body, type: 'font/ttf' });

    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
    expect(reply.status, reply.text).toBeLessThan(500);
  });
});

describe('rasters and transformations', () => {
  const raster = (colors: string) => `<RasterSymbolizer><ColorMap>${colors}</ColorMap></RasterSymbolizer>`;
  const entries = (count: number, quantity: (index: number) => string) =>
    Array.from({ length: count }, (_, n) => `<ColorMapEntry color="#ff0000" quantity="${quantity(n)}"/>`).join('');

  it.each([
    ['15,000 colours', raster(entries(15_000, String))],
    [
      'a curve through 5,000 colours',
      raster(
        call(
          'Interpolate',
          literal('Rasterdata'),
          ...Array.from({ length: 5_000 }, (_, n) => literal(n) + literal('#ff0000')),
          literal('color'),
          literal('cubic'),
        ),
      ),
    ],
  ])('bounds a raster with %s', async (_, symbolizer) => {
    expectBounded(await drawRule('relief', symbolizer));
  });

  function transform(
    layer: string,
    process: string,
    values: Readonly<Record<string, string | number>>,
  ): Promise<Reply> {
    const parameters = Object.entries(values).map(([name, value]) => call('parameter', literal(name), literal(value)));
    const transformation = `<Transformation>${call(process, ...parameters)}</Transformation>`;
    const symbolizers = `<RasterSymbolizer/>${mark(4)}${stroke({})}`;
    return drawSld(layer, `<FeatureTypeStyle>${transformation}<Rule>${symbolizers}</Rule></FeatureTypeStyle>`);
  }

  it.each([
    ['areas', 'Transform', { transform: 'geom=buffer(buffer(buffer(geom, 5), -4), 3)' }],
    ['relief', 'Contour', { levels: Array.from({ length: 1_000 }, (_, n) => n / 2).join(' '), smooth: 'true' }],
    [
      'relief',
      'Jiffle',
      { script: 'l = []; foreach (i in 1:90) { l &lt;&lt; i; } foreach (i in 1:90) { m = median(l); } dest = m;' },
    ],
  ] as const)('bounds the transformation of %s by %s with %o', async (layer, process, values) => {
    expectBounded(await transform(layer, process, values));
  });

  it.each([
    ['points', 'Heatmap', { radiusPixels: 1e9 }],
    ['points', 'PointStacker', { cellSize: 0 }],
    ['points', 'BarnesSurface', { valueAttr: 'n', scale: 1, passes: 100 }],
    ['points', 'VectorToRaster', { attribute: 'n', rasterWidth: 1e6, rasterHeight: 1e6 }],
    ['relief', 'Contour', { levels: '1 '.repeat(100_000) }],
    ['relief', 'RasterAsPointCollection', { scale: 1_000 }],
  ] as const)('rejects the transformation of %s by %s with %o', async (layer, process, values) => {
    expect((await transform(layer, process, values)).text).toContain(`Invalid transformation '${process}'`);
  });
});

describe('styles in other languages', () => {
  const levels = Array.from(
    { length: 12 },
    (_, n) => `b${n}: &b${n} [${Array.from({ length: 9 }, () => (n === 0 ? 'x' : `*b${n - 1}`))}]`,
  );

  it.each([
    [
      'CSS with deep rules',
      'application/vnd.geoserver.geocss+css',
      `${'[n > 1] {'.repeat(5_000)}fill: red;${'}'.repeat(5_000)}`,
    ],
    [
      'CSS with deep functions',
      'application/vnd.geoserver.geocss+css',
      `* { label: [${'strTrim('.repeat(3_000)}name${')'.repeat(3_000)}]; }`,
    ],
    [
      'YSLD with aliases that multiply',
      'application/vnd.geoserver.ysld+yaml',
      `${levels.join('\n')}\nrules:\n- *b11\n`,
    ],
    ['YSLD with deep lists', 'application/vnd.geoserver.ysld+yaml', '['.repeat(50_000)],
    [
      'a MapLibre style with deep expressions',
      'application/vnd.geoserver.mbstyle+json',
      `{"version":8,"layers":[{"id":"a","type":"circle","paint":{"circle-radius":${'["+",1,'.repeat(20_000)}1${']'.repeat(20_000)}}}]}`,
    ],
    ['an SLD of 10 MB', 'application/vnd.ogc.sld+xml', createSld('relief', `<!--${'x'.repeat(11_000_000)}-->`)],
  ])('rejects %s', async (_, type, body) => {
    const reply = await server.post('/workspaces/w/styles?name=evil', body, { type });

    expect([400, 413], reply.text.slice(0, 300)).toContain(reply.status);
  });

  it.each([
    [
      'css',
      'application/vnd.geoserver.geocss+css',
      Array.from(
        { length: 20 },
        (_, n) => `[n > ${n}] { mark: symbol(circle); mark-size: ${n}; } [name = 'a${n}'] { fill: red; }`,
      ).join('\n'),
    ],
    [
      'mbstyle',
      'application/vnd.geoserver.mbstyle+json',
      JSON.stringify({
        version: 8,
        layers: [
          {
            id: 'a',
            type: 'circle',
            paint: {
              'circle-radius': [
                'match',
                ['get', 'n'],
                ...Array.from({ length: 5_000 }, (_, n) => [n, n % 9]).flat(),
                3,
              ],
            },
          },
        ],
      }),
    ],
  ])('bounds a style in %s whose rules combine', async (name, type, body) => {
    await server.post(`/workspaces/w/styles?name=${name}`, body, { type });

    expectBounded(await draw('points', { styles: `w:${name}` }));
  });
});
