/** Derives the paint of plain fills and lines from a symbolizer without expressions. */

import { readDashes } from '../../styling/legend/symbols/pen.ts';
import { black, gray, type Rgb, sampleColor } from '../../styling/legend/values/color.ts';
import { type Lengths, readPenPixels, readPixels } from '../../styling/legend/values/lengths.ts';
import { sampleOpacity, sampleWord } from '../../styling/legend/values/sample-value.ts';
import type { Fill, LineSymbolizer, PolygonSymbolizer, Stroke } from '../../styling/model/model.ts';
import type { Pen } from './outline.ts';
import { Ink } from './picture.ts';

export interface LinePaint {
  readonly ink: Ink;
  readonly pen: Pen;
  /** Alternating lengths of dashes and gaps, in pixels; empty for a solid line. */
  readonly dashes: readonly number[];
  readonly dashOffset: number;
}

export interface AreaPaint {
  readonly fill: Ink | undefined;
  readonly line: LinePaint | undefined;
  /** The distance to the left of a line in its direction, or outwards from a polygon. */
  readonly offset: number;
  /** The displacement to the right and down. */
  readonly shiftX: number;
  readonly shiftY: number;
}

export function createLinePaint({ stroke, perpendicularOffset }: LineSymbolizer, lengths: Lengths): AreaPaint {
  return {
    fill: undefined,
    line: stroke && createStrokePaint(stroke, lengths),
    offset: readPixels(lengths, perpendicularOffset, 0),
    shiftX: 0,
    shiftY: 0,
  };
}

export function createPolygonPaint(
  { fill, stroke, perpendicularOffset, displacement }: PolygonSymbolizer,
  lengths: Lengths,
): AreaPaint {
  return {
    fill: fill && createFillInk(fill),
    line: stroke && createStrokePaint(stroke, lengths),
    offset: readPixels(lengths, perpendicularOffset, 0),
    shiftX: readPixels(lengths, displacement?.x, 0),
    shiftY: -readPixels(lengths, displacement?.y, 0),
  };
}

export function createFillInk({ color, opacity }: Fill): Ink | undefined {
  return createInk(sampleColor(color, gray), sampleOpacity(opacity));
}

export function createStrokePaint(stroke: Stroke, lengths: Lengths): LinePaint | undefined {
  const width = readPenPixels(lengths, stroke.width, 1);
  const paint = createInk(sampleColor(stroke.color, black), sampleOpacity(stroke.opacity));
  if (paint === undefined || !(width > 0)) return undefined;
  const [cap, join] = [sampleWord(stroke.lineCap), sampleWord(stroke.lineJoin)];
  return {
    ink: paint,
    pen: {
      width,
      cap: cap === 'round' || cap === 'square' ? cap : 'butt',
      join: join === 'round' || join === 'bevel' ? join : 'miter',
    },
    dashes: readDashes(stroke, lengths),
    dashOffset: readPixels(lengths, stroke.dashOffset, 0),
  };
}

/** Returns undefined for an invisible colour. */
function createInk([red, green, blue]: Rgb, opacity: number): Ink | undefined {
  return opacity > 0 ? new Ink(red / 255, green / 255, blue / 255, opacity) : undefined;
}
