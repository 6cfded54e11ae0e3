/** The appearance of a legend: fonts, labels and layout. */

import { BOLD_WEIGHT, NORMAL_WEIGHT } from '../fonts/font-weight.ts';
import type { CanvasLibrary } from './canvas/canvas.ts';
import type { Arrangement } from './legend-layout.ts';
import { createTypefaceStyle, selectFonts } from './text/fonts.ts';
import { findTypeface, type Typeface } from './text/typeface.ts';

/** The requested appearance, with defaults for omitted members. Lengths are in pixels before scaling. */
export interface LegendAppearance {
  /** The nearest available font is used. */
  readonly fontName?: string;
  readonly fontSize?: number;
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  /** `#rrggbb`. */
  readonly fontColor?: string;
  /** Whether text is antialiased; true by default. */
  readonly hasSmoothLetters?: boolean;
  /** Whether rules are labelled; by default if there are several. */
  readonly hasLabels?: boolean;
  /** Drawn above everything. */
  readonly title?: string;
  /** Between a sample and its label. */
  readonly labelMargin?: number;
  /** Longer labels are wrapped. */
  readonly wrapLimit?: number;
  /** Whether each colour of a colour map gets a sample, instead of one for all. */
  readonly listsColors?: boolean;
  readonly arrangement?: Arrangement;
  /** The scale factor of the whole legend. */
  readonly factor?: number;
}

/** A font with its size in pixels. */
export interface LegendFont {
  readonly typeface: Typeface;
  readonly pixels: number;
}

export interface ResolvedAppearance {
  readonly font: LegendFont;
  readonly titleFont: LegendFont;
  readonly linePixels: number;
  readonly fontColor: string;
  readonly hasSmoothLetters: boolean;
  readonly hasLabels: boolean;
  readonly title: string;
  readonly labelMargin: number;
  readonly wrapLimit: number | undefined;
  readonly arrangement: Arrangement;
  readonly factor: number;
}

const FONT_PIXELS = 11;
/** Limits of a legend; larger values only waste memory. */
const MAX_FONT_PIXELS = 200;
const SPACE_PIXELS = 3;
const LABEL_MARGIN_PIXELS = 6;
const MAX_MARGIN_PIXELS = 500;
const MAX_FACTOR = 20;

export function resolveAppearance(
  library: CanvasLibrary,
  rows: number,
  look: LegendAppearance = {},
): ResolvedAppearance {
  const size = clampNumber(look.fontSize ?? FONT_PIXELS, 1, MAX_FONT_PIXELS);
  const fonts = selectFonts([look.fontName ?? 'sans']);
  const findFont = (weight: number): LegendFont => {
    const style = createTypefaceStyle(fonts, { weight, isItalic: look.isItalic ?? false });
    return { typeface: findTypeface(library, style), pixels: size };
  };
  return {
    font: findFont(look.isBold ? BOLD_WEIGHT : NORMAL_WEIGHT),
    titleFont: findFont(BOLD_WEIGHT),
    linePixels: Math.ceil(size) + SPACE_PIXELS,
    fontColor: look.fontColor ?? '#000000',
    hasSmoothLetters: look.hasSmoothLetters ?? true,
    hasLabels: look.hasLabels ?? rows > 1,
    title: look.title ?? '',
    labelMargin: clampNumber(look.labelMargin ?? LABEL_MARGIN_PIXELS, 0, MAX_MARGIN_PIXELS),
    wrapLimit: look.wrapLimit,
    arrangement: look.arrangement ?? { isHorizontal: false, lines: undefined, lineLength: undefined },
    factor: clampNumber(look.factor ?? 1, 1 / MAX_FACTOR, MAX_FACTOR),
  };
}

function clampNumber(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
