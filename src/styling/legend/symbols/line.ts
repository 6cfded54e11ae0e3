/** Draws lines: in a colour, with tiles, or with graphics along them. */
import { simplify } from '../../../geometry/simplify.ts';
import type { Graphic, GraphicStroke, Stroke, VendorOption } from '../../model/model.ts';
import type { Path } from '../canvas/canvas.ts';
import { type Drawing, drawIsolated, maxNesting } from '../canvas/drawing.ts';
import { black, formatCssColor, sampleColor } from '../values/color.ts';
import { type Lengths, readPenPixels, readPixels } from '../values/lengths.ts';
import { listWaypoints, type Polyline, toPath } from '../values/sample-geometry.ts';
import { sampleNumber, sampleOpacity, sampleWord } from '../values/sample-value.ts';
import { findOption } from '../values/vendor-options.ts';
import { bendMarks } from './bend-marks.ts';
import { findMarkShape } from './choose-mark.ts';
import { drawGraphic, getTilePattern, noOptions, prepareGraphic } from './graphic.ts';
import { createMarkOutline } from './mark-outline.ts';
import { readDashes, setPen } from './pen.ts';
import { DEFAULT_MARK_PIXELS } from './well-known-marks.ts';

/** The maximum number of corners of marks along one line. */
const MAX_BENT_CORNERS = 100_000;

/** This number of corners costs about as much as one mark. */
const CORNERS_PER_STEP = 100;

/** Graphics closer to each other blur. */
const minStepPixels = 1;

export interface LineStyle {
  readonly stroke: Stroke;
  readonly lengths: Lengths;
  /** The options of the symbolizer. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

export function strokeLine(drawing: Drawing, line: Polyline, style: LineStyle): void {
  const { stroke, vendorOptions = noOptions } = style;
  if (stroke.graphicStroke && drawing.nesting < maxNesting) {
    const { graphic } = stroke.graphicStroke;
    if (shouldBendMarks(vendorOptions) && strokeWithBentMarks(drawing, line, graphic, style)) return;
    strokeWithGraphics(drawing, line, stroke.graphicStroke, style);
    return;
  }
  strokePath(drawing, toPath(drawing.library, line), style);
}

/** Strokes with a color or tiles; `strokeLine` draws graphics along a line. */
export function strokePath(drawing: Drawing, path: Path, { stroke, lengths }: LineStyle): void {
  if (!(readPenPixels(lengths, stroke.width, 1) > 0)) return;
  const { context } = drawing;
  drawIsolated(context, () => {
    setPen(context, stroke, lengths);
    const opacity = sampleOpacity(stroke.opacity);
    const pattern =
      stroke.graphicFill && drawing.nesting < maxNesting
        ? getTilePattern(drawing, stroke.graphicFill, lengths, noOptions)
        : undefined;
    if (pattern) context.globalAlpha *= opacity;
    context.strokeStyle = pattern ?? formatCssColor(sampleColor(stroke.color, black), opacity);
    context.stroke(path);
  });
}

function shouldBendMarks(options: readonly VendorOption[]): boolean {
  return sampleWord(findOption(options, 'markAlongLine')) === 'true';
}

/** Returns a share from 0 to 1; undefined if the option is missing or invalid. */
function readShare(options: readonly VendorOption[] | undefined, name: string): number | undefined {
  const share = sampleNumber(findOption(options ?? [], name), Number.NaN);
  return share >= 0 && share <= 1 ? share : undefined;
}

/** Returns false for symbols that cannot be bent: pictures, glyphs, and marks without an outline. */
function strokeWithBentMarks(drawing: Drawing, line: Polyline, graphic: Graphic, style: LineStyle): boolean {
  const { lengths, vendorOptions } = style;
  const [mark] = graphic.symbols;
  if (mark?.kind !== 'mark' || mark.stroke === undefined) return false;
  const shape = findMarkShape(mark, drawing.pictures);
  if (shape === undefined || shape.letter) return false;
  const { context, maxGraphicsAlongLine, budget } = drawing;
  const outline = createMarkOutline(shape, 1, 0);
  const corners = outline.lines.reduce((sum, { places }) => sum + places.length / 2, 0);
  const most = Math.min(maxGraphicsAlongLine, Math.floor(MAX_BENT_CORNERS / Math.max(1, corners)));
  const height = readPixels(lengths, graphic.size, DEFAULT_MARK_PIXELS);
  const tolerance = height * (readShare(vendorOptions, 'markAlongLineSimplify') ?? 0);
  const scaleLimit = readShare(vendorOptions, 'markAlongLineScaleLimit');
  const smooth = tolerance > 0 ? simplifyPolyline(line, tolerance) : line;
  for (const bent of bendMarks(smooth, outline, { height, maxMarks: most, scaleLimit })) {
    if (!budget.spend(Math.ceil(bent.positions.length / CORNERS_PER_STEP))) return true;
    drawIsolated(context, () => {
      context.globalAlpha *= sampleOpacity(graphic.opacity);
      const stroke = mark.stroke ?? { kind: 'stroke' };
      strokeLine({ ...drawing, nesting: drawing.nesting + 1 }, bent, { stroke, lengths });
    });
  }
  return true;
}

/** Marks along small bends would be distorted. */
function simplifyPolyline({ positions, isClosed }: Polyline, tolerance: number): Polyline {
  const ordinates = Float64Array.from(positions.flat());
  const line = { type: 'LineString', dimension: 'XY', ordinates, ends: [positions.length], parts: [] } as const;
  const { ordinates: kept } = simplify(line, tolerance);
  const indexes = Array.from({ length: kept.length / 2 }, (_, index) => index * 2);
  return { positions: indexes.map((at) => [kept[at] ?? 0, kept[at + 1] ?? 0]), isClosed };
}

/** Rotates the graphics with the line. On a dashed line, one is centred in each first dash of the pattern. */
function strokeWithGraphics(
  drawing: Drawing,
  line: Polyline,
  { graphic, initialGap, gap }: GraphicStroke,
  { stroke, lengths }: LineStyle,
): void {
  const ready = prepareGraphic(drawing, graphic, lengths);
  const dashes = readDashes(stroke, lengths);
  const period = dashes.reduce((sum, length) => sum + length, 0) * (dashes.length % 2 === 0 ? 1 : 2);
  const step = dashes.length > 0 ? period : ready.width + Math.max(0, readPixels(lengths, gap, 0));
  const start =
    dashes.length > 0
      ? (dashes[0] ?? 0) / 2 - (readPixels(lengths, stroke.dashOffset, 0) % period)
      : Math.max(0, readPixels(lengths, initialGap, 0)) + ready.width / 2;
  const { context, maxGraphicsAlongLine } = drawing;
  for (const { position, radians } of listWaypoints(line, start, Math.max(step, minStepPixels), maxGraphicsAlongLine)) {
    drawIsolated(context, () => {
      context.translate(...position);
      context.rotate(radians);
      context.translate(...ready.shift);
      context.globalAlpha *= sampleOpacity(stroke.opacity);
      drawGraphic({ ...drawing, nesting: drawing.nesting + 1, middle: { x: 0, y: 0 } }, ready);
    });
  }
}
