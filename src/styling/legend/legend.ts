/** Draws the legend of a style as a PNG picture: a sample for each rule, one below the other, with their titles. */
import type { StyledLayerDescriptor } from '../model.ts';
import { type CanvasLibrary, type DrawingContext, fontFamilies, loadCanvas } from './canvas.ts';
import { black, cssColor } from './color.ts';
import { Budget, type Drawing } from './drawing.ts';
import { type LegendRow, type RowSelection, rulesShown } from './legend-rows.ts';
import { type GraphicLoader, hrefsIn, loadPictures } from './pictures.ts';
import { drawSwatch, type SampleKind } from './swatch.ts';

export type { GraphicLoader } from './pictures.ts';

export interface LegendRequest extends RowSelection {
  /** Of one sample, in pixels: 1 to 1024. */
  readonly width: number;
  readonly height: number;
  /** Draws the samples as geometries of this kind; by default of the kind that fits each symbolizer. */
  readonly kind?: SampleKind;
}

const maxRows = 100;
/** Four bytes each: 64 MB. */
const maxPixels = 16_000_000;
/** About a second on a slow machine. */
const maxSteps = 15_000;
const maxGraphicsAlongLine = 200;
const rowGapPixels = 4;
const labelGapPixels = 6;
const fontPixels = 11;
const labelLinePixels = 14;
const maxLabelPixels = 400;
const maxLabelCharacters = 200;
const labelFont = `${fontPixels}px "${fontFamilies.sans}"`;

/** One rule is its sample and nothing else, exactly of the size asked for; nothing to draw is an empty picture of it. */
export async function drawLegend(
  model: StyledLayerDescriptor,
  request: LegendRequest,
  loadGraphic: GraphicLoader,
): Promise<Uint8Array> {
  const library = await loadCanvas();
  const rows = rulesShown(model, request);
  const layout = layOut(library, rows, request);
  const pictures = await loadPictures(
    library,
    layout.rows.map(({ rule }) => rule),
    loadGraphic,
  );
  const surface = library.createCanvas(layout.width, layout.height);
  const context = surface.getContext('2d');
  const middle = { x: request.width / 2, y: request.height / 2 };
  const drawing: Drawing = {
    library,
    context,
    pictures,
    budget: new Budget(maxSteps),
    nesting: 0,
    middle,
    maxGraphicsAlongLine,
  };

  for (const [index, row] of layout.rows.entries()) {
    const top = index * (layout.rowPixels + rowGapPixels);
    context.save();
    context.translate(0, top + Math.floor((layout.rowPixels - request.height) / 2));
    drawSwatch(drawing, request, row.rule, row.background, request);
    context.restore();
    if (rows.length > 1) drawLabelText(context, row.label, request.width + labelGapPixels, top + layout.rowPixels / 2);
  }
  const restTop = layout.rows.length * (layout.rowPixels + rowGapPixels);
  drawLabelText(context, layout.rest, 0, restTop + layout.rowPixels / 2);
  return new Uint8Array(await surface.encode('png'));
}

/** The graphics that will be asked for when the legend is drawn. */
export async function graphicsOfLegend(
  model: StyledLayerDescriptor,
  request: LegendRequest,
): Promise<readonly string[]> {
  const layout = layOut(await loadCanvas(), rulesShown(model, request), request);
  return hrefsIn(layout.rows.map(({ rule }) => rule));
}

interface Layout {
  readonly rows: readonly LegendRow[];
  /** What to say about the rows that are left out; empty if there are none. */
  readonly rest: string;
  readonly rowPixels: number;
  readonly width: number;
  readonly height: number;
}

function layOut(library: CanvasLibrary, rows: readonly LegendRow[], { width, height }: LegendRequest): Layout {
  if (rows.length <= 1) return { rows, rest: '', rowPixels: height, width, height };
  const rowPixels = Math.max(height, labelLinePixels);
  const widest = width + labelGapPixels + maxLabelPixels;
  const fitting = Math.max(1, Math.floor(maxPixels / widest / (rowPixels + rowGapPixels)) - 1);
  const shown = rows.slice(0, Math.min(maxRows, fitting));
  const rest = shown.length < rows.length ? `and ${rows.length - shown.length} more` : '';
  const context = library.createCanvas(1, 1).getContext('2d');
  context.font = labelFont;
  const measured = shown.map(({ label }) => context.measureText(shortened(context, label)).width);
  const labelPixels = Math.ceil(Math.max(0, ...measured));
  const count = shown.length + (rest === '' ? 0 : 1);
  return {
    rows: shown,
    rest,
    rowPixels,
    width: Math.max(
      labelPixels > 0 ? width + labelGapPixels + labelPixels : width,
      Math.ceil(context.measureText(rest).width),
    ),
    height: count * rowPixels + (count - 1) * rowGapPixels,
  };
}

function drawLabelText(context: DrawingContext, label: string, x: number, middle: number): void {
  if (label === '') return;
  context.save();
  context.font = labelFont;
  context.fillStyle = cssColor(black, 1);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillText(shortened(context, label), x, middle);
  context.restore();
}

/** The font is to be set already. */
function shortened(context: DrawingContext, label: string): string {
  let text = label.replace(/\s+/g, ' ').trim().slice(0, maxLabelCharacters).toWellFormed();
  if (text.length === label.trim().length && context.measureText(text).width <= maxLabelPixels) return text;
  while (text !== '' && context.measureText(`${text}…`).width > maxLabelPixels) text = text.slice(0, -1).toWellFormed();
  return `${text}…`;
}
