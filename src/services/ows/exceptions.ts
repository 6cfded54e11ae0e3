/** Formats problems as exception reports: XML of the requested version, or JSON on request. */
import type { Problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';

/** The XML dialects: those of WMS and WFS 1.0.0, OWS Common 1.0 (WFS 1.1.0) and OWS Common 1.1 (WFS 2.0.0). */
export type ReportVersion = 'wms-1.1.1' | 'wms-1.3.0' | '1.2.0' | '1.0.0' | '2.0.0';

export interface ReportStyle {
  readonly report: ReportVersion;
  /** The service version, which JSON reports contain. */
  readonly version: string;
  /**
   * The `exceptions` parameter; XML for unknown values. JSONP is not supported: pages of other origins could read
   * data with the credentials of the user.
   */
  readonly exceptions?: string | undefined;
  /** The namespace if it is not that of OWS Common 1.0 or 1.1. */
  readonly namespace?: string;
  /** The version attribute of the report if it differs from the name of the dialect. */
  readonly reportVersion?: string;
  /** The content type if it is not that of the dialect. */
  readonly contentType?: string;
  /** Set if client errors have status 200 although the dialect defines statuses. */
  readonly hasNoStatuses?: true;
  /** Codes that differ from those of the newest version of the service. */
  readonly codes?: Partial<Record<ProblemCode, string>>;
}

/** WCS 2.0.1 uses OWS Common 2.0, WCS 1.1 uses OWS Common 1.1, and WCS 1.0.0 has a report of its own. */
export function selectWcsReportStyle(requested: string | undefined): ReportStyle {
  if (requested?.startsWith('1.0') === true) {
    const contentType = 'application/vnd.ogc.se_xml;charset=utf-8';
    return { report: '1.2.0', version: '1.0.0', contentType, codes: codesOfWcs1 };
  }
  if (requested?.startsWith('1.1') === true) {
    const namespace = 'http://www.opengis.net/ows/1.1';
    return {
      report: '2.0.0',
      version: '1.1.1',
      namespace,
      reportVersion: '1.1.0',
      hasNoStatuses: true,
      codes: codesOfWcs1,
    };
  }
  return { report: '2.0.0', version: '2.0.1', namespace: 'http://www.opengis.net/ows/2.0' };
}

const codesOfWcs1: Partial<Record<ProblemCode, string>> = {
  'wcs-coverage-unknown': 'InvalidParameterValue',
  'wcs-axis-unknown': 'InvalidParameterValue',
  'wcs-band-unknown': 'InvalidParameterValue',
  'wcs-crs-unknown': 'InvalidParameterValue',
  'wcs-subset-invalid': 'InvalidParameterValue',
  'wcs-interpolation-unknown': 'InvalidParameterValue',
  'wcs-values-too-many': 'InvalidParameterValue',
  'wms-dimension-invalid': 'InvalidParameterValue',
};

export interface Report {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export function createReport(problem: Problem, style: ReportStyle): Report {
  const { report, version } = style;
  const status = selectStatus(problem, style);
  const code = style.codes?.[problem.code] ?? selectExceptionCode(problem, report);
  const locator = problem.details.field;
  const requestedFormat = style.exceptions?.replaceAll(' ', '').toLowerCase();
  if (requestedFormat === 'application/json' || requestedFormat === 'json') {
    const exception = { code, locator: locator ?? 'noLocator', text: problem.message };
    const body = JSON.stringify({ version, exceptions: [exception] });
    return { status, contentType: 'application/json;charset=utf-8', body };
  }
  return {
    status,
    contentType: style.contentType ?? contentTypes[report],
    body: writeXmlReport(style, code, locator, problem.message),
  };
}

const contentTypes: Readonly<Record<ReportVersion, string>> = {
  'wms-1.1.1': 'application/vnd.ogc.se_xml;charset=utf-8',
  'wms-1.3.0': 'text/xml;charset=utf-8',
  '1.2.0': 'text/xml;charset=utf-8',
  '1.0.0': 'application/xml;charset=utf-8',
  '2.0.0': 'application/xml;charset=utf-8',
};

/** The standards before WFS 2.0 define no statuses: client errors have status 200, which those clients expect. */
function selectStatus({ status, code }: Problem, { report, hasNoStatuses }: ReportStyle): number {
  const passesThrough = passThroughStatuses.has(status) || credentialProblems.has(code);
  const isMistake = status >= 400 && status < 500 && !passesThrough;
  if (!isMistake) return status;
  if (report !== '2.0.0' || hasNoStatuses) return 200;
  return status === 404 && !lockProblems.has(code) ? 404 : 400;
}

/** Statuses that do not concern the service: authentication, rate limits and size limits. */
const passThroughStatuses: ReadonlySet<number> = new Set([401, 403, 405, 408, 413, 415, 429, 431]);

const credentialProblems: ReadonlySet<string> = new Set(['credentials-ambiguous', 'authkey-page', 'view-as-invalid']);

/** A lock is a parameter of the request in WFS, and a resource elsewhere. */
const lockProblems: ReadonlySet<string> = new Set(['lock-unknown', 'lock-expired']);

const exceptionCodes: Partial<Record<ProblemCode, string>> = {
  'ows-parameter-missing': 'MissingParameterValue',
  'ows-parameter-invalid': 'InvalidParameterValue',
  'ows-parameter-ambiguous': 'InvalidParameterValue',
  'ows-parameters-exclusive': 'OperationProcessingFailed',
  'ows-operation-unknown': 'OperationNotSupported',
  'ows-option-unsupported': 'OptionNotSupported',
  'ows-version-unknown': 'VersionNegotiationFailed',
  'ows-request-unreadable': 'OperationParsingFailed',
  'ows-service-unknown': 'InvalidParameterValue',
  'filter-invalid': 'InvalidParameterValue',
  'attribute-not-sortable': 'InvalidParameterValue',
  'features-without-key': 'InvalidParameterValue',
  'features-not-in-crs': 'InvalidParameterValue',
  'features-not-writable': 'OperationNotSupported',
  'features-in-file': 'OperationNotSupported',
  'feature-service-read-only': 'OperationNotSupported',
  'attribute-not-writable': 'InvalidParameterValue',
  'data-rule-violated': 'OperationProcessingFailed',
  'wcs-coverage-unknown': 'NoSuchCoverage',
  'wcs-axis-unknown': 'InvalidAxisLabel',
  'wcs-band-unknown': 'NoSuchField',
  'wcs-version-unknown': 'VersionNegotiationFailed',
  'wcs-subset-invalid': 'InvalidSubsetting',
  'wcs-scale-factor-invalid': 'InvalidScaleFactor',
  'wcs-extent-invalid': 'InvalidExtent',
  'wcs-scale-axis-unknown': 'ScaleAxisUndefined',
  'wcs-interpolation-unknown': 'InterpolationMethodNotSupported',
  'wcs-format-unsuited': 'InvalidParameterValue',
  'wcs-values-too-many': 'InvalidSubsetting',
  'wms-layer-unknown': 'LayerNotDefined',
  'wms-layer-not-queryable': 'LayerNotQueryable',
  'wms-style-unknown': 'StyleNotDefined',
  'wms-format-unknown': 'InvalidFormat',
  'wms-box-invalid': 'InvalidBBox',
  'wms-map-too-large': 'InvalidParameterValue',
  'wms-layout-unknown': 'InvalidParameterValue',
  'wms-point-invalid': 'InvalidPoint',
  'wms-dimension-invalid': 'InvalidDimensionValue',
  'wms-styling-disabled': 'OperationNotSupported',
  'wfs-type-unknown': 'InvalidParameterValue',
  'wfs-schema-unknown': 'NotFound',
  'wfs-property-unknown': 'InvalidParameterValue',
  'wfs-join-too-large': 'OperationProcessingFailed',
  'wfs-feature-unknown': 'NotFound',
  'feature-locked': 'InvalidParameterValue',
  'lock-unknown': 'InvalidLockId',
  'lock-expired': 'LockHasExpired',
  'features-not-lockable': 'CannotLockAllFeatures',
  'features-to-lock-too-many': 'OperationProcessingFailed',
  'feature-locks-too-many': 'OperationProcessingFailed',
  'wfs-stored-query-unknown': 'InvalidParameterValue',
  'stored-query-exists': 'DuplicateStoredQueryIdValue',
  'stored-query-invalid': 'InvalidParameterValue',
  'stored-queries-too-many': 'OperationProcessingFailed',
  'name-illegal': 'InvalidParameterValue',
  'xml-malformed': 'OperationParsingFailed',
  'xml-doctype': 'OperationParsingFailed',
  'document-too-deep': 'OperationParsingFailed',
  'document-too-busy': 'OperationParsingFailed',
  'document-missing': 'OperationParsingFailed',
  'text-undecodable': 'OperationParsingFailed',
};

function selectExceptionCode({ code, details }: Problem, report: ReportVersion): string {
  if (code === 'wms-crs-unknown') return report === 'wms-1.1.1' ? 'InvalidSRS' : 'InvalidCRS';
  if (code === 'wcs-crs-unknown') {
    return details.field === 'subsettingCrs' ? 'SubsettingCrs-NotSupported' : 'OutputCrs-NotSupported';
  }
  if (code === 'ows-update-sequence') {
    return details['isCurrent'] === true ? 'CurrentUpdateSequence' : 'InvalidUpdateSequence';
  }
  return exceptionCodes[code] ?? 'NoApplicableCode';
}

function writeXmlReport(
  { report, namespace: own, reportVersion = report }: ReportStyle,
  code: string,
  locator: string | undefined,
  message: string,
): string {
  const text = escapeText(message);
  const where = locator === undefined ? '' : ` locator="${escapeAttribute(locator)}"`;
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (report === '1.2.0') {
    return `${head}<ServiceExceptionReport version="1.2.0" xmlns="http://www.opengis.net/ogc">
  <ServiceException code="${code}"${where}>${text}</ServiceException>
</ServiceExceptionReport>
`;
  }
  if (report === 'wms-1.1.1') {
    return `${head}<!DOCTYPE ServiceExceptionReport SYSTEM "http://schemas.opengis.net/wms/1.1.1/WMS_exception_1_1_1.dtd">
<ServiceExceptionReport version="1.1.1">
  <ServiceException code="${code}"${where}>${text}</ServiceException>
</ServiceExceptionReport>
`;
  }
  if (report === 'wms-1.3.0') {
    return `${head}<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">
  <ServiceException code="${code}"${where}>${text}</ServiceException>
</ServiceExceptionReport>
`;
  }
  const namespace = own ?? (report === '1.0.0' ? 'http://www.opengis.net/ows' : 'http://www.opengis.net/ows/1.1');
  return `${head}<ows:ExceptionReport xmlns:ows="${namespace}" version="${reportVersion}">
  <ows:Exception exceptionCode="${code}"${where}>
    <ows:ExceptionText>${text}</ows:ExceptionText>
  </ows:Exception>
</ows:ExceptionReport>
`;
}
