/**
 * Colour ramps that people with colour vision deficiencies can read: sequential ramps change their lightness in one
 * direction, diverging ones from the middle, and colours of categories differ in lightness or on the blue-yellow axis.
 * A test simulates the three deficiencies.
 */

export type RampKind = 'sequential' | 'diverging' | 'categories';

export interface Ramp {
  readonly id: string;
  readonly kind: RampKind;
  /** From the lowest value; between them, colours are interpolated. */
  readonly colors: readonly string[];
}

export const ramps: readonly Ramp[] = [
  { id: 'lagoon', kind: 'sequential', colors: ['#eef7e8', '#a5dbc5', '#4fb0bd', '#1f78ab', '#1b3f7d'] },
  { id: 'ember', kind: 'sequential', colors: ['#fff3d1', '#fdc979', '#f08a4b', '#c44a3d', '#76203d'] },
  { id: 'heather', kind: 'sequential', colors: ['#f5eff8', '#d3c0e3', '#a78cc9', '#7656a5', '#44266f'] },
  { id: 'moss', kind: 'sequential', colors: ['#f7f7dc', '#cfdc94', '#8db668', '#47854f', '#1c4c3c'] },
  { id: 'slate', kind: 'sequential', colors: ['#f3f5f7', '#c9d1d9', '#94a1ae', '#5f6f7e', '#2c3945'] },
  { id: 'dusk', kind: 'sequential', colors: ['#fdf0c2', '#f3b383', '#cf7a8e', '#82538f', '#33306b'] },
  { id: 'tide', kind: 'diverging', colors: ['#8c4a10', '#d99a52', '#f6eee2', '#6fadcf', '#1c5484'] },
  { id: 'plum', kind: 'diverging', colors: ['#5b2a78', '#ac8cc6', '#f4f2ee', '#b9c46a', '#5c6b10'] },
  {
    id: 'mosaic',
    kind: 'categories',
    colors: ['#1f5fa8', '#e1a135', '#83bef0', '#a23b2e', '#f0e392', '#4a3a6b', '#88a88c', '#edb8b8'],
  },
];

type Oklab = readonly [lightness: number, a: number, b: number];

/** Colours of equal distances along the ramp; categories beyond the ramp repeat. */
export function createColors({ colors, kind }: Ramp, count: number, isReversed = false): readonly string[] {
  const source = isReversed ? colors.toReversed() : colors;
  if (kind === 'categories') return Array.from({ length: count }, (_, index) => source[index % source.length] ?? '');
  return Array.from({ length: count }, (_, index) => interpolate(source, count === 1 ? 0.6 : index / (count - 1)));
}

function interpolate(colors: readonly string[], share: number): string {
  const place = share * (colors.length - 1);
  const index = Math.min(Math.floor(place), colors.length - 2);
  const [one, other] = [toOklab(colors[index] ?? ''), toOklab(colors[index + 1] ?? '')];
  const mix = (position: 0 | 1 | 2) => one[position] + (other[position] - one[position]) * (place - index);
  return fromOklab([mix(0), mix(1), mix(2)]);
}

/** The red, green and blue light of a colour, from 0 to 1. */
export function toLight(color: string): readonly [number, number, number] {
  const channel = (start: number) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** Distances in this colour space are those that people see. */
export function lightToOklab([red, green, blue]: readonly [number, number, number]): Oklab {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ];
}

function toOklab(color: string): Oklab {
  return lightToOklab(toLight(color));
}

function fromOklab([lightness, a, b]: Oklab): string {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const light = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
  return `#${light.map(formatChannel).join('')}`;
}

function formatChannel(light: number): string {
  const value = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(Math.max(0, Math.min(1, value)) * 255)
    .toString(16)
    .padStart(2, '0');
}
