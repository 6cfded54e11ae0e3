/** Reads what a client has sent into a request of a WMS, and tells how it wants to hear of problems. */
import type { DocumentLimits } from '../../lib/document-limits.ts';
import { problem } from '../../lib/problem.ts';
import type { ReportStyle, ReportVersion } from '../ows/exceptions.ts';
import type { Message } from '../ows/message.ts';
import { spokenAs } from '../ows/versions.ts';
import { readPairs, readReflection } from './read-pairs.ts';
import { type GetMapRequest, type WmsRequest, type WmsVersion, wmsVersions } from './request.ts';

export async function readWmsRequest(message: Message, limits: DocumentLimits): Promise<WmsRequest> {
  return readPairs(pairsOf(message), limits);
}

/** A map of which nearly everything is the server's to choose. */
export async function readReflectedRequest(message: Message, limits: DocumentLimits): Promise<GetMapRequest> {
  return readReflection(pairsOf(message), limits);
}

function pairsOf(message: Message) {
  if (message.kind === 'pairs') return message.parameters;
  throw problem('ows-option-unsupported', {
    what: 'A request for a map as an XML document',
    instead: 'send the same as key-value pairs, in the address or as a form',
  });
}

const reports: Readonly<Record<WmsVersion, ReportVersion>> = { '1.1.1': 'wms-1.1.1', '1.3.0': 'wms-1.3.0' };

/** Also for what is no request: the version that it names counts, if there is one. */
export function reportStyleOf(message: Message): ReportStyle {
  const parameters = message.kind === 'pairs' ? message.parameters : undefined;
  const version = spokenAs(wmsVersions, parameters?.get('version') ?? '') ?? '1.3.0';
  return { report: reports[version], version, exceptions: parameters?.get('exceptions') };
}
