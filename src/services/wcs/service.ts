/** The WCS service: parses a request, checks access and runs the operation. */

import type { ServiceCall } from '../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { openMapAccess } from '../access/map-access.ts';
import type { ServiceScope } from '../access/service-request.ts';
import { createReport, selectWcsReportStyle } from '../ows/exceptions.ts';
import type { Message } from '../ows/message.ts';
import { addUnknownWarnings } from '../ows/service-parameters.ts';
import { loadPublicationSettings, readServiceSettings } from '../ows/service-settings.ts';
import { toPublicProblem } from '../problems/public-problem.ts';
import type { WcsContext, WcsServices } from './coverage/context.ts';
import type { OperationName, WcsProtocol } from './coverage/protocol.ts';
import { readVersionPairs, selectVersion, type WcsVersion } from './coverage/versions.ts';

export interface WcsCall extends Pick<ServiceCall<WcsServices>, 'services' | 'principal' | 'signal'> {
  readonly message: Message;
  readonly place: ServiceScope;
  /** The address of this service as the client sees it. */
  readonly address: string;
}

/** The maximum response size in memory. */
const MAX_BYTES = 256 * 1_048_576;

/** Versions are loaded with their first request. */
const protocols: Readonly<Record<WcsVersion, () => Promise<{ readonly protocol: WcsProtocol }>>> = {
  '2.0.1': () => import('./v2-0/protocol.ts'),
  '1.1.1': () => import('./v1-1/protocol.ts'),
  '1.0.0': () => import('./v1-0/protocol.ts'),
};

/** Formats problems in the dialect of the requested version. */
export async function answerWcs(call: WcsCall, { now }: { readonly now: () => Date }): Promise<ServiceReply> {
  const { message } = call;
  const sent = message.kind === 'pairs' ? message.parameters : readVersionPairs(message.root);
  let version: WcsVersion | undefined;
  try {
    version = selectVersion(sent);
    const { protocol } = await protocols[version]();
    const parameters = message.kind === 'pairs' ? sent : protocol.readDocument(message.root);
    const operation = protocol.prepare(parameters, now());
    const reply = await operation.run(await createContext(call, operation.name));
    return addUnknownWarnings(reply, protocol.operations[operation.name], parameters);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const problem = toPublicProblem(error);
    const report = createReport(problem, selectWcsReportStyle(version ?? sent.get('version')));
    // Server errors are handled by the server for all services.
    if (report.status >= 500) throw error;
    return { ...report, problem };
  }
}

/** The CRSs listed in the capabilities by default; a list of all known CRSs would take megabytes. */
const defaultCrsCodes = ['EPSG:4326', 'EPSG:3857'];

async function createContext(call: WcsCall, operation: OperationName): Promise<WcsContext> {
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
