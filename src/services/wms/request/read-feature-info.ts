/** Parses GetFeatureInfo: the map, the pixel and the queried layers. */

import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { type IsKnown, splitNameList } from '../../ows/name-lists.ts';
import { type Parameters, toOptionalProperty } from '../../ows/parameters.ts';
import { expandPerQuery } from '../../ows/selection.ts';
import { readParameter, requireParameter } from '../../ows/service-parameters.ts';
import { featureInfoParameters } from './parameters.ts';
import { isAmongLayers, readMap } from './read-map.ts';
import type { GetFeatureInfoRequest, WmsVersion } from './request.ts';

/** The maximum number of features in a response. */
const MAX_FEATURES = 10_000;

export async function readFeatureInfo(
  parameters: Parameters,
  version: WmsVersion,
  limits: DocumentLimits,
  isKnown: IsKnown,
): Promise<GetFeatureInfoRequest> {
  const asked = requireParameter(parameters, featureInfoParameters.queryLayers);
  const map = await readMap(parameters, version, limits, isKnown);
  const layers = map.layers.map(({ name }) => name);
  const isOfMap: IsKnown = async (name) => isAmongLayers(layers, name);
  // Without layers in the request, the sent style determines them.
  const queryLayers = await splitNameList(asked, layers.length > 0 ? isOfMap : isKnown);
  const names = readParameter(parameters, featureInfoParameters.propertyName);
  return {
    kind: 'GetFeatureInfo',
    version,
    map,
    queryLayers,
    point: readPoint(parameters, version),
    ...toOptionalProperty('infoFormat', readParameter(parameters, featureInfoParameters.infoFormat)),
    featureCount: Math.min(readParameter(parameters, featureInfoParameters.featureCount) || 1, MAX_FEATURES),
    propertyNames: expandPerQuery('propertyName', names, queryLayers.length),
  };
}

/** Both versions accept both pairs of names. */
function readPoint(parameters: Parameters, version: WmsVersion): GetFeatureInfoRequest['point'] {
  const [x, y] = version === '1.3.0' ? (['i', 'j'] as const) : (['x', 'y'] as const);
  return {
    x: requireParameter(parameters, featureInfoParameters.i, x),
    y: requireParameter(parameters, featureInfoParameters.j, y),
  };
}
