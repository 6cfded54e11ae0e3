/** Paints placed labels without graphics with our own rasterizer. */
import { LINE_SPACING } from '../../styling/legend/symbols/label.ts';
import { layOutLine, listTextBars, measureLine, type TextBar } from '../../styling/legend/text/fonts.ts';
import { black, sampleColor, white } from '../../styling/legend/values/color.ts';
import { sampleOpacity } from '../../styling/legend/values/sample-value.ts';
import { createInk } from '../rasterizer/plain-paint.ts';
import type { GlyphPainter, PlacedPiece } from './glyph-painter.ts';
import type { PlacedLabel } from './placed-label.ts';

/** Returns whether a label consists of outlines only: graphics and colour glyphs need the drawing library. */
export function isPlainText({ label, text }: PlacedLabel): boolean {
  const { typeface } = text.lettering;
  if (label.symbolizer.graphic !== undefined) return false;
  return text.lines.every((line) => typeface.layOut(line).every((piece) => !typeface.isPicture(piece.text)));
}

/** A position on the map, with a clockwise rotation. */
interface Axis {
  readonly x: number;
  readonly y: number;
  readonly radians: number;
}

export function paintPlacedLabel(painter: GlyphPainter, placed: PlacedLabel): void {
  const { symbolizer } = placed.label;
  const { lettering, haloPixels } = placed.text;
  const { typeface, sizePixels } = lettering;
  const fill = createInk(sampleColor(symbolizer.fill?.color, black), sampleOpacity(symbolizer.fill?.opacity));
  const haloFill = symbolizer.halo?.fill;
  const halo = createInk(sampleColor(haloFill?.color, white), sampleOpacity(haloFill?.opacity));
  painter.paint({ typeface, sizePixels, fill, halo, haloPixels }, listPieces(placed));
  if (fill !== undefined && (lettering.look.isUnderlined || lettering.look.isStruckThrough))
    painter.paintBars(fill, listBars(placed));
}

function listPieces(placed: PlacedLabel): readonly PlacedPiece[] {
  const { place, letters, text } = placed;
  const { lettering } = text;
  const { typeface, sizePixels } = lettering;
  if (place.kind === 'along') {
    return letters.map(({ piece, width, ...axis }) => ({
      text: piece.text,
      radians: axis.radians,
      ...moveAlong(axis, -width / 2, typeface.baseline * sizePixels),
    }));
  }
  return listLines(placed).flatMap(({ line, x, y }) =>
    layOutLine(lettering, line).map((piece) => ({
      text: piece.text,
      radians: place.radians,
      ...moveAlong(place, x + piece.x * sizePixels, y + typeface.baseline * sizePixels),
    })),
  );
}

/** Lists the lines of a straight text, each with the middle of its left side, relative to the centre of the label. */
function listLines({
  place,
  text,
}: PlacedLabel): readonly { readonly line: string; x: number; y: number; width: number }[] {
  const { lettering, lines, fontPixels } = text;
  const step = fontPixels * LINE_SPACING;
  const baseline = lettering.typeface.baseline * fontPixels;
  return lines.map((line, index) => {
    const width = measureLine(lettering, line);
    const middle = (index - (lines.length - 1) / 2) * step;
    // Horizontal strokes of letters are sharp if the baseline is between two rows of pixels.
    const isSharp = place.kind === 'straight' && place.radians === 0;
    const y = isSharp ? Math.round(place.y + middle + baseline) - place.y - baseline : middle;
    return { line, width, x: -width / 2, y };
  });
}

/** Rounds the baseline of horizontal text, whose position is a whole number except for the rounding of sums. */
function moveAlong({ x, y, radians }: Axis, along: number, down: number): { readonly x: number; readonly y: number } {
  if (radians === 0) return { x: x + along, y: roundNearWhole(y + down) };
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  return { x: x + along * cosine - down * sine, y: y + along * sine + down * cosine };
}

function roundNearWhole(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-6 ? whole : value;
}

/** Lists the lines below or through the text as the corners of rectangles. */
function listBars(placed: PlacedLabel): readonly Float64Array[] {
  const { place, text } = placed;
  if (place.kind === 'along') return listLetterBars(placed);
  return listLines(placed).flatMap(({ x, y, width }) =>
    listTextBars(text.lettering, { x: x + width / 2, y, width }).map((bar) => turnBar(place, bar)),
  );
}

/** Lists the lines below or through each letter of a text along a line. */
export function listLetterBars({ letters, text }: Pick<PlacedLabel, 'letters' | 'text'>): readonly Float64Array[] {
  return letters.flatMap(({ width, ...axis }) =>
    listTextBars(text.lettering, { x: 0, y: 0, width }).map((bar) => turnBar(axis, bar)),
  );
}

function turnBar(axis: Axis, { x, y, width, height }: TextBar): Float64Array {
  const corners = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ] as const;
  return Float64Array.from(
    corners.flatMap(([along, down]) => {
      const corner = moveAlong(axis, along, down);
      return [corner.x, corner.y];
    }),
  );
}
