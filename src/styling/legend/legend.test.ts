import { describe, expect, test } from 'vitest';
import {
  css,
  drawRule,
  drawStyle,
  isLike,
  isPainted,
  nothing,
  rule,
  styleOf,
} from '../../../test/styles/legend/drawn.ts';

const red = isLike(255, 0, 0);
const blue = isLike(0, 0, 255);

const line = (parameters: Readonly<Record<string, string | number>>, more = ''): string =>
  `<LineSymbolizer><Stroke>${css(parameters)}</Stroke>${more}</LineSymbolizer>`;
const area = (fill: Readonly<Record<string, string | number>>, stroke?: Readonly<Record<string, string | number>>) =>
  `<PolygonSymbolizer><Fill>${css(fill)}</Fill>${stroke ? `<Stroke>${css(stroke)}</Stroke>` : ''}</PolygonSymbolizer>`;

describe('legend picture', () => {
  test('has exactly the requested size for one rule', async () => {
    const drawn = await drawRule(area({ fill: '#FF0000' }), { width: 33, height: 21 });

    expect([drawn.width, drawn.height]).toEqual([33, 21]);
  });

  test('is empty for a style that draws nothing', async () => {
    const drawn = await drawRule('', { width: 33, height: 21 });

    expect([drawn.width, drawn.height]).toEqual([33, 21]);
    expect(drawn.count(isPainted)).toBe(0);
  });

  test('has a row for each rule, with its title or name on the right', async () => {
    const rules = [
      rule(area({ fill: '#FF0000' }), '<Name>a</Name><Title>Land</Title>'),
      rule(area({ fill: '#0000FF' }), '<Name>Water</Name>'),
      rule(area({ fill: '#00FF00' })),
    ];

    const drawn = await drawStyle(styleOf(rules.join('')), { width: 20, height: 20 });

    expect(drawn.height).toBe(3 * 20 + 2 * 4);
    expect(drawn.width).toBeGreaterThan(20 + 20);
    expect(drawn.at(10, 10)).toEqual([255, 0, 0, 255]);
    expect(drawn.at(10, 34)).toEqual([0, 0, 255, 255]);
    expect(drawn.at(10, 58)).toEqual([0, 255, 0, 255]);
    const hasWords = (y: number) => drawn.row(y).slice(22).some(isPainted);
    expect([hasWords(10), hasWords(34), hasWords(58)]).toEqual([true, true, false]);
  });

  test('shows only the rules in scale: the minimum is inclusive, the maximum exclusive', async () => {
    const rules = styleOf(
      rule(area({ fill: '#FF0000' }), '<MaxScaleDenominator>1000</MaxScaleDenominator>') +
        rule(area({ fill: '#0000FF' }), '<MinScaleDenominator>1000</MinScaleDenominator>'),
    );

    const near = await drawStyle(rules, { scaleDenominator: 999 });
    const far = await drawStyle(rules, { scaleDenominator: 1000 });

    expect([near.height, near.at(20, 20)]).toEqual([40, [255, 0, 0, 255]]);
    expect([far.height, far.at(20, 20)]).toEqual([40, [0, 0, 255, 255]]);
  });

  test('shows only the rule with the requested name, including an else rule', async () => {
    const rules = styleOf(
      rule(area({ fill: '#FF0000' }), '<Name>one</Name>') +
        rule(area({ fill: '#0000FF' }), '<Name>other</Name><ElseFilter/>'),
    );

    const drawn = await drawStyle(rules, { rule: 'other' });

    expect([drawn.height, drawn.at(20, 20)]).toEqual([40, [0, 0, 255, 255]]);
  });

  test('omits symbolizers that are for maps only', async () => {
    const option = '<VendorOption name="inclusion">mapOnly</VendorOption>';
    const hidden = `<PolygonSymbolizer><Fill>${css({ fill: '#FF0000' })}</Fill>${option}</PolygonSymbolizer>`;

    const drawn = await drawStyle(styleOf(rule(area({ fill: '#0000FF' }) + hidden)));

    expect(drawn.at(20, 20)).toEqual([0, 0, 255, 255]);
  });
});

describe('polygon sample', () => {
  test('is filled in its centre, with a transparent margin', async () => {
    const drawn = await drawRule(area({ fill: '#FF0000' }));

    expect(drawn.at(20, 20)).toEqual([255, 0, 0, 255]);
    expect(drawn.at(0, 0)).toEqual(nothing);
    expect(drawn.at(39, 39)).toEqual(nothing);
  });

  test('leaves space for the whole width of its outline', async () => {
    const drawn = await drawRule(area({ fill: '#FF0000' }, { stroke: '#0000FF', 'stroke-width': 6 }));

    const across = drawn.row(20);
    expect(across.findIndex(blue)).toBe(1);
    expect(across.filter(blue)).toHaveLength(12);
    expect(across.filter(red)).toHaveLength(24);
  });

  test('applies the opacity of its fill', async () => {
    const drawn = await drawRule(area({ fill: '#FF0000', 'fill-opacity': 0.5 }));

    expect(drawn.at(20, 20)[3]).toBeCloseTo(128, -1);
  });

  test('is grey with an empty fill, and only outlined without a fill', async () => {
    const filled = await drawRule('<PolygonSymbolizer><Fill/></PolygonSymbolizer>');
    const outlined = await drawRule('<PolygonSymbolizer><Stroke/></PolygonSymbolizer>');

    expect(filled.at(20, 20)).toEqual([128, 128, 128, 255]);
    expect(outlined.at(20, 20)).toEqual(nothing);
    expect(outlined.at(20, 1)).toEqual([0, 0, 0, 255]);
  });

  test('is outlined by a line symbolizer of the same rule', async () => {
    const drawn = await drawRule(area({ fill: '#FF0000' }) + line({ stroke: '#0000FF', 'stroke-width': 2 }));

    expect(drawn.at(20, 20)).toEqual([255, 0, 0, 255]);
    expect(blue(drawn.at(20, 1))).toBe(true);
  });

  test('is painted in the order of the symbolizers', async () => {
    const drawn = await drawRule(area({ fill: '#0000FF' }) + area({ fill: '#FF0000' }));

    expect(drawn.at(20, 20)).toEqual([255, 0, 0, 255]);
  });
});

describe('line sample', () => {
  test('spans the width of the sample with the width of its stroke', async () => {
    const drawn = await drawRule(line({ stroke: '#FF0000', 'stroke-width': 4 }), { width: 80, height: 40 });

    const painted = drawn.row(0).map((_, x) => drawn.column(x).filter(isPainted).length);
    expect(painted.slice(5, 75).every((count) => count >= 4 && count <= 8)).toBe(true);
    expect(drawn.count(red)).toBeGreaterThan(200);
  });

  test('has gaps between its dashes', async () => {
    const columnsOf = async (parameters: Readonly<Record<string, string | number>>) => {
      const drawn = await drawRule(line({ 'stroke-width': 3, ...parameters }), { width: 100, height: 40 });
      return drawn.row(0).map((_, x) => drawn.column(x).some(isPainted));
    };

    const solid = await columnsOf({});
    const dashed = await columnsOf({ 'stroke-dasharray': '10 10' });
    const shifted = await columnsOf({ 'stroke-dasharray': '10 10', 'stroke-dashoffset': 10 });

    const gaps = (columns: readonly boolean[]) => columns.filter((on, x) => !on && columns[x - 1]).length;
    expect(gaps(solid)).toBe(1);
    expect(gaps(dashed)).toBeGreaterThan(4);
    expect([dashed[5], shifted[5]]).toEqual([true, false]);
  });

  test('shrinks together with its casing, so that both stay visible', async () => {
    const cased = line({ stroke: '#0000FF', 'stroke-width': 100 }) + line({ stroke: '#FF0000', 'stroke-width': 60 });

    const drawn = await drawRule(cased, { width: 80, height: 40 });

    const across = drawn.column(20);
    expect(across.some(blue)).toBe(true);
    expect(across.some(red)).toBe(true);
    expect(across.some((pixel) => !isPainted(pixel))).toBe(true);
  });

  test('is a straight bar across the sample if the line is thick', async () => {
    const thick = await drawRule(line({ stroke: '#FF0000', 'stroke-width': 18, 'stroke-linecap': 'round' }));

    const painted = thick.row(0).map((_, x) => thick.column(x).filter(red).length);
    expect(new Set(painted)).toEqual(new Set([18]));
  });

  test('is offset to the left, which is above', async () => {
    const offset = (pixels: number) => `<PerpendicularOffset>${pixels}</PerpendicularOffset>`;

    const drawn = await drawRule(line({ stroke: '#FF0000' }, offset(6)) + line({ stroke: '#0000FF' }, offset(-6)));

    const across = drawn.column(25);
    const reddish = across.findIndex(([r, , b, alpha]) => alpha > 60 && r > b);
    const bluish = across.findIndex(([r, , b, alpha]) => alpha > 60 && b > r);
    expect(reddish).toBeGreaterThanOrEqual(0);
    expect(bluish - reddish).toBeGreaterThan(8);
  });

  test('has its width in metres at the requested scale', async () => {
    const inMetres = `<LineSymbolizer uom="http://www.opengeospatial.org/se/units/metre">
      <Stroke>${css({ stroke: '#FF0000', 'stroke-width': 8 })}</Stroke></LineSymbolizer>`;
    const widthAt = async (scaleDenominator: number) => {
      const drawn = await drawRule(inMetres, { kind: 'polygon', scaleDenominator });
      return drawn.row(20).slice(0, 20).filter(red).length;
    };

    // A pixel is 0.28 mm.
    expect(await widthAt(1 / 0.000_28)).toBe(8);
    expect(await widthAt(2 / 0.000_28)).toBe(4);
  });

  test('is drawn as the outline of a polygon on request, and a polygon as a line', async () => {
    const outline = await drawRule(line({ stroke: '#FF0000', 'stroke-width': 2 }), { kind: 'polygon' });
    const bent = await drawRule(area({ fill: '#FFFFFF' }, { stroke: '#FF0000', 'stroke-width': 2 }), { kind: 'line' });

    expect(red(outline.at(20, 1))).toBe(true);
    expect(red(bent.at(20, 1))).toBe(false);
    expect(bent.count(red)).toBeGreaterThan(10);
  });
});
