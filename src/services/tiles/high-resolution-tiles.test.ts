/** Image tiles and maps for screens of high resolution. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { SLD_TYPE } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const document = (rules: string) =>
  `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>roads</Name><UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

const stroke = (colour: string, width: number, more = '') =>
  `<LineSymbolizer><Stroke><CssParameter name="stroke">${colour}</CssParameter><CssParameter name="stroke-width">${width}</CssParameter>${more}</Stroke></LineSymbolizer>`;

/** On level 3 the denominator is 69885283. A tile with more pixels must use the rule of the same level. */
const road = document(`
  <Rule><MinScaleDenominator>69885283</MinScaleDenominator>${stroke('#FF0000', 10)}</Rule>
  <Rule><MaxScaleDenominator>69885283</MaxScaleDenominator>${stroke('#0000FF', 10)}</Rule>`);

const everything = document(`<Rule>
  ${stroke('#0066AA', 3, '<CssParameter name="stroke-dasharray">12 6</CssParameter>')}
  <PointSymbolizer><Graphic><Mark><WellKnownName>square</WellKnownName><Fill><CssParameter name="fill">#FF8800</CssParameter></Fill></Mark><Size>18</Size></Graphic></PointSymbolizer>
  <TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label>
    <Font><CssParameter name="font-size">20</CssParameter></Font>
    <LabelPlacement><LinePlacement><PerpendicularOffset>16</PerpendicularOffset></LinePlacement></LabelPlacement>
    <Halo><Radius>2</Radius></Halo><VendorOption name="repeat">150</VendorOption></TextSymbolizer></Rule>`);

const tables = [
  {
    name: 'roads',
    attributes: [geometryColumn('LineString'), column('name', 'string')],
    rows: [[wkt('LINESTRING (-100 20, 0 20, 100 20)'), 'Parallel']],
  },
];

async function readPicture(bytes: Buffer) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const isRow = (y: number) => (data[(y * info.width + Math.floor(info.width / 2)) * 4 + 3] ?? 0) > 127;
  const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return {
    data,
    size: [info.width, info.height],
    /** The number of opaque rows in the middle column: the width of the road. */
    lineWidth: Array.from({ length: info.height }, (_, y) => y).filter(isRow).length,
    lineColor: Array.from({ length: info.height }, (_, y) => pixel(Math.floor(info.width / 2), y)).find(
      ([, , , opacity]) => opacity === 255,
    ),
  };
}

describe('tiles of high resolution', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishTables(server, 'acme', tables);
    for (const [name, body] of Object.entries({ road, everything })) {
      await server.request('POST', `/workspaces/acme/styles?name=${name}`, { type: SLD_TYPE, body });
    }
    await server.put('/layers/acme:roads', JSON.stringify({ layer: { defaultStyle: { name: 'acme:road' } } }));
  });

  const read = (path: string) => server.get(`//geoserver${path}`, { as: null });
  const XYZ = '/gwc/service/xyz/acme:roads@EPSG:900913@png';
  const TMS = '/gwc/service/tms/1.0.0/acme:roads@EPSG:900913@png';
  const WMTS = '/gwc/service/wmts';
  const OGC = '/ogc/tiles/v1/collections/acme:roads/map/tiles/WebMercatorQuad';
  const size = (pixels: number) => `width=${pixels}&height=${pixels}`;
  const wmsc = '/gwc/service/wms?request=GetMap&layers=acme:roads&srs=EPSG:900913&bbox=0,0,5009377.1,5009377.1';

  it.each([
    ['XYZ', `${XYZ}/3/4/3@2x.png`, 2],
    ['XYZ', `${XYZ}/3/4/3@4x.png`, 4],
    ['XYZ, without a pixel ratio', `${XYZ}/3/4/3.png`, 1],
    ['TMS', `${TMS}/3/4/4@2x.png`, 2],
    ['WMTS by path', `${WMTS}/rest/acme:roads/EPSG:900913/3/3/4@3x?format=image/png`, 3],
    [
      'WMTS by parameters',
      `${WMTS}?request=GetTile&layer=acme:roads&format=image/png&tilematrixset=EPSG:900913&tilematrix=3&tilerow=3&tilecol=4&pixelRatio=2`,
      2,
    ],
    ['Google Maps', '/gwc/service/gmaps?layers=acme:roads&zoom=3&x=4&y=3&pixelratio=2', 2],
    ['WMS-C', `${wmsc}&${size(512)}`, 2],
    ['WMS-C with a resolution', `${wmsc}&${size(512)}&format_options=dpi:180`, 2],
    ['OGC API Tiles by path', `${OGC}/3/3/4@2x?f=png`, 2],
    ['OGC API Tiles by parameter', `${OGC}/3/3/4?f=png&pixelRatio=2`, 2],
  ])('are drawn with wider lines and the rules of their level: %s %s', async (_, path, ratio) => {
    const reply = await read(path);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/png']);
    const picture = await readPicture(reply.bytes);
    expect(picture.size).toEqual([256 * ratio, 256 * ratio]);
    expect(Math.abs(picture.lineWidth - (10 * ratio + 0.5))).toBeLessThanOrEqual(1);
    expect(picture.lineColor).toEqual([255, 0, 0, 255]);
  });

  it('are cached separately from other tiles', async () => {
    const result = async (path: string) => (await read(path)).headers['geowebcache-cache-result'];

    expect(await result(`${XYZ}/4/9/7.png`)).toBe('MISS');
    expect(await result(`${XYZ}/4/9/7@2x.png`)).toBe('MISS');
    expect(await result(`${XYZ}/4/9/7@2x.png`)).toBe('HIT');
    expect(await result(`${XYZ}/4/9/7.png?pixelRatio=2`)).toBe('HIT');
    expect(await result(`${XYZ}/4/9/7.png?pixelRatio=1`)).toBe('HIT');
    expect((await readPicture((await read(`${XYZ}/4/9/7.png`)).bytes)).size).toEqual([256, 256]);
  });

  it.each([
    [`${XYZ}/3/4/3@5x.png`, "'3@5x'"],
    [`${XYZ}/3/4/3@.png`, "'3@'"],
    [`${XYZ}/3/4/3.png?pixelRatio=1.5`, 'an integer from 1 to 4'],
    [`${wmsc}&width=512&height=256`, 'expected the height for this width, 512'],
    [`${wmsc}&${size(300)}`, '256, 512, 768, 1024'],
  ])('are rejected with another size: %s', async (path, message) => {
    const { status, text } = await read(path);

    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  it('answer GetFeatureInfo in their own pixels', async () => {
    const base = `${WMTS}?request=GetFeatureInfo&layer=acme:roads&format=image/png&tilematrixset=EPSG:900913&tilematrix=3&tilerow=3&tilecol=4&infoformat=application/json`;
    const { lineWidth } = await readPicture((await read(`${XYZ}/3/4/3@2x.png`)).bytes);
    const found = await read(`${base}&pixelRatio=2&i=400&j=283`);

    expect(lineWidth).toBeGreaterThan(0);
    expect([found.status, JSON.parse(found.text).features.length]).toEqual([200, 1]);
  });

  it('are linked from TileJSON and tilesets on request', async () => {
    const [tileJson, tileset] = await Promise.all([
      read(`${OGC}?f=tilejson&pixelRatio=2`),
      read(`${OGC}?f=json&pixelRatio=2`),
    ]);

    expect(JSON.parse(tileJson.text).tiles).toEqual([expect.stringContaining('/{z}/{y}/{x}@2x?f=png')]);
    expect(tileset.text).toContain('/{tileMatrix}/{tileRow}/{tileCol}@2x?f=png');
  });

  it('look like maps with half of their pixels, also in GetMap', async () => {
    const frame = 'srs=EPSG:3857&bbox=0,0,5000000,5000000&format=image/png&styles=acme:everything';
    const map = `/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:roads&${frame}`;
    const small = await readPicture((await read(`${map}&${size(512)}`)).bytes);
    const large = (await read(`${map}&${size(1024)}&format_options=dpi:180`)).bytes;
    const reduced = await sharp(large).resize(512, 512, { kernel: 'linear' }).ensureAlpha().raw().toBuffer();

    let difference = 0;
    for (let at = 0; at < reduced.length; at += 1) {
      difference += Math.abs((reduced[at] ?? 0) - (small.data[at] ?? 0));
    }
    const ink = small.data.reduce((sum, value) => sum + 255 - value, 0);
    expect(ink / small.data.length).toBeGreaterThan(1);
    expect(difference / reduced.length).toBeLessThan(0.5);
  });
});
