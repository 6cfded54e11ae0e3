/** The WMS: reads a request, opens the door, and hands it to its operation. */

import type { ServiceCall } from '../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { openMapAccess } from '../access/map-access.ts';
import type { ServiceScope } from '../access/service-request.ts';
import type { MapServices } from '../maps/map-services.ts';
import { createReport } from '../ows/exceptions.ts';
import type { Message } from '../ows/message.ts';
import type { Parameters } from '../ows/parameters.ts';
import { loadPublicationSettings } from '../ows/service-settings.ts';
import { toPublicProblem } from '../problems/public-problem.ts';
import { getCapabilities } from './capabilities/get-capabilities.ts';
import type { WmsContext } from './context/context.ts';
import { readWmsSettings } from './context/settings.ts';
import { describeLayer } from './describe-layer.ts';
import { getMap } from './get-map.ts';
import { getStyles } from './get-styles.ts';
import { getLegendGraphic } from './legend/get-legend-graphic.ts';
import { drawExceptionPicture } from './map/exception-picture.ts';
import { resolveMapLayers } from './map/map-layers.ts';
import { readDocumentPairs } from './request/read-document.ts';
import { type LayerLookup, readPairs, readReflection } from './request/read-pairs.ts';
import { selectReportStyle } from './request/report-style.ts';
import type { WmsRequest } from './request/request.ts';

export interface WmsEnvironment {
  readonly limits: DocumentLimits;
  readonly now: () => Date;
}

export interface WmsCall extends Pick<ServiceCall<MapServices>, 'services' | 'principal' | 'signal'> {
  readonly message: Message;
  readonly place: ServiceScope;
  /** Where this service is asked, as the client knows it. */
  readonly address: string;
  /** Before the names of workspaces, as the client knows it. */
  readonly root: string;
}

export function answerWms(call: WmsCall, world: WmsEnvironment): Promise<ServiceReply> {
  return withExceptionReports(call, async (parameters) => {
    const enter = createContextOpener(call, parameters, world);
    const request = await readPairs(parameters, world.limits, createLayerLookup(enter));
    return withWarnings(await enter(request.kind), request);
  });
}

/** A map of which nearly everything is the server's to choose. */
export function answerReflection(call: WmsCall, world: WmsEnvironment): Promise<ServiceReply> {
  return withExceptionReports(call, async (parameters) => {
    const enter = createContextOpener(call, parameters, world);
    const request = await readReflection(parameters, world.limits, createLayerLookup(enter));
    return withWarnings(await enter(request.kind), request);
  });
}

/** A document by which globes ask for a map as they turn. */
export function answerKmlLink(call: WmsCall, world: WmsEnvironment): Promise<ServiceReply> {
  return withExceptionReports(call, async (parameters) => {
    const enter = createContextOpener(call, parameters, world);
    const { map } = await readReflection(parameters, world.limits, createLayerLookup(enter));
    const context = await enter('GetMap');
    const { writeKmlLink: kmlLink } = await import('./output/map-kml.ts');
    return {
      contentType: 'application/vnd.google-earth.kml+xml',
      headers: { 'content-disposition': 'attachment; filename=map.kml' },
      body: kmlLink(context, await resolveMapLayers(context, map)),
    };
  });
}

/** Problems of requests are worded here, where their version is known. */
async function withExceptionReports(
  { message }: WmsCall,
  work: (parameters: Parameters) => Promise<ServiceReply>,
): Promise<ServiceReply> {
  let parameters: Parameters = new Map();
  try {
    parameters = message.kind === 'pairs' ? message.parameters : readDocumentPairs(message);
    return await work(parameters);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const told = toPublicProblem(error);
    const report = createReport(told, selectReportStyle(parameters));
    // Who asks, and what failed here, is told by the server as everywhere else.
    if (report.status === 401 || report.status >= 500) throw error;
    return (await drawExceptionPicture(parameters, told)) ?? report;
  }
}

/** With what was told of the request while it was done. */
async function withWarnings(context: WmsContext, request: WmsRequest): Promise<ServiceReply> {
  const warnings = new Set<string>();
  const reply = await perform(request, { ...context, warn: (sentence) => warnings.add(sentence) });
  return warnings.size === 0 ? reply : { ...reply, warnings: [...warnings] };
}

type ContextOpener = (operation: WmsRequest['kind']) => Promise<WmsContext>;

/** The door is opened once: by the first list of names that has to be understood, or when all is read. */
function createContextOpener(call: WmsCall, parameters: Parameters, world: WmsEnvironment): ContextOpener {
  let context: Promise<WmsContext> | undefined;
  return (operation) => {
    context ??= createContext(call, parameters, world, operation);
    return context;
  };
}

function createLayerLookup(enter: ContextOpener): LayerLookup {
  return (operation) => async (name) => {
    const { mapAccess } = await enter(operation);
    return (await mapAccess.find(name, 'description')) !== undefined;
  };
}

async function createContext(
  call: WmsCall,
  parameters: Parameters,
  { now }: WmsEnvironment,
  operation: WmsRequest['kind'],
): Promise<WmsContext> {
  const { services, principal, place, address, root } = call;
  const mapAccess = await openMapAccess(services, { principal, place, service: 'wms', operation });
  return {
    services,
    principal,
    mapAccess,
    settings: readWmsSettings(mapAccess.settings),
    publication: await loadPublicationSettings(services.catalog, mapAccess.workspace),
    address,
    root,
    parameters,
    now,
    warn: () => undefined,
    signal: call.signal(),
  };
}

async function perform(request: WmsRequest, context: WmsContext): Promise<ServiceReply> {
  switch (request.kind) {
    case 'GetCapabilities':
      return getCapabilities(context, request);
    case 'GetMap':
      return getMap(context, request);
    case 'GetFeatureInfo': {
      const { getFeatureInfo } = await import('./feature-info/get-feature-info.ts');
      return getFeatureInfo(context, request);
    }
    case 'GetLegendGraphic':
      return getLegendGraphic(context, request);
    case 'DescribeLayer':
      return describeLayer(context, request);
    case 'GetStyles':
      return getStyles(context, request);
  }
}
