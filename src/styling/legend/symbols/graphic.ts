/** Draws graphics (marks, pictures, charts, or a crossed box for missing ones) and fills areas, possibly with graphics. */

import { NORMAL_WEIGHT } from '../../fonts/font-weight.ts';
import { type Chart, parseChart } from '../../graphics/chart-address.ts';
import type { ExternalGraphic, Fill, Graphic, Mark, VendorOption } from '../../model/model.ts';
import type { Path, Pattern } from '../canvas/canvas.ts';
import {
  type Box,
  type Drawing,
  drawIsolated,
  findPicture,
  type LoadedPicture,
  maxNesting,
  type Pictures,
  pixelsPerStep,
} from '../canvas/drawing.ts';
import { addRecordedPixels } from '../canvas/recorded-pixels.ts';
import { createTypefaceStyle } from '../text/fonts.ts';
import { findTypeface } from '../text/typeface.ts';
import { black, formatCssColor, formatFillColor, gray, sampleColor } from '../values/color.ts';
import { type Lengths, readDisplacement, readPenPixels, readPixels } from '../values/lengths.ts';
import { sampleNumber, sampleOpacity } from '../values/sample-value.ts';
import { countChartValues, drawChart } from './chart.ts';
import { type ChosenMark, chooseMark, findMarkShape, plainSquare } from './choose-mark.ts';
import { setPen } from './pen.ts';
import { createTile, listWrappedMiddles, type TilePlace } from './tile.ts';
import { DEFAULT_MARK_PIXELS, type MarkShape } from './well-known-marks.ts';

const defaultPicturePixels = 16;
/** Only well-known text shapes are long. */
const pathCharactersPerStep = 500;
const chartValuesPerStep = 4;

type PreparedSymbol =
  | ({ readonly kind: 'mark' } & ChosenMark)
  | { readonly kind: 'picture'; readonly picture: LoadedPicture }
  | { readonly kind: 'chart'; readonly chart: Chart }
  | { readonly kind: 'missing' };

/** A graphic with all values resolved except its position. */
export interface PreparedGraphic {
  readonly symbol: PreparedSymbol;
  readonly width: number;
  readonly height: number;
  /** Including the outline of a mark, which extends beyond its size. */
  readonly outerWidth: number;
  readonly outerHeight: number;
  readonly radians: number;
  readonly opacity: number;
  /** The offset from the position to the centre of the graphic, y downwards. */
  readonly shift: readonly [number, number];
  readonly lengths: Lengths;
}

export function prepareGraphic(drawing: Drawing, graphic: Graphic, lengths: Lengths): PreparedGraphic {
  const symbol = findDrawableSymbol(drawing, graphic);
  const [width, height] = measureGraphic(graphic, symbol, lengths);
  const pen = symbol.kind === 'mark' && symbol.mark.stroke ? readPenPixels(lengths, symbol.mark.stroke.width, 1) : 0;
  const anchorX = sampleNumber(graphic.anchorPoint?.x, 0.5);
  const anchorY = sampleNumber(graphic.anchorPoint?.y, 0.5);
  const radians = (sampleNumber(graphic.rotation, 0) * Math.PI) / 180;
  const [right, down] = readDisplacement(lengths, graphic.displacement);
  // The graphic rotates around its position, but its displacement does not rotate.
  const [x, y] = rotatePoint([(0.5 - anchorX) * width, (anchorY - 0.5) * height], radians);
  return {
    symbol,
    width,
    height,
    outerWidth: width + pen,
    outerHeight: height + pen,
    radians,
    opacity: sampleOpacity(graphic.opacity),
    shift: [x + right, y + down],
    lengths,
  };
}

/** Draws it centred at the origin. */
export function drawGraphic(drawing: Drawing, ready: PreparedGraphic): void {
  const isAffordable = isSmallEnough(ready) && drawing.budget.spend(countGraphicSteps(ready));
  if (!isAffordable && !drawing.budget.spend(1)) return;
  const { context } = drawing;
  drawIsolated(context, () => {
    context.rotate(ready.radians);
    context.globalAlpha *= ready.opacity;
    const { width, height } = ready;
    const symbol: PreparedSymbol = isAffordable ? ready.symbol : { kind: 'missing' };
    if (symbol.kind === 'picture') drawPicture(drawing, symbol.picture, width, height);
    else if (symbol.kind === 'chart') drawChart(drawing, symbol.chart, { width, height });
    else if (symbol.kind === 'mark') drawMark(drawing, symbol.mark, symbol.shape, ready);
    else drawCrossedBox(drawing, Math.min(width, height));
  });
}

function isSmallEnough({ symbol, width, height }: PreparedGraphic): boolean {
  return symbol.kind !== 'picture' || width * height <= symbol.picture.maxPixels;
}

function drawPicture({ context }: Drawing, { image, isVector }: LoadedPicture, width: number, height: number): void {
  context.drawImage(image, -width / 2, -height / 2, width, height);
  if (isVector) addRecordedPixels(context, width * height);
}

/** Returns the width and height of the rotated graphic, including its outline. */
export function measureOuterBox({ outerWidth, outerHeight, radians }: PreparedGraphic): readonly [number, number] {
  const [cosine, sine] = [Math.abs(Math.cos(radians)), Math.abs(Math.sin(radians))];
  return [outerWidth * cosine + outerHeight * sine, outerWidth * sine + outerHeight * cosine];
}

function countGraphicSteps({ symbol, width, height }: PreparedGraphic): number {
  const pixels = width * height;
  if (symbol.kind === 'picture') return 1 + symbol.picture.steps(pixels);
  if (symbol.kind === 'chart') return 1 + pixels / pixelsPerStep + countChartValues(symbol.chart) / chartValuesPerStep;
  const characters = symbol.kind === 'mark' ? symbol.shape.path.length : 0;
  return 1 + pixels / pixelsPerStep + characters / pathCharactersPerStep;
}

function findDrawableSymbol({ pictures }: Drawing, { symbols }: Graphic): PreparedSymbol {
  for (const symbol of symbols.length > 0 ? symbols : [plainSquare]) {
    if (symbol.kind === 'externalGraphic') {
      const found = findExternalSymbol(pictures, symbol);
      if (found) return found;
    } else {
      const shape = findMarkShape(symbol, pictures);
      if (shape) return { kind: 'mark', shape, mark: symbol };
    }
  }
  const chosen = chooseMark(
    symbols.filter((symbol) => symbol.kind === 'mark'),
    pictures,
  );
  return chosen === undefined ? { kind: 'missing' } : { kind: 'mark', ...chosen };
}

function findExternalSymbol(pictures: Pictures, { source }: ExternalGraphic): PreparedSymbol | undefined {
  const chart = source.kind === 'online' ? parseChart(source) : undefined;
  if (chart) return { kind: 'chart', chart };
  const picture = findPicture(pictures, source);
  return picture && { kind: 'picture', picture };
}

function measureGraphic(graphic: Graphic, symbol: PreparedSymbol, lengths: Lengths): readonly [number, number] {
  if (symbol.kind !== 'picture' && symbol.kind !== 'chart') {
    const byDefault = symbol.kind === 'mark' ? DEFAULT_MARK_PIXELS : defaultPicturePixels;
    const size = Math.max(0, readPixels(lengths, graphic.size, byDefault));
    return [size, size];
  }
  const { width = defaultPicturePixels, height = defaultPicturePixels } =
    symbol.kind === 'chart' ? symbol.chart : symbol.picture;
  const size = Math.max(0, readPixels(lengths, graphic.size, height));
  return [(size * width) / height, size];
}

function drawMark(drawing: Drawing, mark: Mark, shape: MarkShape, ready: PreparedGraphic): void {
  if (shape.letter !== undefined) {
    drawLetter(drawing, mark, shape.letter, ready);
    return;
  }
  const { fill, stroke } = mark;
  const path = getMarkPath(drawing, shape, ready);
  const inner = { ...drawing, nesting: drawing.nesting + 1, middle: { x: 0, y: 0 } };
  if (fill && !shape.isLine) fillPath(inner, path, { fill, lengths: ready.lengths });
  if (!stroke) return;
  const { context } = drawing;
  setPen(context, stroke, ready.lengths);
  context.strokeStyle = formatCssColor(sampleColor(stroke.color, black), sampleOpacity(stroke.opacity));
  if (readPenPixels(ready.lengths, stroke.width, 1) > 0) context.stroke(path);
}

/** Draws a glyph centred at the origin. Its longer side equals the height of the mark. */
function drawLetter(
  { context, library }: Drawing,
  { fill, stroke }: Mark,
  { text, family, ...style }: NonNullable<MarkShape['letter']>,
  { height, lengths }: PreparedGraphic,
): void {
  const written = { weight: NORMAL_WEIGHT, isItalic: false };
  const typeface = findTypeface(library, createTypefaceStyle({ ...style, families: [family] }, written));
  const { left, top, right, bottom } = typeface.measureInk(text);
  const longest = Math.max(right - left, bottom - top);
  if (!(longest > 0) || !(height > 0)) return;
  const sizePixels = height / longest;
  const pieces = typeface.layOut(text);
  drawIsolated(context, () => {
    context.translate((-(left + right) / 2) * sizePixels, (-(top + bottom) / 2) * sizePixels);
    if (fill) {
      context.fillStyle = formatFillColor(fill, gray);
      typeface.fill(context, pieces, sizePixels);
    }
    if (!stroke || !(readPenPixels(lengths, stroke.width, 1) > 0)) return;
    setPen(context, stroke, lengths);
    context.strokeStyle = formatCssColor(sampleColor(stroke.color, black), sampleOpacity(stroke.opacity));
    context.stroke(typeface.createPath(pieces, sizePixels));
  });
}

/** Marks a missing graphic in a way that no style uses. */
function drawCrossedBox({ library, context }: Drawing, size: number): void {
  const half = Math.max(2, size / 2 - 0.5);
  const box = `M${-half} ${-half}H${half}V${half}H${-half}ZL${half} ${half}M${-half} ${half}L${half} ${-half}`;
  context.lineWidth = 1;
  context.strokeStyle = formatCssColor(gray, 1);
  context.stroke(new library.Path2D(box));
}

const paths = new WeakMap<PreparedGraphic, Path>();

/**
 * Caches the path for all positions: a line may have a hundred thousand, and no memory is freed while they are drawn.
 */
function getMarkPath(drawing: Drawing, shape: MarkShape, ready: PreparedGraphic): Path {
  const known = paths.get(ready) ?? createSizedPath(drawing, shape.path, ready.width, ready.height);
  paths.set(ready, known);
  return known;
}

function createSizedPath({ library }: Drawing, data: string, width: number, height: number): Path {
  const path = new library.Path2D();
  path.addPath(new library.Path2D(data), { a: width, b: 0, c: 0, d: height, e: 0, f: 0 });
  return path;
}

function rotatePoint([x, y]: readonly [number, number], radians: number): readonly [number, number] {
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  return [x * cosine - y * sine, x * sine + y * cosine];
}

export interface FillStyle {
  readonly fill: Fill;
  readonly lengths: Lengths;
  /** The options of the symbolizer. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

/** Fills an area with a colour or with adjacent graphics, which may themselves be filled with graphics. */
export function fillPath(drawing: Drawing, path: Path, { fill, lengths, vendorOptions = noOptions }: FillStyle): void {
  const { context } = drawing;
  const opacity = sampleOpacity(fill.opacity);
  drawIsolated(context, () => {
    if (fill.graphicFill && drawing.nesting < maxNesting) {
      const pattern = getTilePattern(drawing, fill.graphicFill, lengths, vendorOptions);
      if (!pattern) return;
      context.globalAlpha *= opacity;
      context.fillStyle = pattern;
    } else {
      context.fillStyle = formatFillColor(fill, gray);
    }
    context.fill(path, 'evenodd');
  });
}

export const noOptions: readonly VendorOption[] = [];

/** The inputs of a cached pattern, and the pattern. */
interface CachedPattern {
  readonly drawing: Drawing;
  readonly lengths: Lengths;
  readonly options: readonly VendorOption[];
  readonly pattern: Pattern | undefined;
}

const patterns = new WeakMap<Graphic, CachedPattern>();

/**
 * Returns a graphic as a repeating pattern; undefined if it is empty. Cached for all areas of a drawing, because a map
 * has thousands.
 */
export function getTilePattern(
  drawing: Drawing,
  graphic: Graphic,
  lengths: Lengths,
  options: readonly VendorOption[],
): Pattern | undefined {
  const known = patterns.get(graphic);
  if (known?.drawing === drawing && known.lengths === lengths && known.options === options) return known.pattern;
  const pattern = createTilePattern(drawing, graphic, lengths, options);
  patterns.set(graphic, { drawing, lengths, options, pattern });
  return pattern;
}

function createTilePattern(
  drawing: Drawing,
  graphic: Graphic,
  lengths: Lengths,
  options: readonly VendorOption[],
): Pattern | undefined {
  const ready = prepareGraphic(drawing, graphic, lengths);
  if (!(ready.width > 0 && ready.height > 0)) return undefined;
  const shape = createTile(ready, options, lengths);
  const { width, height, left, top } = shape;
  if (!drawing.budget.spend((width * height) / pixelsPerStep)) return undefined;
  const tile = drawing.library.createCanvas(width, height);
  const context = tile.getContext('2d');
  const inner = { ...drawing, context, nesting: drawing.nesting + 1, middle: { x: 0, y: 0 } };
  for (const place of shape.places) drawWrapped(inner, ready, place, shape);
  const pattern = drawing.context.createPattern(tile, 'repeat') ?? undefined;
  const { x, y } = drawing.middle;
  // The centre of a map may be millions of pixels away, where the library loses precision.
  pattern?.setTransform({ a: 1, b: 0, c: 0, d: 1, e: (x - left) % width, f: (y - top) % height });
  return pattern;
}

/** Wraps parts beyond one side to the opposite side, so that slanted lines continue without a break. */
function drawWrapped(
  drawing: Drawing,
  graphic: PreparedGraphic,
  { x, y, radians }: TilePlace,
  { width, height }: Box,
): void {
  const ready = radians === 0 ? graphic : { ...graphic, radians: graphic.radians + radians };
  const [outerWidth, outerHeight] = measureOuterBox(ready);
  for (const middleX of listWrappedMiddles(x, outerWidth, width)) {
    for (const middleY of listWrappedMiddles(y, outerHeight, height)) {
      drawIsolated(drawing.context, () => {
        drawing.context.translate(middleX, middleY);
        drawGraphic(drawing, ready);
      });
    }
  }
}
