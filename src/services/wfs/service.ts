/** The WFS service: parses a request, checks access and runs the operation. */

import { checkCrossSite } from '../../http/auth/auth.ts';
import type { ServiceCall } from '../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { type FeatureServices, openFeatureAccess } from '../access/feature-access.ts';
import type { ServiceScope } from '../access/service-request.ts';
import { createReport } from '../ows/exceptions.ts';
import type { Message } from '../ows/message.ts';
import type { Parameters } from '../ows/parameters.ts';
import { listFormatOptionWarnings, listUnknownWarnings, readParameter } from '../ows/service-parameters.ts';
import { loadPublicationSettings } from '../ows/service-settings.ts';
import { toPublicProblem } from '../problems/public-problem.ts';
import { getCapabilities } from './capabilities/get-capabilities.ts';
import { findPublishedType, type WfsContext } from './context/context.ts';
import { readWfsSettings } from './context/settings.ts';
import { getFeature } from './features/get-feature.ts';
import { getPropertyValue } from './features/get-property-value.ts';
import { listFormatWarnings } from './features/output-formats.ts';
import { featureFormatOptions, featureParameters, wfsOperations } from './request/parameters.ts';
import { readWfsRequest, selectReportStyle } from './request/read-request.ts';
import type { WfsRequest } from './request/request.ts';
import { readSchemaDocument } from './schema/application-schema.ts';
import { describeFeatureType } from './schema/describe-feature-type.ts';
import type { BoundStoredQuery } from './stored-queries/bind-stored-query.ts';

export interface WfsEnvironment {
  readonly limits: DocumentLimits;
  readonly now: () => Date;
}

export interface WfsCall
  extends Pick<ServiceCall<FeatureServices>, 'services' | 'principal' | 'signal' | 'headers' | 'baseUrl'> {
  readonly message: Message;
  readonly place: ServiceScope;
  /** The address of this service as the client sees it. */
  readonly address: string;
  /** The base address before the workspace, as the client sees it. */
  readonly root: string;
}

/** Formats problems here, where the version is known. */
export async function answerWfs(call: WfsCall, world: WfsEnvironment): Promise<ServiceReply> {
  try {
    return await answerRequest(call, world);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const problem = toPublicProblem(error);
    const report = createReport(problem, selectReportStyle(call.message));
    // Authentication and server errors are handled by the server for all services.
    if (report.status === 401 || report.status >= 500) throw error;
    return { ...report, problem };
  }
}

/** Access is opened once: by the first list of names that needs a lookup, or after parsing. */
async function answerRequest(call: WfsCall, world: WfsEnvironment): Promise<ServiceReply> {
  let context: Promise<WfsContext> | undefined;
  const openContext = (operation: WfsRequest['kind']): Promise<WfsContext> => {
    context ??= createContext(call, world, operation);
    return context;
  };
  const stored: BoundStoredQuery[] = [];
  const request = await readWfsRequest(call.message, world.limits, {
    knowsFor: async (operation, typeName) =>
      (await findPublishedType(await openContext(operation), typeName, 'description')) !== undefined,
    bindFor: (operation) => async (storedQuery) => {
      const { bindStoredQuery } = await import('./stored-queries/bind-stored-query.ts');
      const bound = await bindStoredQuery(await openContext(operation), storedQuery, world.limits);
      stored.push(bound);
      return bound.queries;
    },
  });
  // Key-value pairs can create a lock with GET, which is otherwise open to pages of other sites.
  if (writesByPairs.has(request.kind)) checkCrossSite('POST', call.headers, call.baseUrl);
  const reply = await perform(request, await openContext(request.kind));
  const warnings = [
    ...listWarnings(call.message, request, new Set(stored.flatMap(({ names }) => [...names]))),
    ...stored.flatMap((each) => each.warnings),
    ...(reply.warnings ?? []),
  ];
  return warnings.length === 0 ? reply : { ...reply, warnings };
}

const writesByPairs: ReadonlySet<string> = new Set(['LockFeature', 'GetFeatureWithLock', 'DropStoredQuery']);

/** `storedNames` are the parameters of the stored query that the request calls. */
function listWarnings(message: Message, request: WfsRequest, storedNames: ReadonlySet<string>): readonly string[] {
  const format =
    'outputFormat' in request && request.kind !== 'DescribeFeatureType'
      ? listFormatWarnings(request.outputFormat ?? '')
      : [];
  return [...format, ...listParameterWarnings(message, request, storedNames)];
}

function listParameterWarnings(
  message: Message,
  request: WfsRequest,
  storedNames: ReadonlySet<string>,
): readonly string[] {
  const unknown = message.kind === 'pairs' ? listIgnoredParameters(message.parameters, request, storedNames) : [];
  if (!('formatOptions' in request)) return unknown;
  return [...unknown, ...listFormatOptionWarnings(featureFormatOptions, request.formatOptions)];
}

function listIgnoredParameters(
  sent: Parameters,
  { kind }: WfsRequest,
  storedNames: ReadonlySet<string>,
): readonly string[] {
  const isStored = storesQueries.has(kind) && readParameter(sent, featureParameters.storedQueryId) !== undefined;
  if (!isStored) return listUnknownWarnings(wfsOperations[kind], sent);
  const others = new Map([...sent].filter(([name]) => !storedNames.has(name)));
  return [
    ...listUnknownWarnings(wfsOperations[kind], others),
    ...adHocParameters
      .filter((name) => others.has(name))
      .map((name) => `The parameter '${name}' has no effect on a stored query.`),
  ];
}

/** The operations that call stored queries. */
const storesQueries: ReadonlySet<string> = new Set([
  'GetFeature',
  'GetPropertyValue',
  'LockFeature',
  'GetFeatureWithLock',
]);

/** Parameters of queries that the request describes itself. */
const adHocParameters = [
  ...['typenames', 'typename', 'aliases', 'propertyname', 'sortby'],
  ...['resourceid', 'featureid', 'bbox', 'filter', 'cql_filter'],
];

async function createContext(
  call: WfsCall,
  { now }: WfsEnvironment,
  operation: WfsRequest['kind'],
): Promise<WfsContext> {
  const { services, principal, message, place, address, root } = call;
  const featureAccess = await openFeatureAccess(services, { principal, place, serviceNames: ['WFS'], operation });
  return {
    services,
    principal,
    featureAccess,
    settings: readWfsSettings(featureAccess.settings),
    publication: await loadPublicationSettings(services.catalog, featureAccess.workspace),
    address,
    root,
    parameters: message.kind === 'pairs' ? message.parameters : undefined,
    now,
    signal: call.signal(),
  };
}

/** Returns a schema document of a layer. */
export async function answerSchema(
  { services, principal, place }: Pick<WfsCall, 'services' | 'principal' | 'place'>,
  path: string,
): Promise<ServiceReply> {
  const operation = 'DescribeFeatureType';
  const featureAccess = await openFeatureAccess(services, { principal, place, serviceNames: ['WFS'], operation });
  const published = await featureAccess.find(place.layer ?? '', 'description');
  return readSchemaDocument(services.vectorData, published, path);
}

const XML = 'application/xml;charset=utf-8';

async function perform(request: WfsRequest, context: WfsContext): Promise<ServiceReply> {
  switch (request.kind) {
    case 'GetCapabilities':
      return getCapabilities(context, request);
    case 'DescribeFeatureType':
      return describeFeatureType(context, request);
    case 'GetFeature': {
      if (request.queries.every(({ join }) => join === undefined)) return getFeature(context, request);
      const { getJoinedFeatures } = await import('./features/get-joined-features.ts');
      return getJoinedFeatures(context, request);
    }
    case 'GetPropertyValue':
      return getPropertyValue(context, request);
    case 'LockFeature': {
      const { lockFeature } = await import('./locks/lock-feature.ts');
      return lockFeature(context, request);
    }
    case 'GetFeatureWithLock': {
      const { getFeatureWithLock } = await import('./locks/get-feature-with-lock.ts');
      return getFeatureWithLock(context, request);
    }
    case 'Transaction': {
      const { transact } = await import('./transaction/transaction.ts');
      return transact(context, request);
    }
    case 'ListStoredQueries': {
      const { listStoredQueries } = await import('./stored-queries/describe-stored-queries.ts');
      return { contentType: XML, body: await listStoredQueries(context) };
    }
    case 'DescribeStoredQueries': {
      const { describeStoredQueries } = await import('./stored-queries/describe-stored-queries.ts');
      return { contentType: XML, body: await describeStoredQueries(context, request.ids) };
    }
    case 'CreateStoredQuery': {
      const { createStoredQuery } = await import('./stored-queries/manage-stored-queries.ts');
      return createStoredQuery(context, request);
    }
    case 'DropStoredQuery': {
      const { dropStoredQuery } = await import('./stored-queries/manage-stored-queries.ts');
      return dropStoredQuery(context, request);
    }
  }
}
