import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  createDrawnLayer,
  createUserStyle,
  type DrawnRow,
  never,
  paintedBox,
  paintedIn,
  smallMap,
  wideBudget,
} from '../../../test/support/drawn-layers.ts';
import { drawMap } from '../draw-map.ts';
import type { MapRequest, Pixels } from '../request/map-request.ts';

const map = { ...smallMap, width: 200, height: 200, box: { minX: 0, minY: 0, maxX: 200, maxY: 200 } };

const label = (options: Readonly<Record<string, string>> = {}, placement = ''): string =>
  `<Rule><TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label>
    <Font><CssParameter name="font-family">DejaVu Sans</CssParameter><CssParameter name="font-size">20</CssParameter></Font>${placement}
    ${Object.entries(options)
      .map(([name, value]) => `<VendorOption name="${name}">${value}</VendorOption>`)
      .join('')}</TextSymbolizer></Rule>`;
const alongLine = '<LabelPlacement><LinePlacement/></LabelPlacement>';

function write(rows: readonly DrawnRow[], rule: string, more: Partial<MapRequest> = {}): Promise<Pixels> {
  return drawMap({ ...map, layers: [createDrawnLayer(rows, createUserStyle(rule))], ...more }, wideBudget, never);
}

/**
 * Returns the thickness of the strikeout line and the height of its upper edge above the baseline, relative to the
 * font size.
 */
async function strikeoutOf(family: string): Promise<{ readonly strikeout: number; readonly size: number }> {
  const font = await readFile(`node_modules/dejavu-fonts-ttf/ttf/DejaVu${family}.ttf`);
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const start = (tag: string): number =>
    font.readUInt32BE((tables.find((at) => font.toString('latin1', at, at + 4) === tag) ?? 0) + 8);
  const unitsPerEm = font.readUInt16BE(start('head') + 18);
  const metrics = start('OS/2');
  return { size: font.readInt16BE(metrics + 26) / unitsPerEm, strikeout: font.readInt16BE(metrics + 28) / unitsPerEm };
}

describe('label', () => {
  test('places a label right of its point and vertically centred, unless the style sets another position', async () => {
    const written = await write([{ wkt: 'POINT (100 100)', name: 'HHH' }], label());

    expect(paintedIn(written, { right: 100 })).toBe(0);
    expect(paintedIn(written, { left: 100, top: 90, bottom: 110 })).toBe(paintedIn(written));
    expect(paintedIn(written)).toBeGreaterThan(100);
  });

  test('places a label in the centre of a polygon, and omits a label that does not fit', async () => {
    const wide = { wkt: 'POLYGON ((20 20, 180 20, 180 180, 20 180, 20 20))', name: 'HHH' };
    const narrow = { wkt: 'POLYGON ((95 20, 105 20, 105 180, 95 180, 95 20))', name: 'HHHHHH' };

    const fitting = await write([wide], label());

    expect(paintedIn(fitting, { left: 70, right: 130, top: 88, bottom: 112 })).toBe(paintedIn(fitting));
    expect(paintedIn(await write([narrow], label()))).toBe(0);
    expect(paintedIn(await write([narrow], label({ goodnessOfFit: '0' })))).toBeGreaterThan(0);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['at its centre', { goodnessOfFit: '0' }, ''],
    ['aligned with its longest direction', { goodnessOfFit: '0', polygonAlign: 'mbr' }, ''],
    ['along its border', { followLine: 'true', maxAngleDelta: '180' }, alongLine],
  ])('labels a polygon with more corners than a call can have arguments, %s', async (_, options, placement) => {
    // Spikes that survive simplification, with a bay at the centre of gravity.
    const corners = Array.from({ length: 70_000 }, (__, index) => {
      const [angle, reach] = [((index / 70_000) * 1.5 + 0.25) * Math.PI, index % 2 === 0 ? 60 : 95];
      return `${100 + reach * Math.cos(angle)} ${100 + reach * Math.sin(angle)}`;
    });
    const spiked = { wkt: `POLYGON ((${[...corners, corners[0]].join(', ')}))`, name: 'H' };

    await expect(write([spiked], label(options, placement))).resolves.toMatchObject({ width: 200, height: 200 });
  });

  test('aligns a label with its line, even if the line is steep', async () => {
    const steep = { wkt: 'LINESTRING (100 10, 100 190)', name: 'HHHHH' };

    const written = await write([steep], label({}, alongLine));

    // Rotated by a quarter turn around the centre of the line: height and length are swapped.
    expect(paintedBox(written)).toEqual({ left: 90, top: 64, right: 106, bottom: 136 });
  });

  test('follows a curved line letter by letter', async () => {
    const bent = { wkt: 'LINESTRING (20 100, 60 120, 100 125, 140 120, 180 100)', name: 'HHHHHHHHH' };

    const straight = await write([bent], label({}, alongLine));
    const followed = await write([bent], label({ followLine: 'true' }, alongLine));

    // The ends of the line are lower than its centre, so the first and last letters are lower too.
    expect(paintedIn(straight, { top: 92 })).toBe(0);
    expect(paintedIn(followed, { top: 92 })).toBeGreaterThan(0);
  });

  test('repeats a label along a line at the given distance', async () => {
    const line = { wkt: 'LINESTRING (0 100, 200 100)', name: 'H' };

    const once = await write([line], label({}, alongLine));
    const often = await write([line], label({ repeat: '50' }, alongLine));

    expect(paintedBox(once)).toEqual({ left: 94, top: 90, right: 106, bottom: 105 });
    expect(paintedBox(often)).toEqual({ left: 44, top: 90, right: 156, bottom: 105 });
    expect(paintedIn(often)).toBe(3 * paintedIn(once));
    for (const middle of [50, 100, 150]) {
      expect(paintedIn(often, { left: middle - 6, right: middle + 6 })).toBe(paintedIn(once));
    }
  });

  test('breaks a label into lines at the given length', async () => {
    const long = { wkt: 'POINT (20 100)', name: 'HH HH HH' };

    const written = await write([long], label({ autoWrap: '40' }));

    expect(paintedIn(written, { left: 60 })).toBe(0);
    expect(paintedIn(written, { top: 70, bottom: 85 })).toBeGreaterThan(0);
  });

  test('applies letter and word spacing', async () => {
    const words = { wkt: 'POINT (10 100)', name: 'HH HH' };
    const rightmost = async (options: Readonly<Record<string, string>>): Promise<number> => {
      const written = await write([words], label(options));
      return (
        Array.from({ length: 200 }, (_, x) => x).findLast((x) => paintedIn(written, { left: x, right: x + 1 }) > 0) ?? 0
      );
    };

    const usual = await rightmost({});

    expect((await rightmost({ charSpacing: '5' })) - usual).toBe(20);
    expect((await rightmost({ wordSpacing: '30' })) - usual).toBe(30);
  });

  test('draws letters with the same weight in every colour', async () => {
    const word = { wkt: 'POINT (10 100)', name: 'Nordmark' };
    const measureInk = async (color: string): Promise<number> => {
      const fill = `<Fill><CssParameter name="fill">${color}</CssParameter></Fill>`;
      const rule = label().replace('</Font>', `</Font>${fill}`).replace('>20<', '>12<');
      const { bytes } = await write([word], rule, { isTransparent: true });
      return bytes.reduce((sum, value, at) => sum + (at % 4 === 3 ? value : 0), 0);
    };

    const ink = await measureInk('#000000');

    expect(await Promise.all(['#ff0000', '#ffffff', '#808080'].map(measureInk))).toEqual([ink, ink, ink]);
  });

  test('draws a line below or through a label', async () => {
    const word = { wkt: 'POINT (10 100)', name: 'I I' };
    const between = async (options: Readonly<Record<string, string>>): Promise<readonly number[]> => {
      const written = await write([word], label(options));
      // Only the line is visible between the two letters.
      const column = Array.from({ length: 200 }, (_, x) => x).find(
        (x) => x > 14 && paintedIn(written, { left: x, right: x + 1, top: 90, bottom: 98 }) === 0,
      );
      const left = column ?? 0;
      return Array.from({ length: 200 }, (_, y) => y).filter(
        (y) => paintedIn(written, { left, right: left + 1, top: y, bottom: y + 1 }) > 0,
      );
    };

    expect(await between({})).toEqual([]);
    expect(await between({ underlineText: 'true' })).toEqual([108, 109]);
    expect(await between({ strikethroughText: 'true' })).toEqual([99, 100]);
    // The lines extend from the start of the word to its end, slightly beyond the letters.
    const boxes = [{}, { underlineText: 'true' }, { strikethroughText: 'true' }].map(async (options) =>
      paintedBox(await write([word], label(options))),
    );
    expect(await Promise.all(boxes)).toEqual([
      { left: 11, top: 90, right: 27, bottom: 105 },
      { left: 10, top: 90, right: 29, bottom: 110 },
      { left: 10, top: 90, right: 29, bottom: 105 },
    ]);
  });

  test('underlines a translucent curved label evenly', async () => {
    const arc = Array.from({ length: 37 }, (_, step) => {
      const radians = Math.PI * (1 - step / 36);
      return `${100 + 80 * Math.cos(radians)} ${60 + 80 * Math.sin(radians)}`;
    });
    const style = label({ followLine: 'true', underlineText: 'true' }, alongLine).replace(
      alongLine,
      `${alongLine}<Fill><CssParameter name="fill">#000000</CssParameter><CssParameter name="fill-opacity">0.5</CssParameter></Fill>`,
    );

    const { bytes } = await write([{ wkt: `LINESTRING (${arc})`, name: 'iiiiiiiiiiiiiiiiiiii' }], style);

    const darkest = bytes.reduce((low, value) => Math.min(low, value), 255);
    expect(darkest).toBeGreaterThanOrEqual(126);
    expect(darkest).toBeLessThan(140);
  });

  test.each(['DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Mono'])(
    'strikes a label through at the height that the font defines: %s',
    async (family) => {
      const word = { wkt: 'POINT (10 100)', name: 'I I' };
      const rule = (options: Readonly<Record<string, string>>) =>
        label(options).replace('DejaVu Sans', family).replace('>20<', '>100<');
      const [plain, struck] = [await write([word], rule({})), await write([word], rule({ strikethroughText: 'true' }))];
      const darknessAt = ({ bytes, width }: Pixels, x: number, y: number) =>
        1 - (bytes[(y * width + x) * 4] ?? 0) / 255;
      const rows = Array.from({ length: 200 }, (_, y) => y);
      // Look at a column without letters, where only the line is visible.
      const gap = rows.find((x) => x > 50 && paintedIn(plain, { left: x - 1, right: x + 2 }) === 0) ?? 0;
      const line = rows.map((y) => darknessAt(struck, gap, y));
      const thickness = line.reduce((sum, each) => sum + each, 0);
      const middle = line.reduce((sum, each, y) => sum + each * (y + 0.5), 0) / thickness;
      const { strikeout, size } = await strikeoutOf(family.replace('DejaVu', '').replaceAll(' ', ''));

      // The letters end on the baseline, within a pixel.
      expect(Math.abs((paintedBox(plain)?.bottom ?? 0) - middle - 100 * (strikeout - size / 2))).toBeLessThan(1);
      expect(thickness).toBeCloseTo(100 * size, 0);
    },
  );

  test('omits a label that the edge would cut off, unless partial labels are allowed', async () => {
    const atEdge = { wkt: 'POINT (190 100)', name: 'HHHH' };

    expect(paintedIn(await write([atEdge], label()))).toBe(0);
    expect(paintedIn(await write([atEdge], label({ partials: 'true' })))).toBeGreaterThan(0);
  });
});

describe('labels', () => {
  const two = [
    { wkt: 'POINT (80 100)', name: 'H', rank: 1 },
    { wkt: 'POINT (84 100)', name: 'HHHH', rank: 2 },
  ];
  const ranked = label().replace(
    '</TextSymbolizer>',
    '<Priority><ogc:PropertyName>rank</ogc:PropertyName></Priority></TextSymbolizer>',
  );

  test('never overlap: the highest priority is placed first, then the first feature', async () => {
    const both = [await write([two[0] as DrawnRow], label()), await write([two[1] as DrawnRow], label())].map((each) =>
      paintedIn(each),
    );

    expect(paintedIn(await write(two, label()))).toBe(both[0]);
    expect(paintedIn(await write(two, ranked))).toBe(both[1]);
    expect(paintedIn(await write(two, label({ conflictResolution: 'false' })))).toBeGreaterThan(Math.max(...both));
  });

  test('are displaced to free space, as far as the style allows', async () => {
    const alone = paintedIn(await write([two[1] as DrawnRow], label()));

    expect(paintedIn(await write(two, label({ maxDisplacement: '40' })))).toBeGreaterThan(alone);
  });

  test('keep the distance that the style requires', async () => {
    const apart = [
      { wkt: 'POINT (20 100)', name: 'H' },
      { wkt: 'POINT (60 100)', name: 'H' },
    ];
    const one = paintedIn(await write(apart.slice(0, 1), label()));

    expect(paintedIn(await write(apart, label()))).toBe(2 * one);
    expect(paintedIn(await write(apart, label({ spaceAround: '40' })))).toBe(one);
  });

  test('avoid symbols that the style marks as obstacles', async () => {
    const square = (options: string): string =>
      `<Rule><PointSymbolizer><Graphic><Mark><Fill><CssParameter name="fill">#ffffff</CssParameter></Fill></Mark><Size>10</Size></Graphic>${options}</PointSymbolizer></Rule>`;
    const obstacle = '<VendorOption name="labelObstacle">true</VendorOption>';
    const rows = [
      { wkt: 'POINT (100 100)', name: '' },
      { wkt: 'POINT (95 100)', name: 'H' },
    ];

    expect(paintedIn(await write(rows, `${square('')}${label()}`))).toBeGreaterThan(0);
    expect(paintedIn(await write(rows, `${square(obstacle)}${label()}`))).toBe(0);
    expect(paintedIn(await write(rows, `${square(obstacle)}${label({ maxDisplacement: '40' })}`))).toBeGreaterThan(0);
    // The symbol of a feature does not repel the label of the same feature.
    expect(paintedIn(await write(rows.slice(1), `${square(obstacle)}${label()}`))).toBeGreaterThan(0);
  });

  test('of one text keep the least distance of the style', async () => {
    const rows = [20, 80, 170].map((x) => ({ wkt: `POINT (${x} 100)`, name: 'H' }));
    const one = paintedIn(await write(rows.slice(0, 1), label()));

    expect(paintedIn(await write(rows, label()))).toBe(3 * one);
    expect(paintedIn(await write(rows, label({ minGroupDistance: '100' })))).toBe(2 * one);
  });

  test('are displaced only in the directions of the style', async () => {
    const rows = ['H', 'I'].map((name) => ({ wkt: 'POINT (100 100)', name }));
    const upwards = await write(rows, label({ maxDisplacement: '40', displacementMode: 'N' }));
    const downwards = await write(rows, label({ maxDisplacement: '40', displacementMode: 'S, SW' }));

    expect(paintedBox(upwards)).toMatchObject({ bottom: 105 });
    expect(paintedBox(downwards)).toMatchObject({ top: 90 });
  });

  test('shrink to the smallest size of the style if there is no room', async () => {
    const [small] = [{ wkt: 'POLYGON ((80 80, 120 80, 120 120, 80 120, 80 80))', name: 'HHHHHHHHHH' }];

    expect(paintedIn(await write([small], label()))).toBe(0);
    expect(paintedIn(await write([small], label({ fontShrinkSizeMin: '6' })))).toBeGreaterThan(0);
  });

  test('of lines with point placement are repeated', async () => {
    const line = { wkt: 'LINESTRING (0 100, 200 100)', name: 'H' };
    const placement = '<LabelPlacement><PointPlacement/></LabelPlacement>';
    const once = paintedIn(await write([line], label({}, placement)));

    expect(paintedIn(await write([line], label({ repeat: '60' }, placement)))).toBe(3 * once);
  });

  test('turn with their displacement', async () => {
    const place = { wkt: 'POINT (100 100)', name: 'H' };
    const placement = `<LabelPlacement><PointPlacement><AnchorPoint><AnchorPointX>0.5</AnchorPointX><AnchorPointY>0.5</AnchorPointY></AnchorPoint>
      <Displacement><DisplacementX>0</DisplacementX><DisplacementY>40</DisplacementY></Displacement><Rotation>-90</Rotation></PointPlacement></LabelPlacement>`;

    // Upwards, turned by a quarter to the left, is to the left.
    expect(paintedBox(await write([place], label({}, placement)))).toMatchObject({ right: 66, top: 94, bottom: 106 });
  });

  test('move to the nearest straight part of a line with a kink', async () => {
    const bent = { wkt: 'LINESTRING (20 30, 100 30, 100 190)', name: 'HHH' };

    const written = await write([bent], label({}, alongLine));

    // The middle of the line is 40 pixels after the kink, where there is room for half of the label and more.
    expect(paintedBox(written)).toMatchObject({ left: 90, right: 106 });
  });

  test('that follow a line keep the perpendicular offset', async () => {
    const line = { wkt: 'LINESTRING (0 100, 200 100)', name: 'HHH' };
    const placement =
      '<LabelPlacement><LinePlacement><PerpendicularOffset>20</PerpendicularOffset></LinePlacement></LabelPlacement>';

    const written = await write([line], label({ followLine: 'true' }, placement));

    expect(paintedBox(written)).toMatchObject({ top: 70, bottom: 86 });
  });

  test('have 12 pixels without a font, and 10 with a font without a size', async () => {
    const point = { wkt: 'POINT (100 100)', name: 'HHHH' };
    const without = label().replace(/<Font>.*<\/Font>/s, '');
    const sized = (size: string) => label().replace('>20<', `>${size}<`).replace('DejaVu Sans', 'Serif');
    const unsized = label()
      .replace(/<CssParameter name="font-size">20<\/CssParameter>/, '')
      .replace('DejaVu Sans', 'Serif');

    expect(paintedBox(await write([point], without))).toEqual(paintedBox(await write([point], sized('12'))));
    expect(paintedBox(await write([point], unsized))).toEqual(paintedBox(await write([point], sized('10'))));
  });

  test('of lines that overlap are drawn once if the style removes overlaps', async () => {
    const road = [
      { wkt: 'LINESTRING (10 100, 100 100, 190 100)', name: 'HHHHHH' },
      { wkt: 'LINESTRING (190 100, 100 100, 100 20)', name: 'HHHHHH' },
    ];

    const written = await write(road, label({ group: 'yes', removeOverlaps: 'true' }, alongLine));

    expect(paintedIn(written, { top: 85, bottom: 115 })).toBe(paintedIn(written));
    expect(paintedIn(written)).toBeGreaterThan(100);
  });

  test('merge equal labels if grouped, and join touching lines first', async () => {
    const road = [
      { wkt: 'LINESTRING (10 100, 50 100)', name: 'HHHHHH' },
      { wkt: 'LINESTRING (190 100, 50 100)', name: 'HHHHHH' },
    ];

    const written = await write(road, label({ group: 'yes' }, alongLine));

    expect(paintedIn(written, { left: 50, right: 150 })).toBe(paintedIn(written));
    expect(paintedIn(written)).toBeGreaterThan(100);
  });

  test('of a lower layer are drawn above higher layers', async () => {
    const area = createUserStyle(
      '<Rule><PolygonSymbolizer><Fill><CssParameter name="fill">#ffff00</CssParameter></Fill></PolygonSymbolizer></Rule>',
    );
    const layers = [
      createDrawnLayer([{ wkt: 'POINT (100 100)', name: 'HHH' }], createUserStyle(label())),
      createDrawnLayer([{ wkt: 'POLYGON ((0 0, 200 0, 200 200, 0 200, 0 0))', name: '' }], area),
    ];

    const { bytes } = await write([], label(), { layers });

    const dark = Array.from({ length: 40_000 }, (_, pixel) => bytes[pixel * 4] ?? 0).filter((red) => red < 50);
    expect(dark.length).toBeGreaterThan(50);
  });
});
