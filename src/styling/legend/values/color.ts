/** Converts the colours of a style for the renderer. */
import { parseColor, type Rgb } from '../../../lib/values/parse-color.ts';
import type { Expression, Fill } from '../../model/model.ts';
import { sampleOpacity, sampleValue } from './sample-value.ts';

export function sampleColor(expression: Expression | undefined, byDefault: Rgb): Rgb {
  const value = sampleValue(expression);
  return (typeof value === 'string' ? parseColor(value) : undefined) ?? byDefault;
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
