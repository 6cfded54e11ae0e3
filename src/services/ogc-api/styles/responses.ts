/** The responses of OGC API Styles. Each layer and group has one style: that with which it is drawn by default. */
import { loadStoredStyle } from '../../../catalog/styles/read-style.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import type { JoinedLayer } from '../../../styling/style-tasks.ts';
import { findLayerStyle, loadMapStyleView } from '../../access/map-styles.ts';
import { listStyledLayers, type PublishedMap, type StyledLayer } from '../../access/published-map.ts';
import type { MapServices } from '../../maps/map-services.ts';
import { listLayerNames } from '../../maps/style-models.ts';
import { isDrawn } from '../../tiles/possible-formats.ts';
import { chooseFormat, type OfferedFormat } from '../common/formats.ts';
import { formatParameters, onlyFormat, readParameter, readParameters } from '../common/parameters.ts';
import { type MapsCall, type MapsContext, type MapsEnvironment, openMapsContext } from '../maps/maps-context.ts';
import { buildStylesheet } from '../maps/stylesheet.ts';
import {
  buildApiDocument,
  buildConformanceDocument,
  buildLandingDocument,
  buildMetadataDocument,
  buildStylesDocument,
  styleEncodings,
} from './documents.ts';

const json = { name: 'json', mediaType: 'application/json', title: 'JSON' } as const;
const openApi = { ...json, mediaType: 'application/vnd.oai.openapi+json;version=3.0', title: 'OpenAPI 3.0' } as const;

export function landing(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  return answerJson(call, world, json, buildLandingDocument);
}

export function conformance(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  return answerJson(call, world, json, buildConformanceDocument);
}

export function api(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  return answerJson(call, world, openApi, buildApiDocument);
}

export function styles(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  return answerJson(call, world, json, async (visit) => {
    const maps: PublishedMap[] = [];
    for await (const map of visit.mapAccess.each()) if (isDrawn(map)) maps.push(map);
    return buildStylesDocument(visit, maps);
  });
}

export function metadata(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  return answerJson(call, world, json, async (visit) =>
    buildMetadataDocument(visit, await visit.getCollection('description')),
  );
}

export async function style(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  const parameters = readParameters(call.rawQuery, onlyFormat);
  const visit = await openMapsContext(call, world, 'GetMap', parameters);
  const map = await visit.getCollection('read');
  const encoding = chooseFormat(styleEncodings, readParameter(parameters, formatParameters.f), call.headers);
  if (encoding.name === 'mbs') {
    const tiles = `${call.baseUrl}${world.contextPath}/ogc/tiles/v1`;
    return { contentType: encoding.mediaType, body: await buildStylesheet(call.services, map, null, tiles) };
  }
  const layers: JoinedLayer[] = [];
  for (const styled of listStyledLayers(map, null)) layers.push(await loadLayerStyle(call.services, styled));
  const version = encoding.version;
  return { contentType: encoding.mediaType, body: await call.services.styles.work.join({ layers, version }) };
}

async function loadLayerStyle(services: MapServices, { layer, style: reference }: StyledLayer): Promise<JoinedLayer> {
  const found = await findLayerStyle(services.catalog, layer, reference);
  const view = found && (await loadMapStyleView(services.catalog, found));
  const isStored = view !== undefined && view.file !== null;
  return {
    name: layer.qualifiedName,
    layerNames: listLayerNames(layer),
    styles: isStored ? [{ style: await loadStoredStyle(services.styles.contents, view), isDefault: true }] : [],
  };
}

async function answerJson(
  call: MapsCall,
  world: MapsEnvironment,
  format: OfferedFormat,
  build: (visit: MapsContext) => object | Promise<object>,
): Promise<ServiceReply> {
  const parameters = readParameters(call.rawQuery, onlyFormat);
  chooseFormat([format], readParameter(parameters, formatParameters.f), call.headers);
  const visit = await openMapsContext(call, world, 'GetCapabilities', parameters);
  return { contentType: format.mediaType, body: JSON.stringify(await build(visit)) };
}
