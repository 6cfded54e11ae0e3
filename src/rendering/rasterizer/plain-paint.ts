/** Derives the paint of plain fills and lines from a symbolizer without expressions. */

import type { Rgb } from '../../lib/values/parse-color.ts';
import type { MarkOutline } from '../../styling/legend/symbols/mark-outline.ts';
import { readDashes } from '../../styling/legend/symbols/pen.ts';
import { black, gray, sampleColor } from '../../styling/legend/values/color.ts';
import { type Lengths, readPenPixels, readPixels } from '../../styling/legend/values/lengths.ts';
import { sampleOpacity, sampleWord } from '../../styling/legend/values/sample-value.ts';
import type { Fill, LineSymbolizer, PolygonSymbolizer, Stroke } from '../../styling/model/model.ts';
import type { DashPattern } from '../shapes/dashes.ts';
import type { SidewaysMove } from '../shapes/offset-line.ts';
import type { Pen } from './outline.ts';
import { Ink } from './picture.ts';

export interface LinePaint extends DashPattern {
  readonly ink: Ink;
  readonly pen: Pen;
}

export interface AreaPaint extends SidewaysMove {
  readonly fill: Ink | undefined;
  readonly line: LinePaint | undefined;
}

export interface MarkPaint {
  readonly outline: MarkOutline;
  readonly fill: Ink | undefined;
  readonly line: LinePaint | undefined;
  /** From the position to the centre of the mark. */
  readonly shift: readonly [number, number];
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
export function createInk([red, green, blue]: Rgb, opacity: number): Ink | undefined {
  return opacity > 0 ? new Ink(red / 255, green / 255, blue / 255, opacity) : undefined;
}
