/** Chooses among the fonts that are always there. */
import type { Expression, Font } from '../model.ts';
import { fontFamilies } from './canvas.ts';
import { sampleNumber, sampleValue, sampleWord } from './sample-value.ts';

const monoNames = /mono|courier|consol|typewriter|fixed|code/;
const serifNames = /times|georgia|garamond|palatino|cambria|roman|book|serif/;

/** The nearest of our families; a serif one where the style names none. */
export function familyFor(names: readonly (string | undefined)[]): string {
  const name = names.find((each) => each !== undefined && each.trim() !== '')?.toLowerCase();
  if (name === undefined) return fontFamilies.serif;
  if (monoNames.test(name)) return fontFamilies.mono;
  return serifNames.test(name) && !name.includes('sans') ? fontFamilies.serif : fontFamilies.sans;
}

/** The font as the renderer wants it, in a size of pixels. */
export function cssFont(font: Font | undefined, sizePixels: number): string {
  const style = sampleWord(font?.style);
  const italic = style === 'italic' || style === 'oblique' ? 'italic ' : '';
  const bold = isBold(font?.weight) ? 'bold ' : '';
  const family = familyFor((font?.families ?? []).map((each) => textOf(each)));
  return `${italic}${bold}${sizePixels}px "${family}"`;
}

function isBold(weight: Expression | undefined): boolean {
  return sampleWord(weight)?.startsWith('bold') === true || sampleNumber(weight, 400) >= 600;
}

/** A family that depends on the feature is some family. */
function textOf(expression: Expression): string {
  const value = sampleValue(expression);
  return typeof value === 'string' ? value : fontFamilies.sans;
}
