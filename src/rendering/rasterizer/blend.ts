/** How a group of a style is laid over what is below it: over it by default, or mixed with it in one of the ways that CSS and SVG know. */

/** Of a colour of the source and one of what is below, each from 0 to 1, not times the opacity. */
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

/** How much of the source and of what is below stays, by the opacities of both. */
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
  /** Of the group as a whole, from 0 to 1. */
  readonly opacity: number;
}

export const blendModes: readonly string[] = [...compositeWeights.keys(), ...channelBlends.keys()];

/** Such as `multiply` or `multiply, 0.5`; undefined for one that nobody knows. */
export function readBlend(text: string): Blend | undefined {
  const [mode = '', opacity = '1'] = text
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const share = Number(opacity);
  return blendModes.includes(mode) && share >= 0 && share <= 1 ? { mode, opacity: share } : undefined;
}

/** Both are bytes of pixels whose colours are times their opacity; the first of them is changed. */
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
