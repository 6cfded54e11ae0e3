/** Parses a message into a WFS request, and selects the exception format. */
import { findAttribute } from '../../../cascade/xml-elements.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import type { ReportStyle, ReportVersion } from '../../ows/exceptions.ts';
import type { Message } from '../../ows/message.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import { findSupportedVersion } from '../../ows/versions.ts';
import { featureParameters } from './parameters.ts';
import { readDocument, readVersion } from './read-document.ts';
import { type RequestLookups, readPairs } from './read-pairs.ts';
import { type WfsRequest, type WfsVersion, wfsVersions } from './request.ts';

export async function readWfsRequest(
  message: Message,
  limits: DocumentLimits,
  lookups: RequestLookups,
): Promise<WfsRequest> {
  return message.kind === 'pairs'
    ? readPairs(message.parameters, limits, lookups)
    : readDocument(message.root, message.scope, lookups.bindFor);
}

const reports: Readonly<Record<WfsVersion, ReportVersion>> = { '1.0.0': '1.2.0', '1.1.0': '1.0.0', '2.0.0': '2.0.0' };

/** The codes of locks exist since 2.0.0. */
const codesOf1: NonNullable<ReportStyle['codes']> = {
  'lock-unknown': 'InvalidParameterValue',
  'lock-expired': 'InvalidParameterValue',
};

/** Also works for invalid messages, by their version if they have one. */
export function selectReportStyle(message: Message): ReportStyle {
  if (message.kind === 'document') {
    const isRequest =
      message.root.uri.startsWith('http://www.opengis.net/wfs') || findAttribute(message.root, 'version');
    return createReportStyle(isRequest ? readVersion(message.root) : undefined);
  }
  const { parameters } = message;
  return {
    ...createReportStyle(readParameter(parameters, featureParameters.version)),
    exceptions: readParameter(parameters, featureParameters.exceptions),
  };
}

function createReportStyle(text: string | undefined): ReportStyle {
  const version = (text === undefined ? undefined : findSupportedVersion(wfsVersions, text)) ?? '2.0.0';
  return { report: reports[version], version, ...(version === '2.0.0' ? {} : { codes: codesOf1 }) };
}
