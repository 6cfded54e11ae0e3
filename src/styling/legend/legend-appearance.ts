/** How a legend looks: its letters, its labels, and how its samples are laid out. */

import type { Arrangement } from './legend-layout.ts';
import { selectFontFamily } from './symbols/fonts.ts';

/** What somebody wishes; the usual where they say nothing. Lengths are in pixels, before they are enlarged. */
export interface LegendAppearance {
  /** The nearest of our fonts is taken. */
  readonly fontName?: string;
  readonly fontSize?: number;
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  /** `#rrggbb`. */
  readonly fontColor?: string;
  /** Whether the edges of letters are smooth; they are by default. */
  readonly hasSmoothLetters?: boolean;
  /** Whether rules are named, however many there are; by default where there are several. */
  readonly hasLabels?: boolean;
  /** Above everything. */
  readonly title?: string;
  /** Between a sample and its label. */
  readonly labelMargin?: number;
  /** Labels longer than this go on in another line. */
  readonly wrapLimit?: number;
  /** Whether colour maps are shown colour by colour, rather than in one sample. */
  readonly listsColors?: boolean;
  readonly arrangement?: Arrangement;
  /** How much larger everything is. */
  readonly factor?: number;
}

export interface ResolvedAppearance {
  readonly font: string;
  readonly titleFont: string;
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
const MAX_FONT_PIXELS = 200;
const SPACE_PIXELS = 3;
const LABEL_MARGIN_PIXELS = 6;
const MAX_MARGIN_PIXELS = 500;
const MAX_FACTOR = 20;

export function resolveAppearance(look: LegendAppearance = {}, rows: number): ResolvedAppearance {
  const size = clampNumber(look.fontSize ?? FONT_PIXELS, 1, MAX_FONT_PIXELS);
  const slant = look.isItalic ? 'italic ' : '';
  const family = selectFontFamily([look.fontName ?? 'sans']);
  return {
    font: `${slant}${look.isBold ? 'bold ' : ''}${size}px "${family}"`,
    titleFont: `${slant}bold ${size}px "${family}"`,
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
