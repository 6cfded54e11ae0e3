/** Selects the exception format of a WMS client. */
import type { ReportStyle, ReportVersion } from '../../ows/exceptions.ts';
import type { Parameters } from '../../ows/parameters.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import { findSupportedVersion } from '../../ows/versions.ts';
import { mapParameters } from './parameters.ts';
import { type WmsVersion, wmsVersions } from './request.ts';

const reports: Readonly<Record<WmsVersion, ReportVersion>> = { '1.1.1': 'wms-1.1.1', '1.3.0': 'wms-1.3.0' };

/** Also works for invalid requests, by their version if they have one. */
export function selectReportStyle(parameters: Parameters): ReportStyle {
  const version = findSupportedVersion(wmsVersions, readParameter(parameters, mapParameters.version) ?? '') ?? '1.3.0';
  return { report: reports[version], version, exceptions: readParameter(parameters, mapParameters.exceptions) };
}
