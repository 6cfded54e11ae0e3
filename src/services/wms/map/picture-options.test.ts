/** The colours and edges of images: antialiasing, palettes, quantizers and backgrounds. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { askMap, publishSquares, setFill } from '../../../../test/support/maps.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';
import { encodeIndexedPng } from '../../../rendering/output/indexed-png.ts';

const server = useTestServer();

const sld = (symbolizers: string) =>
  encodeURIComponent(
    `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>topo:west</Name><UserStyle><FeatureTypeStyle><Rule>${symbolizers}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`,
  );

const star = `<PointSymbolizer><Graphic><Mark><WellKnownName>star</WellKnownName><Fill><CssParameter name="fill">#0000ff</CssParameter></Fill></Mark><Size>60</Size><Rotation>20</Rotation></Graphic></PointSymbolizer>`;
const line = `<LineSymbolizer><Stroke><CssParameter name="stroke">#00aa00</CssParameter><CssParameter name="stroke-width">3.3</CssParameter></Stroke></LineSymbolizer>`;
const label = `<TextSymbolizer><Label>ABC</Label><Font><CssParameter name="font-size">12</CssParameter></Font></TextSymbolizer>`;
const glass = `<PolygonSymbolizer><Fill><CssParameter name="fill">#ff0000</CssParameter><CssParameter name="fill-opacity">0.4</CssParameter></Fill></PolygonSymbolizer>`;

const MAP =
  'service=WMS&version=1.1.1&request=GetMap&layers=topo:west&styles=&srs=EPSG:4326&bbox=-0.3,-1,10.7,10&width=100&height=100';

beforeAll(async () => {
  await publishSquares(server);
  await setFill(server, 'topo', 'west', 'reddish', '#d01030');
});

async function readPixels(query: string) {
  const { bytes, status, text } = await askMap(server, `${MAP}&${query}`);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const colors = new Set<string>();
  const opacities = new Set<number>();
  for (let at = 0; at < data.length; at += 4) {
    colors.add(data.subarray(at, at + 3).toString('hex'));
    opacities.add(data[at + 3] ?? 0);
  }
  return { colors: [...colors].sort(), opacities: [...opacities].sort((one, other) => one - other) };
}

describe('format_options=antialias', () => {
  const shapes = `format=image/png&sld_body=${sld(star + line)}`;
  const text = `format=image/png&sld_body=${sld(label)}`;

  it.each(['off', 'none', 'text'])('draws shapes without intermediate colours: %s', async (value) => {
    const { colors } = await readPixels(`${shapes}&format_options=antialias:${value}`);

    expect(colors).toEqual(['0000ff', '00aa00', 'ffffff']);
  });

  it.each(['on', 'full'])('draws smooth shapes: %s', async (value) => {
    const smooth = await readPixels(`${shapes}&format_options=antialias:${value}`);

    expect(smooth.colors.length).toBeGreaterThan(20);
    expect(smooth).toEqual(await readPixels(shapes));
  });

  it('draws labels smoothly unless it is off', async () => {
    expect((await readPixels(`${text}&format_options=antialias:off`)).colors).toEqual(['000000', 'ffffff']);
    expect((await readPixels(`${text}&format_options=antialias:text`)).colors.length).toBeGreaterThan(20);
  });

  it.each([
    [
      'rotated',
      label.replace(
        '</Font>',
        '</Font><LabelPlacement><PointPlacement><Rotation>30</Rotation></PointPlacement></LabelPlacement>',
      ),
    ],
    [
      'translucent',
      label.replace('</Font>', '</Font><Fill><CssParameter name="fill-opacity">0.5</CssParameter></Fill>'),
    ],
  ])('draws smooth labels with antialias:text: %s', async (_, symbolizer) => {
    const query = `format=image/png&sld_body=${sld(symbolizer)}`;
    const smooth = await readPixels(query);

    expect(smooth.colors.length).toBeGreaterThan(10);
    expect(await readPixels(`${query}&format_options=antialias:text`)).toEqual(smooth);
  });

  it('draws letters over a halo without intermediate colours if it is off', async () => {
    const halo = '</Font><Halo><Radius>3</Radius><Fill><CssParameter name="fill">#ffff00</CssParameter></Fill></Halo>';
    const query = `format=image/png&sld_body=${sld(label.replace('</Font>', halo))}`;

    const { colors } = await readPixels(`${query}&format_options=antialias:off`);
    expect(colors).toEqual(['000000', 'ffff00', 'ffffff']);
  });

  it('does not affect the following map of the same size', async () => {
    const before = await readPixels(shapes);
    await readPixels(`${shapes}&format_options=antialias:off`);

    expect(await readPixels(shapes)).toEqual(before);
  });

  it('rejects other values', async () => {
    const { text: body } = await askMap(server, `${MAP}&${shapes}&format_options=antialias:maybe`);

    expect(body).toContain("Invalid value 'maybe'");
    expect(body).toContain('on, full, text, off or none');
  });
});

describe('format_options=quantizer', () => {
  const map = `format=image/png8&transparent=true&sld_body=${sld(glass)}`;

  it('keeps partial opacity with mediancut, and by default', async () => {
    expect((await readPixels(map)).opacities).toContain(102);
    expect((await readPixels(`${map}&format_options=quantizer:mediancut`)).opacities).toContain(102);
  });

  it('makes pixels opaque or transparent with octree', async () => {
    const solid = map.replace(sld(glass), sld(glass.replace('0.4', '0.6')));

    expect((await readPixels(`${solid}&format_options=quantizer:octree`)).opacities).toEqual([0, 255]);
  });
});

describe('palettes', () => {
  const put = (name: string, body: string | Buffer) => server.request('PUT', `/resource/palettes/${name}`, { body });
  /** A GIF image without pixels, with a palette of red and yellow. */
  const gif = Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 255, 255, 0, 0x3b]),
  ]);
  const png = encodeIndexedPng({
    width: 2,
    height: 1,
    pixels: new Int32Array(new Uint8Array([255, 0, 0, 255, 255, 255, 0, 255]).buffer),
    isPremultiplied: false,
  });

  it.each([
    ['hex.pal', '#FF0000\n0x00FF00\n'],
    ['jasc.pal', 'JASC-PAL\r\n0100\r\n2\r\n255 0 0\r\n0 255 0\r\n'],
    ['numbers.pal', '255,0,0\n0, 255, 0\n\n'],
  ])('are lists of colours: %s', async (name, body) => {
    expect((await put(name, body)).status).toBe(201);

    const [short = ''] = name.split('.');
    const { colors } = await readPixels(`format=image/png8&palette=${short}&bgcolor=0x20D020`);
    expect(colors).toEqual(['00ff00', 'ff0000']);
    expect((await readPixels(`format=image/gif&palette=${name}&bgcolor=0x20D020`)).colors).toEqual(colors);
  });

  it('are images with a palette', async () => {
    expect((await put('first.gif', gif)).status).toBe(201);
    expect((await put('second.png', (await png) ?? '')).status).toBe(201);

    expect((await readPixels('format=image/png8&palette=first')).colors).toEqual(['ff0000', 'ffff00']);
    expect((await readPixels('format=image/png8&palette=second')).colors).toEqual(['ff0000', 'ffff00']);
  });

  it('are listed, read and deleted as files', async () => {
    await put('short-lived.pal', '#000000');
    const list = async () => (await server.get('/resource/palettes?format=json')).text;
    expect(await list()).toContain('short-lived.pal');
    expect((await server.get('/resource/palettes/short-lived.pal')).text).toBe('#000000');

    await server.delete('/resource/palettes/short-lived.pal');
    expect(await list()).not.toContain('short-lived.pal');
    const unknown = await askMap(server, `${MAP}&format=image/png8&palette=short-lived`);
    expect(unknown.text).toContain('/rest/resource/palettes');
  });

  it.each([
    ['colours.pal', 'JASC-PAL\n0100\n1\n256 0 0'],
    ['empty.pal', ''],
    ['many.pal', '#000000\n'.repeat(257)],
    ['picture.png', 'not an image'],
    ['text.txt', '#000000'],
  ])('are rejected without 1 to 256 colours: %s', async (name, body) => {
    const { status, text } = await put(name, body);

    expect(text).toBe(
      `'palettes/${name}' cannot be stored as a palette: it is not a palette of 1 to 256 colours (.gif, .png, .pal).\n`,
    );
    expect(status).toBe(400);
  });
});

describe('opacity', () => {
  it('is replaced by the background in JPEG', async () => {
    const { bytes } = await askMap(server, `${MAP}&format=image/jpeg&transparent=true&bgcolor=0x0000FF&cql_filter=1=2`);
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });

    expect([data[0], data[1], data[2]].map((value) => Math.round((value ?? 0) / 16))).toEqual([0, 0, 16]);
  });

  it.each([
    ['image/vnd.jpeg-png', 'true', 'image/png', 'png', 'srgb'],
    ['image/vnd.jpeg-png', 'false', 'image/jpeg', 'jpg', 'srgb'],
    ['image/vnd.jpeg-png8', 'true', 'image/png', 'png', 'palette'],
    ['image/vnd.jpeg-png8', 'false', 'image/jpeg', 'jpg', 'srgb'],
  ])('selects the format of %s: transparent=%s', async (format, isTransparent, mediaType, extension, colors) => {
    const { bytes, headers } = await askMap(server, `${MAP}&format=${format}&transparent=${isTransparent}`);
    const { isPalette } = await sharp(bytes).metadata();

    expect(headers['content-type']).toBe(mediaType);
    expect(headers['content-disposition']).toContain(`topo-west.${extension}`);
    if (colors === 'palette') expect(isPalette).toBe(true);
  });
});
