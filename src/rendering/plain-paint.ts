/** What plain fills and lines are painted with, worked out of a symbolizer whose values are known. */
import { black, gray, type Rgb, sampleColor } from '../styling/legend/color.ts';
import { type Lengths, penPixels, pixels } from '../styling/legend/lengths.ts';
import { dashesOf } from '../styling/legend/pen.ts';
import { sampleOpacity, sampleWord } from '../styling/legend/sample-value.ts';
import type { Fill, LineSymbolizer, PolygonSymbolizer, Stroke } from '../styling/model.ts';
import type { Pen } from './outline.ts';
import { Ink } from './picture.ts';

export interface LinePaint {
  readonly ink: Ink;
  readonly pen: Pen;
  /** Dashes and gaps by turns, in pixels; none for a line without gaps. */
  readonly dashes: readonly number[];
  readonly dashOffset: number;
}

export interface AreaPaint {
  readonly fill: Ink | undefined;
  readonly line: LinePaint | undefined;
  /** To the left of a line, seen along it; outwards from a polygon. */
  readonly offset: number;
  /** To the right, and down. */
  readonly shiftX: number;
  readonly shiftY: number;
}

export function linePaint({ stroke, perpendicularOffset }: LineSymbolizer, lengths: Lengths): AreaPaint {
  return {
    fill: undefined,
    line: stroke && strokePaint(stroke, lengths),
    offset: pixels(lengths, perpendicularOffset, 0),
    shiftX: 0,
    shiftY: 0,
  };
}

export function polygonPaint(
  { fill, stroke, perpendicularOffset, displacement }: PolygonSymbolizer,
  lengths: Lengths,
): AreaPaint {
  return {
    fill: fill && fillInk(fill),
    line: stroke && strokePaint(stroke, lengths),
    offset: pixels(lengths, perpendicularOffset, 0),
    shiftX: pixels(lengths, displacement?.x, 0),
    shiftY: -pixels(lengths, displacement?.y, 0),
  };
}

export function fillInk({ color, opacity }: Fill): Ink | undefined {
  return ink(sampleColor(color, gray), sampleOpacity(opacity));
}

export function strokePaint(stroke: Stroke, lengths: Lengths): LinePaint | undefined {
  const width = penPixels(lengths, stroke.width, 1);
  const paint = ink(sampleColor(stroke.color, black), sampleOpacity(stroke.opacity));
  if (paint === undefined || !(width > 0)) return undefined;
  const [cap, join] = [sampleWord(stroke.lineCap), sampleWord(stroke.lineJoin)];
  return {
    ink: paint,
    pen: {
      width,
      cap: cap === 'round' || cap === 'square' ? cap : 'butt',
      join: join === 'round' || join === 'bevel' ? join : 'miter',
    },
    dashes: dashesOf(stroke, lengths),
    dashOffset: pixels(lengths, stroke.dashOffset, 0),
  };
}

/** Undefined for what nobody would see. */
function ink([red, green, blue]: Rgb, opacity: number): Ink | undefined {
  return opacity > 0 ? new Ink(red / 255, green / 255, blue / 255, opacity) : undefined;
}
