/** Parses WCS requests from key-value pairs. */

import { problem } from '../../lib/problems/problem.ts';
import type { Parameters } from '../ows/parameters.ts';
import { findSentText, readParameter, rejectUnsupported, requireParameter } from '../ows/service-parameters.ts';
import { negotiateVersion } from '../ows/versions.ts';
import {
  coverageParameters,
  describeCoverageParameters,
  scalingParameters,
  wcsCapabilitiesParameters,
  wcsOperations,
} from './parameters.ts';
import { operations, type Scaling, type WcsRequest, wcsVersions } from './request.ts';

export function readPairs(parameters: Parameters): WcsRequest {
  const operation = requireParameter(parameters, coverageParameters.request);
  checkVersion(parameters);
  switch (operations.find((each) => each.toLowerCase() === operation.toLowerCase())) {
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
    case undefined:
      throw problem('ows-operation-unknown', { operation, service: 'WCS 2.0.1', operations, field: operation });
  }
}

/** 2.0.0 is the same on the wire. Parameters of older versions have other meanings. */
function checkVersion(parameters: Parameters): void {
  const accepted = readParameter(parameters, wcsCapabilitiesParameters.acceptVersions);
  const version = readParameter(parameters, wcsCapabilitiesParameters.version);
  const requested = accepted.length > 0 ? accepted : version === undefined ? [] : [version];
  if (requested.length === 0 || requested.some((each) => /^2(\.0)?(\.[01])?$/.test(each))) return;
  if (accepted.length > 0 || requested.some((each) => each.startsWith('1'))) {
    throw problem('wcs-version-unknown', {
      asked: requested,
      spoken: wcsVersions,
      field: accepted.length > 0 ? 'acceptVersions' : 'version',
    });
  }
  negotiateVersion(wcsVersions, { version });
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
