/**
 * Composites a group of a style with the content below it: by default over it, or with a blend mode of CSS and SVG.
 */

/** Blends a channel of the source with the channel below. Both are straight values from 0 to 1. */
type ChannelBlend = (source: number, below: number) => number;

const channelBlends: ReadonlyMap<string, ChannelBlend> = new Map<string, ChannelBlend>([
  ['multiply', (source, below) => source * below],
  ['screen', (source, below) => source + below - source * below],
  ['overlay', (source, below) => blendHardLight(below, source)],
  ['darken', Math.min],
  ['lighten', Math.max],
  ['color-dodge', (source, below) => (below === 0 ? 0 : source >= 1 ? 1 : Math.min(1, below / (1 - source)))],
  ['color-burn', (source, below) => (below >= 1 ? 1 : source <= 0 ? 0 : 1 - Math.min(1, (1 - below) / source))],
  ['hard-light', blendHardLight],
  ['soft-light', blendSoftLight],
  ['difference', (source, below) => Math.abs(source - below)],
  ['exclusion', (source, below) => source + below - 2 * source * below],
]);

function blendHardLight(source: number, below: number): number {
  return source <= 0.5 ? 2 * source * below : 2 * source - 1 + below - (2 * source - 1) * below;
}

function blendSoftLight(source: number, below: number): number {
  if (source <= 0.5) return below - (1 - 2 * source) * below * (1 - below);
  const lifted = below <= 0.25 ? ((16 * below - 12) * below + 4) * below : Math.sqrt(below);
  return below + (2 * source - 1) * (lifted - below);
}

/** Returns the weights of the source and of the content below, computed from their opacities. */
type CompositeWeights = (source: number, below: number) => readonly [source: number, below: number];

const compositeWeights: ReadonlyMap<string, CompositeWeights> = new Map<string, CompositeWeights>([
  ['copy', () => [1, 0]],
  ['destination', () => [0, 1]],
  ['source-over', (source) => [1, 1 - source]],
  ['destination-over', (_, below) => [1 - below, 1]],
  ['source-in', (_, below) => [below, 0]],
  ['destination-in', (source) => [0, source]],
  ['source-out', (_, below) => [1 - below, 0]],
  ['destination-out', (source) => [0, 1 - source]],
  ['source-atop', (source, below) => [below, 1 - source]],
  ['destination-atop', (source, below) => [1 - below, source]],
  ['xor', (source, below) => [1 - below, 1 - source]],
]);

export interface Blend {
  readonly mode: string;
  /** The opacity of the whole group, from 0 to 1. */
  readonly opacity: number;
}

export const blendModes: readonly string[] = [...compositeWeights.keys(), ...channelBlends.keys()];

/** Returns whether a mode mixes colours, unlike those that only depend on opacities. */
export function isColorBlend({ mode }: Blend): boolean {
  return channelBlends.has(mode);
}

/** Parses a mode such as `multiply` or `multiply, 0.5`; returns undefined for an unknown mode. */
export function readBlend(text: string): Blend | undefined {
  const [mode = '', opacity = '1'] = text
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const share = Number(opacity);
  return blendModes.includes(mode) && share >= 0 && share <= 1 ? { mode, opacity: share } : undefined;
}

/** Both arrays are premultiplied pixels. Changes `below` in place. */
export function blend(below: Uint8Array, source: Uint8Array, { mode, opacity }: Blend): void {
  const mix = channelBlends.get(mode);
  const share = compositeWeights.get(mode);
  for (let at = 0; at < below.length; at += 4) {
    const sourceOpacity = ((source[at + 3] ?? 0) / 255) * opacity;
    const belowOpacity = (below[at + 3] ?? 0) / 255;
    const [keptSource, keptBelow] = share?.(sourceOpacity, belowOpacity) ?? [1 - belowOpacity, 1 - sourceOpacity];
    const both = mix === undefined ? 0 : sourceOpacity * belowOpacity;
    for (let channel = at; channel < at + 3; channel += 1) {
      const one = ((source[channel] ?? 0) / 255) * opacity;
      const other = (below[channel] ?? 0) / 255;
      const mixed = mix === undefined || both === 0 ? 0 : mix(one / sourceOpacity, other / belowOpacity) * both;
      below[channel] = (one * keptSource + other * keptBelow + mixed) * 255 + 0.5;
    }
    below[at + 3] = (sourceOpacity * keptSource + belowOpacity * keptBelow + both) * 255 + 0.5;
  }
}
