/** Draws the legend of a style as a PNG picture: a sample for each rule, with their titles. */
import type { StyledLayerDescriptor } from '../model.ts';
import { type CanvasLibrary, type DrawingContext, loadCanvas } from './canvas.ts';
import { Budget, type Drawing } from './drawing.ts';
import { type LegendLook, type LookAtWork, lookOf } from './legend-look.ts';
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
  readonly look?: LegendLook;
}

const maxRows = 100;
/** Four bytes each: 64 MB. */
const maxPixels = 16_000_000;
/** About a second on a slow machine. */
const maxSteps = 15_000;
const maxGraphicsAlongLine = 200;
const gapPixels = 4;
const labelGapPixels = 6;
const maxLabelPixels = 400;
const maxLabelCharacters = 200;

/** One rule is its sample and nothing else, exactly of the size asked for; nothing to draw is an empty picture of it. */
export async function drawLegend(
  model: StyledLayerDescriptor,
  request: LegendRequest,
  loadGraphic: GraphicLoader,
): Promise<Uint8Array> {
  const library = await loadCanvas();
  const layout = layOut(library, rulesShown(model, request), request);
  const pictures = await loadPictures(
    library,
    layout.cells.map(({ row }) => row.rule),
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

  for (const { row, left, top } of layout.cells) {
    context.save();
    context.translate(left, top + Math.floor((layout.rowPixels - request.height) / 2));
    drawSwatch(drawing, request, row.rule, row.background, request);
    context.restore();
    if (layout.look.hasLabels) {
      drawLabelText(context, layout.look, row.label, left + request.width + labelGapPixels, top + layout.rowPixels / 2);
    }
  }
  drawLabelText(context, layout.look, layout.rest, 0, layout.restTop + layout.rowPixels / 2);
  return new Uint8Array(await surface.encode('png'));
}

/** The graphics that will be asked for when the legend is drawn. */
export async function graphicsOfLegend(
  model: StyledLayerDescriptor,
  request: LegendRequest,
): Promise<readonly string[]> {
  const layout = layOut(await loadCanvas(), rulesShown(model, request), request);
  return hrefsIn(layout.cells.map(({ row }) => row.rule));
}

interface Layout {
  readonly look: LookAtWork;
  readonly cells: readonly Cell[];
  /** What to say about the rows that are left out; empty if there are none. */
  readonly rest: string;
  readonly restTop: number;
  readonly rowPixels: number;
  readonly width: number;
  readonly height: number;
}

interface Cell {
  readonly row: LegendRow;
  readonly left: number;
  readonly top: number;
}

function layOut(library: CanvasLibrary, rows: readonly LegendRow[], request: LegendRequest): Layout {
  const { width, height } = request;
  const look = lookOf(request.look, rows.length);
  if (rows.length === 0 || (rows.length === 1 && !look.hasLabels)) {
    const cells = rows.map((row) => ({ row, left: 0, top: 0 }));
    return { look, cells, rest: '', restTop: 0, rowPixels: height, width, height };
  }
  const rowPixels = look.hasLabels ? Math.max(height, look.linePixels) : height;
  const widest = width + labelGapPixels + maxLabelPixels;
  const fitting = Math.max(1, Math.floor(maxPixels / widest / (rowPixels + gapPixels)) - 1);
  const shown = rows.slice(0, Math.min(maxRows, fitting));
  const rest = shown.length < rows.length ? `and ${rows.length - shown.length} more` : '';
  const context = library.createCanvas(1, 1).getContext('2d');
  context.font = look.font;
  const widthOf = (label: string): number => Math.ceil(context.measureText(shortened(context, label)).width);
  const widths = shown.map(({ label }) => {
    const labelPixels = look.hasLabels ? widthOf(label) : 0;
    return labelPixels > 0 ? width + labelGapPixels + labelPixels : width;
  });
  const placed = look.isHorizontal ? sideBySide(shown, widths) : oneBelowTheOther(shown, widths, rowPixels);
  const restTop = placed.height + gapPixels;
  return {
    look,
    cells: placed.cells,
    rest,
    restTop,
    rowPixels,
    width: Math.max(placed.width, Math.ceil(context.measureText(rest).width)),
    height: rest === '' ? Math.max(placed.height, rowPixels) : restTop + rowPixels,
  };
}

interface Placed {
  readonly cells: readonly Cell[];
  readonly width: number;
  readonly height: number;
}

function oneBelowTheOther(rows: readonly LegendRow[], widths: readonly number[], rowPixels: number): Placed {
  return {
    cells: rows.map((row, index) => ({ row, left: 0, top: index * (rowPixels + gapPixels) })),
    width: Math.max(...widths),
    height: rows.length * rowPixels + (rows.length - 1) * gapPixels,
  };
}

function sideBySide(rows: readonly LegendRow[], widths: readonly number[]): Placed {
  const cells: Cell[] = [];
  let left = 0;
  for (const [index, row] of rows.entries()) {
    cells.push({ row, left, top: 0 });
    left += (widths[index] ?? 0) + labelGapPixels;
  }
  return { cells, width: left - labelGapPixels, height: 0 };
}

function drawLabelText(context: DrawingContext, look: LookAtWork, label: string, x: number, middle: number): void {
  if (label === '') return;
  context.save();
  context.font = look.font;
  context.fillStyle = look.fontColor;
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
