import { describe, expect, test } from 'vitest';
import { css, drawRule, isLike, isPainted, nothing } from '../../../../test/styles/legend/drawn.ts';

const red = isLike(255, 0, 0);

const circle = (parameters: { fill?: string; size?: number; more?: string } = {}): string =>
  `<PointSymbolizer><Graphic>
    <Mark><WellKnownName>circle</WellKnownName><Fill>${css({ fill: parameters.fill ?? '#FF0000' })}</Fill></Mark>
    ${parameters.size === undefined ? '' : `<Size>${parameters.size}</Size>`}${parameters.more ?? ''}
  </Graphic></PointSymbolizer>`;

describe('point sample', () => {
  test('is a mark of its size in the centre', async () => {
    const drawn = await drawRule(circle({ size: 20 }));

    expect(drawn.at(20, 20)).toEqual([255, 0, 0, 255]);
    expect(drawn.row(20).filter(isPainted)).toHaveLength(20);
    expect(drawn.row(20).findIndex(isPainted)).toBe(10);
    expect(drawn.column(20).filter(isPainted)).toHaveLength(20);
  });

  test('is sixteen pixels high by default, and a square without a symbol', async () => {
    const mark = await drawRule(circle());
    const square = await drawRule('<PointSymbolizer><Graphic/></PointSymbolizer>');

    expect(mark.column(20).filter(isPainted)).toHaveLength(16);
    expect(square.at(20, 20)).toEqual([128, 128, 128, 255]);
    expect(isPainted(square.at(12, 12))).toBe(true);
  });

  test('stays a round mark if it is much too large', async () => {
    const drawn = await drawRule(circle({ size: 500 }));

    expect(drawn.at(20, 20)).toEqual([255, 0, 0, 255]);
    expect(drawn.at(1, 1)).toEqual(nothing);
  });

  test('rotates clockwise', async () => {
    const arrow = (degrees: number) => `<PointSymbolizer><Graphic>
      <Mark><WellKnownName>arrow</WellKnownName><Fill>${css({ fill: '#FF0000' })}</Fill></Mark>
      <Size>30</Size><Rotation>${degrees}</Rotation></Graphic></PointSymbolizer>`;

    // The head of the arrow is broad, and its tail is narrow.
    const east = await drawRule(arrow(0));
    const south = await drawRule(arrow(90));
    expect([isPainted(east.at(22, 10)), isPainted(east.at(17, 10))]).toEqual([true, false]);
    expect([isPainted(south.at(10, 22)), isPainted(south.at(10, 17))]).toEqual([true, false]);
  });

  test('is displaced to the right and up', async () => {
    const moved = '<Displacement><DisplacementX>8</DisplacementX><DisplacementY>6</DisplacementY></Displacement>';

    const drawn = await drawRule(circle({ size: 10, more: moved }));

    expect(red(drawn.at(28, 14))).toBe(true);
    expect(isPainted(drawn.at(20, 22))).toBe(false);
  });

  test('is positioned by its anchor point', async () => {
    const lowerLeft = '<AnchorPoint><AnchorPointX>0</AnchorPointX><AnchorPointY>0</AnchorPointY></AnchorPoint>';

    const drawn = await drawRule(circle({ size: 10, more: lowerLeft }));

    expect(red(drawn.at(25, 15))).toBe(true);
    expect(isPainted(drawn.at(17, 22))).toBe(false);
  });

  test('stays visible with any displacement', async () => {
    const away = '<Displacement><DisplacementX>900</DisplacementX><DisplacementY>0</DisplacementY></Displacement>';

    const drawn = await drawRule(circle({ size: 10, more: away }));

    expect(red(drawn.at(35, 20))).toBe(true);
  });

  test('applies the opacity of its graphic', async () => {
    const drawn = await drawRule(
      `<PointSymbolizer><Graphic><Mark><Fill/></Mark><Opacity>0.25</Opacity><Size>20</Size></Graphic></PointSymbolizer>`,
    );

    expect(drawn.at(20, 20)[3]).toBeCloseTo(64, -1);
  });

  test('shows one of its classes if it depends on attributes', async () => {
    const bySize = `<ogc:Function name="Recode"><ogc:PropertyName>kind</ogc:PropertyName>
      <ogc:Literal>a</ogc:Literal><ogc:Literal>12</ogc:Literal>
      <ogc:Literal>b</ogc:Literal><ogc:Literal>30</ogc:Literal></ogc:Function>`;

    const drawn = await drawRule(
      `<PointSymbolizer><Graphic><Mark><Fill/></Mark><Size>${bySize}</Size></Graphic></PointSymbolizer>`,
    );

    expect(drawn.column(20).filter(isPainted)).toHaveLength(12);
  });

  test('has the default size if that depends on the feature', async () => {
    const drawn = await drawRule(
      `<PointSymbolizer><Graphic><Mark><Fill/></Mark><Size><ogc:PropertyName>s</ogc:PropertyName></Size></Graphic></PointSymbolizer>`,
    );

    expect(drawn.column(20).filter(isPainted)).toHaveLength(16);
  });
});
