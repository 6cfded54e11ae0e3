/** The WCS: reads a request, opens the door, and hands it to its operation. */
import type { ServiceReply } from '../../http/service-reply.ts';
import type { ServiceCall } from '../../http/service-route.ts';
import { Problem, problem } from '../../lib/problem.ts';
import { openMapDoor } from '../door/map-door.ts';
import type { ServicePlace } from '../door/visit.ts';
import { reportOf, wcsReports } from '../ows/exceptions.ts';
import type { Message } from '../ows/message.ts';
import { publicationSettings, readServiceSettings } from '../ows/service-settings.ts';
import { toldProblem } from '../told-problem.ts';
import type { WcsContext, WcsServices } from './context.ts';
import { describeCoverage } from './describe-coverage.ts';
import { getCapabilities } from './get-capabilities.ts';
import { getCoverage } from './get-coverage.ts';
import { readPairs } from './read-pairs.ts';
import type { WcsRequest } from './request.ts';

export interface WcsCall extends Pick<ServiceCall<WcsServices>, 'services' | 'principal' | 'signal'> {
  readonly message: Message;
  readonly place: ServicePlace;
  /** Where this service is asked, as the client knows it. */
  readonly address: string;
}

/** More than this is not held in memory for one answer. */
const MAX_BYTES = 256 * 1_048_576;

/** Problems of requests are worded here, in the dialect of this service. */
export async function answerWcs(call: WcsCall): Promise<ServiceReply> {
  try {
    const request = readRequest(call.message);
    return await perform(request, await contextOf(call, request));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return reportOf(toldProblem(error), wcsReports);
  }
}

function readRequest(message: Message): WcsRequest {
  if (message.kind === 'pairs') return readPairs(message.parameters);
  const instead = 'send its parameters in the address or as a form';
  throw problem('ows-option-unsupported', { what: 'A request of the WCS as a document', instead });
}

async function contextOf(call: WcsCall, { kind: operation }: WcsRequest): Promise<WcsContext> {
  const { services, principal, place, address } = call;
  const door = await openMapDoor(services, { principal, place, service: 'wcs', operation });
  const settings = readServiceSettings('wcs', door.settings);
  const { contact } = await publicationSettings(services.catalog, door.workspace);
  // The setting counts kilobytes.
  const maxBytes = Math.min(MAX_BYTES, settings.limit('maxOutputMemory') * 1_024);
  return { services, door, service: settings.facts, contact, address, maxBytes, signal: call.signal() };
}

function perform(request: WcsRequest, context: WcsContext): Promise<ServiceReply> {
  switch (request.kind) {
    case 'GetCapabilities':
      return getCapabilities(context, request);
    case 'DescribeCoverage':
      return describeCoverage(context, request);
    case 'GetCoverage':
      return getCoverage(context, request);
  }
}
