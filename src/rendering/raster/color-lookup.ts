/** Looks up the colour of a value in the colour map of a style or the palette of the data. */
import { readEcqlExpression } from '../../filter/ecql/ecql.ts';
import { evaluateExpression, toText } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { parseColor } from '../../lib/values/parse-color.ts';
import { type ColorMap, type ColorMapEntry, type EntryValue, findColorMapEntries } from '../../styling/model/model.ts';
import { bindVariables } from '../rules/bind-style.ts';

/** Red, green, blue and opacity, each 0 to 255, packed like a pixel; 0 for values that are not shown. */
export type ColorLookup = (value: number) => number;

export function createColorLookup(colorMap: ColorMap, variables: Readonly<Record<string, string>>): ColorLookup {
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
      return createRampLookup(stops, quantities);
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

type Rgba = readonly [red: number, green: number, blue: number, opacity: number];

interface Stop {
  readonly quantity: number;
  readonly rgba: Rgba;
}

function toStop(entry: ColorMapEntry, variables: Readonly<Record<string, string>>): Stop | undefined {
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

function toPixel([red, green, blue, opacity]: Rgba): number {
  return packPixel(red, green, blue, opacity);
}

/** The pixels of an image are little-endian: red is the lowest byte. */
function packPixel(red: number, green: number, blue: number, opacity: number): number {
  return (
    (((opacity + 0.5) << 24) | (((blue + 0.5) & 0xff) << 16) | (((green + 0.5) & 0xff) << 8) | ((red + 0.5) & 0xff)) >>>
    0
  );
}

/**
 * Values beyond the first and last quantity have the colour of that quantity. Neighbouring pixels mostly have values
 * between the same quantities, so the last one is tried first.
 */
function createRampLookup(stops: readonly Stop[], quantities: Float64Array): ColorLookup {
  const count = stops.length;
  if (count === 0) return () => 0;
  const colors = Float64Array.from(stops.flatMap(({ rgba }) => [...rgba]));
  const [first = 0, last = 0] = [quantities[0], quantities[count - 1]];
  const [below, beyond] = [stops[0], stops[count - 1]].map((stop) => (stop === undefined ? 0 : toPixel(stop.rgba)));
  let upper = 1;
  return (value) => {
    if (value < first) return below ?? 0;
    if (value >= last) return beyond ?? 0;
    if (Number.isNaN(value)) return 0;
    if (!((quantities[upper - 1] ?? 0) <= value && value < (quantities[upper] ?? 0)))
      upper = findFirstAbove(quantities, value);
    const low = quantities[upper - 1] ?? 0;
    const share = (value - low) / ((quantities[upper] ?? 0) - low);
    const from = (upper - 1) * 4;
    const to = upper * 4;
    const red = colors[from] ?? 0;
    const green = colors[from + 1] ?? 0;
    const blue = colors[from + 2] ?? 0;
    const opacity = colors[from + 3] ?? 0;
    return packPixel(
      red + ((colors[to] ?? 0) - red) * share,
      green + ((colors[to + 1] ?? 0) - green) * share,
      blue + ((colors[to + 2] ?? 0) - blue) * share,
      opacity + ((colors[to + 3] ?? 0) - opacity) * share,
    );
  };
}

/** Returns the index of the first quantity greater than the value; the number of quantities if none is greater. */
function findFirstAbove(quantities: Float64Array, value: number): number {
  let [low, high] = [0, quantities.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((quantities[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
