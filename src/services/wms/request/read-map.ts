/** Parses GetMap: layers, extent, size and appearance. */

import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { languageVariable } from '../../../rendering/request/map-request.ts';
import { type IsKnown, splitNameList } from '../../ows/name-lists.ts';
import { type Parameters, toOptionalProperty } from '../../ows/parameters.ts';
import { expandPerQuery, readSelections } from '../../ows/selection.ts';
import { findSentText, readParameter, requireParameter } from '../../ows/service-parameters.ts';
import { expandViewParameters } from '../../ows/view-parameters.ts';
import { readTypeNameOfId } from '../../wfs/request/request.ts';
import { mapFormatOptions, mapParameters } from './parameters.ts';
import type { RequestedFrame, RequestedLayer, RequestedMap, SentStyle, WmsVersion } from './request.ts';

/** The maximum number of layers of a map. */
const MAX_LAYERS = 100;

export async function readMap(
  parameters: Parameters,
  version: WmsVersion,
  limits: DocumentLimits,
  isKnown: IsKnown,
): Promise<RequestedMap> {
  const map = await readMapWithDefaults(parameters, limits, isKnown);
  const { frame } = map;
  if (map.layers.length === 0 && map.sentStyle === undefined) {
    requireParameter(parameters, mapParameters.layers);
  }
  if (frame.crs === undefined) {
    requireParameter(parameters, mapParameters.crs, version === '1.1.1' ? 'srs' : 'crs');
  }
  requireParameter(parameters, mapParameters.bbox);
  requireParameter(parameters, mapParameters.width);
  requireParameter(parameters, mapParameters.height);
  return map;
}

/** Does the same with defaults for absent parameters. */
export async function readMapWithDefaults(
  parameters: Parameters,
  limits: DocumentLimits,
  isKnown: IsKnown,
): Promise<RequestedMap> {
  const sentStyle = readSentStyle(parameters);
  const layers = await readLayers(parameters, limits, isKnown);
  return {
    layers,
    ...toOptionalProperty('sentStyle', sentStyle),
    ...(layers.length > 0 || sentStyle === undefined
      ? {}
      : { readStyledLayers: (names) => readNamedLayers(parameters, names, limits) }),
    frame: readFrame(parameters),
    ...readAppearance(parameters),
    dimensions: readDimensions(parameters),
    ...toOptionalProperty('buffer', readParameter(parameters, mapParameters.buffer)),
    ...toOptionalProperty('maxFeatures', readParameter(parameters, mapParameters.maxFeatures)),
    ...toOptionalProperty('properties', readParameter(parameters, mapParameters.properties)),
    ...toOptionalProperty('startIndex', readParameter(parameters, mapParameters.startIndex)),
  };
}

export function readSentStyle(parameters: Parameters): SentStyle | undefined {
  const text = readParameter(parameters, mapParameters.sldBody);
  const url = readParameter(parameters, mapParameters.sld);
  if (text !== undefined) return { kind: 'document', text };
  return url === undefined ? undefined : { kind: 'address', url };
}

async function readLayers(
  parameters: Parameters,
  limits: DocumentLimits,
  isKnown: IsKnown,
): Promise<readonly RequestedLayer[]> {
  const names = await splitNameList(readParameter(parameters, mapParameters.layers) ?? '', isKnown);
  const styles = readStyles(readParameter(parameters, mapParameters.styles) ?? '', names);
  // The options of the layers of a style are read when their number is known.
  if (names.length === 0) return [];
  const layers = await readNamedLayers(parameters, names, limits);
  return layers.map((layer, place) => ({ ...layer, ...toOptionalProperty('style', styles[place]) }));
}

/** Reads the filter, the order and the other options of each layer. */
async function readNamedLayers(
  parameters: Parameters,
  names: readonly string[],
  limits: DocumentLimits,
): Promise<readonly RequestedLayer[]> {
  if (names.length > MAX_LAYERS) {
    throw problem('ows-option-unsupported', {
      what: `A map of ${names.length} layers`,
      instead: `request at most ${MAX_LAYERS}`,
      field: 'layers',
    });
  }
  const selections = await readSelections(
    {
      featureId: await readIds(parameters, names),
      filter: readParameter(parameters, mapParameters.filter),
      cql_filter: readParameter(parameters, mapParameters.cqlFilter),
    },
    names.length,
    limits,
  );
  const orders = expandPerQuery('sortBy', readParameter(parameters, mapParameters.sortBy), names.length);
  const interpolations = expandPerQuery(
    'interpolations',
    readParameter(parameters, mapParameters.interpolations),
    names.length,
  );
  const views = expandViewParameters(readParameter(parameters, mapParameters.viewParams), names.length);
  return names.map((name, place) => ({
    name,
    selection: selections[place] ?? { kind: 'all' },
    sortBy: orders[place] ?? [],
    ...toOptionalProperty('interpolation', interpolations[place]),
    viewParameters: views[place] ?? new Map(),
  }));
}

/** Feature ids contain a comma if the layer name does. */
async function readIds(parameters: Parameters, layers: readonly string[]): Promise<readonly string[] | undefined> {
  const text = readParameter(parameters, mapParameters.featureId);
  if (text === undefined) return undefined;
  return splitNameList(text, async (id) => isAmongLayers(layers, readTypeNameOfId(id)?.local ?? ''));
}

/** Compares names without their workspace. */
export function isAmongLayers(layers: readonly string[], name: string): boolean {
  const bare = removeWorkspace(name);
  return layers.some((each) => removeWorkspace(each) === bare);
}

function removeWorkspace(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** One per layer, empty for the default style; a list of empty names fits any number of layers. */
function readStyles(text: string, layers: readonly string[]): readonly string[] {
  const styles = splitStyles(text, layers.length);
  if (styles.length === 0) return [];
  if (styles.length !== layers.length && layers.length > 0) {
    throw problem('wms-style-unknown', {
      style: text,
      layer: `${layers.join(',')} (${styles.length} ${styles.length === 1 ? 'style' : 'styles'} for ${layers.length} layers)`,
      field: 'styles',
    });
  }
  return styles;
}

/** Returns an empty list if all names are empty. With one layer, commas are part of the style name. */
export function splitStyles(text: string, layers: number): readonly string[] {
  const styles = text.split(',').map((each) => each.trim());
  if (styles.every((each) => each === '')) return [];
  return layers === 1 ? [text.trim()] : styles;
}

function readFrame(parameters: Parameters): RequestedFrame {
  return {
    ...toOptionalProperty('crs', readParameter(parameters, mapParameters.crs)),
    ...toOptionalProperty('corners', readParameter(parameters, mapParameters.bbox)),
    ...toOptionalProperty('width', readParameter(parameters, mapParameters.width)),
    ...toOptionalProperty('height', readParameter(parameters, mapParameters.height)),
    ...toOptionalProperty('clip', readParameter(parameters, mapParameters.clip)),
  };
}

const dimensionKeys: ReadonlySet<string> = new Set([...mapParameters.time.keys, ...mapParameters.elevation.keys]);
const dimensionPrefix = mapParameters.dimension.prefix ?? '';

function readDimensions(parameters: Parameters): ReadonlyMap<string, string> {
  const found = [...parameters].flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (dimensionKeys.has(name)) return [[name, value]];
    return name.startsWith(dimensionPrefix) ? [[name.slice(dimensionPrefix.length), value]] : [];
  });
  return new Map(found);
}

type Appearance = Pick<
  RequestedMap,
  'isTransparent' | 'background' | 'environment' | 'formatOptions' | 'dpi' | 'palette' | 'hasTrueScale' | 'angle'
>;

/** Parses the appearance of a map besides its styles: background, resolution and rotation. */
function readAppearance(parameters: Parameters): Appearance {
  const formatOptions = readParameter(parameters, mapParameters.formatOptions);
  return {
    isTransparent: readParameter(parameters, mapParameters.transparent),
    ...(findSentText(parameters, mapParameters.bgcolor) === undefined
      ? {}
      : { background: readParameter(parameters, mapParameters.bgcolor) }),
    environment: readEnvironment(parameters),
    formatOptions,
    // Some clients send the parameters of three servers at the same time.
    ...toOptionalProperty(
      'dpi',
      readParameter(formatOptions, mapFormatOptions.parameters.dpi) ?? readParameter(parameters, mapParameters.dpi),
    ),
    ...toOptionalProperty('palette', readParameter(parameters, mapParameters.palette)),
    hasTrueScale: readParameter(parameters, mapParameters.scaleMethod) === 'accurate',
    angle: readParameter(parameters, mapParameters.angle),
  };
}

function readEnvironment(parameters: Parameters): ReadonlyMap<string, string> {
  const variables = readParameter(parameters, mapParameters.env);
  const language = readParameter(parameters, mapParameters.language);
  return language === undefined || language === '' ? variables : new Map([...variables, [languageVariable, language]]);
}
