import { describe, expect, test } from 'vitest';
import {
  colorAt,
  createDrawnLayer,
  createUserStyle,
  never,
  smallMap,
  wideBudget,
} from '../../test/support/drawn-layers.ts';
import { drawMap } from './draw-map.ts';
import { encodePicture, pictureFormats } from './output/encode-picture.ts';
import type { MapRequest, Pixels } from './request/map-request.ts';

const area = (fill: string, more = ''): string =>
  `<Rule>${more}<PolygonSymbolizer><Fill><CssParameter name="fill">${fill}</CssParameter></Fill></PolygonSymbolizer></Rule>`;
const where = (name: string, value: string): string =>
  `<ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>${name}</ogc:PropertyName><ogc:Literal>${value}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>`;

const square = { wkt: 'POLYGON ((2 2, 12 2, 12 12, 2 12, 2 2))', kind: 'a' };
const neighbour = { wkt: 'POLYGON ((12 2, 18 2, 18 12, 12 12, 12 2))', kind: 'b' };

function draw(layers: MapRequest['layers'], more: Partial<MapRequest> = {}): Promise<Pixels> {
  return drawMap({ ...smallMap, layers, ...more }, wideBudget, never);
}

describe('map', () => {
  test('fills empty pixels with the background, or leaves them transparent on request', async () => {
    const layers = [createDrawnLayer([square], createUserStyle(area('#ff0000')))];

    const white = await draw(layers);
    const blue = await draw(layers, { background: { red: 0, green: 0, blue: 255 } });
    const clear = await draw(layers, { isTransparent: true });

    expect([white, blue, clear].map((map) => colorAt(map, 0, 0))).toEqual(['#ffffff', '#0000ff', '#00000000']);
    expect([white, blue, clear].map((map) => colorAt(map, 5, 12))).toEqual(['#ff0000', '#ff0000', '#ff0000']);
  });

  test('has its background where a composite mode erases features', async () => {
    const mask = `${area('#000000', where('kind', 'a'))}<VendorOption name="composite">destination-out</VendorOption>`;
    const style = createUserStyle(`${area('#ff0000')}</FeatureTypeStyle><FeatureTypeStyle>${mask}`);
    const layers = [createDrawnLayer([square, neighbour], style)];
    const background = { red: 0, green: 0, blue: 255 };

    const [opaque, clear] = await Promise.all([draw(layers, { background }), draw(layers, { isTransparent: true })]);

    expect([opaque, clear].map((map) => colorAt(map, 5, 12))).toEqual(['#0000ff', '#00000000']);
    expect([opaque, clear].map((map) => colorAt(map, 15, 12))).toEqual(['#ff0000', '#ff0000']);
  });

  test('paints a polygon on exactly its pixels, measured from the upper left corner of the box', async () => {
    const map = await draw([createDrawnLayer([square], createUserStyle(area('#ff0000')))]);

    expect([colorAt(map, 2, 17), colorAt(map, 11, 8)]).toEqual(['#ff0000', '#ff0000']);
    expect([colorAt(map, 1, 17), colorAt(map, 2, 18), colorAt(map, 12, 8), colorAt(map, 11, 7)]).toEqual(
      Array.from({ length: 4 }, () => '#ffffff'),
    );
  });

  test('stretches the box to the size of the picture', async () => {
    const map = await draw([createDrawnLayer([square], createUserStyle(area('#ff0000')))], { width: 40 });

    expect([colorAt(map, 23, 10), colorAt(map, 24, 10)]).toEqual(['#ff0000', '#ffffff']);
  });

  test('rotates a map clockwise around its centre', async () => {
    const corner = { wkt: 'POLYGON ((0 16, 4 16, 4 20, 0 20, 0 16))' };

    const map = await draw([createDrawnLayer([corner], createUserStyle(area('#ff0000')))], { angle: 90 });

    expect([colorAt(map, 1, 1), colorAt(map, 18, 1)]).toEqual(['#ffffff', '#ff0000']);
  });
});

describe('rules', () => {
  test('paints features by the rules that match, and all others by the else rule', async () => {
    const style = createUserStyle(`${area('#ff0000', where('kind', 'a'))}${area('#00ff00', '<ElseFilter/>')}`);

    const map = await draw([createDrawnLayer([square, neighbour], style)]);

    expect([colorAt(map, 5, 12), colorAt(map, 15, 12)]).toEqual(['#ff0000', '#00ff00']);
  });

  test('includes the minimum scale denominator of a rule and excludes its maximum', async () => {
    const scale = (20 * 111_319.490_793_273_57) / 20 / 0.000_28;
    const between = (min: number, max: number): string =>
      `<MinScaleDenominator>${min}</MinScaleDenominator><MaxScaleDenominator>${max}</MaxScaleDenominator>`;
    const seenWith = async (range: string): Promise<string> =>
      colorAt(await draw([createDrawnLayer([square], createUserStyle(area('#ff0000', range)))]), 5, 12);

    expect(await seenWith(between(scale, scale * 2))).toBe('#ff0000');
    expect(await seenWith(between(1, scale))).toBe('#ffffff');
  });

  test('paints a later feature type style over an earlier one, in any order of features', async () => {
    const overlapping = { wkt: 'POLYGON ((6 6, 16 6, 16 16, 6 16, 6 6))', kind: 'b' };
    const style = createUserStyle(area('#ff0000', where('kind', 'b')), area('#0000ff', where('kind', 'a')));

    const map = await draw([createDrawnLayer([square, overlapping], style)]);

    expect(colorAt(map, 10, 10)).toBe('#0000ff');
  });
});

test('paints more feature type styles than fit into memory in several passes', async () => {
  const colors = ['#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff'];
  const overlapping = { wkt: 'POLYGON ((6 6, 16 6, 16 16, 6 16, 6 6))', kind: 'b' };
  const kinds = ['a', 'b', 'a', 'b', 'a'];
  const style = createUserStyle(...colors.map((color, index) => area(color, where('kind', kinds[index] ?? ''))));
  const request = { ...smallMap, layers: [createDrawnLayer([square, overlapping], style)] };
  const onePicture = smallMap.width * smallMap.height * 4;

  const whole = await drawMap(request, wideBudget, never);
  const inPasses = await drawMap(request, { ...wideBudget, bytes: 3 * onePicture }, never);
  const tooLarge = drawMap(request, { ...wideBudget, bytes: onePicture }, never);

  expect([colorAt(inPasses, 10, 10), colorAt(inPasses, 15, 5)]).toEqual(['#00ffff', '#ffff00']);
  expect(Buffer.compare(inPasses.bytes, whole.bytes)).toBe(0);
  await expect(tooLarge).rejects.toMatchObject({ code: 'map-too-large' });
});

test('rejects a picture that exceeds the memory budget', async () => {
  const request = { ...smallMap, width: 10_000, height: 10_000, layers: [] };

  const drawing = drawMap(request, wideBudget, never);

  await expect(drawing).rejects.toMatchObject({ code: 'map-too-large' });
});

test.each(pictureFormats)('encodes a map as %s', async (format) => {
  const heads = { png: '89504e47', png8: '89504e47', jpeg: 'ffd8ff', webp: '52494646', gif: '47494638', tiff: '4949' };

  const bytes = await encodePicture(await draw([createDrawnLayer([square], createUserStyle(area('#ff0000')))]), format);

  expect(bytes.toString('hex', 0, 4)).toContain(heads[format]);
});
