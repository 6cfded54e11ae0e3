/** Draws the decorations of a map above everything else. */
import type { CanvasLibrary, DrawingContext } from '../../styling/legend/canvas/canvas.ts';
import { createUnlimitedDrawing, type Drawing, drawIsolated } from '../../styling/legend/canvas/drawing.ts';
import type { Frame } from '../shapes/frame.ts';
import type { DecorationContent, DecorationSpace, LaidOutDecoration, MapDecoration } from './decoration.ts';
import { layOutNorth } from './north.ts';
import { layOutPictures } from './pictures.ts';
import { layOutScaleLine } from './scale-line.ts';
import { layOutText } from './text.ts';

/** Returns the pixels of all decorations, with premultiplied colours. */
export async function drawDecorationPicture(
  library: CanvasLibrary,
  decorations: readonly MapDecoration[],
  frame: Frame,
  factor: number,
): Promise<Uint8Array> {
  const surface = library.createCanvas(frame.width, frame.height);
  await drawDecorations({ ...createUnlimitedDrawing(library, surface.getContext('2d')) }, decorations, frame, factor);
  return surface.data();
}

/** Draws decorations as shapes and text above the existing content of a document. */
export function drawDecorationsOnto(
  context: DrawingContext,
  library: CanvasLibrary,
  decorations: readonly MapDecoration[],
  { frame, symbolFactor }: { readonly frame: Frame; readonly symbolFactor: number },
): Promise<void> {
  return drawDecorations(
    { ...createUnlimitedDrawing(library, context), keepsText: true },
    decorations,
    frame,
    symbolFactor,
  );
}

async function drawDecorations(
  drawing: Drawing,
  decorations: readonly MapDecoration[],
  frame: Frame,
  factor: number,
): Promise<void> {
  for (const { content, ...placement } of decorations) {
    const decoration = await layOut(drawing.library, content, { size: placement.size, factor });
    if (decoration === undefined) continue;
    drawIsolated(drawing.context, () => {
      drawing.context.translate(...findPosition(decoration, placement, frame, factor));
      decoration.draw(drawing);
    });
  }
}

async function layOut(
  library: CanvasLibrary,
  content: DecorationContent,
  space: DecorationSpace,
): Promise<LaidOutDecoration | undefined> {
  switch (content.kind) {
    case 'pictures':
      return layOutPictures(library, content, space);
    case 'text':
      return layOutText(library, content, space);
    case 'scaleLine':
      return layOutScaleLine(library, content, space);
    case 'north':
      return layOutNorth(library, content, space);
  }
}

/** Offsets count from the edges of the map, and from the middle to the right and downwards. */
function findPosition(
  { width, height }: LaidOutDecoration,
  { horizontal, vertical, offset }: Omit<MapDecoration, 'content'>,
  frame: Frame,
  factor: number,
): [number, number] {
  const [x, y] = [offset.x * factor, offset.y * factor];
  const left = { left: x, center: (frame.width - width) / 2 + x, right: frame.width - width - x };
  const top = { top: y, center: (frame.height - height) / 2 + y, bottom: frame.height - height - y };
  // Whole pixels keep pictures and thin lines sharp.
  return [Math.round(left[horizontal]), Math.round(top[vertical])];
}
