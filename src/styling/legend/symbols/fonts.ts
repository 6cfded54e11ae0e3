/** Chooses among the fonts that are always there. */
import type { Expression, Font, VendorOption } from '../../model/model.ts';
import { type DrawingContext, fontFamilies } from '../canvas/canvas.ts';
import { sampleNumber, sampleValue, sampleWord } from '../values/sample-value.ts';

const monoNames = /mono|courier|consol|typewriter|fixed|code/;
const serifNames = /times|georgia|garamond|palatino|cambria|roman|book|serif/;

/** The nearest of our families; a serif one where the style names none. */
export function selectFontFamily(names: readonly (string | undefined)[]): string {
  const name = names.find((each) => each !== undefined && each.trim() !== '')?.toLowerCase();
  if (name === undefined) return fontFamilies.serif;
  if (monoNames.test(name)) return fontFamilies.mono;
  return serifNames.test(name) && !name.includes('sans') ? fontFamilies.serif : fontFamilies.sans;
}

/** The font as the renderer wants it, in a size of pixels. */
export function formatCssFont(font: Font | undefined, sizePixels: number): string {
  const style = sampleWord(font?.style);
  const italic = style === 'italic' || style === 'oblique' ? 'italic ' : '';
  const bold = isBold(font?.weight) ? 'bold ' : '';
  const family = selectFontFamily((font?.families ?? []).map((each) => readFamilyName(each)));
  return `${italic}${bold}${sizePixels}px "${family}"`;
}

/** How letters and words are set apart, and the lines along them, as vendor options of a label say. */
export interface LetterStyle {
  /** Beyond what the font has; in pixels, both 0 by default. */
  readonly letterSpacing: number;
  readonly wordSpacing: number;
  readonly isUnderlined: boolean;
  readonly isStruckThrough: boolean;
}

/** `factor` is how many pixels a written one has. */
export function readLetterStyle(options: readonly VendorOption[] | undefined, factor: number): LetterStyle {
  const findOption = (name: string) => options?.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value;
  return {
    letterSpacing: sampleNumber(findOption('charSpacing'), 0) * factor,
    wordSpacing: sampleNumber(findOption('wordSpacing'), 0) * factor,
    isUnderlined: sampleWord(findOption('underlineText')) === 'true',
    isStruckThrough: sampleWord(findOption('strikethroughText')) === 'true',
  };
}

/** The context measures and writes with it from now on. */
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
 * Of the size of a font: where the middles of the lines are, down from the middle of a line of text, and how thick they are. A
 * line through letters is where all of our fonts have it, whose letters stand on a line 0.26 below that middle.
 */
const UNDERLINE = { middle: 0.45, thickness: 0.07 };
const STRIKE = { middle: 0.026, thickness: 0.05 };

/** Lines along a text that is that wide, with its middle at the place. */
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

/** A family that depends on the feature is some family. */
function readFamilyName(expression: Expression): string {
  const value = sampleValue(expression);
  return typeof value === 'string' ? value : fontFamilies.sans;
}
