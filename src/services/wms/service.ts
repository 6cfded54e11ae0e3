/** The WMS service: parses a request, checks access and runs the operation. */

import type { ServiceCall } from '../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { toHeaderText } from '../../lib/text/header-text.ts';
import { openMapAccess } from '../access/map-access.ts';
import type { ServiceScope } from '../access/service-request.ts';
import type { MapServices } from '../maps/map-services.ts';
import { createReport } from '../ows/exceptions.ts';
import type { Message } from '../ows/message.ts';
import type { Parameters } from '../ows/parameters.ts';
import {
  addUnknownWarnings,
  createParameterProblem,
  isDeclared,
  listUnknownWarnings,
  readParameter,
  requireParameter,
} from '../ows/service-parameters.ts';
import { loadPublicationSettings } from '../ows/service-settings.ts';
import { toPublicProblem } from '../problems/public-problem.ts';
import { getCapabilities } from './capabilities/get-capabilities.ts';
import type { WmsContext } from './context/context.ts';
import { readWmsSettings } from './context/settings.ts';
import { isTiled, type TileIntegration } from './context/tile-integration.ts';
import { describeLayer } from './describe-layer.ts';
import { createReplyHead, getAnimation, getMap } from './get-map.ts';
import { getStyles } from './get-styles.ts';
import { getLegendGraphic } from './legend/get-legend-graphic.ts';
import { drawExceptionPicture } from './map/exception-picture.ts';
import { resolveMapLayers } from './map/map-layers.ts';
import {
  animationOperation,
  animationParameters,
  kmlOperation,
  mapParameters,
  wmsOperations,
} from './request/parameters.ts';
import { readDocumentPairs } from './request/read-document.ts';
import { type LayerLookup, readPairs, readReflection } from './request/read-pairs.ts';
import { selectReportStyle } from './request/report-style.ts';
import type { GetMapRequest, WmsRequest } from './request/request.ts';

export interface WmsEnvironment {
  readonly limits: DocumentLimits;
  readonly now: () => Date;
  /** Requests with tiled=true are answered from tiles; absent where maps are never tiles. */
  readonly tiles?: TileIntegration;
}

export interface WmsCall extends Pick<ServiceCall<MapServices>, 'services' | 'principal' | 'signal'> {
  readonly message: Message;
  readonly place: ServiceScope;
  /** The address of this service as the client sees it. */
  readonly address: string;
  /** The base address before the workspace, as the client sees it. */
  readonly root: string;
}

export function answerWms(call: WmsCall, world: WmsEnvironment): Promise<ServiceReply> {
  return withExceptionReports(call, async (parameters) => {
    const enter = createContextOpener(call, parameters, world);
    const request = await readPairs(parameters, world.limits, createLayerLookup(enter));
    return withWarnings(await enter(request.kind), request, world.tiles);
  });
}

/** Draws a map with defaults for most parameters. */
export function answerReflection(call: WmsCall, world: WmsEnvironment): Promise<ServiceReply> {
  return withExceptionReports(call, async (parameters) => {
    const enter = createContextOpener(call, parameters, world);
    const request = await readReflection(parameters, world.limits, createLayerLookup(enter));
    return withWarnings(await enter(request.kind), request);
  });
}

/** Returns a KML document with links that virtual globes refresh, or with the features themselves. */
export function answerKml(call: WmsCall, world: WmsEnvironment): Promise<ServiceReply> {
  return withExceptionReports(call, async (parameters) => {
    const enter = createContextOpener(call, parameters, world);
    const request = await readReflection(parameters, world.limits, createLayerLookup(enter), KML);
    requireParameter(parameters, mapParameters.layers);
    const context = await enter('GetMap');
    const mode = readParameter(parameters, kmlOperation.parameters.mode);
    const reply =
      mode === 'download' ? await getMap(context, request) : await createKmlLinkReply(context, request, mode);
    return addUnknownWarnings(reply, kmlOperation, parameters);
  });
}

/** Draws an animation: GetMap with another value of one parameter in each frame. */
export function answerAnimation(call: WmsCall, world: WmsEnvironment): Promise<ServiceReply> {
  return withExceptionReports(call, async (parameters) => {
    const enter = createContextOpener(call, parameters, world);
    const { parameter, values } = animationParameters;
    const name = requireParameter(parameters, parameter).toLowerCase();
    checkAnimatedName(name);
    const texts = splitEscapedList(requireParameter(parameters, values));
    const context = await enter('GetMap');
    if (texts.length > context.settings.maxFrames) {
      throw createParameterProblem(
        values.name,
        excerpt(texts.join(',')),
        `at most ${context.settings.maxFrames} values`,
      );
    }
    const requests: GetMapRequest[] = [];
    for (const text of texts) {
      const pairs = new Map([...parameters, [name, text]]);
      requests.push(await readReflection(pairs, world.limits, createLayerLookup(enter), GIF));
    }
    const [request = { version: '1.1.1', format: GIF } as const] = requests;
    const warnings = new Set(listUnknownWarnings(animationOperation, parameters));
    const reply = await getAnimation(
      { ...context, warn: (sentence) => warnings.add(sentence) },
      requests.map(({ map }) => map),
      request,
    );
    return warnings.size === 0 ? reply : { ...reply, warnings: [...warnings] };
  });
}

const GIF = 'image/gif;subtype=animated';

const { width, height, format, request, service, version, exceptions } = mapParameters;

/** These apply to the whole animation. */
const fixedNames: ReadonlySet<string> = new Set(
  [width, height, format, request, service, version, exceptions].flatMap(({ keys }) => keys),
);

function checkAnimatedName(name: string): void {
  if (isDeclared(wmsOperations.GetMap, name) && !fixedNames.has(name)) return;
  const allowed = Object.values(mapParameters).filter(
    ({ keys, unsupported }) => unsupported === undefined && !keys.some((key) => fixedNames.has(key)),
  );
  const names = allowed.map((each) => each.name).join(', ');
  throw createParameterProblem(animationParameters.parameter.name, name, `one of ${names}`);
}

/** Splits a list at commas without a backslash before them. */
function splitEscapedList(text: string): readonly string[] {
  return text.split(/(?<!\\),/).map((item) => item.replaceAll('\\,', ',').trim());
}

const KML = 'application/vnd.google-earth.kml+xml';

async function createKmlLinkReply(
  context: WmsContext,
  { map }: GetMapRequest,
  mode: 'refresh' | 'superoverlay',
): Promise<ServiceReply> {
  const { writeKmlLinks } = await import('./kml/map-links.ts');
  const named = await resolveMapLayers(context, map);
  const { contentType, headers } = createReplyHead(named, { mediaType: KML, fileExtension: 'kml', isDownload: true });
  return { contentType, headers, body: writeKmlLinks(context, map, named, mode) };
}

/** Formats problems here, where the version is known. */
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
    const publicProblem = toPublicProblem(error);
    const report = createReport(publicProblem, selectReportStyle(parameters));
    if (report.status === 401) throw error;
    // A picture has the status 200, which would hide that another token is needed.
    const picture = error.code === 'token-scope' ? undefined : await drawExceptionPicture(parameters, publicProblem);
    // Server errors as text are handled by the server for all services, as authentication is.
    if (picture === undefined && report.status >= 500) throw error;
    return { ...(picture ?? report), problem: publicProblem };
  }
}

/** Adds the warnings of the operation to the response. */
async function withWarnings(context: WmsContext, request: WmsRequest, tiles?: TileIntegration): Promise<ServiceReply> {
  const warnings = new Set(listUnknownWarnings(wmsOperations[request.kind], context.parameters));
  const reply = await perform(request, { ...context, warn: (sentence) => warnings.add(sentence) }, tiles);
  return warnings.size === 0 ? reply : { ...reply, warnings: [...warnings] };
}

type ContextOpener = (operation: WmsRequest['kind']) => Promise<WmsContext>;

/** Access is opened once: by the first list of names that needs a lookup, or after parsing. */
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

async function perform(
  request: WmsRequest,
  context: WmsContext,
  tiles: TileIntegration | undefined,
): Promise<ServiceReply> {
  const tiled = isTiled(readParameter(context.parameters, mapParameters.tiled)) ? tiles : undefined;
  switch (request.kind) {
    case 'GetCapabilities':
      return getCapabilities(context, request, await tiled?.openTileSets());
    case 'GetMap':
      return tiled === undefined ? getMap(context, request) : getMapOrTile(context, request, tiled);
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

/** The headers are those of GeoWebCache. */
async function getMapOrTile(
  context: WmsContext,
  request: GetMapRequest,
  tiles: TileIntegration,
): Promise<ServiceReply> {
  const found = await tiles.createMap(context, request);
  if (found !== undefined && 'reply' in found) return found.reply;
  const drawn = await getMap(context, request);
  if (found === undefined) return drawn;
  const reason = { 'geowebcache-cache-result': 'MISS', 'geowebcache-miss-reason': toHeaderText(found.missReason) };
  return { ...drawn, headers: { ...drawn.headers, ...reason } };
}
