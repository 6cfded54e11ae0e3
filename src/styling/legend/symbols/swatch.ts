/** Draws the sample of one rule into its box: the legend graphic of the rule, or all of its symbolizers. */
import { isForMapsOnly } from '../../model/inclusion.ts';
import type { Fill, LineSymbolizer, PolygonSymbolizer, Rule, Symbolizer } from '../../model/model.ts';
import { type Box, type Drawing, drawIsolated, pixelsPerStep } from '../canvas/drawing.ts';
import { formatFillColor, white } from '../values/color.ts';
import { createLengths, type Lengths, readPenPixels, readPixels } from '../values/lengths.ts';
import {
  createSampleLine,
  createSamplePolygon,
  offsetToLeft,
  type Polyline,
  toPath,
} from '../values/sample-geometry.ts';
import { drawGraphic, fillPath, measureOuterBox, prepareGraphic } from './graphic.ts';
import { drawLabel, moveInside } from './label.ts';
import { strokeLine } from './line.ts';
import { drawRaster } from './raster.ts';
import { DEFAULT_MARK_PIXELS } from './well-known-marks.ts';

export type SampleKind = 'point' | 'line' | 'polygon' | 'raster';

export interface SwatchSettings {
  readonly scaleDenominator?: number | undefined;
  readonly kind?: SampleKind | undefined;
  readonly background?: Fill | undefined;
}

/** Further symbolizers of a rule are omitted. */
const maxSymbolizers = 50;

/** The values that all symbolizers of a rule share. */
interface Sample {
  readonly drawing: Drawing;
  readonly box: Box;
  readonly getLengths: (symbolizer: Symbolizer) => Lengths;
  readonly kind: SampleKind | undefined;
  /** The widest line of the rule, for which the geometries leave space. */
  readonly widestPen: number;
  readonly hasPoint: boolean;
}

export function drawSwatch(drawing: Drawing, box: Box, rule: Rule, settings: SwatchSettings): void {
  const { context } = drawing;
  const { background } = settings;
  drawIsolated(context, () => {
    context.beginPath();
    context.rect(0, 0, box.width, box.height);
    context.clip();
    if (background) {
      context.fillStyle = formatFillColor(background, white);
      context.fillRect(0, 0, box.width, box.height);
    }
    if (rule.legendGraphic) drawInMiddle(drawing, box, rule.legendGraphic, createLengths('pixel', undefined));
    else drawSymbolizers(drawing, box, rule, settings);
  });
}

function drawSymbolizers(drawing: Drawing, box: Box, rule: Rule, settings: SwatchSettings): void {
  const symbolizers = rule.symbolizers.filter((each) => !isForMapsOnly(each)).slice(0, maxSymbolizers);
  const lengths = (each: Symbolizer): Lengths => createLengths(each.uom, settings.scaleDenominator);
  const pens = symbolizers.map((each) => computeReach(each, lengths(each)));
  const widest = Math.max(0, ...pens);
  // All lines of a rule shrink by the same factor, so that a casing stays wider than its line.
  const factor = Math.min(1, Math.min(box.width, box.height) / 2 / widest);
  const sample: Sample = {
    drawing,
    box,
    getLengths: (each) => ({ ...lengths(each), factor }),
    kind: settings.kind ?? (symbolizers.some(({ kind }) => kind === 'polygonSymbolizer') ? 'polygon' : undefined),
    widestPen: widest * factor,
    hasPoint: symbolizers.some(({ kind }) => kind === 'pointSymbolizer'),
  };
  for (const symbolizer of symbolizers) {
    if (!drawing.budget.spend(1 + (box.width * box.height) / pixelsPerStep)) return;
    drawSymbolizer(sample, symbolizer);
  }
}

function drawSymbolizer(sample: Sample, symbolizer: Symbolizer): void {
  const { drawing, box } = sample;
  const unshrunk = { ...sample.getLengths(symbolizer), factor: 1 };
  switch (symbolizer.kind) {
    case 'pointSymbolizer':
      if (symbolizer.graphic) drawInMiddle(drawing, box, symbolizer.graphic, unshrunk);
      return;
    case 'lineSymbolizer':
      drawLineSample(sample, symbolizer);
      return;
    case 'polygonSymbolizer':
      drawPolygonSample(sample, symbolizer);
      return;
    case 'textSymbolizer':
      drawLabel(drawing, box, { symbolizer, lengths: unshrunk }, sample.hasPoint);
      return;
    case 'rasterSymbolizer':
      drawRaster(drawing, box, symbolizer);
      if (symbolizer.imageOutline) drawSymbolizer({ ...sample, kind: 'polygon' }, symbolizer.imageOutline);
      return;
  }
}

/** Draws a graphic at the position of a point, shrunk and moved so that it is completely visible. */
function drawInMiddle(
  drawing: Drawing,
  box: Box,
  graphic: Parameters<typeof prepareGraphic>[1],
  lengths: Lengths,
): void {
  const { context } = drawing;
  const wanted = prepareGraphic(drawing, graphic, lengths);
  const [wide, tall] = measureOuterBox(wanted);
  const factor = Math.min(1, (box.width - 1) / wide, (box.height - 1) / tall);
  const ready = factor < 1 ? prepareGraphic(drawing, graphic, { ...lengths, factor }) : wanted;
  if (!(ready.width > 0)) return;
  const [width, height] = measureOuterBox(ready);
  const x = moveInside(box.width / 2 + ready.shift[0], width, box.width);
  const y = moveInside(box.height / 2 + ready.shift[1], height, box.height);
  drawIsolated(context, () => {
    const [middleX = 0, middleY = 0] = (ready.symbol.kind === 'mark' && ready.symbol.shape.middle) || [];
    context.translate(x - middleX * ready.width, y - middleY * ready.height);
    drawGraphic(drawing, ready);
  });
}

function drawLineSample(sample: Sample, symbolizer: LineSymbolizer): void {
  const { stroke, vendorOptions } = symbolizer;
  if (!stroke) return;
  const lengths = sample.getLengths(symbolizer);
  const offset = readPixels(lengths, symbolizer.perpendicularOffset, 0);
  const line = sample.kind === 'polygon' ? createSampleArea(sample) : createSampleLine(sample.box, sample.widestPen);
  strokeLine(sample.drawing, offset === 0 ? line : offsetToLeft(line, offset), { stroke, lengths, vendorOptions });
}

function drawPolygonSample(sample: Sample, symbolizer: PolygonSymbolizer): void {
  const { drawing, box } = sample;
  const lengths = sample.getLengths(symbolizer);
  const growth = readPixels(lengths, symbolizer.perpendicularOffset, 0);
  const outline = sample.kind === 'line' ? createSampleLine(box, sample.widestPen) : createSampleArea(sample);
  // The left side of the outline is inside.
  const area = growth === 0 ? outline : offsetToLeft(outline, -growth);
  const { displacement, fill, stroke, vendorOptions } = symbolizer;
  drawIsolated(drawing.context, () => {
    const room = Math.min(box.width, box.height) / 4;
    const clampLength = (length: number): number => Math.min(room, Math.max(-room, length));
    drawing.context.translate(
      clampLength(readPixels(lengths, displacement?.x, 0)),
      -clampLength(readPixels(lengths, displacement?.y, 0)),
    );
    const tileLengths = { ...lengths, factor: 1 };
    if (fill) fillPath(drawing, toPath(drawing.library, area), { fill, lengths: tileLengths, vendorOptions });
    if (stroke) strokeLine(drawing, area, { stroke, lengths, vendorOptions });
  });
}

function createSampleArea({ box, widestPen }: Sample): Polyline {
  // Aligns lines of integer width with the pixel grid.
  return createSamplePolygon(box, widestPen / 2 + 1);
}

/** Returns the number of pixels that a symbolizer paints across its line, including the offset. */
function computeReach(symbolizer: Symbolizer, lengths: Lengths): number {
  if (symbolizer.kind !== 'lineSymbolizer' && symbolizer.kind !== 'polygonSymbolizer') return 0;
  const offset = Math.abs(readPixels(lengths, symbolizer.perpendicularOffset, 0));
  const { stroke } = symbolizer;
  if (!stroke) return offset;
  const graphic = stroke.graphicStroke?.graphic;
  const pen = graphic
    ? readPixels(lengths, graphic.size, DEFAULT_MARK_PIXELS)
    : readPenPixels(lengths, stroke.width, 1);
  return pen + 2 * offset;
}
