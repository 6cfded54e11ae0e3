/** Draws charts as graphics: pies, bars, lines and points. */
import type { Chart } from '../../graphics/chart-address.ts';
import { type Box, type Drawing, drawIsolated } from '../canvas/drawing.ts';

/** The part of each bar, or group of bars, that stays empty. */
const BAR_GAP = 0.2;

/** Draws it centred at the origin. */
export function drawChart(drawing: Drawing, chart: Chart, box: Box): void {
  const { context } = drawing;
  drawIsolated(context, () => {
    context.translate(-box.width / 2, -box.height / 2);
    context.fillStyle = chart.background;
    context.fillRect(0, 0, box.width, box.height);
    if (chart.kind === 'pie') drawPie(drawing, chart, box);
    else if (chart.kind === 'bars') drawBars(drawing, chart, box);
    else {
      if (chart.kind === 'lines') drawLines(drawing, chart, box);
      else drawPoints(drawing, chart, box);
      if (chart.hasAxes) drawAxes(drawing, box);
    }
  });
}

/** Returns the number of values, for the cost of drawing. */
export function countChartValues({ series }: Chart): number {
  return series.reduce((sum, values) => sum + values.length, 0);
}

function drawPie({ context, library }: Drawing, { series, colors, startRadians }: Chart, { width, height }: Box): void {
  const values = (series[0] ?? []).map((value) => (value > 0 && Number.isFinite(value) ? value : 0));
  const total = values.reduce((sum, value) => sum + value, 0);
  const radius = Math.min(width, height) / 2;
  if (!(total > 0)) return;
  context.translate(width / 2, height / 2);
  const end = startRadians + 2 * Math.PI;
  // Opaque slices extend below the next ones, so that no seams are visible between them.
  const isOpaque = colors[0]?.every((color) => color.endsWith(', 1)')) === true;
  let from = startRadians;
  for (const [index, value] of values.entries()) {
    if (value === 0) continue;
    const to = from + (2 * Math.PI * value) / total;
    context.fillStyle = pickColor(colors[0], index);
    context.fill(new library.Path2D(writeSlice(radius, from, isOpaque ? end : to)));
    from = to;
  }
}

function writeSlice(radius: number, from: number, to: number): string {
  const point = (angle: number): string => `${radius * Math.cos(angle)} ${radius * Math.sin(angle)}`;
  // An arc of at least half a circle has no definite direction.
  const third = (to - from) / 3;
  const arc = `A${radius} ${radius} 0 0 1`;
  return `M0 0L${point(from)}${arc} ${point(from + third)}${arc} ${point(to - third)}${arc} ${point(to)}Z`;
}

function drawBars(drawing: Drawing, { series, colors, range, ...shape }: Chart, { width, height }: Box): void {
  const { context } = drawing;
  const places = Math.max(...series.map((values) => values.length));
  const [across, along] = shape.isHorizontal ? [height, width] : [width, height];
  const room = across / places;
  const bar = (room * (1 - BAR_GAP)) / (shape.isStacked ? 1 : series.length);
  for (let place = 0; place < places; place += 1) {
    let below = 0;
    for (const [index, values] of series.entries()) {
      const value = values[place] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      const base = shape.isStacked ? below : 0;
      const [from, to] = [scaleValue(range, base) * along, scaleValue(range, base + value) * along];
      if (shape.isStacked) below += value;
      const start = place * room + (room * BAR_GAP) / 2 + (shape.isStacked ? 0 : index * bar);
      context.fillStyle = pickColor(colors[index], place);
      if (shape.isHorizontal) context.fillRect(Math.min(from, to), start, Math.abs(to - from), bar);
      else context.fillRect(start, along - Math.max(from, to), bar, Math.abs(to - from));
    }
  }
}

function drawLines({ context, library }: Drawing, chart: Chart, box: Box): void {
  context.setLineDash([]);
  context.lineJoin = 'round';
  context.lineWidth = chart.lineWidth;
  for (const [index, line] of listLines(chart, box).entries()) {
    const path = new library.Path2D();
    let isDrawing = false;
    for (const [x, y] of line) {
      if (!Number.isFinite(x) || !Number.isFinite(y)) isDrawing = false;
      else if (isDrawing) path.lineTo(x, y);
      else {
        path.moveTo(x, y);
        isDrawing = true;
      }
    }
    context.strokeStyle = pickColor(chart.colors[index], 0);
    context.stroke(path);
  }
}

type Line = readonly (readonly [x: number, y: number])[];

/** Returns the positions of each line; NaN for missing values. */
function listLines({ series, range, xRange, hasX }: Chart, { width, height }: Box): readonly Line[] {
  const pairs = hasX
    ? series.flatMap((values, index) => (index % 2 === 1 ? [[series[index - 1], values] as const] : []))
    : series.map((values) => [undefined, values] as const);
  return pairs.map(([across, values]) => {
    const isEven = across === undefined || (across.length === 1 && across[0] === -1);
    return values.map((value, place) => {
      const even = values.length > 1 ? place / (values.length - 1) : 0.5;
      const x = isEven ? even : scaleValue(xRange, across[place] ?? Number.NaN);
      return [x * width, height * (1 - scaleValue(range, value))] as const;
    });
  });
}

/** The diameter of the largest points, as a part of the shorter side. */
const LARGEST_POINT = 0.2;
const DEFAULT_POINT_PERCENT = 50;

function drawPoints({ context, library }: Drawing, chart: Chart, box: Box): void {
  const [positions = []] = listLines(chart, box);
  const sizes = chart.series[2];
  for (const [place, [x, y]] of positions.entries()) {
    const share = scaleValue([0, 100], sizes?.[place] ?? DEFAULT_POINT_PERCENT);
    const radius = (Math.min(box.width, box.height) * LARGEST_POINT * share) / 2;
    if (!(radius > 0) || !Number.isFinite(x) || !Number.isFinite(y)) continue;
    const arc = `a${radius} ${radius} 0 0 1`;
    context.fillStyle = pickColor(chart.colors[0], place);
    context.fill(new library.Path2D(`M${x - radius} ${y}${arc} ${2 * radius} 0${arc} ${-2 * radius} 0Z`));
  }
}

function drawAxes({ context, library }: Drawing, { width, height }: Box): void {
  context.lineWidth = 1;
  context.strokeStyle = 'rgba(64, 64, 64, 1)';
  context.stroke(new library.Path2D(`M.5 0V${height - 0.5}H${width}`));
}

/** Returns the position of a value in the range, from 0 to 1; NaN for a missing one. */
function scaleValue([min, max]: Chart['range'], value: number): number {
  return Math.min(1, Math.max(0, (value - min) / (max - min)));
}

function pickColor(colors: readonly string[] | undefined, index: number): string {
  return colors?.[index] ?? colors?.at(-1) ?? 'rgba(0, 0, 0, 1)';
}
