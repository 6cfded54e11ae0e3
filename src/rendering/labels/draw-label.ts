/** Draws placed labels with the drawing library: as text of documents, or with graphics and colour glyphs. */
import { type Drawing, drawIsolated } from '../../styling/legend/canvas/drawing.ts';
import { drawLines, drawShield, measureShield } from '../../styling/legend/symbols/label.ts';
import { fillPiece, strokePiece } from '../../styling/legend/text/fonts.ts';
import type { TextPiece } from '../../styling/legend/text/typeface.ts';
import { black, formatFillColor, white } from '../../styling/legend/values/color.ts';
import type { Label, MeasuredLabel } from './label.ts';
import type { Position } from './label-positions.ts';
import { listLetterBars } from './paint-label.ts';
import type { PlacedLabel } from './placed-label.ts';

/** Legends limit the size of a label; maps do not. */
const unlimitedSize = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };

export function drawPlacedLabel(drawing: Drawing, { label, text, place, letters }: PlacedLabel): void {
  const { context } = drawing;
  const { symbolizer } = label;
  if (place.kind === 'straight') {
    drawIsolated(context, () => {
      if (label.options.isShieldIndependent) drawIndependentShield(drawing, label, text, place.anchor);
      context.translate(place.x, place.y);
      context.rotate(place.radians);
      if (!label.options.isShieldIndependent) drawShield(drawing, unlimitedSize, label, text);
      const originY = place.radians === 0 ? place.y : undefined;
      if (text.lines.length > 0) drawLines(drawing, symbolizer, { ...text, originY }, unlimitedSize);
    });
    return;
  }
  drawIsolated(context, () => {
    context.lineJoin = 'round';
    context.lineWidth = Math.max(2 * text.haloPixels, Number.MIN_VALUE);
    context.strokeStyle = formatFillColor(symbolizer.halo?.fill, white);
    context.fillStyle = formatFillColor(symbolizer.fill, black);
    const forEachLetter = (draw: (piece: TextPiece) => void): void => {
      for (const { piece, x, y, radians } of letters) {
        drawIsolated(context, () => {
          context.translate(x, y);
          context.rotate(radians);
          draw(piece);
        });
      }
    };
    // Draw all halos first, so that no halo covers a neighbouring letter.
    if (text.haloPixels > 0) forEachLetter((piece) => strokePiece(drawing, text.lettering, piece));
    forEachLetter((piece) => fillPiece(drawing, text.lettering, piece));
    fillBars(drawing, listLetterBars({ letters, text }));
  });
}

/** Fills rectangles as one path, so that translucent ones are not darker where they overlap. */
function fillBars({ context, library }: Drawing, bars: readonly Float64Array[]): void {
  if (bars.length === 0) return;
  const rings = bars.map(([x0, y0, x1, y1, x2, y2, x3, y3]) => `M${x0} ${y0}L${x1} ${y1}L${x2} ${y2}L${x3} ${y3}Z`);
  context.fill(new library.Path2D(rings.join('')));
}

function drawIndependentShield(drawing: Drawing, label: Label, text: MeasuredLabel, { x, y }: Position): void {
  const { context } = drawing;
  const [shiftX, shiftY] = measureShield(drawing, label, text).shift;
  drawIsolated(context, () => {
    context.translate(x + shiftX, y + shiftY);
    drawShield(drawing, unlimitedSize, label, text);
  });
}
