/** Draws the text of decorations. */
import { BOLD_WEIGHT, NORMAL_WEIGHT } from '../../styling/fonts/font-weight.ts';
import type { CanvasLibrary } from '../../styling/legend/canvas/canvas.ts';
import type { Drawing } from '../../styling/legend/canvas/drawing.ts';
import {
  createTypefaceStyle,
  fillLine,
  type Lettering,
  measureLine,
  selectFonts,
  strokeLine,
} from '../../styling/legend/text/fonts.ts';
import { findTypeface } from '../../styling/legend/text/typeface.ts';
import type { DecorationSpace, LaidOutDecoration, TextContent } from './decoration.ts';

const LINE_SPACING = 1.2;
const PADDING_PIXELS = 3;
/** More lines do not fit on a map. */
const MAX_LINES = 50;

export function createPlainLettering(
  library: CanvasLibrary,
  { fontFamily, isBold, isItalic }: Pick<TextContent, 'fontFamily' | 'isBold' | 'isItalic'>,
  sizePixels: number,
): Lettering {
  const written = { weight: isBold ? BOLD_WEIGHT : NORMAL_WEIGHT, isItalic };
  const typeface = findTypeface(library, createTypefaceStyle(selectFonts([fontFamily]), written));
  return {
    typeface,
    sizePixels,
    look: { letterSpacing: 0, wordSpacing: 0, isUnderlined: false, isStruckThrough: false, axisValues: [] },
  };
}

/** Lines are aligned to the left. */
export function layOutText(library: CanvasLibrary, text: TextContent, { factor }: DecorationSpace): LaidOutDecoration {
  const sizePixels = Math.max(1, text.fontPixels * factor);
  const lettering = createPlainLettering(library, text, sizePixels);
  const lines = text.text.split(/\r\n?|\n/).slice(0, MAX_LINES);
  const halo = text.haloPixels * factor;
  const padding = text.background === undefined ? halo : PADDING_PIXELS * factor + halo;
  const linePixels = sizePixels * LINE_SPACING;
  const width = Math.max(...lines.map((line) => measureLine(lettering, line))) + 2 * padding;
  const height = lines.length * linePixels + 2 * padding;
  return {
    width,
    height,
    draw(drawing) {
      const { context } = drawing;
      if (text.background !== undefined) {
        context.fillStyle = text.background;
        context.fillRect(0, 0, width, height);
      }
      const forEachLine = (draw: (line: string, position: { x: number; y: number }) => void): void => {
        for (const [index, line] of lines.entries()) {
          if (line !== '') draw(line, { x: padding, y: padding + (index + 0.5) * linePixels });
        }
      };
      if (halo > 0) {
        context.strokeStyle = text.haloColor;
        context.lineWidth = 2 * halo;
        context.lineJoin = 'round';
        forEachLine((line, position) => strokeLine(drawing, lettering, line, position));
      }
      context.fillStyle = text.color;
      forEachLine((line, position) => fillLine(drawing, lettering, line, position));
    },
  };
}

/** Draws one line that is centred at a position. */
export function drawCenteredLine(drawing: Drawing, lettering: Lettering, line: string, x: number, y: number): void {
  fillLine(drawing, lettering, line, { x: x - measureLine(lettering, line) / 2, y });
}
