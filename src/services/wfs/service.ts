/** The WFS service: parses a request, checks access and runs the operation. */

import type { ServiceCall } from '../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { type FeatureServices, openFeatureAccess } from '../access/feature-access.ts';
import type { ServiceScope } from '../access/service-request.ts';
import { createReport } from '../ows/exceptions.ts';
import type { Message } from '../ows/message.ts';
import { listUnknownWarnings } from '../ows/service-parameters.ts';
import { loadPublicationSettings } from '../ows/service-settings.ts';
import { toPublicProblem } from '../problems/public-problem.ts';
import { getCapabilities } from './capabilities/get-capabilities.ts';
import { findPublishedType, type WfsContext } from './context/context.ts';
import { readWfsSettings } from './context/settings.ts';
import { getFeature } from './features/get-feature.ts';
import { getPropertyValue } from './features/get-property-value.ts';
import { featureFormatOptions, wfsOperations } from './request/parameters.ts';
import { readWfsRequest, selectReportStyle } from './request/read-request.ts';
import type { WfsRequest } from './request/request.ts';
import { describeStoredQueries, listStoredQueries, type ReturnedType } from './request/stored-queries.ts';
import { readSchemaDocument } from './schema/application-schema.ts';
import { describeFeatureType } from './schema/describe-feature-type.ts';

export interface WfsEnvironment {
  readonly limits: DocumentLimits;
  readonly now: () => Date;
}

export interface WfsCall extends Pick<ServiceCall<FeatureServices>, 'services' | 'principal' | 'signal'> {
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
    const report = createReport(toPublicProblem(error), selectReportStyle(call.message));
    // Authentication and server errors are handled by the server for all services.
    if (report.status === 401 || report.status >= 500) throw error;
    return report;
  }
}

/** Access is opened once: by the first list of names that needs a lookup, or after parsing. */
async function answerRequest(call: WfsCall, world: WfsEnvironment): Promise<ServiceReply> {
  let context: Promise<WfsContext> | undefined;
  const openContext = (operation: WfsRequest['kind']): Promise<WfsContext> => {
    context ??= createContext(call, world, operation);
    return context;
  };
  const request = await readWfsRequest(
    call.message,
    world.limits,
    async (operation, typeName) =>
      (await findPublishedType(await openContext(operation), typeName, 'description')) !== undefined,
  );
  const reply = await perform(request, await openContext(request.kind));
  const warnings = listWarnings(call.message, request);
  return warnings.length === 0 ? reply : { ...reply, warnings };
}

function listWarnings(message: Message, request: WfsRequest): readonly string[] {
  if (message.kind !== 'pairs') return [];
  const unknown = listUnknownWarnings(wfsOperations[request.kind], message.parameters);
  if (!('formatOptions' in request) || request.formatOptions.size === 0) return unknown;
  return [...unknown, ...listUnknownWarnings(featureFormatOptions, request.formatOptions, 'format option')];
}

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

async function perform(request: WfsRequest, context: WfsContext): Promise<ServiceReply> {
  switch (request.kind) {
    case 'GetCapabilities':
      return getCapabilities(context, request);
    case 'DescribeFeatureType':
      return describeFeatureType(context, request);
    case 'GetFeature':
      return getFeature(context, request);
    case 'GetPropertyValue':
      return getPropertyValue(context, request);
    case 'Transaction': {
      const { transact } = await import('./transaction/transaction.ts');
      return transact(context, request);
    }
    case 'ListStoredQueries': {
      const types: ReturnedType[] = [];
      for await (const { prefix, namespace, name } of context.featureAccess.each())
        types.push({ prefix, namespace, name });
      return { contentType: 'application/xml;charset=utf-8', body: listStoredQueries(types) };
    }
    case 'DescribeStoredQueries':
      return { contentType: 'application/xml;charset=utf-8', body: describeStoredQueries(request.ids) };
  }
}
