/** Parses GetMap: layers, extent, size and appearance. */

import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { type IsKnown, splitNameList } from '../../ows/name-lists.ts';
import { type Parameters, readCount, readGroups, requireParameter, toOptionalProperty } from '../../ows/parameters.ts';
import { expandPerQuery, readSelections, readSortBy } from '../../ows/selection.ts';
import { readTypeNameOfId } from '../../wfs/request/request.ts';
import { readEscapedOptions, splitUnescaped } from './escaped-options.ts';
import { readAppearance, readInterpolations } from './read-appearance.ts';
import type { RequestedFrame, RequestedLayer, RequestedMap, SentStyle, WmsVersion } from './request.ts';

/** The maximum number of layers of a map. */
const MAX_LAYERS = 100;

/** The maximum width and height, regardless of the area. */
const MAX_SIDE = 100_000;

export async function readMap(
  parameters: Parameters,
  version: WmsVersion,
  limits: DocumentLimits,
  isKnown: IsKnown,
): Promise<RequestedMap> {
  const map = await readMapWithDefaults(parameters, limits, isKnown);
  const { frame } = map;
  if (map.layers.length === 0 && map.sentStyle === undefined) {
    throw problem('ows-parameter-missing', {
      parameter: 'layers',
      expected: 'expected the names of layers',
      field: 'layers',
    });
  }
  const system = version === '1.1.1' ? 'srs' : 'crs';
  if (frame.crs === undefined) {
    requireParameter(parameters, system, 'expected a coordinate reference system such as EPSG:4326');
  }
  requireParameter(parameters, 'bbox', 'expected four numbers');
  requireParameter(parameters, 'width', 'expected a number of pixels');
  requireParameter(parameters, 'height', 'expected a number of pixels');
  return map;
}

/** Does the same with defaults for absent parameters. */
export async function readMapWithDefaults(
  parameters: Parameters,
  limits: DocumentLimits,
  isKnown: IsKnown,
): Promise<RequestedMap> {
  const sentStyle = readSentStyle(parameters);
  return {
    layers: await readLayers(parameters, limits, isKnown),
    ...toOptionalProperty('sentStyle', sentStyle),
    frame: readFrame(parameters),
    ...readAppearance(parameters),
    dimensions: readDimensions(parameters),
    ...toOptionalProperty('buffer', readCount('buffer', parameters.get('buffer'))),
    ...toOptionalProperty('maxFeatures', readCount('maxFeatures', parameters.get('maxfeatures'))),
    ...toOptionalProperty('startIndex', readCount('startIndex', parameters.get('startindex'))),
  };
}

export function readSentStyle(parameters: Parameters): SentStyle | undefined {
  const text = parameters.get('sld_body');
  const url = parameters.get('sld');
  if (text !== undefined) return { kind: 'document', text };
  return url === undefined ? undefined : { kind: 'address', url };
}

async function readLayers(
  parameters: Parameters,
  limits: DocumentLimits,
  isKnown: IsKnown,
): Promise<readonly RequestedLayer[]> {
  const names = await splitNameList(parameters.get('layers') ?? parameters.get('layer') ?? '', isKnown);
  if (names.length > MAX_LAYERS) {
    throw problem('ows-option-unsupported', {
      what: `A map of ${names.length} layers`,
      instead: `request at most ${MAX_LAYERS}`,
      field: 'layers',
    });
  }
  const styles = readStyles(parameters.get('styles') ?? parameters.get('style') ?? '', names);
  const selections = await readSelections(
    {
      featureId: await readIds(parameters, names),
      filter: parameters.get('filter'),
      cql_filter: parameters.get('cql_filter'),
    },
    names.length,
    limits,
  );
  const orders = expandPerQuery('sortBy', readGroups(parameters.get('sortby') ?? '').map(readSortBy), names.length);
  const interpolations = readInterpolations(parameters.get('interpolations'), names.length);
  const views = readViewParameters(parameters.get('viewparams'), names.length);
  return names.map((name, place) => ({
    name,
    ...toOptionalProperty('style', styles[place]),
    selection: selections[place] ?? { kind: 'all' },
    sortBy: orders[place] ?? [],
    ...toOptionalProperty('interpolation', interpolations[place]),
    viewParameters: views[place] ?? new Map(),
  }));
}

/** Feature ids contain a comma if the layer name does. */
async function readIds(parameters: Parameters, layers: readonly string[]): Promise<readonly string[] | undefined> {
  const text = parameters.get('featureid') ?? parameters.get('resourceid');
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

/** One block of options per layer, separated by commas; a single block applies to all layers. */
function readViewParameters(text: string | undefined, layers: number): readonly ReadonlyMap<string, string>[] {
  if (text === undefined) return [];
  return expandPerQuery('viewparams', splitUnescaped(text, ',').map(readEscapedOptions), layers);
}

function readFrame(parameters: Parameters): RequestedFrame {
  const [srs, crs] = [parameters.get('srs'), parameters.get('crs')];
  if (srs !== undefined && crs !== undefined && srs !== crs) {
    throw problem('ows-parameter-ambiguous', { parameter: 'srs', field: 'srs' });
  }
  return {
    ...toOptionalProperty('crs', crs ?? srs),
    ...toOptionalProperty('corners', readCorners(parameters.get('bbox'))),
    ...toOptionalProperty('width', readSide('width', parameters.get('width'))),
    ...toOptionalProperty('height', readSide('height', parameters.get('height'))),
    ...toOptionalProperty('clip', parameters.get('clip')),
  };
}

function readCorners(text: string | undefined): RequestedFrame['corners'] {
  if (text === undefined) return undefined;
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [a, b, c, d] = numbers;
  const isBox = numbers.length === 4 && numbers.every(Number.isFinite);
  if (!isBox || a === undefined || b === undefined || c === undefined || d === undefined) {
    throw problem('wms-box-invalid', { box: text, expected: 'expected four numbers', field: 'bbox' });
  }
  if (a >= c || b >= d) {
    const expected = 'expected the lower corner before the upper corner, with an area greater than 0';
    throw problem('wms-box-invalid', { box: text, expected, field: 'bbox' });
  }
  return [a, b, c, d];
}

function readSide(parameter: 'width' | 'height', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const side = /^\s*\d{1,7}\s*$/.test(text) ? Number(text) : 0;
  if (side < 1 || side > MAX_SIDE) {
    const expected = `expected an integer from 1 to ${MAX_SIDE} (pixels)`;
    throw problem('ows-parameter-invalid', { parameter, value: text, expected, field: parameter });
  }
  return side;
}

function readDimensions(parameters: Parameters): ReadonlyMap<string, string> {
  const found = [...parameters].flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (name === 'time' || name === 'elevation') return [[name, value]];
    return name.startsWith('dim_') ? [[name.slice('dim_'.length), value]] : [];
  });
  return new Map(found);
}
