/** How the labels of a legend look, and how its samples are laid out. */
import { familyFor } from './fonts.ts';

/** What somebody wishes; the usual where they say nothing. */
export interface LegendLook {
  /** The nearest of our fonts is taken. */
  readonly fontName?: string;
  /** In pixels. */
  readonly fontSize?: number;
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  /** `#rrggbb`. */
  readonly fontColor?: string;
  /** Whether rules are named, however many there are; by default where there are several. */
  readonly hasLabels?: boolean;
  /** Whether samples stand side by side, rather than one below the other. */
  readonly isHorizontal?: boolean;
}

export interface LookAtWork {
  readonly font: string;
  readonly linePixels: number;
  readonly fontColor: string;
  readonly hasLabels: boolean;
  readonly isHorizontal: boolean;
}

const FONT_PIXELS = 11;
const MAX_FONT_PIXELS = 200;
const SPACE_PIXELS = 3;

export function lookOf(look: LegendLook = {}, rows: number): LookAtWork {
  const size = Math.max(1, Math.min(look.fontSize ?? FONT_PIXELS, MAX_FONT_PIXELS));
  const style = `${look.isItalic ? 'italic ' : ''}${look.isBold ? 'bold ' : ''}`;
  return {
    font: `${style}${size}px "${familyFor([look.fontName ?? 'sans'])}"`,
    linePixels: Math.ceil(size) + SPACE_PIXELS,
    fontColor: look.fontColor ?? '#000000',
    hasLabels: look.hasLabels ?? rows > 1,
    isHorizontal: look.isHorizontal ?? false,
  };
}
