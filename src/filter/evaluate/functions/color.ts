/** Functions that compute colours. */
import { formatColor, parseColor, type Rgb } from '../../../lib/values/parse-color.ts';
import { toNumber } from '../values/style-value.ts';
import type { Arguments, StyleFunction, StyleFunctions } from './style-function.ts';

/** Hue 0 to 360, saturation and lightness 0 to 1. */
type Hsl = readonly [number, number, number];

export const colorFunctions: StyleFunctions = new Map<string, StyleFunction>([
  ['lighten', createHslFunction(([h, s, l], share) => [h, s, l + share])],
  ['darken', createHslFunction(([h, s, l], share) => [h, s, l - share])],
  ['saturate', createHslFunction(([h, s, l], share) => [h, s + share, l])],
  ['desaturate', createHslFunction(([h, s, l], share) => [h, s - share, l])],
  ['spin', spin],
  ['grayscale', grayscale],
  ['mix', mix],
  ['tint', ([color, share]) => mix(['#FFFFFF', color, share])],
  ['shade', ([color, share]) => mix(['#000000', color, share])],
  ['hsl', fromHslValues],
  ['colormap', writeRamp],
]);

/** Colours with the range of their values; without numbers, the range is that of the map. */
function writeRamp([colors, minimum, maximum]: Arguments): string | null | undefined {
  if (colors === undefined || colors === null) return colors;
  const [least, most] = [toNumber(minimum), toNumber(maximum)];
  return least === undefined || most === undefined ? String(colors) : `${colors}[${least},${most}]`;
}

/** Interpolates between two colours; returns undefined if one of them is not a colour. */
export function mixColors(from: string, to: string, share: number): string | undefined {
  const [a, b] = [parseColor(from), parseColor(to)];
  if (a === undefined || b === undefined) return undefined;
  return formatColor([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]);
}

/** `0.2` and `20%` both mean a fifth. */
function readShare(value: Arguments[number]): number | undefined {
  if (typeof value === 'string' && value.trim().endsWith('%')) {
    const percent = toNumber(value.trim().slice(0, -1));
    return percent === undefined ? undefined : percent / 100;
  }
  return toNumber(value);
}

function createHslFunction(change: (color: Hsl, share: number) => Hsl): StyleFunction {
  return ([color, amount]) => {
    const rgb = typeof color === 'string' ? parseColor(color) : undefined;
    const share = readShare(amount);
    if (rgb === undefined || share === undefined) return undefined;
    return formatColor(fromHsl(change(toHsl(rgb), share)));
  };
}

function spin([color, degrees]: Arguments): string | undefined {
  const rgb = typeof color === 'string' ? parseColor(color) : undefined;
  const turn = toNumber(degrees);
  if (rgb === undefined || turn === undefined) return undefined;
  const [h, s, l] = toHsl(rgb);
  return formatColor(fromHsl([h + turn, s, l]));
}

function grayscale([color]: Arguments): string | undefined {
  const rgb = typeof color === 'string' ? parseColor(color) : undefined;
  if (rgb === undefined) return undefined;
  const [h, , l] = toHsl(rgb);
  return formatColor(fromHsl([h, 0, l]));
}

/** `mix(one, other, share of the first)`. */
function mix([one, other, share]: Arguments): string | undefined {
  const weight = readShare(share);
  if (typeof one !== 'string' || typeof other !== 'string' || weight === undefined) return undefined;
  return mixColors(other, one, weight);
}

function fromHslValues([hue, saturation, lightness]: Arguments): string | undefined {
  const [h, s, l] = [toNumber(hue), readShare(saturation), readShare(lightness)];
  return h === undefined || s === undefined || l === undefined ? undefined : formatColor(fromHsl([h, s, l]));
}

function toHsl(rgb: Rgb): Hsl {
  const [r, g, b] = [rgb[0] / 255, rgb[1] / 255, rgb[2] / 255];
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const lightness = (most + least) / 2;
  const range = most - least;
  if (range === 0) return [0, 0, lightness];
  const saturation = range / (1 - Math.abs(2 * lightness - 1));
  const sixth = most === r ? (g - b) / range : most === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return [sixth * 60, saturation, lightness];
}

function fromHsl([hue, saturation, lightness]: Hsl): Rgb {
  const [s, l] = [Math.min(1, Math.max(0, saturation)), Math.min(1, Math.max(0, lightness))];
  const turn = ((hue % 360) + 360) % 360;
  const computeChannel = (offset: number): number => {
    const k = (offset + turn / 30) % 12;
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [computeChannel(0), computeChannel(8), computeChannel(4)];
}
