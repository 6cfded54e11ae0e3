/** Draws north arrows and compasses. */
import type { CanvasLibrary } from '../../styling/legend/canvas/canvas.ts';
import { drawIsolated } from '../../styling/legend/canvas/drawing.ts';
import type { DecorationSpace, LaidOutDecoration, NorthContent } from './decoration.ts';
import { createPlainLettering, drawCenteredLine } from './text.ts';

const DEFAULT_PIXELS = 50;

/** Shapes in a square with sides of 2 around the origin, y downwards. */
const arrow = { left: 'M0 -0.55L-0.4 0.9L0 0.6Z', right: 'M0 -0.55L0.4 0.9L0 0.6Z' };
const point = { left: 'M0 -0.62L-0.14 -0.14L0 0Z', right: 'M0 -0.62L0.14 -0.14L0 0Z' };

export function layOutNorth(
  library: CanvasLibrary,
  { shape, radians, color, background }: NorthContent,
  { size, factor }: DecorationSpace,
): LaidOutDecoration {
  const side = Math.min(size?.width ?? DEFAULT_PIXELS, size?.height ?? DEFAULT_PIXELS) * factor;
  const half = side / 2;
  const letterPixels = side * (shape === 'arrow' ? 0.24 : 0.18);
  const lettering = createPlainLettering(library, { fontFamily: 'sans', isBold: true, isItalic: false }, letterPixels);
  const halves = shape === 'arrow' ? arrow : point;
  const turns = shape === 'arrow' ? [0] : [0, 1, 2, 3].map((quarter) => (quarter * Math.PI) / 2);
  return {
    width: side,
    height: side,
    draw(drawing) {
      const { context } = drawing;
      context.translate(half, half);
      context.rotate(radians);
      context.strokeStyle = color;
      context.lineJoin = 'miter';
      for (const turn of turns) {
        drawIsolated(context, () => {
          context.rotate(turn);
          context.scale(half, half);
          context.lineWidth = 1.5 / side;
          for (const [path, fill] of [
            [new library.Path2D(halves.left), color],
            [new library.Path2D(halves.right), background],
          ] as const) {
            context.fillStyle = fill;
            context.fill(path);
            context.stroke(path);
          }
        });
      }
      context.fillStyle = color;
      drawCenteredLine(drawing, lettering, 'N', 0, -half + letterPixels * 0.55);
    },
  };
}
