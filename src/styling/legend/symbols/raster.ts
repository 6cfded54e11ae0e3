/** Draws the sample of a raster: its colour map, its bands, or shades of grey. */

import { parseColor, type Rgb } from '../../../lib/values/parse-color.ts';
import { type ColorMap, type ColorMapType, findColorMapEntries, type RasterSymbolizer } from '../../model/model.ts';
import { type Box, type Drawing, drawIsolated } from '../canvas/drawing.ts';
import { black, formatCssColor, white } from '../values/color.ts';
import { type ColorStop, listColorStops } from '../values/color-stops.ts';
import { sampleOpacity } from '../values/sample-value.ts';
import { drawColorKey } from './color-key.ts';

const bands: readonly Rgb[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];

export function drawRaster(drawing: Drawing, box: Box, symbolizer: RasterSymbolizer): void {
  const { context } = drawing;
  drawIsolated(context, () => {
    const opacity = sampleOpacity(symbolizer.opacity);
    const [type, opaque] = selectColors(symbolizer);
    const stops = opaque.map((stop) => ({ ...stop, opacity: stop.opacity * opacity }));
    if (!drawColorKey(drawing, box, type, stops)) drawColors(drawing, box, type, stops);
  });
}

function selectColors({ colorMap, channelSelection }: RasterSymbolizer): readonly [ColorMapType, readonly ColorStop[]] {
  const colors = colorMap && listColors(colorMap);
  if (colors && colors[1].length > 0) return colors;
  if (channelSelection?.kind === 'rgbChannels')
    return ['values', bands.map((color) => ({ color, opacity: 1, label: '' }))];
  return ['ramp', [black, white].map((color) => ({ color, opacity: 1, label: '' }))];
}

function listColors(colorMap: ColorMap): readonly [ColorMapType, readonly ColorStop[]] {
  const entries = findColorMapEntries(colorMap);
  if (entries) return [entries.type, listColorStops(entries)];
  // Show the colours of a function without entries.
  const parts = colorMap.kind === 'colorFunction' ? colorMap.function.arguments : [];
  const colors = parts.map((part) => (part.kind === 'literal' ? parseColor(part.value) : undefined));
  return ['ramp', colors.filter((color) => color !== undefined).map((color) => ({ color, opacity: 1, label: '' }))];
}

/** Draws a gradient or stripes from left to right. */
function drawColors({ context }: Drawing, box: Box, type: ColorMapType, stops: readonly ColorStop[]): void {
  if (type !== 'ramp' || stops.length < 2) {
    const stripe = box.width / stops.length;
    for (const [index, { color, opacity }] of stops.entries()) {
      context.fillStyle = formatCssColor(color, opacity);
      context.fillRect(index * stripe, 0, stripe, box.height);
    }
    return;
  }
  const gradient = context.createLinearGradient(0, 0, box.width, 0);
  for (const [index, { color, opacity }] of stops.entries())
    gradient.addColorStop(index / (stops.length - 1), formatCssColor(color, opacity));
  context.fillStyle = gradient;
  context.fillRect(0, 0, box.width, box.height);
}
