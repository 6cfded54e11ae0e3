/** Converts the colours of a style for the renderer. */
import { type Expression, type Fill, namedColors } from '../../model/model.ts';
import { sampleOpacity, sampleValue } from './sample-value.ts';

/** The longest colour name has twenty characters. */
const maxCharacters = 40;

/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

export function sampleColor(expression: Expression | undefined, byDefault: Rgb): Rgb {
  const value = sampleValue(expression);
  return (typeof value === 'string' ? parseColor(value) : undefined) ?? byDefault;
}

/** Parses `#RRGGBB`, `#RGB` or a name, in any case; returns undefined for other text. */
export function parseColor(text: string): Rgb | undefined {
  const written = text.slice(0, maxCharacters).trim().toLowerCase();
  const hex = (namedColors.get(written) ?? written).toLowerCase();
  const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(hex);
  const parts = short ? short.slice(1).map((digit) => digit + digit) : /^#(..)(..)(..)$/.exec(hex)?.slice(1);
  const [red, green, blue] = (parts ?? []).map((part) => (/^[\da-f]{2}$/.test(part) ? Number.parseInt(part, 16) : -1));
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return red < 0 || green < 0 || blue < 0 ? undefined : [red, green, blue];
}

export function formatCssColor([red, green, blue]: Rgb, opacity: number): string {
  return `rgba(${red}, ${green}, ${blue}, ${opacity})`;
}

export const black: Rgb = [0, 0, 0];
export const white: Rgb = [255, 255, 255];
export const gray: Rgb = [128, 128, 128];

/** Returns the colour of a fill, ignoring its graphics. */
export function formatFillColor(fill: Fill | undefined, byDefault: Rgb): string {
  return formatCssColor(sampleColor(fill?.color, byDefault), sampleOpacity(fill?.opacity));
}
