/** Builds raster symbolizers. */
import type { ColorMap, ColorMapType } from '../../model/color-map.ts';
import type {
  Channel,
  ChannelSelection,
  ContrastEnhancement,
  ContrastMethod,
  RasterSymbolizer,
} from '../../model/symbolizer.ts';
import { contrastOptions, rasterOptions } from '../values/vendor-properties.ts';
import { expressionOf, expressionsOf, type Lookup, textOf } from './cascaded.ts';
import { optionOf, vendorOptionsOf } from './options.ts';
import { withoutUndefined } from './without-undefined.ts';

const methods: Readonly<Record<string, ContrastMethod>> = {
  normalize: 'normalize',
  histogram: 'histogram',
  logarithmic: 'logarithmic',
  exponential: 'exponential',
};

const colorMapTypes: Readonly<Record<string, ColorMapType>> = { intervals: 'intervals', values: 'values' };

export function rasterSymbolizer(_: number, own: Lookup): RasterSymbolizer {
  const bands = expressionsOf(own('raster-channels')) ?? [];
  const perChannel = isPerChannel(own, bands.length);
  return withoutUndefined<RasterSymbolizer>({
    kind: 'rasterSymbolizer',
    geometry: expressionOf(own('raster-geometry') ?? own('geometry')),
    vendorOptions: vendorOptionsOf(own, rasterOptions, [optionOf('composite', own('raster-composite'))]),
    opacity: expressionOf(own('raster-opacity')),
    channelSelection: channelSelection(own, perChannel),
    colorMap: colorMapOf(own),
    contrastEnhancement: perChannel ? undefined : enhancementOf(own, 0),
  });
}

/** Whether each of three bands has a contrast or gamma of its own. */
function isPerChannel(own: Lookup, bands: number): boolean {
  const counts = [expressionsOf(own('raster-contrast-enhancement')), expressionsOf(own('raster-gamma'))];
  return bands === 3 && counts.some((values) => values?.length === 3);
}

function channelSelection(own: Lookup, perChannel: boolean): ChannelSelection | undefined {
  const [first, second, third] = (expressionsOf(own('raster-channels')) ?? []).map((sourceName, index) =>
    withoutUndefined<Channel>({ sourceName, contrastEnhancement: perChannel ? enhancementOf(own, index) : undefined }),
  );
  if (first === undefined) return undefined;
  return second === undefined || third === undefined
    ? { kind: 'grayChannel', gray: first }
    : { kind: 'rgbChannels', red: first, green: second, blue: third };
}

/** A single setting is that of each channel where another has three. */
function enhancementOf(own: Lookup, index: number): ContrastEnhancement | undefined {
  const pick = (property: string) => {
    const values = expressionsOf(own(property)) ?? [];
    return values[values.length === 1 ? 0 : index];
  };
  const word = pick('raster-contrast-enhancement');
  const method = word?.kind === 'literal' ? methods[word.value] : undefined;
  const gamma = pick('raster-gamma');
  if (method === undefined && gamma === undefined) return undefined;
  return withoutUndefined<ContrastEnhancement>({
    kind: 'contrastEnhancement',
    method,
    vendorOptions: method === undefined ? undefined : vendorOptionsOf(own, contrastOptions),
    gamma,
  });
}

function colorMapOf(own: Lookup): ColorMap | undefined {
  const value = own('raster-color-map');
  if (value?.kind !== 'colorMap') return undefined;
  const isExtended = textOf(own('raster-color-map-extended')) === 'true';
  return withoutUndefined<ColorMap>({
    kind: 'entries',
    type: colorMapTypes[textOf(own('raster-color-map-type')) ?? ''] ?? 'ramp',
    extended: isExtended || undefined,
    entries: value.entries,
  });
}
