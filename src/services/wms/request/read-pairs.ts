/** Parses WMS requests from key-value pairs. */

import { type Problem, problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { type IsKnown, splitNameList } from '../../ows/name-lists.ts';
import { type Parameters, toOptionalProperty } from '../../ows/parameters.ts';
import { findSentText, readParameter, requireParameter } from '../../ows/service-parameters.ts';
import { findSupportedVersion, negotiateVersion, requireVersion } from '../../ows/versions.ts';
import {
  describeLayerParameters,
  legendParameters,
  mapParameters,
  stylesParameters,
  wmsCapabilitiesParameters,
} from './parameters.ts';
import { readFeatureInfo } from './read-feature-info.ts';
import { readMap, readMapWithDefaults, readSentStyle, splitStyles } from './read-map.ts';
import {
  type GetLegendGraphicRequest,
  type GetMapRequest,
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
  const operation = requireParameter(parameters, mapParameters.request).toLowerCase();
  if (operation === 'getcapabilities' || operation === 'capabilities') return readGetCapabilities(parameters);
  // Both operations have versions of their own, independent of the service version.
  const sentVersion = readParameter(parameters, mapParameters.version);
  const version =
    operation === 'getlegendgraphic' || operation === 'getstyles'
      ? (findSupportedVersion(wmsVersions, sentVersion ?? '') ?? '1.3.0')
      : requireVersion(wmsVersions, sentVersion);
  switch (listOperations(version).find((each) => each.toLowerCase() === operation)) {
    case 'GetMap':
      return {
        kind: 'GetMap',
        version,
        map: await readMap(parameters, version, limits, knownFor('GetMap')),
        format: requireParameter(parameters, mapParameters.format),
      };
    case 'GetFeatureInfo':
      return readFeatureInfo(parameters, version, limits, knownFor('GetFeatureInfo'));
    case 'GetLegendGraphic':
      return readGetLegendGraphic(parameters, version, limits, knownFor('GetLegendGraphic'));
    case 'DescribeLayer':
      return {
        kind: 'DescribeLayer',
        version,
        layers: await splitNameList(
          requireParameter(parameters, describeLayerParameters.layers),
          knownFor('DescribeLayer'),
        ),
        ...toOptionalProperty('outputFormat', readParameter(parameters, describeLayerParameters.outputFormat)),
      };
    case 'GetStyles':
      return {
        kind: 'GetStyles',
        version,
        layers: await splitNameList(requireParameter(parameters, stylesParameters.layers), knownFor('GetStyles')),
        ...toOptionalProperty('sldVersion', readParameter(parameters, stylesParameters.sldVer)),
      };
    default:
      throw createOperationProblem(requireParameter(parameters, mapParameters.request), version);
  }
}

/** Parses a request of `/wms/reflect` or `/wms/kml`, with defaults for most parameters. */
export async function readReflection(
  parameters: Parameters,
  limits: DocumentLimits,
  knownFor: LayerLookup,
  defaultFormat = 'image/png',
): Promise<GetMapRequest> {
  const version = requireVersion(wmsVersions, readParameter(parameters, mapParameters.version) ?? '1.1.1');
  return {
    kind: 'GetMap',
    version,
    map: await readMapWithDefaults(parameters, limits, knownFor('GetMap')),
    format: readParameter(parameters, mapParameters.format) ?? defaultFormat,
  };
}

function readGetCapabilities(parameters: Parameters): WmsRequest {
  const { acceptVersions, version, updateSequence, namespace } = wmsCapabilitiesParameters;
  return {
    kind: 'GetCapabilities',
    version: negotiateVersion(wmsVersions, {
      version: readParameter(parameters, version),
      acceptVersions: readParameter(parameters, acceptVersions),
    }),
    ...toOptionalProperty('updateSequence', readParameter(parameters, updateSequence)),
    ...toOptionalProperty('namespace', readParameter(parameters, namespace)),
  };
}

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
  const isStrict = readParameter(parameters, legendParameters.strict);
  const isNamed = findSentText(parameters, legendParameters.layers) !== undefined;
  const isAlone = !isNamed && sentStyle !== undefined && !isStrict;
  const layers = isAlone ? [] : await splitNameList(requireParameter(parameters, legendParameters.layers), isKnown);
  if ((layers.length === 0 && !isAlone) || layers.length > MAX_LEGENDS) {
    throw problem('ows-option-unsupported', {
      what: `A legend of ${layers.length} layers`,
      instead: `request 1 to ${MAX_LEGENDS}`,
      field: 'layer',
    });
  }
  const styles = splitStyles(readParameter(parameters, legendParameters.styles) ?? '', layers.length);
  return {
    kind: 'GetLegendGraphic',
    version,
    layers,
    styles: layers.map((_, index) => styles[index] || undefined),
    ...toOptionalProperty('sentStyle', sentStyle),
    format: isStrict
      ? requireParameter(parameters, legendParameters.format)
      : (readParameter(parameters, legendParameters.format) ?? 'image/png'),
    width: readParameter(parameters, legendParameters.width),
    height: readParameter(parameters, legendParameters.height),
    ...toOptionalProperty('rule', readParameter(parameters, legendParameters.rule)),
    ...toOptionalProperty('scale', readParameter(parameters, legendParameters.scale)),
    isTransparent: readParameter(parameters, legendParameters.transparent),
    options: readParameter(parameters, legendParameters.legendOptions),
    ...(findSentText(parameters, legendParameters.bbox) !== undefined
      ? { map: await readMapWithDefaults(selectMapParameters(parameters), limits, isKnown) }
      : {}),
  };
}

/** The size of a legend is that of its samples; the size of its map has parameters of its own. */
function selectMapParameters(parameters: Parameters): Parameters {
  const selected = new Map(parameters);
  for (const { keys } of [mapParameters.sld, mapParameters.sldBody]) for (const key of keys) selected.delete(key);
  for (const [side, source] of [
    [mapParameters.width, legendParameters.srcWidth],
    [mapParameters.height, legendParameters.srcHeight],
  ] as const) {
    const sent = findSentText(parameters, source);
    for (const key of side.keys) {
      if (sent === undefined) selected.delete(key);
      else selected.set(key, sent);
    }
  }
  return selected;
}

type Operation = WmsRequest['kind'];

const common: readonly Operation[] = ['GetCapabilities', 'GetMap', 'GetFeatureInfo', 'GetLegendGraphic', 'GetStyles'];

/** DescribeLayer moved to another standard in 1.3.0, which clients do not use. */
function listOperations(version: WmsVersion): readonly Operation[] {
  return version === '1.1.1' ? [...common, 'DescribeLayer'] : common;
}

function createOperationProblem(operation: string, version: WmsVersion): Problem {
  return problem('ows-operation-unknown', {
    operation,
    service: `WMS ${version}`,
    operations: listOperations(version),
    field: operation,
  });
}
