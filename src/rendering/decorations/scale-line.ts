/** Draws scale lines: a line of a round length on the ground, with its length. */
import type { CanvasLibrary } from '../../styling/legend/canvas/canvas.ts';
import type { DecorationSpace, LaidOutDecoration, ScaleLineContent } from './decoration.ts';
import { createPlainLettering, drawCenteredLine } from './text.ts';

const DEFAULT_WIDTH_PIXELS = 150;
const PADDING_PIXELS = 4;
const TICK_PIXELS = 5;

interface Unit {
  readonly name: string;
  readonly metres: number;
}

/** From the smallest to the largest. */
export const metric: readonly Unit[] = [
  { name: 'cm', metres: 0.01 },
  { name: 'm', metres: 1 },
  { name: 'km', metres: 1_000 },
];
export const imperial: readonly Unit[] = [
  { name: 'ft', metres: 0.3048 },
  { name: 'mi', metres: 1_609.344 },
];

export interface ScaleBar {
  readonly label: string;
  readonly metres: number;
}

/** Returns the longest bar of 1, 2 or 5 times a power of ten units that is at most so many metres long. */
export function chooseScaleBar(maxMetres: number, units: readonly Unit[]): ScaleBar {
  const unit = units.findLast(({ metres }) => metres <= maxMetres) ?? units[0] ?? { name: 'm', metres: 1 };
  const most = maxMetres / unit.metres;
  const power = 10 ** Math.floor(Math.log10(most));
  const count = ([5, 2, 1].find((digit) => digit * power <= most) ?? 1) * power;
  return { label: `${Number(count.toPrecision(1))} ${unit.name}`, metres: count * unit.metres };
}

/** The metric line has its label above, the imperial one below. */
export function layOutScaleLine(
  library: CanvasLibrary,
  { metresPerPixel, hasMetres, hasFeet, fontPixels, color, background }: ScaleLineContent,
  { size, factor }: DecorationSpace,
): LaidOutDecoration {
  const padding = PADDING_PIXELS * factor;
  const sizePixels = fontPixels * factor;
  const inside = (size?.width ?? DEFAULT_WIDTH_PIXELS) * factor;
  const maxMetres = inside * metresPerPixel;
  const metre = hasMetres ? chooseScaleBar(maxMetres, metric) : undefined;
  const foot = hasFeet ? chooseScaleBar(maxMetres, imperial) : undefined;
  const rowPixels = sizePixels * 1.2 + TICK_PIXELS * factor;
  const width = inside + 2 * padding;
  const height = rowPixels * ((metre ? 1 : 0) + (foot ? 1 : 0)) + 2 * padding;
  const lettering = createPlainLettering(library, { fontFamily: 'sans', isBold: false, isItalic: false }, sizePixels);
  return {
    width,
    height,
    draw(drawing) {
      const { context } = drawing;
      if (background !== undefined) {
        context.fillStyle = background;
        context.fillRect(0, 0, width, height);
      }
      context.fillStyle = color;
      context.strokeStyle = color;
      context.lineWidth = factor;
      const baseline = Math.round(padding + (metre ? rowPixels : 0)) + factor / 2;
      const drawBar = (bar: ScaleBar, direction: 1 | -1): void => {
        const length = bar.metres / metresPerPixel;
        const tick = baseline + direction * TICK_PIXELS * factor;
        const [left, right] = [padding + factor / 2, padding + length - factor / 2];
        context.stroke(
          new library.Path2D(`M${left} ${tick}L${left} ${baseline}L${right} ${baseline}L${right} ${tick}`),
        );
        const middle = baseline + direction * (TICK_PIXELS * factor + sizePixels * 0.5);
        drawCenteredLine(drawing, lettering, bar.label, padding + length / 2, middle);
      };
      if (metre !== undefined) drawBar(metre, -1);
      if (foot !== undefined) drawBar(foot, 1);
    },
  };
}
