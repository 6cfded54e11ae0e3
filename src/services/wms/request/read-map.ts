/** Reads which map a client means: its layers, where it lies, how large it is, and all that changes how it is drawn. */

import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { type IsKnown, splitNameList } from '../../ows/name-lists.ts';
import { type Parameters, readCount, readGroups, requireParameter, toOptionalProperty } from '../../ows/parameters.ts';
import { expandPerQuery, readSelections, readSortBy } from '../../ows/selection.ts';
import { readTypeNameOfId } from '../../wfs/request/request.ts';
import { readEscapedOptions, splitUnescaped } from './escaped-options.ts';
import { readAppearance, readInterpolations } from './read-appearance.ts';
import type { RequestedFrame, RequestedLayer, RequestedMap, SentStyle, WmsVersion } from './request.ts';

/** More are nobody's map. */
const MAX_LAYERS = 100;

/** No side of a map is longer, whatever its area. */
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
      expected: 'names of layers were expected',
      field: 'layers',
    });
  }
  const system = version === '1.1.1' ? 'srs' : 'crs';
  if (frame.crs === undefined) {
    requireParameter(parameters, system, 'a coordinate reference system such as EPSG:4326 was expected');
  }
  requireParameter(parameters, 'bbox', 'four numbers were expected');
  requireParameter(parameters, 'width', 'a number of pixels was expected');
  requireParameter(parameters, 'height', 'a number of pixels was expected');
  return map;
}

/** The same where the server chooses whatever is missing. */
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
      instead: `ask for ${MAX_LAYERS} at most`,
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

/** Those of a layer with a comma in its name have one, too. */
async function readIds(parameters: Parameters, layers: readonly string[]): Promise<readonly string[] | undefined> {
  const text = parameters.get('featureid') ?? parameters.get('resourceid');
  if (text === undefined) return undefined;
  return splitNameList(text, async (id) => isAmongLayers(layers, readTypeNameOfId(id)?.local ?? ''));
}

/** Whether a name means one of several, with or without its workspace. */
export function isAmongLayers(layers: readonly string[], name: string): boolean {
  const bare = removeWorkspace(name);
  return layers.some((each) => removeWorkspace(each) === bare);
}

function removeWorkspace(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** One for each layer, empty for the default one; nothing but defaults fits whatever there is. */
function readStyles(text: string, layers: readonly string[]): readonly string[] {
  const styles = splitStyles(text, layers.length);
  if (styles.length === 0) return [];
  if (styles.length !== layers.length && layers.length > 0) {
    throw problem('wms-style-unknown', {
      style: text,
      layer: `${layers.join(',')}' of which there are ${layers.length}, and '${styles.length} styles`,
      field: 'styles',
    });
  }
  return styles;
}

/** None where there are but empty ones. Commas are part of the name where there is one layer to have a style. */
export function splitStyles(text: string, layers: number): readonly string[] {
  const styles = text.split(',').map((each) => each.trim());
  if (styles.every((each) => each === '')) return [];
  return layers === 1 ? [text.trim()] : styles;
}

/** A block of options for each layer, with commas between; one for all is taken where there is no other. */
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
    throw problem('wms-box-invalid', { box: text, expected: 'four numbers were expected', field: 'bbox' });
  }
  if (a >= c || b >= d) {
    const expected = 'the lower corner was expected before the upper one, and an area between them';
    throw problem('wms-box-invalid', { box: text, expected, field: 'bbox' });
  }
  return [a, b, c, d];
}

function readSide(parameter: 'width' | 'height', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const side = /^\s*\d{1,7}\s*$/.test(text) ? Number(text) : 0;
  if (side < 1 || side > MAX_SIDE) {
    const expected = `a whole number of pixels from 1 to ${MAX_SIDE} was expected`;
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
