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

/** The weight of the source or of the content below, computed from their opacities. */
type CompositeWeight = (source: number, below: number) => number;

interface CompositeWeights {
  readonly source: CompositeWeight;
  readonly below: CompositeWeight;
  /** Whether the content below stays where the source is transparent. */
  readonly isLocal: boolean;
}

const none: CompositeWeight = () => 0;
const full: CompositeWeight = () => 1;
const ofSource: CompositeWeight = (source) => source;
const ofBelow: CompositeWeight = (_, below) => below;
const besideSource: CompositeWeight = (source) => 1 - source;
const besideBelow: CompositeWeight = (_, below) => 1 - below;

const compositeWeights: ReadonlyMap<string, CompositeWeights> = new Map<string, CompositeWeights>([
  ['copy', { source: full, below: none, isLocal: false }],
  ['destination', { source: none, below: full, isLocal: true }],
  ['source-over', { source: full, below: besideSource, isLocal: true }],
  ['destination-over', { source: besideBelow, below: full, isLocal: true }],
  ['source-in', { source: ofBelow, below: none, isLocal: false }],
  ['destination-in', { source: none, below: ofSource, isLocal: false }],
  ['source-out', { source: besideBelow, below: none, isLocal: false }],
  ['destination-out', { source: none, below: besideSource, isLocal: true }],
  ['source-atop', { source: ofBelow, below: besideSource, isLocal: true }],
  ['destination-atop', { source: besideBelow, below: ofSource, isLocal: false }],
  ['xor', { source: besideBelow, below: besideSource, isLocal: true }],
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
  const weights = compositeWeights.get(mode);
  if (mix !== undefined) blendChannels(below, source, { mix, table: tabulateBlend(mode, mix), opacity });
  if (weights !== undefined) composite(below, source, weights, opacity);
}

/** The results for all pairs of opaque channels: the index is the source times 256, plus the channel below. */
const blendTables = new Map<string, Uint8Array>();

function tabulateBlend(mode: string, mix: ChannelBlend): Uint8Array {
  const known = blendTables.get(mode);
  if (known !== undefined) return known;
  const table = Uint8Array.from({ length: 65_536 }, (_, at) => mix((at >> 8) / 255, (at & 255) / 255) * 255 + 0.5);
  blendTables.set(mode, table);
  return table;
}

function blendChannels(
  below: Uint8Array,
  source: Uint8Array,
  { mix, table, opacity }: { readonly mix: ChannelBlend; readonly table: Uint8Array; readonly opacity: number },
): void {
  for (let at = 0; at < below.length; at += 4) {
    const sourceByte = source[at + 3] ?? 0;
    const belowByte = below[at + 3] ?? 0;
    if (sourceByte === 0) continue;
    if (sourceByte === 255 && belowByte === 255 && opacity === 1) {
      for (let channel = at; channel < at + 3; channel += 1)
        below[channel] = table[((source[channel] ?? 0) << 8) | (below[channel] ?? 0)] ?? 0;
      continue;
    }
    const sourceOpacity = (sourceByte / 255) * opacity;
    const belowOpacity = belowByte / 255;
    const both = sourceOpacity * belowOpacity;
    for (let channel = at; channel < at + 3; channel += 1) {
      const one = ((source[channel] ?? 0) / 255) * opacity;
      const other = (below[channel] ?? 0) / 255;
      const mixed = both === 0 ? 0 : mix(one / sourceOpacity, other / belowOpacity) * both;
      below[channel] = (one * (1 - belowOpacity) + other * (1 - sourceOpacity) + mixed) * 255 + 0.5;
    }
    below[at + 3] = (sourceOpacity + belowOpacity - both) * 255 + 0.5;
  }
}

function composite(below: Uint8Array, source: Uint8Array, weights: CompositeWeights, opacity: number): void {
  for (let at = 0; at < below.length; at += 4) {
    if (weights.isLocal && source[at + 3] === 0) continue;
    const sourceOpacity = ((source[at + 3] ?? 0) / 255) * opacity;
    const belowOpacity = (below[at + 3] ?? 0) / 255;
    const sourceShare = weights.source(sourceOpacity, belowOpacity) * opacity;
    const belowShare = weights.below(sourceOpacity, belowOpacity);
    for (let channel = at; channel < at + 3; channel += 1)
      below[channel] = (source[channel] ?? 0) * sourceShare + (below[channel] ?? 0) * belowShare + 0.5;
    below[at + 3] = (source[at + 3] ?? 0) * sourceShare + (below[at + 3] ?? 0) * belowShare + 0.5;
  }
}
