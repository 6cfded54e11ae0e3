/** Fills areas, with a colour or with graphics side by side. */
import type { Fill, VendorOption } from '../model.ts';
import type { Path } from './canvas.ts';
import { cssColor, gray, type Rgb, sampleColor } from './color.ts';
import { type Drawing, isolated, maxNesting } from './drawing.ts';
import type { Lengths } from './lengths.ts';
import { sampleOpacity } from './sample-value.ts';
import { tilePattern } from './tile.ts';

export function fillPath(
  drawing: Drawing,
  path: Path,
  fill: Fill,
  lengths: Lengths,
  options: readonly VendorOption[] = [],
): void {
  const { context } = drawing;
  const opacity = sampleOpacity(fill.opacity);
  isolated(context, () => {
    if (fill.graphicFill && drawing.nesting < maxNesting) {
      const pattern = tilePattern(drawing, fill.graphicFill, lengths, options);
      if (!pattern) return;
      context.globalAlpha *= opacity;
      context.fillStyle = pattern;
    } else {
      context.fillStyle = fillColor(fill, gray);
    }
    context.fill(path, 'evenodd');
  });
}

/** The colour of a fill whose graphics, if it has some, are not wanted. */
export function fillColor(fill: Fill | undefined, byDefault: Rgb): string {
  return cssColor(sampleColor(fill?.color, byDefault), sampleOpacity(fill?.opacity));
}
