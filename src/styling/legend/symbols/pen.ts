/** Sets the width, caps, joins and dashes of a line. */
import type { Stroke } from '../../model/model.ts';
import type { DrawingContext } from '../canvas/canvas.ts';
import { type Lengths, readPenPixels, readPixels } from '../values/lengths.ts';
import { sampleValue, sampleWord } from '../values/sample-value.ts';

/** Sharper corners, below 29 degrees, are bevelled as in SVG: their tips would be longer than four line widths. */
export const MITER_LIMIT = 4;

const maxDashes = 32;
const maxDashCharacters = 400;
/** Shorter dashes are at best a grey line. */
const minDashPixels = 0.1;

export function setPen(context: DrawingContext, stroke: Stroke, lengths: Lengths): void {
  const width = readPenPixels(lengths, stroke.width, 1);
  // A context ignores a width of zero and keeps the previous one.
  context.lineWidth = Math.max(width, Number.MIN_VALUE);
  const cap = sampleWord(stroke.lineCap);
  context.lineCap = cap === 'round' || cap === 'square' ? cap : 'butt';
  const join = sampleWord(stroke.lineJoin);
  context.lineJoin = join === 'round' || join === 'bevel' ? join : 'miter';
  context.miterLimit = MITER_LIMIT;
  context.setLineDash(readDashes(stroke, lengths));
  context.lineDashOffset = readPixels(lengths, stroke.dashOffset, 0);
}

/** Returns alternating dashes and gaps; an empty list for a solid line. */
export function readDashes(stroke: Stroke, lengths: Lengths): readonly number[] {
  const dashes = (stroke.dashArray ?? []).slice(0, maxDashes).flatMap((part) => {
    const value = sampleValue(part);
    if (typeof value !== 'string') return [readPixels(lengths, part, 0)];
    return value
      .slice(0, maxDashCharacters)
      .trim()
      .split(/[\s,]+/)
      .map((length) => readPixels(lengths, { kind: 'literal', value: length }, 0));
  });
  const isUsable = dashes.length <= maxDashes && dashes.every((length) => length >= 0);
  const total = dashes.reduce((sum, length) => sum + length, 0);
  return isUsable && total >= minDashPixels * dashes.length ? dashes : [];
}
