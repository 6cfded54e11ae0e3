/** Looks up the colour of a value in the colour map of a style or the palette of the data. */
import { readEcqlExpression } from '../../filter/ecql/ecql.ts';
import { evaluateExpression, toText } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { parseColor } from '../../lib/values/parse-color.ts';
import { type ColorMap, type ColorMapEntry, type EntryValue, findColorMapEntries } from '../../styling/model/model.ts';
import { bindVariables } from '../rules/bind-style.ts';
import { ColorRamp, type ColorStop, findFirstAbove, toPixel } from './color-ramp.ts';

/** Red, green, blue and opacity, each 0 to 255, packed like a pixel; 0 for values that are not shown. */
export type ColorLookup = (value: number) => number;

/** Ramps are painted without a lookup for each sample. */
export function createColorLookup(
  colorMap: ColorMap,
  variables: Readonly<Record<string, string>>,
): ColorLookup | ColorRamp {
  const map = findColorMapEntries(colorMap);
  if (map === undefined) return createComputedLookup(colorMap);
  const stops = map.entries.flatMap((entry) => toStop(entry, variables) ?? []).sort((a, b) => a.quantity - b.quantity);
  const quantities = Float64Array.from(stops, ({ quantity }) => quantity);
  switch (map.type) {
    case 'values': {
      const colors = new Map(stops.map(({ quantity, rgba }) => [quantity, toPixel(rgba)]));
      return (value) => colors.get(value) ?? 0;
    }
    case 'intervals': {
      const pixels = stops.map(({ rgba }) => toPixel(rgba));
      // Each colour applies below its quantity; values beyond the last one are transparent.
      return (value) => pixels[findFirstAbove(quantities, value)] ?? 0;
    }
    case 'ramp':
      return new ColorRamp(stops);
  }
}

/** Returns the label of the entry that colours a value, or of the nearest entry of a ramp. */
export function findEntryLabel(
  colorMap: ColorMap,
  variables: Readonly<Record<string, string>>,
  value: number,
): string | undefined {
  const map = findColorMapEntries(colorMap);
  const stops = (map?.entries ?? [])
    .flatMap((entry) => {
      const stop = toStop(entry, variables);
      return stop === undefined ? [] : [{ quantity: stop.quantity, label: entry.label }];
    })
    .sort((a, b) => a.quantity - b.quantity);
  switch (map?.type) {
    case 'values':
      return stops.find(({ quantity }) => quantity === value)?.label;
    case 'intervals':
      return stops.find(({ quantity }) => quantity > value)?.label;
    case 'ramp':
      return stops
        .map(({ quantity, label }) => ({ distance: Math.abs(quantity - value), label }))
        .reduce((nearest, each) => (each.distance < nearest.distance ? each : nearest), {
          distance: Number.POSITIVE_INFINITY,
          label: undefined,
        }).label;
    case undefined:
      return undefined;
  }
}

export function createPaletteLookup(palette: Uint8Array): ColorLookup {
  const pixels = new Uint32Array(Uint8Array.from(palette).buffer);
  return (value) => pixels[value] ?? 0;
}

function toStop(entry: ColorMapEntry, variables: Readonly<Record<string, string>>): ColorStop | undefined {
  const quantity = Number(evaluateEntryValue(entry.quantity, variables) || Number.NaN);
  const color = parseColor(evaluateEntryValue(entry.color, variables) ?? '');
  const opacity = Number(evaluateEntryValue(entry.opacity, variables) || 1);
  if (Number.isNaN(quantity) || color === undefined || Number.isNaN(opacity)) return undefined;
  return { quantity, rgba: [...color, Math.min(1, Math.max(0, opacity)) * 255] };
}

/** Evaluates the expression between `${` and `}`, such as `${env('low', 10)}`, without a feature. */
function evaluateEntryValue(
  value: EntryValue | undefined,
  variables: Readonly<Record<string, string>>,
): string | undefined {
  if (value === undefined || value.kind === 'literal') return value?.value;
  const outcome = readEcqlExpression(value.text.slice('${'.length, -'}'.length));
  if (outcome.kind === 'refused') return undefined;
  const computed = evaluateExpression(bindVariables(outcome.value, variables), {});
  return computed === undefined || computed === null ? undefined : toText(computed);
}

/** The name for the values of the raster in a function. */
const RASTER_DATA = 'rasterdata';

/** The number of cached colours: computing one is far slower than a lookup. */
const MAX_REMEMBERED = 100_000;

/** Evaluates a colour map function. Results that are no colours are not shown. */
function createComputedLookup(colorMap: ColorMap): ColorLookup {
  if (colorMap.kind === 'entries') return () => 0;
  const { arguments: parts } = colorMap.function;
  const looked = parts.map((part): Expression => {
    const isData = part.kind === 'literal' && part.value.trim().toLowerCase() === RASTER_DATA;
    return isData ? { kind: 'property', name: RASTER_DATA } : part;
  });
  const call: Expression = { ...colorMap.function, arguments: looked };
  const known = new Map<number, number>();
  return (value) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    const color = parseColor(toText(evaluateExpression(call, { [RASTER_DATA]: value }) ?? ''));
    const pixel = color === undefined ? 0 : toPixel([...color, 255]);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(value, pixel);
    return pixel;
  };
}
