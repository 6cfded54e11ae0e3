/** Finds values without an effect, so that none is ignored without a warning. */

import { excerpt } from '../../../lib/text/excerpt.ts';
import { parseFlag } from '../../../lib/values/flag.ts';
import type { Parameters } from '../../ows/parameters.ts';
import { findSentText, listFormatOptionWarnings, rejectUnsupported } from '../../ows/service-parameters.ts';
import { mapFormatOptions, mapParameters, wmsOperations } from './parameters.ts';
import type { RequestedMap } from './request.ts';

/** Throws a Problem for parameters that would change the map, and returns warnings for values without an effect. */
export function listIneffectiveParameters(parameters: Parameters, map: RequestedMap): readonly string[] {
  rejectUnsupported(wmsOperations.GetMap, parameters);
  const transparent = findSentText(parameters, mapParameters.transparent);
  return [
    ...listFormatOptionWarnings(mapFormatOptions, map.formatOptions),
    ...(transparent === undefined || parseFlag(transparent) !== undefined
      ? []
      : [
          `Invalid value '${excerpt(transparent)}' of the parameter 'transparent': expected TRUE or FALSE. The map is not transparent.`,
        ]),
  ];
}
