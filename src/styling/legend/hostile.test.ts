import { describe, expect, test } from 'vitest';
import { css, drawRule, drawStyle, isPainted, plainPng, rule, styleOf } from '../../../test/styles/legend/drawn.ts';
import { loadCanvas } from './canvas/canvas.ts';
import { checkSvg, computeMaxPixels } from './images/svg-check.ts';

const fill = `<Fill>${css({ fill: '#FF0000' })}</Fill>`;
const area = `<PolygonSymbolizer>${fill}</PolygonSymbolizer>`;
const point = (graphic: string): string => `<PointSymbolizer><Graphic>${graphic}</Graphic></PointSymbolizer>`;
const external = (href: string): string =>
  `<ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="${href}"/><Format>image/png</Format></ExternalGraphic>`;

/** Processor time, independent of other load. Without limits these styles would take hours or all memory. */
const maxMs = 60_000;

async function inTime<T>(action: Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await action;
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(maxMs);
  return result;
}

describe('style with excessive demands', () => {
  test('is cut off after too many rules, with the number of omitted rules', async () => {
    const many = await inTime(drawStyle(styleOf(rule(area).repeat(5000)), { width: 20, height: 20 }));

    expect(many.height).toBe(101 * 24 - 4);
    expect(isPainted(many.at(10, 99 * 24 + 10))).toBe(true);
    expect(many.width).toBeGreaterThan(50);
    const words = Array.from({ length: 20 }, (_, y) => many.row(100 * 24 + y)).flat();
    expect(words.some(isPainted)).toBe(true);
  });

  test('stays within 64 MB with large rows', async () => {
    const large = await inTime(drawStyle(styleOf(rule(area).repeat(100)), { width: 1024, height: 1024 }));

    expect(large.width * large.height).toBeLessThanOrEqual(16_000_000);
    expect(large.height).toBeGreaterThan(1024);
  }, 20_000);

  test('draws its symbolizers up to the limit', async () => {
    const drawn = await inTime(drawRule(area.repeat(20_000), { width: 1024, height: 1024 }));

    expect(isPainted(drawn.at(512, 512))).toBe(true);
  }, 20_000);

  test.each([
    ['below zero', '<ogc:Sub><ogc:Literal>0</ogc:Literal><ogc:Literal>5</ogc:Literal></ogc:Sub>'],
    ['of infinity', '1e308'],
    ['close to zero', '1e-300'],
    ['of zero', '0'],
    ['that are not numbers', '<ogc:Function name="Concatenate"><ogc:Literal>wide</ogc:Literal></ogc:Function>'],
  ])('is drawn with sizes %s', async (_, size) => {
    const stroke = `<Stroke>${css({ 'stroke-width': size, 'stroke-dasharray': `${size} ${size}`, 'stroke-dashoffset': size })}</Stroke>`;
    const offset = `<PerpendicularOffset>${size}</PerpendicularOffset>`;
    const moved = `<Displacement><DisplacementX>${size}</DisplacementX><DisplacementY>${size}</DisplacementY></Displacement>`;
    const text = `<TextSymbolizer><Label>A</Label><Font>${css({ 'font-size': size })}</Font><Halo><Radius>${size}</Radius></Halo></TextSymbolizer>`;

    const drawn = await inTime(
      drawRule(
        `${point(`<Mark>${fill}${stroke}</Mark><Size>${size}</Size><Rotation>${size}</Rotation>${moved}`)}
        <LineSymbolizer>${stroke}${offset}</LineSymbolizer>
        <PolygonSymbolizer>${fill}${stroke}</PolygonSymbolizer>
        <LineSymbolizer><Stroke><GraphicStroke><Graphic><Mark>${fill}</Mark><Size>${size}</Size></Graphic></GraphicStroke></Stroke></LineSymbolizer>
        <PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark>${fill}</Mark><Size>${size}</Size></Graphic></GraphicFill></Fill></PolygonSymbolizer>
        ${text}`,
      ),
    );

    expect([drawn.width, drawn.height]).toEqual([40, 40]);
    expect(drawn.count(isPainted)).toBeGreaterThan(0);
  });

  test('limits nested fills', async () => {
    const nested = (depth: number): string =>
      depth === 0
        ? fill
        : `<Fill><GraphicFill><Graphic><Mark>${nested(depth - 1)}</Mark><Size>8</Size></Graphic></GraphicFill></Fill>`;

    const drawn = await inTime(drawRule(`<PolygonSymbolizer>${nested(25)}</PolygonSymbolizer>`));

    expect(drawn.count(isPainted)).toBeGreaterThan(0);
  });

  test('limits graphics along lines', async () => {
    const dots = `<LineSymbolizer><Stroke><GraphicStroke><Graphic><Mark>${fill}<Stroke/></Mark><Size>0.01</Size></Graphic></GraphicStroke></Stroke></LineSymbolizer>`;

    await inTime(drawStyle(styleOf(rule(dots.repeat(50)).repeat(100)), { width: 200, height: 100 }));
  }, 20_000);

  test('truncates long text', async () => {
    const title = `<Title>${'long '.repeat(100_000)}</Title>`;

    const drawn = await inTime(drawStyle(styleOf(rule(area, title).repeat(3))));

    expect(drawn.width).toBeLessThanOrEqual(40 + 6 + 400);
  });
});

describe('hostile picture', () => {
  const header = (width: number, height: number): Buffer => {
    const bytes = Buffer.alloc(1000);
    bytes.write('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR', 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  const svgBomb = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">${Array.from(
    { length: 12 },
    (_, level) =>
      `<g id="l${level}">${level === 0 ? '<rect width="20" height="20" fill="blue"/>' : `<use href="#l${level - 1}"/>`.repeat(10)}</g>`,
  ).join('')}</svg>`;
  const manyShapes = `<svg xmlns="http://www.w3.org/2000/svg" width="999" height="999">${'<rect width="999" height="999" fill="red"/>'.repeat(9000)}</svg>`;
  const laughs = `<!DOCTYPE svg [<!ENTITY l0 "ha">${Array.from({ length: 8 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(20)}">`).join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&l7;</text></svg>`;

  test.each([
    ['with billions of pixels', header(60_000, 60_000)],
    ['with a side of billions of pixels', header(4_000_000_000, 1)],
    ['with exponential references', Buffer.from(svgBomb)],
    ['with exponential entities', Buffer.from(laughs)],
    ['with thousands of overlapping shapes', Buffer.from(manyShapes)],
    ['that is truncated', header(16, 16)],
    ['without bytes', Buffer.alloc(0)],
  ])('is drawn as a crossed box: %s', async (_, bytes) => {
    const drawn = await inTime(drawRule(point(external('a.png')), { width: 400, height: 400 }, async () => bytes));

    expect(drawn.count(isPainted)).toBeGreaterThan(20);
    expect(drawn.count(([r, g, b, alpha]) => alpha > 0 && !(r === g && g === b))).toBe(0);
  });

  test('loads at most 100 of a thousand pictures', async () => {
    const symbols = Array.from({ length: 1000 }, (_, index) => point(external(`${index}.png`)));
    let requestCount = 0;

    await inTime(
      drawStyle(styleOf(symbols.map((each) => rule(each)).join('')), {}, async () => {
        requestCount += 1;
        return plainPng(10, 10, 'red');
      }),
    );

    expect(requestCount).toBe(100);
  }, 20_000);

  test('is drawn small if it is an enormous SVG', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="999999" height="999999"><rect width="100%" height="100%"/></svg>';

    const drawn = await inTime(drawRule(point(external('a.svg')), {}, async () => Buffer.from(svg)));

    expect(isPainted(drawn.at(20, 20))).toBe(true);
  });
});

test('an error of the loader is propagated', async () => {
  const failing = drawRule(point(external('a.png')), {}, async () => {
    throw new Error('the disk has failed');
  });

  await expect(failing).rejects.toThrow('the disk has failed');
});

test('many marks with thousands of corners stay within the time limit', async () => {
  const corners = Array.from({ length: 3000 }, (_, index) => `${(index % 7) / 10} ${(index % 11) / 10}`).join(', ');
  const mark = `<Mark><WellKnownName>wkt://LINESTRING(${corners})</WellKnownName><Stroke/></Mark>`;
  const dots = `<LineSymbolizer><Stroke><GraphicStroke><Graphic>${mark}<Size>1</Size></Graphic></GraphicStroke></Stroke></LineSymbolizer>`;

  await inTime(drawStyle(styleOf(rule(dots.repeat(20)).repeat(10)), { width: 200, height: 100 }));
}, 20_000);

test('many dash arrays of a megabyte stay within the time limit', async () => {
  const stroke = `<Stroke>${css({ 'stroke-dasharray': '1 2 '.repeat(250_000) })}</Stroke>`;
  const dots = `<LineSymbolizer><Stroke><GraphicStroke><Graphic><Mark>${stroke}</Mark><Size>1</Size></Graphic></GraphicStroke></Stroke></LineSymbolizer>`;

  await inTime(drawRule(dots, { width: 200, height: 100 }));
}, 20_000);

describe('SVG just below the cost limit', () => {
  const picture = (content: string, definitions = ''): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><defs>${definitions}</defs>${content}</svg>`;
  const gradient =
    '<radialGradient id="g"><stop stop-color="red" stop-opacity=".5"/><stop offset="1"/></radialGradient>';
  const crossing = Array.from({ length: 4_900 }, (_, at) => `${(at % 2) * 100} ${(at * 7919) % 100}`).join('L');

  // The library cannot be interrupted, so this is the longest delay for a cancelled map or a stopping server.
  test.each([
    ['nested gradients', picture('<rect width="100" height="100" fill="url(#g)"/>'.repeat(900), gradient)],
    ['a thick zigzag', picture(`<path d="M${crossing}" stroke="red" stroke-width="40" stroke-linejoin="round"/>`)],
    ['dashes', picture('<circle cx="50" cy="50" r="45" stroke="red" stroke-width="40" stroke-dasharray=".03"/>')],
    [
      'blurs',
      picture(
        '<rect width="100" height="100" filter="url(#f)"/>',
        `<filter id="f">${'<feGaussianBlur stdDeviation="1000000"/>'.repeat(4)}</filter>`,
      ),
    ],
    ['layers', picture('<g opacity="0.5"><rect width="100" height="100" fill="url(#g)"/></g>'.repeat(400), gradient)],
  ])('takes at most a few seconds at its maximum size: %s', async (_what, text) => {
    const library = await loadCanvas();
    const verdict = checkSvg(text);
    if (verdict.kind === 'refused') throw new Error(verdict.reason);
    const side = Math.floor(Math.sqrt(computeMaxPixels(verdict)));
    const image = new library.Image();
    const loaded = Promise.withResolvers<void>();
    image.onload = () => loaded.resolve();
    image.src = Buffer.from(text);
    await loaded.promise;
    const context = library.createCanvas(side, side).getContext('2d');

    const before = process.threadCpuUsage();
    context.drawImage(image, 0, 0, side, side);
    context.getImageData(0, 0, 1, 1);
    const { user, system } = process.threadCpuUsage(before);

    expect((user + system) / 1_000_000).toBeLessThan(5);
  });
});
