import { describe, expect, test } from 'vitest';
import {
  colorAt,
  createDrawnLayer,
  createUserStyle,
  never,
  paintedBox,
  paintedIn,
  smallMap,
  wideBudget,
} from '../../../test/support/drawn-layers.ts';
import { createLiteral, type UserStyle } from '../../styling/model/model.ts';
import { drawMap } from '../draw-map.ts';
import type { Pixels, VectorLayer } from '../request/map-request.ts';

const square = { wkt: 'POLYGON ((0 0, 20 0, 20 20, 0 20, 0 0))', name: 'red' };
const point = { wkt: 'POINT (10 10)', name: 'red' };
const css = (name: string, value: string): string => `<CssParameter name="${name}">${value}</CssParameter>`;

function draw(...layers: readonly VectorLayer[]): Promise<Pixels> {
  return drawMap({ ...smallMap, layers }, wideBudget, never);
}

describe('polygon symbolizer', () => {
  test('fills a polygon with adjacent graphics, aligned with the origin of the coordinates', async () => {
    const style =
      createUserStyle(`<Rule><PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark><WellKnownName>square</WellKnownName>
      <Fill>${css('fill', '#ff0000')}</Fill></Mark><Size>2</Size></Graphic></GraphicFill></Fill>
      <VendorOption name="graphic-margin">1</VendorOption></PolygonSymbolizer></Rule>`);

    const map = await draw(createDrawnLayer([square], style));

    // Squares of two pixels with gaps of two pixels: a quarter of the picture.
    expect(paintedIn(map)).toBe(100);
    expect([colorAt(map, 0, 19), colorAt(map, 4, 19), colorAt(map, 2, 19)]).toEqual(['#ff0000', '#ff0000', '#ffffff']);
  });

  test('applies the perpendicular offset and the displacement, independent of the orientation of the ring', async () => {
    const clockwise = { wkt: 'POLYGON ((8 8, 8 12, 12 12, 12 8, 8 8))', name: '' };
    const against = { wkt: 'POLYGON ((8 8, 12 8, 12 12, 8 12, 8 8))', name: '' };
    const moved: UserStyle = {
      kind: 'userStyle',
      featureTypeStyles: [
        {
          kind: 'featureTypeStyle',
          rules: [
            {
              kind: 'rule',
              symbolizers: [
                {
                  kind: 'polygonSymbolizer',
                  fill: { kind: 'fill', color: createLiteral('#ff0000') },
                  perpendicularOffset: createLiteral(2),
                  displacement: { x: createLiteral(3), y: createLiteral(1) },
                },
              ],
            },
          ],
        },
      ],
    };

    const maps = [await draw(createDrawnLayer([clockwise], moved)), await draw(createDrawnLayer([against], moved))];

    for (const map of maps) {
      expect([paintedIn(map), colorAt(map, 9, 5), colorAt(map, 16, 12)]).toEqual([64, '#ff0000', '#ff0000']);
    }
  });
});

describe('point symbolizer', () => {
  const picture = `<Rule><PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="dot.svg"/>
    <Format>image/svg+xml</Format></ExternalGraphic><Mark><WellKnownName>square</WellKnownName><Fill>${css('fill', '#0000ff')}</Fill></Mark>
    <Size>8</Size></Graphic></PointSymbolizer></Rule>`;
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#00ff00"/></svg>',
  );

  test.each([
    ['polygons by area', 'MULTIPOLYGON (((0 4, 4 4, 4 8, 0 8, 0 4)), ((16 5, 18 5, 18 7, 16 7, 16 5)))', [5, 6]],
    ['lines by length', 'MULTILINESTRING ((0 6, 6 6), (16 6, 18 6))', [6.5, 6]],
    ['points', 'MULTIPOINT ((2 6), (2 10), (14 8))', [6, 8]],
  ])('draws one mark at the centroid of all parts: %s', async (_case, wkt, [x = 0, y = 0]) => {
    const style =
      createUserStyle(`<Rule><PointSymbolizer><Geometry><ogc:Function name="centroid"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function></Geometry>
      <Graphic><Mark><WellKnownName>square</WellKnownName><Fill>${css('fill', '#0000ff')}</Fill></Mark><Size>2</Size></Graphic></PointSymbolizer></Rule>`);

    const map = await draw(createDrawnLayer([{ wkt, name: '' }], style));

    const box = paintedBox(map);
    expect(box && [(box.left + box.right) / 2, 20 - (box.top + box.bottom) / 2]).toEqual([x, y]);
  });

  test('shows an available picture, and otherwise the next symbol of the style', async () => {
    const layer = createDrawnLayer([point], createUserStyle(picture));

    const shown = await draw({ ...layer, loadGraphic: async (href) => (href === 'dot.svg' ? svg : undefined) });
    const refused = await draw({ ...layer, loadGraphic: async () => undefined });

    expect([colorAt(shown, 10, 10), paintedIn(shown)]).toEqual(['#00ff00', 64]);
    expect([colorAt(refused, 10, 10), paintedIn(refused)]).toEqual(['#0000ff', 64]);
  });

  test('reports a picture whose content is not a picture', async () => {
    const missing: string[] = [];
    const layer = createDrawnLayer([point], createUserStyle(picture));
    const layers = [{ ...layer, loadGraphic: async () => Buffer.from('AAAA', 'base64') }];

    await drawMap({ ...smallMap, layers, onMissingGraphic: (href) => missing.push(href) }, wideBudget, never);

    expect(missing).toEqual(['dot.svg']);
  });

  test('draws a chart for each feature without loading its address', async () => {
    const loaded: string[] = [];
    const style = createUserStyle(
      picture.replace('dot.svg', 'http://chart?cht=p&amp;chd=t:1&amp;chco=\u0024{color}&amp;chf=bg,s,00000000'),
    );
    const layer = createDrawnLayer([{ ...point, color: 'ff0000' }], style);

    const map = await draw({
      ...layer,
      loadGraphic: async (href) => {
        loaded.push(href);
        return undefined;
      },
    });

    expect([colorAt(map, 10, 10), paintedBox(map), loaded]).toEqual([
      '#ff0000',
      { left: 6, top: 6, right: 14, bottom: 14 },
      [],
    ]);
  });

  test('replaces an SVG that is too expensive at its size by a crossed box, and omits SVG noise filters', async () => {
    const blurred = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><filter id="f">${'<feGaussianBlur stdDeviation="1"/>'.repeat(4)}</filter><rect width="8" height="8" fill="#00ff00" filter="url(#f)"/></svg>`,
    );
    const noise = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><filter id="f"><feTurbulence baseFrequency="1" numOctaves="255"/></filter><rect width="8" height="8" filter="url(#f)"/></svg>',
    );
    const drawn = (bytes: Buffer, size: number) =>
      draw({
        ...createDrawnLayer([point], createUserStyle(picture.replace('<Size>8</Size>', `<Size>${size}</Size>`))),
        loadGraphic: async () => bytes,
      });

    const [small, large, refused] = [await drawn(blurred, 8), await drawn(blurred, 2_000), await drawn(noise, 8)];

    // The pixels are paler towards the edges.
    expect([paintedIn(small), colorAt(small, 10, 10), colorAt(small, 6, 10)]).toEqual([
      64,
      '#22ff22',
      expect.anything(),
    ]);
    expect(colorAt(small, 6, 10) > colorAt(small, 10, 10)).toBe(true);
    // The box is larger than the map, so only its diagonals are visible.
    expect(paintedIn(large)).toBeLessThan(120);
    expect([colorAt(large, 9, 9), colorAt(large, 3, 10)]).toEqual(['#808080', '#ffffff']);
    expect([colorAt(refused, 10, 10), paintedIn(refused)]).toEqual(['#0000ff', 64]);
  });

  test.each([
    ['a mark', '<Mark><Fill/></Mark>'],
    [
      'a picture',
      `<ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="dot.svg"/><Format>image/svg+xml</Format></ExternalGraphic>`,
    ],
  ])('displaces %s upwards, and downwards for compatibility', async (_, symbol) => {
    const style = createUserStyle(`<Rule><PointSymbolizer><Graphic>${symbol}<Size>4</Size>
      <Displacement><DisplacementX>2</DisplacementX><DisplacementY>5</DisplacementY></Displacement></Graphic></PointSymbolizer></Rule>`);
    const layers = [{ ...createDrawnLayer([point], style), loadGraphic: async () => svg }];

    const [up, down] = [
      await drawMap({ ...smallMap, layers }, wideBudget, never),
      await drawMap({ ...smallMap, layers, displacesDownwards: true }, wideBudget, never),
    ];

    expect(paintedBox(up)).toEqual({ left: 10, top: 3, right: 14, bottom: 7 });
    expect(paintedBox(down)).toEqual({ left: 10, top: 13, right: 14, bottom: 17 });
  });

  test('reads mark, size and colour from attributes', async () => {
    const style = createUserStyle(`<Rule><PointSymbolizer><Graphic><Mark><WellKnownName>square</WellKnownName><Fill>
      ${css('fill', '<ogc:PropertyName>color</ogc:PropertyName>')}</Fill></Mark>
      <Size><ogc:PropertyName>size</ogc:PropertyName></Size></Graphic></PointSymbolizer></Rule>`);
    const rows = [
      { wkt: 'POINT (5 5)', color: '#ff0000', size: 4 },
      { wkt: 'POINT (15 15)', color: '#0000ff', size: 6 },
    ];

    const map = await draw(createDrawnLayer(rows, style));

    expect([colorAt(map, 5, 14), colorAt(map, 15, 4), paintedIn(map)]).toEqual(['#ff0000', '#0000ff', 16 + 36]);
  });
});

test('graphics are placed along a line at equal distances', async () => {
  const style =
    createUserStyle(`<Rule><LineSymbolizer><Stroke><GraphicStroke><Graphic><Mark><WellKnownName>square</WellKnownName>
    <Fill>${css('fill', '#ff0000')}</Fill></Mark><Size>2</Size></Graphic></GraphicStroke>${css('stroke-dasharray', '2 2')}</Stroke></LineSymbolizer></Rule>`);

  const map = await draw(createDrawnLayer([{ wkt: 'LINESTRING (0 10, 20 10)', name: '' }], style));

  expect([0, 2, 4, 6].map((x) => colorAt(map, x, 9))).toEqual(['#ff0000', '#ffffff', '#ff0000', '#ffffff']);
});

test('a group of rules can be blended with the content below', async () => {
  const fill = (color: string): string =>
    `<Rule><PolygonSymbolizer><Fill>${css('fill', color)}</Fill></PolygonSymbolizer></Rule>`;
  const multiplied = createUserStyle(
    fill('#ff8000'),
    `${fill('#80ffff')}<VendorOption name="composite">multiply</VendorOption>`,
  );
  const faded = createUserStyle(
    fill('#ff0000'),
    `${fill('#0000ff')}<VendorOption name="composite">source-over, 0.5</VendorOption>`,
  );

  const [dark, half] = [
    await draw(createDrawnLayer([square], multiplied)),
    await draw(createDrawnLayer([square], faded)),
  ];

  expect([colorAt(dark, 5, 5), colorAt(half, 5, 5)]).toEqual(['#808000', '#800080']);
});

test('a symbolizer is blended with the content below and with other features', async () => {
  const mixed = createUserStyle(
    `<Rule><PolygonSymbolizer><Fill>${css('fill', '#ffff00')}</Fill></PolygonSymbolizer>
    <PointSymbolizer><Graphic><Mark><Fill>${css('fill', '#00ffff')}</Fill></Mark><Size>4</Size></Graphic>
    <VendorOption name="composite">multiply</VendorOption></PointSymbolizer></Rule>`,
  );
  const right = { wkt: 'POLYGON ((0 8, 24 8, 24 12, 0 12, 0 8))', name: '' };

  const map = await draw(createDrawnLayer([{ ...square, name: '' }, right], mixed));

  // Yellow and cyan are green; the marks at 10 and 12 overlap, and stay green.
  expect([9, 11, 13, 16].map((x) => colorAt(map, x, 10))).toEqual(['#00ff00', '#00ff00', '#00ff00', '#ffff00']);
});

test('a group on a separate base is blended only with that base', async () => {
  const fill = (color: string, ...options: readonly string[]): string =>
    `<Rule><PolygonSymbolizer><Fill>${css('fill', color)}</Fill></PolygonSymbolizer></Rule>${options.map((each) => `<VendorOption name="${each.split('=')[0]}">${each.split('=')[1]}</VendorOption>`).join('')}`;
  const inner = { wkt: 'POLYGON ((2 2, 12 2, 12 12, 2 12, 2 2))', name: '' };
  const below = createDrawnLayer([square], createUserStyle(fill('#ffff00')));
  const onBase = createUserStyle(fill('#ff8000', 'composite-base=true'), fill('#80ffff', 'composite=multiply'));
  const faded = createUserStyle(
    fill('#ff0000', 'composite-base=true', 'composite=multiply'),
    fill('#ff00ff', 'composite=source-in'),
  );
  const drawn = async (style: ReturnType<typeof createUserStyle>) =>
    drawMap({ ...smallMap, layers: [below, createDrawnLayer([inner], style)] }, wideBudget, never);

  const [plain, multiplied] = [await drawn(onBase), await drawn(faded)];

  // The yellow layer does not affect the blending within the base; the whole base is multiplied with it at the end.
  expect([colorAt(plain, 5, 12), colorAt(plain, 19, 19)]).toEqual(['#808000', '#ffff00']);
  expect([colorAt(multiplied, 5, 12), colorAt(multiplied, 19, 19)]).toEqual(['#ff0000', '#ffff00']);
});

test('a glyph of an installed font is a mark with the given height or width', async () => {
  const style = (name: string) =>
    createUserStyle(`<Rule><PointSymbolizer><Graphic><Mark><WellKnownName>${name}</WellKnownName>
    <Fill>${css('fill', '#ff0000')}</Fill></Mark><Size>10</Size></Graphic></PointSymbolizer></Rule>`);
  const point = { wkt: 'POINT (10 10)', name: '' };
  const drawn = (name: string) => draw(createDrawnLayer([point], style(name)));

  // A full block is as high as its line of text, and narrower; a dash is as wide as specified, and flat.
  const block = await drawn('ttf://DejaVu Sans#0x2588');
  const inside = Array.from({ length: 6 * 9 }, (_, at) => colorAt(block, 7 + (at % 6), 6 + Math.floor(at / 6)));

  expect(paintedBox(block)).toEqual({ left: 6, top: 5, right: 14, bottom: 15 });
  expect(new Set(inside)).toEqual(new Set(['#ff0000']));
  expect(paintedBox(await drawn('ttf://DejaVu Sans#U+2014'))).toEqual({ left: 5, top: 9, right: 15, bottom: 11 });
  // Webdings is not installed, so a square replaces it.
  const square = await drawn('ttf://Webdings#0x0064');
  expect(paintedBox(square)).toEqual({ left: 5, top: 5, right: 15, bottom: 15 });
  expect(paintedIn(square)).toBe(100);
});

test('a symbolizer draws the result of a geometry function', async () => {
  const style =
    createUserStyle(`<Rule><PointSymbolizer><Geometry><ogc:Function name="endPoint"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function></Geometry>
    <Graphic><Mark><WellKnownName>square</WellKnownName><Fill>${css('fill', '#ff0000')}</Fill></Mark><Size>2</Size></Graphic></PointSymbolizer></Rule>`);

  const map = await draw(createDrawnLayer([{ wkt: 'LINESTRING (2 2, 10 15, 18 4)', name: '' }], style));

  expect([colorAt(map, 17, 15), paintedIn(map)]).toEqual(['#ff0000', 4]);
});

describe('mark along a line', () => {
  const wavy = (wellKnownName: string, option: string) =>
    createUserStyle(
      `<Rule><LineSymbolizer><Stroke><GraphicStroke><Graphic><Mark><WellKnownName>${wellKnownName}</WellKnownName><Stroke>${css('stroke', '#ff0000')}${css('stroke-width', '2')}</Stroke></Mark><Size>10</Size></Graphic></GraphicStroke></Stroke>${option}</LineSymbolizer></Rule>`,
    );
  const along = '<VendorOption name="markAlongLine">true</VendorOption>';
  const wave = 'wkt://LINESTRING (0 0, 0 0.5, 0.5 0.5, 0.5 -0.5, 1 -0.5, 1 0)';
  const bend = { wkt: 'LINESTRING (0 10, 10 10, 10 0)' };

  test('bends with the line', async () => {
    const map = await draw(createDrawnLayer([bend], wavy(wave, along)));

    // Above the line for five pixels, and below it for five; then right and left of it, where the line goes down.
    expect([colorAt(map, 2, 4), colorAt(map, 7, 14)]).toEqual(['#ff0000', '#ff0000']);
    expect([colorAt(map, 14, 12), colorAt(map, 5, 17)]).toEqual(['#ff0000', '#ff0000']);
    expect([colorAt(map, 2, 10), colorAt(map, 7, 10), colorAt(map, 10, 18)]).toEqual(
      Array.from({ length: 3 }, () => '#ffffff'),
    );
  });

  test('is rotated as a whole without the option, as are symbols that cannot be bent', async () => {
    const plain = await draw(createDrawnLayer([bend], wavy(wave, '')));
    const letter = 'ttf://DejaVu Sans#0x2605';
    const letters = [
      await draw(createDrawnLayer([bend], wavy(letter, ''))),
      await draw(createDrawnLayer([bend], wavy(letter, along))),
    ];

    expect(Buffer.from(plain.bytes).equals((await draw(createDrawnLayer([bend], wavy(wave, along)))).bytes)).toBe(
      false,
    );
    expect(Buffer.from(letters[0]?.bytes ?? []).equals(letters[1]?.bytes ?? Buffer.of(1))).toBe(true);
  });

  test('stays within limits at any length', async () => {
    const corners = Array.from({ length: 1_500 }, (_, index) => `${index % 2} ${index % 3}`).join(', ');
    const long = {
      wkt: `LINESTRING (${Array.from({ length: 2_000 }, (_, x) => `${x % 20} ${(x * 7) % 20}`).join(', ')})`,
    };

    const map = await draw(createDrawnLayer([long], wavy(`wkt://LINESTRING (${corners})`, along)));

    expect(paintedIn(map)).toBeGreaterThan(0);
  });
});
