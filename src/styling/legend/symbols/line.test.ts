import { expect, test } from 'vitest';
import { createLiteral, type Stroke } from '../../model/model.ts';
import { loadCanvas } from '../canvas/canvas.ts';
import { Budget, type Drawing } from '../canvas/drawing.ts';
import { createLengths } from '../values/lengths.ts';
import { strokeLine } from './line.ts';

test('graphics along a line are created once for all positions', async () => {
  const library = await loadCanvas();
  let pathCount = 0;
  const Path2D = new Proxy(library.Path2D, {
    construct(target, args) {
      pathCount += 1;
      return Reflect.construct(target, args);
    },
  });
  const surface = library.createCanvas(1_000, 10);
  const drawing: Drawing = {
    library: { ...library, Path2D },
    context: surface.getContext('2d'),
    pictures: new Map(),
    budget: new Budget(100_000),
    nesting: 0,
    middle: { x: 0, y: 0 },
    maxGraphicsAlongLine: 10_000,
  };
  const mark = {
    kind: 'mark',
    wellKnownName: createLiteral('circle'),
    fill: { kind: 'fill', color: createLiteral('#ff0000') },
  } as const;
  const stroke: Stroke = {
    kind: 'stroke',
    graphicStroke: { graphic: { kind: 'graphic', symbols: [mark], size: createLiteral('5') } },
  };

  strokeLine(
    drawing,
    {
      positions: [
        [0, 5],
        [1_000, 5],
      ],
      isClosed: false,
    },
    { stroke, lengths: createLengths('pixel', 1) },
  );

  const red = surface.data().filter((value, at) => at % 4 === 0 && value > 200).length;
  expect(red).toBeGreaterThan(2_000);
  expect(pathCount).toBeLessThanOrEqual(2);
});
