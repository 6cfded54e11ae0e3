/** The colours of classes. */
import { parseColor, type Rgb } from '../../lib/values/parse-color.ts';

export const rampNames = ['red', 'blue', 'gray', 'jet', 'random', 'custom'] as const;
export type RampName = (typeof rampNames)[number];

export interface ColorRamp {
  readonly name: RampName;
  /** For a custom ramp: the colours as sent. */
  readonly start?: string | undefined;
  readonly mid?: string | undefined;
  readonly end?: string | undefined;
  /** For a custom ramp: all its colours, instead of a start and an end. */
  readonly colors: readonly string[];
  readonly isReversed: boolean;
}

/** The darkest and lightest component of the ramps of one hue. */
const [DARKEST, LIGHTEST] = [30, 254];

const jetStops = ['#0000FF', '#FFFF00', '#FF0000'];

/** Returns a colour `#RRGGBB` for each class. The colours of the ramp must be valid. */
export function createColors(ramp: ColorRamp, count: number): readonly string[] {
  const colors = createForwardColors(ramp, count).map(formatColor);
  return ramp.isReversed ? colors.toReversed() : colors;
}

function createForwardColors({ name, start, mid, end, colors }: ColorRamp, count: number): readonly Rgb[] {
  switch (name) {
    case 'red':
      return createHues(count).map((each) => [each, 0, 0]);
    case 'blue':
      return createHues(count).map((each) => [0, 0, each]);
    case 'gray':
      return createHues(count).map((each) => [each, each, each]);
    case 'jet':
      return interpolateColors(jetStops.map(toRgb), count, 'reached');
    case 'random':
      return Array.from({ length: count }, (_, index) => createDistinctColor(index));
    case 'custom':
      return colors.length > 0
        ? interpolateColors(colors.map(toRgb), count, 'reached')
        : interpolateColors(
            [start, mid, end].flatMap((each) => (each === undefined ? [] : [toRgb(each)])),
            count,
            'not reached',
          );
  }
}

function createHues(count: number): readonly number[] {
  const step = Math.floor((LIGHTEST - DARKEST) / (count + 1));
  return Array.from({ length: count }, (_, index) => DARKEST + (index + 1) * step);
}

/** A start and an end have as many steps as there are classes, as in other servers, so that the end is not reached. */
function interpolateColors(stops: readonly Rgb[], count: number, end: 'reached' | 'not reached'): readonly Rgb[] {
  if (end === 'reached' && stops.length === count) return stops;
  const steps = end === 'reached' ? Math.max(1, count - 1) : count;
  return Array.from({ length: count }, (_, index) => {
    const position = (index / steps) * (stops.length - 1);
    const below = Math.min(Math.floor(position), stops.length - 1);
    const from = stops[below] ?? [0, 0, 0];
    const to = stops[Math.min(below + 1, stops.length - 1)] ?? from;
    const mix = (channel: 0 | 1 | 2) => Math.round(from[channel] + (to[channel] - from[channel]) * (position - below));
    return [mix(0), mix(1), mix(2)];
  });
}

/** Hues that differ by the golden angle: no two neighbours are alike, and repeated requests return the same colours. */
function createDistinctColor(index: number): Rgb {
  const hue = (index * 137.508) % 360;
  const channel = (offset: number): number => {
    const position = (offset + hue / 30) % 12;
    return Math.round(255 * (0.5 - 0.35 * Math.max(-1, Math.min(position - 3, 9 - position, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Parses `#RRGGBB`, `0xRRGGBB`, `RRGGBB` or a name; returns `#RRGGBB`, or undefined. */
export function readRampColor(text: string): string | undefined {
  const bare = text.trim().replace(/^0x/i, '#');
  const color = parseColor(bare) ?? parseColor(`#${bare}`);
  return color && formatColor(color);
}

function toRgb(color: string): Rgb {
  return parseColor(color) ?? [0, 0, 0];
}

function formatColor(color: Rgb): string {
  return `#${color.map((each) => each.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}
