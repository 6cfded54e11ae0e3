/** Builds raster symbolizers. */
import type { ColorMap, ColorMapType } from '../../model/color-map.ts';
import type {
  Channel,
  ChannelSelection,
  ContrastEnhancement,
  ContrastMethod,
  RasterSymbolizer,
} from '../../model/symbolizer.ts';
import {
  findExpression,
  findExpressions,
  findLiteralText,
  type PropertyLookup,
} from '../cascade/cascaded-properties.ts';
import { contrastOptions, rasterOptions } from '../values/vendor-properties.ts';
import { omitUndefined } from './omit-undefined.ts';
import { buildVendorOptions, toVendorOption } from './options.ts';

const methods: Readonly<Record<string, ContrastMethod>> = {
  normalize: 'normalize',
  histogram: 'histogram',
  logarithmic: 'logarithmic',
  exponential: 'exponential',
};

const colorMapTypes: Readonly<Record<string, ColorMapType>> = { intervals: 'intervals', values: 'values' };

export function buildRasterSymbolizer(_: number, own: PropertyLookup): RasterSymbolizer {
  const bands = findExpressions(own('raster-channels')) ?? [];
  const perChannel = isPerChannel(own, bands.length);
  return omitUndefined<RasterSymbolizer>({
    kind: 'rasterSymbolizer',
    geometry: findExpression(own('raster-geometry') ?? own('geometry')),
    vendorOptions: buildVendorOptions(own, rasterOptions, [toVendorOption('composite', own('raster-composite'))]),
    opacity: findExpression(own('raster-opacity')),
    channelSelection: buildChannelSelection(own, perChannel),
    colorMap: buildColorMap(own),
    contrastEnhancement: perChannel ? undefined : buildContrastEnhancement(own, 0),
  });
}

/** Returns whether each of three bands has a separate contrast or gamma. */
function isPerChannel(own: PropertyLookup, bands: number): boolean {
  const counts = [findExpressions(own('raster-contrast-enhancement')), findExpressions(own('raster-gamma'))];
  return bands === 3 && counts.some((values) => values?.length === 3);
}

function buildChannelSelection(own: PropertyLookup, perChannel: boolean): ChannelSelection | undefined {
  const [first, second, third] = (findExpressions(own('raster-channels')) ?? []).map((sourceName, index) =>
    omitUndefined<Channel>({
      sourceName,
      contrastEnhancement: perChannel ? buildContrastEnhancement(own, index) : undefined,
    }),
  );
  if (first === undefined) return undefined;
  return second === undefined || third === undefined
    ? { kind: 'grayChannel', gray: first }
    : { kind: 'rgbChannels', red: first, green: second, blue: third };
}

/** A single setting applies to each channel if another setting has three values. */
function buildContrastEnhancement(own: PropertyLookup, index: number): ContrastEnhancement | undefined {
  const selectValue = (property: string) => {
    const values = findExpressions(own(property)) ?? [];
    return values[values.length === 1 ? 0 : index];
  };
  const word = selectValue('raster-contrast-enhancement');
  const method = word?.kind === 'literal' ? methods[word.value] : undefined;
  const gamma = selectValue('raster-gamma');
  if (method === undefined && gamma === undefined) return undefined;
  return omitUndefined<ContrastEnhancement>({
    kind: 'contrastEnhancement',
    method,
    vendorOptions: method === undefined ? undefined : buildVendorOptions(own, contrastOptions),
    gamma,
  });
}

function buildColorMap(own: PropertyLookup): ColorMap | undefined {
  const value = own('raster-color-map');
  if (value?.kind !== 'colorMap') return undefined;
  const isExtended = findLiteralText(own('raster-color-map-extended')) === 'true';
  return omitUndefined<ColorMap>({
    kind: 'entries',
    type: colorMapTypes[findLiteralText(own('raster-color-map-type')) ?? ''] ?? 'ramp',
    extended: isExtended || undefined,
    entries: value.entries,
  });
}
