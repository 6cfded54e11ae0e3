/** Parses GetFeatureInfo: the map, the pixel and the queried layers. */

import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { type IsKnown, splitNameList } from '../../ows/name-lists.ts';
import { type Parameters, readCount, readLists, requireParameter, toOptionalProperty } from '../../ows/parameters.ts';
import { expandPerQuery } from '../../ows/selection.ts';
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
  const expected = 'expected the names of layers of the map';
  const asked = requireParameter(parameters, 'query_layers', expected);
  const map = await readMap(parameters, version, limits, isKnown);
  const layers = map.layers.map(({ name }) => name);
  const isOfMap: IsKnown = async (name) => isAmongLayers(layers, name);
  // Without layers in the request, the sent style determines them.
  const queryLayers = await splitNameList(asked, layers.length > 0 ? isOfMap : isKnown);
  const names = readLists(parameters.get('propertyname') ?? '').map((list) =>
    list.length === 0 || list.includes('*') ? undefined : list,
  );
  return {
    kind: 'GetFeatureInfo',
    version,
    map,
    queryLayers,
    point: readPoint(parameters, version),
    ...toOptionalProperty('infoFormat', parameters.get('info_format')),
    featureCount: Math.min(readCount('feature_count', parameters.get('feature_count')) || 1, MAX_FEATURES),
    propertyNames: expandPerQuery('propertyName', names, queryLayers.length),
  };
}

/** Both versions accept both pairs of names. */
function readPoint(parameters: Parameters, version: WmsVersion): GetFeatureInfoRequest['point'] {
  const [x, y] = version === '1.3.0' ? ['i', 'j'] : ['x', 'y'];
  const [column, row] = [parameters.get('i') ?? parameters.get('x'), parameters.get('j') ?? parameters.get('y')];
  if (column === undefined || row === undefined) {
    const parameter = (column === undefined ? x : y) ?? '';
    throw problem('ows-parameter-missing', {
      parameter,
      expected: 'expected a pixel of the map',
      field: parameter,
    });
  }
  return { x: column, y: row };
}
