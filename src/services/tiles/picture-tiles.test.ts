/** Image tiles: drawn in blocks, in each style, and again after changes. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { renameFont } from '../../../test/support/renamed-fonts.ts';
import { SLD_TYPE } from '../../../test/support/styles.ts';
import { type RequestOptions, useTestServer } from '../../../test/support/test-server.ts';

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
const NOTHING = [0, 0, 0, 0];

const fill = (
  colour: string,
) => `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>fields</Name><UserStyle><FeatureTypeStyle><Rule><PolygonSymbolizer>
  <Fill><CssParameter name="fill">${colour}</CssParameter></Fill></PolygonSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

const tables = [
  {
    name: 'fields',
    attributes: [geometryColumn('Polygon'), column('name', 'string')],
    rows: [[wkt('POLYGON ((0 0, 90 0, 90 66, 0 66, 0 0))'), 'north east']],
  },
];

describe('image tiles', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishTables(server, 'acme', tables);
    for (const [name, colour] of Object.entries({ red: '#FF0000', blue: '#0000FF' })) {
      await server.request('POST', `/workspaces/acme/styles?name=${name}`, { type: SLD_TYPE, body: fill(colour) });
    }
    await server.put('/layers/acme:fields', JSON.stringify({ layer: { defaultStyle: { name: 'acme:red' } } }));
  });

  const ask = (path: string, options: RequestOptions = {}) =>
    server.get(`//geoserver/gwc/service/wmts/rest/acme:fields/${path}`, { as: null, ...options });

  async function pixelsOf(bytes: Buffer) {
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return {
      ...info,
      at: (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)],
    };
  }

  it.each(['png', 'png8', 'jpeg', 'webp', 'gif'])('are returned as %s', async (format) => {
    const reply = await ask(`EPSG:900913/EPSG:900913:0/0/0?format=image/${format}`);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, `image/${format}`]);
    const { width, height, at } = await pixelsOf(reply.bytes);
    expect([width, height]).toEqual([256, 256]);
    const [red = 0, green = 0, blue = 0] = at(150, 100);
    expect([red > 250, green < 5, blue < 5]).toEqual([true, true, true]);
    expect(at(20, 20)).toEqual(format === 'jpeg' ? [255, 255, 255, 255] : expect.arrayContaining([0]));
  });

  it('match at their edges', async () => {
    // The field extends from longitude 0 to 90 degrees, which is an edge of tiles on level 2.
    const left = await pixelsOf((await ask('EPSG:900913/2/1/2?format=image/png')).bytes);
    const right = await pixelsOf((await ask('EPSG:900913/2/1/3?format=image/png')).bytes);
    const before = await pixelsOf((await ask('EPSG:900913/2/1/1?format=image/png')).bytes);

    expect([left.at(0, 128), left.at(255, 128)]).toEqual([RED, RED]);
    expect([right.at(1, 128), before.at(254, 128)]).toEqual([NOTHING, NOTHING]);
  });

  it('are drawn in blocks, so that the neighbours of a requested tile are cached too', async () => {
    const first = await ask('EPSG:900913/5/12/18?format=image/png');
    const neighbour = await ask('EPSG:900913/5/13/19?format=image/png');
    const elsewhere = await ask('EPSG:900913/5/16/19?format=image/png');

    expect([first, neighbour, elsewhere].map(({ headers }) => headers['geowebcache-cache-result'])).toEqual([
      'MISS',
      'HIT',
      'MISS',
    ]);
  });

  it('are transparent if they are empty, and always have content', async () => {
    const reply = await ask('EPSG:4326/EPSG:4326:3/6/1?format=image/png');

    expect(reply.status).toBe(200);
    expect((await pixelsOf(reply.bytes)).at(100, 100)).toEqual(NOTHING);
  });

  it('are drawn in each style of the layer, and rejected for other styles', async () => {
    const blue = await ask('acme:blue/EPSG:900913/EPSG:900913:0/0/0?format=image/png');
    const unknown = await ask('nothing/EPSG:900913/EPSG:900913:0/0/0?format=image/png');

    expect((await pixelsOf(blue.bytes)).at(150, 100)).toEqual(BLUE);
    expect([unknown.status, unknown.text.includes('locator="Style"')]).toEqual([400, true]);
  });

  it('are redrawn after a change of their style, and only then', async () => {
    const path = 'acme:blue/EPSG:900913/3/3/4?format=image/png';
    await ask(path);
    await ask('EPSG:900913/3/3/4?format=image/png');

    await server.request('PUT', '/workspaces/acme/styles/blue', { type: SLD_TYPE, body: fill('#00FF00') });
    const changed = await ask(path);
    const other = await ask('EPSG:900913/3/3/4?format=image/png');
    await server.request('PUT', '/workspaces/acme/styles/blue', { type: SLD_TYPE, body: fill('#0000FF') });

    expect((await pixelsOf(changed.bytes)).at(10, 200)).toEqual([0, 255, 0, 255]);
    expect([changed, other].map(({ headers }) => headers['geowebcache-cache-result'])).toEqual(['MISS', 'HIT']);
  });

  it('are redrawn after a change of a picture whose address has an expression', async () => {
    const body = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:xlink="http://www.w3.org/1999/xlink"><NamedLayer><Name>fields</Name><UserStyle><FeatureTypeStyle><Rule><PointSymbolizer><Graphic><ExternalGraphic>
      <OnlineResource xlink:href="\${name}.svg"/><Format>image/svg+xml</Format></ExternalGraphic><Size>20</Size></Graphic></PointSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    await server.request('POST', '/workspaces/acme/styles?name=icons', { type: SLD_TYPE, body });
    const store = (colour: string) =>
      server.request('PUT', '/resource/workspaces/acme/styles/north%20east.svg', {
        body: `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="${colour}"/></svg>`,
      });
    const draw = () => ask('acme:icons/EPSG:900913/0/0/0?format=image/png');

    expect((await store('#FF0000')).status).toBe(201);
    const red = await draw();
    await store('#0000FF');
    const blue = await draw();

    expect(red.bytes.equals(blue.bytes)).toBe(false);
    expect((await draw()).headers['geowebcache-cache-result']).toBe('HIT');
  });

  it('are redrawn after a font is uploaded, replaced and deleted', async () => {
    const body = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>fields</Name><UserStyle><FeatureTypeStyle><Rule><TextSymbolizer>
      <Label>Illi</Label><Font><CssParameter name="font-family">Survey1</CssParameter><CssParameter name="font-size">30</CssParameter></Font></TextSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    await server.request('POST', '/workspaces/acme/styles?name=label', { type: SLD_TYPE, body });
    const draw = () => ask('acme:label/EPSG:900913/0/0/0?format=image/png');
    const store = async (style: '400Regular' | '700Bold') =>
      server.request('PUT', '/fonts/survey.ttf', { type: 'font/ttf', body: await renameFont(style) });

    const before = await draw();
    await store('400Regular');
    const regular = await draw();
    await store('700Bold');
    const bold = await draw();
    await server.delete('/fonts/survey.ttf');
    const after = await draw();

    expect(new Set([before, regular, bold].map(({ bytes }) => bytes.toString('hex'))).size).toBe(3);
    expect(after.bytes.equals(before.bytes)).toBe(true);
  });

  it('have an ETag and return 304 if unchanged', async () => {
    const path = 'EPSG:900913/EPSG:900913:0/0/0?format=image/png';
    const { headers } = await ask(path);

    expect((await ask(path, { headers: { 'if-none-match': String(headers['etag']) } })).status).toBe(304);
  });

  it('are drawn once for concurrent requests', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => ask(`EPSG:900913/6/24/${36 + (index % 3)}?format=image/png`)),
    );

    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  });
});
