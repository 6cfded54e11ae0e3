import { describe, expect, test } from 'vitest';
import {
  css,
  drawRule,
  drawStyle,
  isLike,
  isPainted,
  nothing,
  plainPicture,
  plainPng,
  rule,
  styleOf,
} from '../../../../test/styles/legend/drawn.ts';
import { findImageKind } from '../images/image-kind.ts';
import { findWellKnownMark } from './well-known-marks.ts';

const red = isLike(255, 0, 0);
const green = isLike(0, 128, 0);

const mark = (name: string, size = 20): string => `<Graphic>
  <Mark><WellKnownName>${name}</WellKnownName>
    <Fill>${css({ fill: '#FF0000' })}</Fill><Stroke>${css({ stroke: '#FF0000' })}</Stroke></Mark>
  <Size>${size}</Size></Graphic>`;
const picture = (href: string, size = ''): string => `<PointSymbolizer><Graphic>
  <ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="${href}"/><Format>image/png</Format></ExternalGraphic>
  ${size}</Graphic></PointSymbolizer>`;

describe('mark', () => {
  test.each([
    ...['square', 'circle', 'triangle', 'star', 'cross', 'x', 'arrow', 'hatch', 'Square', ' circle '],
    ...['shape://vertline', 'shape://horline', 'shape://slash', 'shape://backslash', 'shape://dot', 'shape://plus'],
    ...['shape://times', 'shape://oarrow', 'shape://carrow', 'shape://coarrow', 'shape://ccarrow'],
    ...['extshape://triangle', 'extshape://narrow', 'extshape://arrow?hr=2', 'ttf://Map Symbols#0x41'],
    ...['diamond', 'pentagon', 'hexagon', 'octagon', 'line', 'filled_arrowhead'],
    'wkt://POLYGON((-0.5 -0.5, 0.5 -0.5, 0 0.5, -0.5 -0.5))',
    'wkt://MULTILINESTRING((-0.25 0, 0.25 0), (0 -0.25, 0 0.25))',
  ])('is drawn within its size: %s', async (name) => {
    const drawn = await drawRule(`<PointSymbolizer>${mark(name)}</PointSymbolizer>`);

    expect(drawn.count(([r, g, , alpha]) => r > 200 && g < 60 && alpha > 60)).toBeGreaterThan(3);
    expect(drawn.row(6).some(isPainted)).toBe(false);
    expect(drawn.column(6).some(isPainted)).toBe(false);
    expect(drawn.row(34).some(isPainted)).toBe(false);
    expect(drawn.column(34).some(isPainted)).toBe(false);
  });

  test('draws the lines of a plus at their positions', async () => {
    const drawn = await drawRule(`<PointSymbolizer>${mark('shape://plus')}</PointSymbolizer>`);

    expect([drawn.at(20, 12), drawn.at(12, 20)].every(isPainted)).toBe(true);
    expect([drawn.at(13, 13), drawn.at(27, 27)].some(isPainted)).toBe(false);
  });

  test.each(['shape://oarrow', 'shape://coarrow', 'arrowhead', 'wkt://LINESTRING(-0.5 -0.5, 0 0, -0.5 0.5)'])(
    'fills an open mark without a stroke: %s',
    async (name) => {
      const filled = `<Mark><WellKnownName>${name}</WellKnownName><Fill>${css({ fill: '#FF0000' })}</Fill></Mark>`;
      const drawn = await drawRule(`<PointSymbolizer><Graphic>${filled}<Size>20</Size></Graphic></PointSymbolizer>`);

      expect(drawn.at(13, 20)).toEqual([255, 0, 0, 255]);
      expect(drawn.at(18, 11)).toEqual(nothing);
    },
  );

  test('draws well-known text with y upwards', async () => {
    const drawn = await drawRule(
      `<PointSymbolizer>${mark('wkt://POLYGON((-0.5 0, 0.5 0, 0.5 0.5, -0.5 0.5, -0.5 0))')}</PointSymbolizer>`,
    );

    expect(drawn.at(20, 15)).toEqual([255, 0, 0, 255]);
    expect(drawn.at(20, 25)).toEqual(nothing);
  });

  test.each(['nonsense', 'wkt://', 'wkt://POINT(1 2)', 'wkt://LINESTRING(a b, c d)', 'wkt://LINESTRING(0 0, 1e9 0)'])(
    'is a square for the unknown name %s',
    async (name) => {
      const drawn = await drawRule(`<PointSymbolizer>${mark(name)}</PointSymbolizer>`);

      expect(findWellKnownMark(name)).toBeUndefined();
      expect(drawn.count(red)).toBe(400);
    },
  );
});

describe('picture', () => {
  const pictures: Record<string, Uint8Array> = {
    'circle.svg': Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#008000"/></svg>',
    ),
    'broken.png': Buffer.from('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\0\u0010\0\0\0\u0010 and then nothing', 'latin1'),
    'page.html': Buffer.from('<html><body>no picture</body></html>'),
    'reaching.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/hostname"/></svg>'),
  };
  const load = async (href: string) => (href === 'wide.png' ? plainPng(20, 10, 'red') : pictures[href]);

  test('is drawn in its own size', async () => {
    const drawn = await drawRule(picture('wide.png'), {}, load);

    expect(drawn.row(20).filter(red)).toHaveLength(20);
    expect(drawn.column(20).filter(red)).toHaveLength(10);
  });

  test.each([
    ['JPEG', 'jpeg' as const],
    ['GIF', 'gif' as const],
    ['BMP', 'bmp' as const],
  ])('may be a %s', async (_, kind) => {
    const bytes = await plainPicture(kind, 12, 8, [255, 0, 0]);

    const drawn = await drawRule(picture('plain'), {}, async () => bytes);

    expect(findImageKind(bytes)).toEqual({ kind, width: 12, height: 8 });
    expect(drawn.count(red)).toBe(96);
  });

  test('is a mark with the fill of the style, without its own colours', async () => {
    const drawn = await drawRule(`<PointSymbolizer>${mark('file://circle.svg')}</PointSymbolizer>`, {}, load);

    expect(drawn.row(20).filter(red)).toHaveLength(20);
    expect(drawn.at(11, 11)).toEqual(nothing);
  });

  test('is scaled to the given height', async () => {
    const drawn = await drawRule(picture('wide.png', '<Size>16</Size>'), {}, load);

    expect(drawn.row(20).filter(isPainted)).toHaveLength(32);
    expect(drawn.column(20).filter(isPainted)).toHaveLength(16);
  });

  test('is sharp at any size if it is an SVG', async () => {
    const drawn = await drawRule(picture('circle.svg', '<Size>36</Size>'), {}, load);

    expect(drawn.row(20).filter(green).length).toBeGreaterThanOrEqual(34);
    expect(isPainted(drawn.at(4, 4))).toBe(false);
  });

  test('is drawn if it is inline', async () => {
    const base64 = Buffer.from(await plainPng(8, 8, 'red')).toString('base64');
    const inline = `<PointSymbolizer><Graphic><ExternalGraphic>
      <InlineContent encoding="base64">${base64}</InlineContent><Format>image/png</Format>
    </ExternalGraphic></Graphic></PointSymbolizer>`;

    const drawn = await drawRule(inline);

    expect(drawn.count(red)).toBe(64);
  });

  test('is drawn if it consists of inline elements', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">
      <defs><rect id="r" width="10" height="10" fill="#F00"/></defs><use xlink:href="#r"/></svg>`;
    const inline = `<PointSymbolizer><Graphic><ExternalGraphic>
      <InlineContent encoding="xml">${svg}</InlineContent><Format>image/svg+xml</Format>
    </ExternalGraphic></Graphic></PointSymbolizer>`;

    const drawn = await drawStyle(styleOf(rule(inline)));

    expect(drawn.count(red)).toBe(100);
  });

  test.each(['missing.png', 'broken.png', 'page.html', 'reaching.svg'])(
    'becomes a crossed grey box if it cannot be drawn: %s',
    async (href) => {
      const drawn = await drawRule(picture(href), {}, load);

      expect(isPainted(drawn.at(20, 20))).toBe(true);
      expect(isPainted(drawn.at(12, 20))).toBe(true);
      expect(isPainted(drawn.at(20, 16))).toBe(false);
      expect(drawn.count(([r, g, b, alpha]) => alpha > 0 && !(r === g && g === b))).toBe(0);
    },
  );

  test('is replaced by the next symbol if it is missing', async () => {
    const symbols = `<PointSymbolizer><Graphic>
      <ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="missing.png"/><Format>image/png</Format></ExternalGraphic>
      <Mark><WellKnownName>square</WellKnownName><Fill>${css({ fill: '#FF0000' })}</Fill></Mark>
      <Size>10</Size></Graphic></PointSymbolizer>`;

    const drawn = await drawRule(symbols);

    expect(drawn.count(red)).toBe(100);
  });

  test('is loaded once for many rules', async () => {
    const requested: string[] = [];

    await drawStyle(styleOf(rule(picture('wide.png')).repeat(5)), {}, async (href) => {
      requested.push(href);
      return load(href);
    });

    expect(requested).toEqual(['wide.png']);
  });

  test('replaces the sample as the legend graphic, and the sample is not loaded', async () => {
    const requested: string[] = [];
    const heading = `<Name>r</Name><LegendGraphic>${picture('wide.png').replaceAll(/<.?PointSymbolizer>/g, '')}</LegendGraphic>`;

    const drawn = await drawStyle(styleOf(rule(picture('circle.svg'), heading)), {}, async (href) => {
      requested.push(href);
      return load(href);
    });

    expect(drawn.count(red)).toBe(200);
    expect(requested).toEqual(['wide.png']);
  });
});

describe('repeated graphics', () => {
  test('fill an area as tiles', async () => {
    const tiles = `<PolygonSymbolizer><Fill><GraphicFill>
      <Graphic><Mark><WellKnownName>square</WellKnownName><Fill>${css({ fill: '#FF0000' })}</Fill></Mark><Size>4</Size></Graphic>
      </GraphicFill></Fill><VendorOption name="graphic-margin">2</VendorOption></PolygonSymbolizer>`;

    const drawn = await drawRule(tiles);

    // Tiles of eight pixels, of which four by four are red.
    expect([drawn.at(19, 19), drawn.at(27, 19), drawn.at(19, 27)].every(red)).toBe(true);
    expect([drawn.at(16, 16), drawn.at(23, 19), drawn.at(24, 24)].some(isPainted)).toBe(false);
  });

  test('form slanted lines without a break', async () => {
    const hatch = `<PolygonSymbolizer><Fill><GraphicFill>${mark('shape://slash', 8)}</GraphicFill></Fill></PolygonSymbolizer>`;

    const drawn = await drawRule(hatch);

    // One line of the hatching runs from the lower left to the upper right.
    for (let step = 2; step < 38; step += 1) expect(isPainted(drawn.at(step, 39 - step))).toBe(true);
    expect(isPainted(drawn.at(20, 24))).toBe(false);
  });

  test('are placed along a line', async () => {
    const dots = `<LineSymbolizer><Stroke><GraphicStroke>${mark('circle', 4)}</GraphicStroke>${css({ 'stroke-dasharray': '4 12' })}</Stroke></LineSymbolizer>`;

    const drawn = await drawRule(dots, { width: 100, height: 40 });

    const columns = drawn.row(0).map((_, x) => drawn.column(x).some(isPainted));
    const count = columns.filter((on, x) => on && !columns[x - 1]).length;
    expect(count).toBeGreaterThanOrEqual(6);
    expect(count).toBeLessThanOrEqual(9);
  });
});
