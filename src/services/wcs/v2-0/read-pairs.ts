/** Parses WCS requests from key-value pairs. */

import { problem } from '../../../lib/problems/problem.ts';
import type { Parameters } from '../../ows/parameters.ts';
import { findSentText, readParameter, rejectUnsupported, requireParameter } from '../../ows/service-parameters.ts';
import { findOperation } from '../coverage/protocol.ts';
import type { Scaling } from '../coverage/subset.ts';
import {
  coverageParameters,
  describeCoverageParameters,
  scalingParameters,
  wcsCapabilitiesParameters,
  wcsOperations,
} from './parameters.ts';
import type { WcsRequest } from './request.ts';

export function readPairs(parameters: Parameters): WcsRequest {
  switch (findOperation(parameters, 'WCS 2.0.1')) {
    case 'GetCapabilities':
      return {
        kind: 'GetCapabilities',
        sections: readParameter(parameters, wcsCapabilitiesParameters.sections),
        updateSequence: readParameter(parameters, wcsCapabilitiesParameters.updateSequence),
      };
    case 'DescribeCoverage':
      return { kind: 'DescribeCoverage', ids: requireParameter(parameters, describeCoverageParameters.coverageId) };
    case 'GetCoverage':
      return readGetCoverage(parameters, requireParameter(parameters, coverageParameters.coverageId));
  }
}

function readGetCoverage(parameters: Parameters, id: string): WcsRequest {
  rejectUnsupported(wcsOperations.GetCoverage, parameters);
  return {
    kind: 'GetCoverage',
    id,
    subsets: readParameter(parameters, coverageParameters.subset),
    subsettingCrs: readParameter(parameters, coverageParameters.subsettingCrs),
    outputCrs: readParameter(parameters, coverageParameters.outputCrs),
    scaling: readScaling(parameters),
    range: readParameter(parameters, coverageParameters.rangeSubset),
    interpolation: readParameter(parameters, coverageParameters.interpolation),
    format: readParameter(parameters, coverageParameters.format),
    isMultipart: readParameter(parameters, coverageParameters.mediaType),
    isPacked: readParameter(parameters, coverageParameters.compression),
  };
}

function readScaling(parameters: Parameters): readonly Scaling[] {
  const given = Object.values(scalingParameters).filter((each) => findSentText(parameters, each) !== undefined);
  const [first, other] = given;
  if (first === undefined) return [];
  if (other !== undefined) {
    throw problem('ows-parameters-exclusive', { parameters: given.map(({ name }) => name), field: other.name });
  }
  return readParameter(parameters, first);
}
