/** Formats problems as WMTS exception reports, also for the other tile services, which define none. */
import type { Problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';

const codes: Partial<Record<ProblemCode, string>> = {
  'ows-parameter-missing': 'MissingParameterValue',
  'ows-parameter-invalid': 'InvalidParameterValue',
  'ows-parameter-ambiguous': 'InvalidParameterValue',
  'ows-operation-unknown': 'OperationNotSupported',
  'ows-option-unsupported': 'OptionNotSupported',
  'ows-version-unknown': 'VersionNegotiationFailed',
  'ows-service-unknown': 'InvalidParameterValue',
  'tile-layer-unknown': 'InvalidParameterValue',
  'tile-style-unknown': 'InvalidParameterValue',
  'tile-format-unknown': 'InvalidParameterValue',
  'tile-grid-unknown': 'InvalidParameterValue',
  'tile-box-unaligned': 'InvalidParameterValue',
  'tile-out-of-range': 'TileOutOfRange',
  'tile-outside-extent': 'TileOutOfRange',
  'wms-point-invalid': 'PointIJOutOfRange',
};

export function createWmtsReport(problem: Problem): {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
} {
  const { field } = problem.details;
  const locator = field === undefined ? '' : ` locator="${escapeAttribute(field)}"`;
  return {
    status: problem.status,
    contentType: 'text/xml;charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>
<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1" version="1.1.0">
  <ows:Exception exceptionCode="${selectExceptionCode(problem)}"${locator}>
    <ows:ExceptionText>${escapeText(problem.message)}</ows:ExceptionText>
  </ows:Exception>
</ows:ExceptionReport>
`,
  };
}

function selectExceptionCode({ code, status, details }: Problem): string {
  if (code === 'ows-update-sequence') {
    return details['isCurrent'] === true ? 'CurrentUpdateSequence' : 'InvalidUpdateSequence';
  }
  // A client error with a field is an InvalidParameterValue.
  const isOfValue = status === 400 && details.field !== undefined;
  return codes[code] ?? (isOfValue ? 'InvalidParameterValue' : 'NoApplicableCode');
}
