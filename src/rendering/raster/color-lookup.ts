/** The colour of a value: by the colour map of a style, or by the palette of the data. */
import { parseColor } from '../../styling/legend/color.ts';
import { type ColorMap, type ColorMapEntry, colorMapEntries, type EntryValue } from '../../styling/model.ts';

/** Red, green, blue and opacity, each 0 to 255, in one number as pixels have them; 0 for what is not shown. */
export type ColorLookup = (value: number) => number;

/** Undefined for a colour map that computes otherwise than by entries. */
export function lookupOf(colorMap: ColorMap, variables: Readonly<Record<string, string>>): ColorLookup | undefined {
  const map = colorMapEntries(colorMap);
  if (map === undefined) return undefined;
  const stops = map.entries.flatMap((entry) => stopOf(entry, variables) ?? []).sort((a, b) => a.quantity - b.quantity);
  const quantities = Float64Array.from(stops, ({ quantity }) => quantity);
  switch (map.type) {
    case 'values': {
      const colors = new Map(stops.map(({ quantity, rgba }) => [quantity, pixelOf(rgba)]));
      return (value) => colors.get(value) ?? 0;
    }
    case 'intervals': {
      const pixels = stops.map(({ rgba }) => pixelOf(rgba));
      // Each colour is for values below its quantity; beyond the last there is none.
      return (value) => pixels[firstAbove(quantities, value)] ?? 0;
    }
    case 'ramp':
      return (value) => rampColor(stops, quantities, value);
  }
}

export function paletteLookup(palette: Uint8Array): ColorLookup {
  const pixels = new Uint32Array(Uint8Array.from(palette).buffer);
  return (value) => pixels[value] ?? 0;
}

type Rgba = readonly [red: number, green: number, blue: number, opacity: number];

interface Stop {
  readonly quantity: number;
  readonly rgba: Rgba;
}

function stopOf(entry: ColorMapEntry, variables: Readonly<Record<string, string>>): Stop | undefined {
  const quantity = Number(writtenValue(entry.quantity, variables) || Number.NaN);
  const color = parseColor(writtenValue(entry.color, variables) ?? '');
  const opacity = Number(writtenValue(entry.opacity, variables) || 1);
  if (Number.isNaN(quantity) || color === undefined || Number.isNaN(opacity)) return undefined;
  return { quantity, rgba: [...color, Math.min(1, Math.max(0, opacity)) * 255] };
}

/** Entries have no expressions but for variables of the request: `${env('low', 10)}`. */
function writtenValue(value: EntryValue | undefined, variables: Readonly<Record<string, string>>): string | undefined {
  if (value === undefined || value.kind === 'literal') return value?.value;
  const called = /^\$\{\s*env\(\s*'([^']*)'\s*(?:,\s*(?:'([^']*)'|([^\s')]+))\s*)?\)\s*\}$/.exec(value.text);
  const [, name = '', text, word] = called ?? [];
  return (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? text ?? word;
}

function pixelOf([red, green, blue, opacity]: Rgba): number {
  const bytes = Uint8Array.of(red + 0.5, green + 0.5, blue + 0.5, opacity + 0.5);
  return new Uint32Array(bytes.buffer)[0] ?? 0;
}

/** Below the first and beyond the last quantity their colours go on. */
function rampColor(stops: readonly Stop[], quantities: Float64Array, value: number): number {
  const above = firstAbove(quantities, value);
  const upper = stops[Math.min(above, stops.length - 1)];
  const lower = stops[Math.max(above - 1, 0)];
  if (upper === undefined || lower === undefined) return 0;
  const span = upper.quantity - lower.quantity;
  const share = span > 0 ? (value - lower.quantity) / span : 0;
  const mixed = lower.rgba.map((part, index) => part + ((upper.rgba[index] ?? 0) - part) * share);
  return pixelOf([mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0, mixed[3] ?? 0]);
}

/** The place of the first quantity that is greater than the value; their number if none is. */
function firstAbove(quantities: Float64Array, value: number): number {
  let [low, high] = [0, quantities.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((quantities[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
