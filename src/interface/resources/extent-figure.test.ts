import { describe, expect, it } from 'vitest';
import { drawExtentFigure } from './extent-figure.ts';

const figure = (minX: number, minY: number, maxX: number, maxY: number) =>
  drawExtentFigure({ minX, minY, maxX, maxY }).join('');

describe('extent figure', () => {
  it('states its bounds in words', () => {
    expect(figure(-5.25, -10, 7, 20.123456)).toContain('10°S to 20.12346°N, 5.25°W to 7°E');
  });

  it('shows the whole world for a global extent', () => {
    expect(figure(-180, -90, 180, 90)).toContain('<rect class="box" x="0" y="0" width="320" height="160"/>');
  });

  it.each([
    ['a point', 7, 47, 7, 47],
    ['a street', 7, 47, 7.001, 47.001],
    ['a country', 6, 46, 10, 48],
    ['a line along the equator', -170, 0, 170, 0],
  ])('shows %s in its surroundings, with few lines', (_what, ...box) => {
    const drawn = figure(...(box as [number, number, number, number]));
    const [, x, y, width, height] =
      /<rect class="box" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/.exec(drawn)?.map(Number) ?? [];

    expect(width).toBeGreaterThan(2);
    expect(height).toBeGreaterThan(2);
    expect((x ?? 0) + (width ?? 0)).toBeLessThanOrEqual(320);
    expect((y ?? 0) + (height ?? 0)).toBeLessThanOrEqual(160);
    expect(drawn.match(/M/g)?.length).toBeGreaterThan(3);
    expect(drawn.match(/M/g)?.length).toBeLessThan(30);
  });

  it('is omitted for an unknown extent', () => {
    expect(drawExtentFigure(null)).toEqual([]);
    expect(figure(Number.NaN, 0, 1, 1)).toBe('');
  });
});
