/** The background of a map that its styles define. */
import { evaluateExpression, toNumber, toText } from '../../filter/evaluate/evaluate.ts';
import { parseColor } from '../../lib/values/parse-color.ts';
import type { Fill } from '../../styling/model/model.ts';
import type { Color } from '../request/map-request.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { bindVariables } from '../rules/bind-style.ts';

/** The lowest layer whose style has a background decides. */
export function findStyleBackground({
  request,
  variables,
}: Pick<MapSettings, 'request' | 'variables'>): Color | undefined {
  for (const { style } of request.layers) {
    const color = style.background && evaluateBackground(bindVariables(style.background, variables));
    if (color !== undefined) return color;
  }
  return undefined;
}

function evaluateBackground({ color, opacity }: Fill): Color | undefined {
  const rgb = color && parseColor(toText(evaluateExpression(color, {}) ?? null));
  if (rgb === undefined) return undefined;
  const share = Math.min(1, Math.max(0, (opacity && toNumber(evaluateExpression(opacity, {}))) ?? 1));
  // An opaque map is white below a background that is not opaque.
  const mix = (channel: number): number => Math.round(255 + (channel - 255) * share);
  const [red, green, blue] = rgb;
  return { red: mix(red), green: mix(green), blue: mix(blue) };
}
