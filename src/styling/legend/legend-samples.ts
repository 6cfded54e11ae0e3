/** The samples of a legend with their labels: one for each rule, or for each colour of a colour map. */

import type { Rgb } from '../../lib/values/parse-color.ts';
import { findColorMapEntries, type RasterSymbolizer, type Rule } from '../model/model.ts';
import { type Box, type Drawing, drawIsolated } from './canvas/drawing.ts';
import type { LegendRow } from './legend-rows.ts';
import { drawSwatch, type SwatchSettings } from './symbols/swatch.ts';
import { formatCssColor } from './values/color.ts';
import { type ColorStop, listColorStops } from './values/color-stops.ts';
import { sampleOpacity } from './values/sample-value.ts';

export interface LegendSample {
  readonly label: string;
  /** The rule whose pictures must be loaded. */
  readonly rule: Rule | undefined;
  /** Draws into a box with its upper left corner at the origin. */
  readonly draw: (drawing: Drawing, box: Box) => void;
}

export function createSamples(
  rows: readonly LegendRow[],
  settings: SwatchSettings,
  listsColors: boolean,
): readonly LegendSample[] {
  return rows.flatMap((row): readonly LegendSample[] => {
    const colors = listsColors ? createColorSamples(row.rule) : [];
    if (colors.length > 0) return colors;
    const { rule, background, label } = row;
    return [{ label, rule, draw: (drawing, box) => drawSwatch(drawing, box, rule, { ...settings, background }) }];
  });
}

/** Returns an empty list if the rule has no colour map with entries. */
function createColorSamples({ symbolizers }: Rule): readonly LegendSample[] {
  const raster = symbolizers.find((each): each is RasterSymbolizer => each.kind === 'rasterSymbolizer');
  const entries = raster?.colorMap && findColorMapEntries(raster.colorMap);
  if (!entries) return [];
  const opacity = sampleOpacity(raster?.opacity);
  const stops = listColorStops(entries).map((stop) => ({ ...stop, opacity: stop.opacity * opacity }));
  return stops.map((stop, index) => ({
    label: stop.label,
    rule: undefined,
    draw: ({ context }, box) =>
      drawIsolated(context, () => {
        if (entries.type === 'ramp') {
          const gradient = context.createLinearGradient(0, 0, 0, box.height);
          gradient.addColorStop(0, mixColors(stops[index - 1] ?? stop, stop));
          gradient.addColorStop(0.5, formatCssColor(stop.color, stop.opacity));
          gradient.addColorStop(1, mixColors(stop, stops[index + 1] ?? stop));
          context.fillStyle = gradient;
        } else {
          context.fillStyle = formatCssColor(stop.color, stop.opacity);
        }
        context.fillRect(0, 0, box.width, box.height);
      }),
  }));
}

/** Returns the average of two colours, for the border between samples of a ramp. */
function mixColors(one: ColorStop, other: ColorStop): string {
  const mixed = one.color.map((part, index) => Math.round((part + (other.color[index] ?? part)) / 2));
  const [red = 0, green = 0, blue = 0] = mixed;
  const color: Rgb = [red, green, blue];
  return formatCssColor(color, (one.opacity + other.opacity) / 2);
}
