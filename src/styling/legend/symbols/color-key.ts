/** Draws a colour map as a list of colours with labels, if there is space. */

import { fontFamilies } from '../../fonts/font-registry.ts';
import { NORMAL_WEIGHT } from '../../fonts/font-weight.ts';
import type { ColorMapType } from '../../model/model.ts';
import type { Box, Drawing } from '../canvas/drawing.ts';
import { createTypefaceStyle, selectFonts } from '../text/fonts.ts';
import { findTypeface } from '../text/typeface.ts';
import { black, formatCssColor } from '../values/color.ts';
import type { ColorStop } from '../values/color-stops.ts';

const fontPixels = 10;
const linePixels = 13;
const barPixels = 20;
const gapPixels = 4;
/** Less space than this is not enough for a number. */
const minLabelPixels = 30;
const maxLabelCharacters = 60;

/** Returns false without drawing if the labels do not fit. */
export function drawColorKey(drawing: Drawing, box: Box, type: ColorMapType, stops: readonly ColorStop[]): boolean {
  const hasRoom = box.width >= barPixels + gapPixels + minLabelPixels && box.height >= linePixels * stops.length;
  if (!hasRoom || stops.every(({ label }) => label === '')) return false;
  const row = box.height / stops.length;
  if (type === 'ramp' && stops.length > 1) drawRamp(drawing, box, stops, row);
  else drawBoxes(drawing, stops, row);
  drawWords(drawing, stops, row);
  return true;
}

/** Each colour is exact at the position of its label. */
function drawRamp({ context }: Drawing, box: Box, stops: readonly ColorStop[], row: number): void {
  const gradient = context.createLinearGradient(0, row / 2, 0, box.height - row / 2);
  for (const [index, { color, opacity }] of stops.entries())
    gradient.addColorStop(index / (stops.length - 1), formatCssColor(color, opacity));
  context.fillStyle = gradient;
  context.fillRect(0, 0, barPixels, box.height);
}

function drawBoxes({ context }: Drawing, stops: readonly ColorStop[], row: number): void {
  for (const [index, { color, opacity }] of stops.entries()) {
    context.fillStyle = formatCssColor(color, opacity);
    context.fillRect(0, index * row + 1, barPixels, row - 2);
  }
}

function drawWords({ context, library }: Drawing, stops: readonly ColorStop[], row: number): void {
  const style = createTypefaceStyle(selectFonts([fontFamilies.sans]), { weight: NORMAL_WEIGHT, isItalic: false });
  const typeface = findTypeface(library, style);
  context.fillStyle = formatCssColor(black, 1);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  for (const [index, { label }] of stops.entries()) {
    const words = label.slice(0, maxLabelCharacters).toWellFormed();
    typeface.setFont(context, fontPixels, words);
    context.fillText(words, barPixels + gapPixels, (index + 0.5) * row);
  }
}
