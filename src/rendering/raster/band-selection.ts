/** Selects the bands of a coverage that a raster symbolizer shows, and their roles. */

import { evaluateExpression, toText } from '../../filter/evaluate/evaluate.ts';
import type { Band } from '../../raster/port/port.ts';
import type { Channel, ContrastEnhancement, RasterSymbolizer } from '../../styling/model/model.ts';
import type { DrawnBand } from '../request/map-request.ts';

/** The index of a band, counted from 0, and its contrast enhancement. */
export interface SelectedBand {
  readonly bandIndex: number;
  readonly contrast: ContrastEnhancement | undefined;
}

export type BandSelection =
  /** One band, coloured by a colour map or palette, or in shades of grey. */
  | { readonly kind: 'single'; readonly value: SelectedBand; readonly alpha: number | undefined }
  | {
      readonly kind: 'rgb';
      readonly red: SelectedBand;
      readonly green: SelectedBand;
      readonly blue: SelectedBand;
      /** The index of the opacity band, if the coverage has one. */
      readonly alpha: number | undefined;
    };

/**
 * Without a channel selection, uses the colour interpretation of the bands: red, green and blue, otherwise the first
 * three bands, otherwise the first.
 */
export function selectBands(symbolizer: RasterSymbolizer, bands: readonly DrawnBand[]): BandSelection | undefined {
  const { channelSelection: chosen, contrastEnhancement: contrast } = symbolizer;
  const alpha = findBandIndex(bands, 'alpha');
  if (chosen?.kind === 'grayChannel') {
    const value = resolveChannel(chosen.gray, bands, contrast);
    return value && { kind: 'single', value, alpha };
  }
  if (chosen?.kind === 'rgbChannels') {
    const [red, green, blue] = [chosen.red, chosen.green, chosen.blue].map((each) =>
      resolveChannel(each, bands, contrast),
    );
    return red && green && blue && { kind: 'rgb', red, green, blue, alpha };
  }
  const colors = bands.flatMap(({ colorInterpretation }, place) => (colorInterpretation === 'alpha' ? [] : [place]));
  const [first = 0, second, third] = colors;
  const isOne = symbolizer.colorMap !== undefined || second === undefined || third === undefined;
  if (bands.length === 0) return undefined;
  if (isOne) return { kind: 'single', value: { bandIndex: first, contrast }, alpha };
  const named = (['red', 'green', 'blue'] as const).map((color) => findBandIndex(bands, color));
  const [red = first, green = second, blue = third] = named.includes(undefined) ? [] : named;
  return {
    kind: 'rgb',
    red: { bandIndex: red, contrast },
    green: { bandIndex: green, contrast },
    blue: { bandIndex: blue, contrast },
    alpha,
  };
}

/** Returns the name of the first selected band that the coverage does not have. */
export function findMissingBand(
  { channelSelection: chosen }: RasterSymbolizer,
  bands: readonly DrawnBand[],
): string | undefined {
  if (chosen === undefined) return undefined;
  const channels = chosen.kind === 'grayChannel' ? [chosen.gray] : [chosen.red, chosen.green, chosen.blue];
  const missing = channels.find((channel) => resolveChannel(channel, bands, undefined) === undefined);
  return missing && readChannelName(missing);
}

/** Returns the indexes of all bands to read, without duplicates. */
export function listBandIndexes(shown: BandSelection): readonly number[] {
  const places =
    shown.kind === 'single'
      ? [shown.value.bandIndex]
      : [shown.red.bandIndex, shown.green.bandIndex, shown.blue.bandIndex];
  return [...new Set([...places, ...(shown.alpha === undefined ? [] : [shown.alpha])])];
}

function findBandIndex(bands: readonly DrawnBand[], interpretation: Band['colorInterpretation']): number | undefined {
  const place = bands.findIndex(({ colorInterpretation }) => colorInterpretation === interpretation);
  return place < 0 ? undefined : place;
}

function readChannelName({ sourceName }: Pick<Channel, 'sourceName'>): string {
  return toText(evaluateExpression(sourceName, {}) ?? '').trim();
}

/** Finds a band by its number, counted from 1, or by its name in the catalog or in the data. Returns undefined for an unknown band. */
function resolveChannel(
  { sourceName, contrastEnhancement }: Channel,
  bands: readonly DrawnBand[],
  ofAll: ContrastEnhancement | undefined,
): SelectedBand | undefined {
  const name = readChannelName({ sourceName });
  const number = /^\d{1,5}$/.test(name) ? Number(name) - 1 : -1;
  const isNamed = (text: string | undefined) => text?.toLowerCase() === name.toLowerCase();
  const byPublishedName = bands.findIndex(({ publishedName }) => isNamed(publishedName));
  const byName = byPublishedName < 0 ? bands.findIndex((band) => isNamed(band.name)) : byPublishedName;
  const place = bands[number] === undefined ? byName : number;
  return place < 0 ? undefined : { bandIndex: place, contrast: contrastEnhancement ?? ofAll };
}
