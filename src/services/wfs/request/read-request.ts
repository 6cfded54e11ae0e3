/** Reads what a client has sent into a request of a WFS, and tells how it wants to hear of problems. */
import { findAttribute } from '../../../cascade/xml-elements.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import type { ReportStyle, ReportVersion } from '../../ows/exceptions.ts';
import type { Message } from '../../ows/message.ts';
import { findSupportedVersion } from '../../ows/versions.ts';
import { readDocument, readVersion } from './read-document.ts';
import { type IsKnownType, readPairs } from './read-pairs.ts';
import { type WfsRequest, type WfsVersion, wfsVersions } from './request.ts';

export async function readWfsRequest(
  message: Message,
  limits: DocumentLimits,
  knowsFor: IsKnownType,
): Promise<WfsRequest> {
  return message.kind === 'pairs'
    ? readPairs(message.parameters, limits, knowsFor)
    : readDocument(message.root, message.scope);
}

const reports: Readonly<Record<WfsVersion, ReportVersion>> = { '1.0.0': '1.2.0', '1.1.0': '1.0.0', '2.0.0': '2.0.0' };

/** Also for what is no request: the version that it names counts, if there is one. */
export function selectReportStyle(message: Message): ReportStyle {
  if (message.kind === 'document') {
    const isRequest =
      message.root.uri.startsWith('http://www.opengis.net/wfs') || findAttribute(message.root, 'version');
    return createReportStyle(isRequest ? readVersion(message.root) : undefined);
  }
  const { parameters } = message;
  return { ...createReportStyle(parameters.get('version')), exceptions: parameters.get('exceptions') };
}

function createReportStyle(text: string | undefined): ReportStyle {
  const version = (text === undefined ? undefined : findSupportedVersion(wfsVersions, text)) ?? '2.0.0';
  return { report: reports[version], version };
}
