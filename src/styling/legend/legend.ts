/** Draws the legend of a style as a PNG picture: a sample with a label for each rule. */
import type { UploadedFont } from '../fonts/font-registry.ts';
import { resolveMarks } from '../graphics/resolve-marks.ts';
import type { StyledLayerDescriptor } from '../model/model.ts';
import { type CanvasLibrary, type DrawingContext, loadCanvas } from './canvas/canvas.ts';
import { Budget, type Drawing, drawIsolated } from './canvas/drawing.ts';
import { type GraphicLoader, listRuleHrefs, loadPictures } from './images/pictures.ts';
import { type LegendAppearance, type ResolvedAppearance, resolveAppearance } from './legend-appearance.ts';
import { arrangeCells } from './legend-layout.ts';
import { listVisibleRows, type RowSelection } from './legend-rows.ts';
import { createSamples, type LegendSample } from './legend-samples.ts';
import {
  createTextMeasure,
  type LegendTextLines,
  maxLines,
  wrapLabel,
  writeLines,
  writeSharply,
} from './legend-text.ts';
import type { SampleKind } from './symbols/swatch.ts';

export type { GraphicLoader } from './images/pictures.ts';

export interface LegendRequest extends RowSelection {
  /** The size of one sample in pixels: 1 to 1024. */
  readonly width: number;
  readonly height: number;
  /** The geometry type of the samples; by default the one that matches each symbolizer. */
  readonly kind?: SampleKind;
  readonly look?: LegendAppearance;
  /** The uploaded fonts that labels and marks can use. */
  readonly fonts?: readonly UploadedFont[];
}

const maxRows = 100;
/** Four bytes each: 64 MB. */
const maxPixels = 16_000_000;
/** About a second on a slow machine. */
const maxSteps = 15_000;
const maxGraphicsAlongLine = 200;
const gapPixels = 4;
/** The maximum width of a label, with its margin. */
const maxLabelPixels = 406;

/**
 * A single rule is drawn as its sample only, in exactly the requested size; an empty legend is an empty picture of
 * this size.
 */
export async function drawLegend(
  model: StyledLayerDescriptor,
  request: LegendRequest,
  loadGraphic: GraphicLoader,
): Promise<Uint8Array> {
  const library = await loadCanvas();
  const layout = layOutLegend(library, model, request);
  const pictures = await loadPictures(library, listCellRules(layout.cells), loadGraphic);
  const { factor } = layout.look;
  const size = { width: scalePixels(layout.width, factor), height: scalePixels(layout.height, factor) };
  const surface = library.createCanvas(size.width, size.height);
  const context = surface.getContext('2d');
  const drawing: Drawing = {
    library,
    context,
    pictures,
    budget: new Budget(maxSteps),
    nesting: 0,
    middle: { x: request.width / 2, y: request.height / 2 },
    maxGraphicsAlongLine,
  };
  drawIsolated(context, () => {
    context.scale(factor, factor);
    for (const { sample, left, top } of layout.cells) {
      drawIsolated(context, () => {
        context.translate(left, top);
        sample.draw(drawing, request);
      });
    }
  });
  const drawText = (on: DrawingContext): void =>
    drawIsolated(on, () => {
      on.scale(factor, factor);
      for (const lines of layout.letters) writeLines(on, layout.look, lines);
    });
  if (layout.look.hasSmoothLetters) drawText(context);
  else writeSharply(library, context, size, drawText);
  return new Uint8Array(await surface.encode('png'));
}

/** Lists the graphics that drawing the legend will request. */
export async function listLegendGraphics(
  model: StyledLayerDescriptor,
  request: LegendRequest,
): Promise<readonly string[]> {
  return listRuleHrefs(listCellRules(layOutLegend(await loadCanvas(), model, request).cells));
}

function listCellRules(cells: readonly Cell[]) {
  return cells.flatMap(({ sample }) => sample.rule ?? []);
}

/** A smaller fraction of a pixel is invisible. */
const ROUNDING = 0.01;

function scalePixels(pixels: number, factor: number): number {
  return Math.max(1, Math.ceil(pixels * factor - ROUNDING));
}

/** Before scaling. */
interface Layout {
  readonly look: ResolvedAppearance;
  readonly cells: readonly Cell[];
  readonly letters: readonly LegendTextLines[];
  readonly width: number;
  readonly height: number;
}

interface Cell {
  readonly sample: LegendSample;
  /** The position of the sample. */
  readonly left: number;
  readonly top: number;
}

function layOutLegend(library: CanvasLibrary, model: StyledLayerDescriptor, request: LegendRequest): Layout {
  const { width, height } = request;
  const rows = listVisibleRows(model, request).map((row) => ({ ...row, rule: resolveMarks(row.rule) }));
  const all = createSamples(rows, request, request.look?.listsColors ?? false);
  const look = resolveAppearance(library, all.length, request.look);
  if (look.title === '' && (all.length === 0 || (all.length === 1 && !look.hasLabels))) {
    const cells = all.map((sample) => ({ sample, left: 0, top: 0 }));
    return { look, cells, letters: [], width, height };
  }
  const context = library.createCanvas(1, 1).getContext('2d');
  const measure = createTextMeasure(context, look.font);
  const measureTitle = createTextMeasure(context, look.titleFont);
  const measureWidth = (lines: readonly string[], measureLine = measure): number =>
    Math.max(0, ...lines.map((line) => Math.ceil(measureLine(line))));
  const shown = all.slice(0, computeMaxSamples(request, look)).map((sample) => {
    const lines = look.hasLabels ? wrapLabel(measure, sample.label, look.wrapLimit) : [];
    return { sample, lines, beside: lines.length === 0 ? 0 : look.labelMargin + measureWidth(lines) };
  });
  const rest = wrapLabel(measure, shown.length < all.length ? `and ${all.length - shown.length} more` : '', undefined);
  const restWidth = measureWidth(rest);
  const title = wrapLabel(measureTitle, look.title, look.wrapLimit);
  const titleHeight = title.length === 0 ? 0 : title.length * look.linePixels + gapPixels;

  const least = look.hasLabels ? look.linePixels : 0;
  const sizes = shown.map(({ lines, beside }) => ({
    width: width + beside,
    height: Math.max(height, least, lines.length * look.linePixels),
  }));
  const placed = arrangeCells(sizes, look.arrangement);
  const [cells, letters]: [Cell[], LegendTextLines[]] = [[], []];
  if (title.length > 0) letters.push({ lines: title, left: 0, middle: look.linePixels / 2, isTitle: true });
  for (const [index, { sample, lines }] of shown.entries()) {
    const { left, top } = placed.places[index] ?? { left: 0, top: 0 };
    const high = sizes[index]?.height ?? height;
    const middle = titleHeight + top + high / 2;
    cells.push({ sample, left, top: titleHeight + top + Math.floor((high - height) / 2) });
    const firstLine = middle - ((lines.length - 1) * look.linePixels) / 2;
    letters.push({ lines, left: left + width + look.labelMargin, middle: firstLine });
  }
  const bottom = titleHeight + placed.height;
  const restHeight = Math.max(height, look.linePixels);
  if (rest.length > 0) letters.push({ lines: rest, left: 0, middle: bottom + gapPixels + restHeight / 2 });
  return {
    look,
    cells,
    letters,
    width: Math.max(placed.width, restWidth, measureWidth(title, measureTitle)),
    height: rest.length > 0 ? bottom + gapPixels + restHeight : bottom,
  };
}

/** Returns the maximum number of samples. */
function computeMaxSamples({ width, height }: LegendRequest, look: ResolvedAppearance): number {
  const { hasLabels, linePixels, labelMargin, factor, wrapLimit } = look;
  const lines = wrapLimit === undefined ? 1 : maxLines;
  const row = Math.max(height, hasLabels ? lines * linePixels : 0) + gapPixels;
  const widest = width + labelMargin + maxLabelPixels;
  return Math.min(maxRows, Math.max(1, Math.floor(maxPixels / factor ** 2 / widest / row) - 1));
}
