/** The WCS service: parses a request, checks access and runs the operation. */

import type { ServiceCall } from '../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { openMapAccess } from '../access/map-access.ts';
import type { ServiceScope } from '../access/service-request.ts';
import { createReport, selectWcsReportStyle } from '../ows/exceptions.ts';
import type { Message } from '../ows/message.ts';
import { addUnknownWarnings, findSentText } from '../ows/service-parameters.ts';
import { loadPublicationSettings, readServiceSettings } from '../ows/service-settings.ts';
import { toPublicProblem } from '../problems/public-problem.ts';
import type { WcsContext, WcsServices } from './context.ts';
import { describeCoverage } from './describe-coverage.ts';
import { getCapabilities } from './get-capabilities.ts';
import { getCoverage } from './get-coverage.ts';
import { wcsCapabilitiesParameters, wcsOperations } from './parameters.ts';
import { readDocumentPairs } from './read-document.ts';
import { readPairs } from './read-pairs.ts';
import type { WcsRequest } from './request.ts';

export interface WcsCall extends Pick<ServiceCall<WcsServices>, 'services' | 'principal' | 'signal'> {
  readonly message: Message;
  readonly place: ServiceScope;
  /** The address of this service as the client sees it. */
  readonly address: string;
}

/** The maximum response size in memory. */
const MAX_BYTES = 256 * 1_048_576;

/** Formats problems in the dialect of the requested version. */
export async function answerWcs(call: WcsCall): Promise<ServiceReply> {
  const { message } = call;
  const parameters = message.kind === 'pairs' ? message.parameters : readDocumentPairs(message.root);
  try {
    const request = readPairs(parameters);
    const reply = await perform(request, await createContext(call, request));
    return addUnknownWarnings(reply, wcsOperations[request.kind], parameters);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return createReport(
      toPublicProblem(error),
      selectWcsReportStyle(
        findSentText(parameters, wcsCapabilitiesParameters.version) ??
          findSentText(parameters, wcsCapabilitiesParameters.acceptVersions),
      ),
    );
  }
}

/** The CRSs listed in the capabilities by default; a list of all known CRSs would take megabytes. */
const defaultCrsCodes = ['EPSG:4326', 'EPSG:3857'];

async function createContext(call: WcsCall, { kind: operation }: WcsRequest): Promise<WcsContext> {
  const { services, principal, place, address } = call;
  const mapAccess = await openMapAccess(services, { principal, place, service: 'wcs', operation });
  const settings = readServiceSettings('wcs', mapAccess.settings);
  const { contact } = await loadPublicationSettings(services.catalog, mapAccess.workspace);
  const level = mapAccess.settings['defaultDeflateCompressionLevel'];
  return {
    services,
    principal,
    mapAccess,
    service: settings.facts,
    contact,
    address,
    // The setting is in kilobytes.
    maxBytes: Math.min(MAX_BYTES, settings.limit('maxOutputMemory') * 1_024),
    maxInputBytes: settings.limit('maxInputMemory') * 1_024,
    maxDimensionValues: settings.limit('maxRequestedDimensionValues'),
    deflateLevel: typeof level === 'number' ? level : undefined,
    crsCodes: settings.crsCodes.length === 0 ? defaultCrsCodes : settings.crsCodes,
    signal: call.signal(),
  };
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
