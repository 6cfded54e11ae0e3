/** Draws the sample of a label, with its halo and the graphic behind it. */
import { DEFAULT_FONT_PIXELS, PIXELS_WITHOUT_FONT } from '../../model/default-sizes.ts';
import type { TextSymbolizer } from '../../model/model.ts';
import { type Box, type Drawing, drawIsolated } from '../canvas/drawing.ts';
import {
  createLettering,
  drawTextLines,
  fillLine,
  type LetterStyle,
  measureLine,
  readLetterStyle,
  strokeLine,
} from '../text/fonts.ts';
import { black, formatFillColor, white } from '../values/color.ts';
import { type Lengths, readPixels } from '../values/lengths.ts';
import { createSampleLabel } from '../values/sample-label.ts';
import { sampleNumber, sampleWord } from '../values/sample-value.ts';
import { findOption, readMargins } from '../values/vendor-options.ts';
import { drawGraphic, type PreparedGraphic, prepareGraphic } from './graphic.ts';

const defaultHaloPixels = 1;
/** Smaller text is unreadable, so the text is truncated instead. */
const minFontPixels = 6;
/** The distance of two lines, relative to the font size. */
export const LINE_SPACING = 1.2;

export interface LabelStyle {
  readonly symbolizer: TextSymbolizer;
  readonly lengths: Lengths;
}

interface MeasuredText {
  readonly lines: readonly string[];
  readonly fontPixels: number;
  readonly haloPixels: number;
  readonly width: number;
  readonly height: number;
  readonly look: LetterStyle;
  /** The vertical position of the origin on the picture, unless the text is rotated. */
  readonly originY?: number | undefined;
}

/** The label keeps its placement if the rule has a point symbol; otherwise it is centred. */
export function drawLabel(drawing: Drawing, box: Box, style: LabelStyle, isBesidePoint: boolean): void {
  const { context } = drawing;
  const { symbolizer } = style;
  drawIsolated(context, () => {
    const text = measureLabelText(drawing, box, style);
    const [x, y] = isBesidePoint ? computeLabelMiddle(style, text, box) : [box.width / 2, box.height / 2];
    context.translate(x, y);
    const { placement } = symbolizer;
    const degrees = placement?.kind === 'pointPlacement' ? sampleNumber(placement.rotation, 0) : 0;
    context.rotate((degrees * Math.PI) / 180);
    drawShield(drawing, box, style, text);
    const originY = degrees === 0 ? y : undefined;
    if (text.lines.length > 0) drawLines(drawing, symbolizer, { ...text, originY }, box);
  });
}

/** Chooses the font size so that the text fits. */
function measureLabelText({ library }: Drawing, box: Box, { symbolizer, lengths }: LabelStyle): MeasuredText {
  const lines = createSampleLabel(symbolizer.label);
  const byDefault = symbolizer.font === undefined ? PIXELS_WITHOUT_FONT : DEFAULT_FONT_PIXELS;
  const wanted = Math.max(1, readPixels(lengths, symbolizer.font?.size, byDefault));
  const halo = symbolizer.halo ? Math.max(0, readPixels(lengths, symbolizer.halo.radius, defaultHaloPixels)) : 0;
  const haloPixels = Math.min(halo, Math.min(box.width, box.height) / 6);
  const size = Math.min(wanted, 1000);
  const look = readLetterStyle(symbolizer.vendorOptions, lengths.factor);
  const lettering = createLettering(library, symbolizer.font, size, look);
  const widest = Math.max(1, ...lines.map((line) => measureLine(lettering, line)));
  const tall = Math.max(1, size * (1 + (lines.length - 1) * LINE_SPACING));
  const room = [box.width - 2 * haloPixels - 3, box.height - 2 * haloPixels - 1] as const;
  const shrunk = size * Math.min(1, room[0] / widest, room[1] / tall);
  const fontPixels = Math.max(shrunk, Math.min(size, minFontPixels));
  const share = fontPixels / size;
  return { lines, fontPixels, haloPixels, width: widest * share, height: tall * share, look };
}

function computeLabelMiddle(
  { symbolizer: { placement }, lengths }: LabelStyle,
  text: MeasuredText,
  box: Box,
): readonly [number, number] {
  const middle = [box.width / 2, box.height / 2] as const;
  if (placement?.kind === 'linePlacement') return middle;
  const anchorX = sampleNumber(placement?.anchorPoint?.x, 0);
  const anchorY = sampleNumber(placement?.anchorPoint?.y, 0.5);
  const x = middle[0] + (0.5 - anchorX) * text.width + readPixels(lengths, placement?.displacement?.x, 0);
  const y = middle[1] + (anchorY - 0.5) * text.height - readPixels(lengths, placement?.displacement?.y, 0);
  return [moveInside(x, text.width, box.width), moveInside(y, text.height, box.height)];
}

/** Moves the centre of an interval so that it is completely inside. */
export function moveInside(middle: number, length: number, room: number): number {
  return length >= room ? room / 2 : Math.min(room - length / 2, Math.max(length / 2, middle));
}

/** Draws the lines of a text around the origin, above their halo. */
export function drawLines(drawing: Drawing, symbolizer: TextSymbolizer, text: MeasuredText, box: Box): void {
  const { context, library } = drawing;
  const lettering = createLettering(library, symbolizer.font, text.fontPixels, text.look);
  // Show the beginning of a text that is too long.
  const isCut = text.width > box.width;
  const step = text.fontPixels * LINE_SPACING;
  const first = (-(text.lines.length - 1) * step) / 2;
  const baseline = lettering.typeface.baseline * text.fontPixels + (text.originY ?? 0);
  const lines = text.lines.map((line, index) => {
    const width = measureLine(lettering, line);
    const middle = first + index * step;
    // Horizontal strokes of letters are sharp if the baseline is between two rows of pixels.
    const y = text.originY === undefined ? middle : Math.round(middle + baseline) - baseline;
    return { line, width, x: isCut ? 1 - box.width / 2 : -width / 2, y };
  });
  if (symbolizer.halo && text.haloPixels > 0) {
    context.lineWidth = 2 * text.haloPixels;
    context.lineJoin = 'round';
    context.strokeStyle = formatFillColor(symbolizer.halo.fill, white);
    for (const { line, ...place } of lines) strokeLine(drawing, lettering, line, place);
  }
  context.fillStyle = formatFillColor(symbolizer.fill, black);
  for (const { line, width, x, y } of lines) {
    fillLine(drawing, lettering, line, { x, y });
    drawTextLines(context, lettering, { x: x + width / 2, y, width });
  }
}

/** Draws the graphic behind a text, centred at the origin. */
export function drawShield(
  drawing: Drawing,
  box: Box,
  style: LabelStyle,
  text: Pick<MeasuredText, 'width' | 'height'>,
): void {
  const shield = prepareShield(drawing, style, text);
  if (shield === undefined) return;
  const fits = Math.min(1, (box.width - 1) / shield.width, (box.height - 1) / shield.height);
  const [right, down] = shield.middle;
  drawIsolated(drawing.context, () => {
    drawing.context.translate(right * fits, down * fits);
    drawGraphic(drawing, scaleGraphic(shield, fits));
  });
}

/** The size of a graphic behind a text, and its position by its own anchor point and displacement. */
export interface ShieldBox {
  readonly width: number;
  readonly height: number;
  readonly shift: readonly [number, number];
  /** Its middle, seen from the middle of the text: margins can differ. */
  readonly middle: readonly [number, number];
}

const noShield: ShieldBox = { width: 0, height: 0, shift: [0, 0], middle: [0, 0] };

export function measureShield(
  drawing: Drawing,
  style: LabelStyle,
  text: Pick<MeasuredText, 'width' | 'height'>,
): ShieldBox {
  return prepareShield(drawing, style, text) ?? noShield;
}

function prepareShield(
  drawing: Drawing,
  { symbolizer: { graphic, vendorOptions = [] }, lengths }: LabelStyle,
  text: Pick<MeasuredText, 'width' | 'height'>,
): (PreparedGraphic & ShieldBox) | undefined {
  if (graphic === undefined) return undefined;
  const ready = { ...prepareGraphic(drawing, graphic, lengths), middle: noShield.middle };
  const resize = sampleWord(findOption(vendorOptions, 'graphic-resize'));
  if (resize !== 'stretch' && resize !== 'proportional') return ready;
  const [top, right, bottom, left] = readMargins(vendorOptions, lengths);
  const [width, height] = [text.width + left + right, text.height + top + bottom];
  const middle = [(right - left) / 2, (bottom - top) / 2] as const;
  if (resize === 'stretch') return { ...ready, width, height, middle };
  const factor = Math.max(width / ready.width, height / ready.height);
  return { ...ready, ...scaleGraphic(ready, factor), middle };
}

function scaleGraphic(ready: PreparedGraphic, factor: number): PreparedGraphic {
  if (!Number.isFinite(factor)) return ready;
  return { ...ready, width: ready.width * factor, height: ready.height * factor };
}
