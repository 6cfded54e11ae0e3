/** Draws lines: in a colour, with tiles, or with graphics along them. */
import type { GraphicStroke, Stroke } from '../model.ts';
import { black, cssColor, sampleColor } from './color.ts';
import { type Drawing, isolated, maxNesting } from './drawing.ts';
import { drawGraphic, readyGraphic, tilePattern } from './graphic.ts';
import { type Lengths, penPixels, pixels } from './lengths.ts';
import { dashesOf, setPen } from './pen.ts';
import { type Polyline, toPath, waypoints } from './sample-geometry.ts';
import { sampleOpacity } from './sample-value.ts';

/** Graphics nearer to each other than this are a blur. */
const minStepPixels = 1;

export function strokeLine(drawing: Drawing, line: Polyline, stroke: Stroke, lengths: Lengths): void {
  if (stroke.graphicStroke && drawing.nesting < maxNesting) {
    strokeWithGraphics(drawing, line, stroke, stroke.graphicStroke, lengths);
    return;
  }
  if (!(penPixels(lengths, stroke.width, 1) > 0)) return;
  const { context, library } = drawing;
  isolated(context, () => {
    setPen(context, stroke, lengths);
    const opacity = sampleOpacity(stroke.opacity);
    const pattern =
      stroke.graphicFill && drawing.nesting < maxNesting
        ? tilePattern(drawing, stroke.graphicFill, lengths, [])
        : undefined;
    if (pattern) context.globalAlpha *= opacity;
    context.strokeStyle = pattern ?? cssColor(sampleColor(stroke.color, black), opacity);
    context.stroke(toPath(library, line));
  });
}

/** The graphics turn with the line. Where the line has dashes, one stands in the middle of each first dash. */
function strokeWithGraphics(
  drawing: Drawing,
  line: Polyline,
  stroke: Stroke,
  { graphic, initialGap, gap }: GraphicStroke,
  lengths: Lengths,
): void {
  const ready = readyGraphic(drawing, graphic, lengths);
  const dashes = dashesOf(stroke, lengths);
  const period = dashes.reduce((sum, length) => sum + length, 0) * (dashes.length % 2 === 0 ? 1 : 2);
  const step = dashes.length > 0 ? period : ready.width + Math.max(0, pixels(lengths, gap, 0));
  const start =
    dashes.length > 0
      ? (dashes[0] ?? 0) / 2 - (pixels(lengths, stroke.dashOffset, 0) % period)
      : Math.max(0, pixels(lengths, initialGap, 0)) + ready.width / 2;
  const { context, maxGraphicsAlongLine } = drawing;
  for (const { position, radians } of waypoints(line, start, Math.max(step, minStepPixels), maxGraphicsAlongLine)) {
    isolated(context, () => {
      context.translate(...position);
      context.rotate(radians);
      context.translate(...ready.shift);
      context.globalAlpha *= sampleOpacity(stroke.opacity);
      drawGraphic({ ...drawing, nesting: drawing.nesting + 1, middle: { x: 0, y: 0 } }, ready);
    });
  }
}
