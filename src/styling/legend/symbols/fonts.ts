/** Selects among the bundled fonts. */
import type { Expression, Font, VendorOption } from '../../model/model.ts';
import { type DrawingContext, fontFamilies } from '../canvas/canvas.ts';
import { sampleNumber, sampleValue, sampleWord } from '../values/sample-value.ts';

const monoNames = /mono|courier|consol|typewriter|fixed|code/;
const serifNames = /times|georgia|garamond|palatino|cambria|roman|book|serif/;

/** Returns the nearest bundled family; a serif one if the style names none. */
export function selectFontFamily(names: readonly (string | undefined)[]): string {
  const name = names.find((each) => each !== undefined && each.trim() !== '')?.toLowerCase();
  if (name === undefined) return fontFamilies.serif;
  if (monoNames.test(name)) return fontFamilies.mono;
  return serifNames.test(name) && !name.includes('sans') ? fontFamilies.serif : fontFamilies.sans;
}

/** Formats the font for the renderer, with its size in pixels. */
export function formatCssFont(font: Font | undefined, sizePixels: number): string {
  const style = sampleWord(font?.style);
  const italic = style === 'italic' || style === 'oblique' ? 'italic ' : '';
  const bold = isBold(font?.weight) ? 'bold ' : '';
  const family = selectFontFamily((font?.families ?? []).map((each) => readFamilyName(each)));
  return `${italic}${bold}${sizePixels}px "${family}"`;
}

/** The spacing and decoration of text, from the vendor options of a label. */
export interface LetterStyle {
  /** Additional spacing in pixels; 0 by default. */
  readonly letterSpacing: number;
  readonly wordSpacing: number;
  readonly isUnderlined: boolean;
  readonly isStruckThrough: boolean;
}

/** `factor` is the number of pixels per written pixel. */
export function readLetterStyle(options: readonly VendorOption[] | undefined, factor: number): LetterStyle {
  const findOption = (name: string) => options?.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value;
  return {
    letterSpacing: sampleNumber(findOption('charSpacing'), 0) * factor,
    wordSpacing: sampleNumber(findOption('wordSpacing'), 0) * factor,
    isUnderlined: sampleWord(findOption('underlineText')) === 'true',
    isStruckThrough: sampleWord(findOption('strikethroughText')) === 'true',
  };
}

/** Sets the font and spacing of the context. */
export function setLetterStyle(
  context: DrawingContext,
  font: Font | undefined,
  sizePixels: number,
  look: LetterStyle,
): void {
  context.font = formatCssFont(font, sizePixels);
  context.letterSpacing = `${look.letterSpacing}px`;
  context.wordSpacing = `${look.wordSpacing}px`;
}

/**
 * Relative to the font size: the distance of the line centres below the centre of the text line, and their thickness.
 * The strikeout position is that of the bundled fonts, whose baseline is 0.26 below the centre.
 */
const UNDERLINE = { middle: 0.45, thickness: 0.07 };
const STRIKE = { middle: 0.026, thickness: 0.05 };

/** Draws lines along a text of the given width, centred at the position. */
export function drawTextLines(
  context: DrawingContext,
  { isUnderlined, isStruckThrough }: LetterStyle,
  sizePixels: number,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): void {
  const drawTextLine = (line: typeof UNDERLINE): void => {
    const thickness = Math.max(1, sizePixels * line.thickness);
    context.fillRect(x - width / 2, y + sizePixels * line.middle - thickness / 2, width, thickness);
  };
  if (isUnderlined) drawTextLine(UNDERLINE);
  if (isStruckThrough) drawTextLine(STRIKE);
}

function isBold(weight: Expression | undefined): boolean {
  return sampleWord(weight)?.startsWith('bold') === true || sampleNumber(weight, 400) >= 600;
}

/** A family that depends on the feature is drawn as a sans-serif font. */
function readFamilyName(expression: Expression): string {
  const value = sampleValue(expression);
  return typeof value === 'string' ? value : fontFamilies.sans;
}
