/** Parses WMS requests from key-value pairs. */

import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { type IsKnown, splitNameList } from '../../ows/name-lists.ts';
import { type Parameters, readList, readOptions, requireParameter, toOptionalProperty } from '../../ows/parameters.ts';
import { findSupportedVersion, negotiateVersion, requireVersion } from '../../ows/versions.ts';
import { createOperationProblem, listOperations, type Operation } from './operations.ts';
import { readFeatureInfo } from './read-feature-info.ts';
import { readMap, readMapWithDefaults, readSentStyle, splitStyles } from './read-map.ts';
import {
  type GetLegendGraphicRequest,
  type GetMapRequest,
  type SldVersion,
  type WmsRequest,
  type WmsVersion,
  wmsVersions,
} from './request.ts';

/** Returns a lookup of layer names that are visible for an operation. */
export type LayerLookup = (operation: Operation) => IsKnown;

export async function readPairs(
  parameters: Parameters,
  limits: DocumentLimits,
  knownFor: LayerLookup,
): Promise<WmsRequest> {
  const expected = 'expected the name of an operation such as GetCapabilities';
  const operation = requireParameter(parameters, 'request', expected).toLowerCase();
  if (operation === 'getcapabilities' || operation === 'capabilities') return readGetCapabilities(parameters);
  // Both operations have versions of their own, independent of the service version.
  const version =
    operation === 'getlegendgraphic' || operation === 'getstyles'
      ? (findSupportedVersion(wmsVersions, parameters.get('version') ?? '') ?? '1.3.0')
      : requireVersion(wmsVersions, parameters.get('version') ?? parameters.get('wmtver'));
  switch (listOperations(version).find((each) => each.toLowerCase() === operation)) {
    case 'GetMap':
      return {
        kind: 'GetMap',
        version,
        map: await readMap(parameters, version, limits, knownFor('GetMap')),
        format: requireParameter(parameters, 'format', 'expected a format such as image/png'),
      };
    case 'GetFeatureInfo':
      return readFeatureInfo(parameters, version, limits, knownFor('GetFeatureInfo'));
    case 'GetLegendGraphic':
      return readGetLegendGraphic(parameters, version, limits, knownFor('GetLegendGraphic'));
    case 'DescribeLayer':
      return {
        kind: 'DescribeLayer',
        version,
        layers: await splitNameList(readLayerNames(parameters), knownFor('DescribeLayer')),
        ...toOptionalProperty('outputFormat', parameters.get('output_format') ?? parameters.get('outputformat')),
      };
    case 'GetStyles':
      return {
        kind: 'GetStyles',
        version,
        layers: await splitNameList(readLayerNames(parameters), knownFor('GetStyles')),
        ...toOptionalProperty('sldVersion', readSldVersion(parameters.get('sldver'))),
      };
    default:
      throw createOperationProblem(parameters.get('request') ?? '', version);
  }
}

function readLayerNames(parameters: Parameters): string {
  return requireParameter(parameters, 'layers', 'expected the names of layers');
}

function readSldVersion(text: string | undefined): SldVersion | undefined {
  if (text === undefined || text === '1.0.0' || text === '1.1.0') return text;
  const expected = 'expected 1.0.0 or 1.1.0';
  throw problem('ows-parameter-invalid', { parameter: 'sldVer', value: text, expected, field: 'sldVer' });
}

/** Parses a request of `/wms/reflect`, with defaults for most parameters. */
export async function readReflection(
  parameters: Parameters,
  limits: DocumentLimits,
  knownFor: LayerLookup,
): Promise<GetMapRequest> {
  const version = requireVersion(wmsVersions, parameters.get('version') ?? '1.1.1');
  return {
    kind: 'GetMap',
    version,
    map: await readMapWithDefaults(parameters, limits, knownFor('GetMap')),
    format: parameters.get('format') ?? 'image/png',
  };
}

function readGetCapabilities(parameters: Parameters): WmsRequest {
  const acceptVersions = readList(parameters.get('acceptversions') ?? '');
  const version = parameters.get('version') ?? parameters.get('wmtver');
  return {
    kind: 'GetCapabilities',
    version: negotiateVersion(wmsVersions, { version, acceptVersions }),
    ...toOptionalProperty('updateSequence', parameters.get('updatesequence')),
    ...toOptionalProperty('namespace', parameters.get('namespace')),
  };
}

/** The default size of a legend sample. */
const SAMPLE_PIXELS = 20;
const MAX_SAMPLE_PIXELS = 1_024;

/** The maximum number of layers of a legend. */
const MAX_LEGENDS = 20;

async function readGetLegendGraphic(
  parameters: Parameters,
  version: WmsVersion,
  limits: DocumentLimits,
  isKnown: IsKnown,
): Promise<GetLegendGraphicRequest> {
  const sentStyle = readSentStyle(parameters);
  // With a sent style and strict=false, the layer and the format are optional.
  const isStrict = parameters.get('strict')?.toLowerCase() !== 'false';
  const named = parameters.get('layer') ?? parameters.get('layers');
  const isAlone = named === undefined && sentStyle !== undefined && !isStrict;
  const expected = 'expected the name of a layer';
  const layers = isAlone ? [] : await splitNameList(named ?? requireParameter(parameters, 'layers', expected), isKnown);
  if ((layers.length === 0 && !isAlone) || layers.length > MAX_LEGENDS) {
    throw problem('ows-option-unsupported', {
      what: `A legend of ${layers.length} layers`,
      instead: `request 1 to ${MAX_LEGENDS}`,
      field: 'layer',
    });
  }
  const styles = splitStyles(parameters.get('style') ?? parameters.get('styles') ?? '', layers.length);
  return {
    kind: 'GetLegendGraphic',
    version,
    layers,
    styles: layers.map((_, index) => styles[index] || undefined),
    ...toOptionalProperty('sentStyle', sentStyle),
    format: isStrict
      ? requireParameter(parameters, 'format', 'expected a format such as image/png')
      : (parameters.get('format') ?? 'image/png'),
    width: readPixels(parameters, 'width') ?? SAMPLE_PIXELS,
    height: readPixels(parameters, 'height') ?? SAMPLE_PIXELS,
    ...toOptionalProperty('rule', parameters.get('rule')),
    ...toOptionalProperty('scale', readScale(parameters.get('scale'))),
    isTransparent: parameters.get('transparent')?.toLowerCase() === 'true',
    options: readOptions(parameters.get('legend_options')),
    ...(parameters.has('bbox')
      ? { map: await readMapWithDefaults(selectMapParameters(parameters), limits, isKnown) }
      : {}),
  };
}

/** The size of a legend is that of its samples; the size of its map has parameters of its own. */
function selectMapParameters(parameters: Parameters): Parameters {
  const [width, height] = [parameters.get('srcwidth'), parameters.get('srcheight')];
  const others = [...parameters].filter(([name]) => !['width', 'height', 'sld', 'sld_body'].includes(name));
  return new Map([
    ...others,
    ...Object.entries({ ...toOptionalProperty('width', width), ...toOptionalProperty('height', height) }),
  ]);
}

function readPixels(parameters: Parameters, parameter: 'width' | 'height'): number | undefined {
  const text = parameters.get(parameter);
  if (text === undefined) return undefined;
  const pixels = /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : 0;
  if (pixels < 1 || pixels > MAX_SAMPLE_PIXELS) {
    const expected = `expected an integer from 1 to ${MAX_SAMPLE_PIXELS} (pixels)`;
    throw problem('ows-parameter-invalid', { parameter, value: text, expected, field: parameter });
  }
  return pixels;
}

function readScale(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const scale = Number(text);
  if (!(scale > 0) || !Number.isFinite(scale)) {
    const expected = 'expected a scale denominator greater than 0';
    throw problem('ows-parameter-invalid', { parameter: 'scale', value: text, expected, field: 'scale' });
  }
  return scale;
}
