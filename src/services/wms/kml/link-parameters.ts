/** The parameters that links in a KML document repeat, so that they show what was requested. */
import { splitUnescaped } from '../../ows/escaped-options.ts';
import { type Parameters, readGroups } from '../../ows/parameters.ts';
import { expandPerQuery, splitCql } from '../../ows/selection.ts';
import { findSentText, readParameter, type ServiceParameter } from '../../ows/service-parameters.ts';
import { kmlOptions, layerOptions, lookOptions, mapParameters } from '../request/parameters.ts';

/** How the values of parameters that have one for each layer are separated. */
const separators: ReadonlyMap<ServiceParameter<unknown>, (text: string) => readonly string[]> = new Map<
  ServiceParameter<unknown>,
  (text: string) => readonly string[]
>([
  [layerOptions.cqlFilter, splitCql],
  [layerOptions.filter, readGroups],
  [lookOptions.sortBy, readGroups],
  [lookOptions.interpolations, (text) => text.split(',')],
  [layerOptions.viewParams, (text) => splitUnescaped(text, ',')],
]);

const { sld, sldBody, buffer, startIndex } = mapParameters;
const { bgcolor, transparent, formatOptions, ...look } = lookOptions;
const shared = [...Object.values(look), ...Object.values(layerOptions), sld, sldBody, buffer, startIndex];

/** Returns the parameters of one of several layers, by their names. */
export function selectLayerParameters(
  parameters: Parameters,
  place: number,
  layers: number,
): Readonly<Record<string, string>> {
  const selected: Record<string, string> = {};
  for (const declared of shared) {
    const sent = findSentText(parameters, declared);
    const separate = layers === 1 ? undefined : separators.get(declared);
    const text =
      separate === undefined || sent === undefined ? sent : selectPart(declared, separate(sent), place, layers);
    if (text !== undefined && text !== '') selected[declared.name] = text;
  }
  const options = listFormatOptions(parameters).filter(([name]) => !isKmlOption(name));
  if (options.length > 0) selected[formatOptions.name] = options.map(([name, value]) => `${name}:${value}`).join(';');
  const { prefix = '' } = layerOptions.dimension;
  for (const [name, text] of parameters) if (name.startsWith(prefix)) selected[name] = text;
  return selected;
}

function selectPart(
  { name }: ServiceParameter<unknown>,
  parts: readonly string[],
  place: number,
  layers: number,
): string | undefined {
  return expandPerQuery(name, parts, layers)[place];
}

function listFormatOptions(parameters: Parameters): readonly (readonly [string, string])[] {
  return [...readParameter(parameters, formatOptions)];
}

const kmlKeys = new Set(Object.values(kmlOptions).flatMap(({ keys }) => keys));

function isKmlOption(name: string): boolean {
  return kmlKeys.has(name);
}

/** Returns the options of placemarks and tiles, by their names; the first document has the title and the legend. */
export function selectKmlParameters(parameters: Parameters): Readonly<Record<string, string>> {
  const { title, legend, superOverlay, ...options } = kmlOptions;
  const inFormat = new Map(listFormatOptions(parameters));
  return Object.fromEntries(
    Object.values(options).flatMap((declared) => {
      const sent = findSentText(parameters, declared) ?? findSentText(inFormat, declared);
      return sent === undefined ? [] : [[declared.name, sent]];
    }),
  );
}
