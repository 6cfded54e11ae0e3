/** The responses of OGC API Maps. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { listMapStyles } from '../../access/map-styles.ts';
import { listStyledLayers } from '../../access/published-map.ts';
import { drawPublished } from '../../maps/draw-published.ts';
import { createDefaultDimensionSettings } from '../../maps/layer-options.ts';
import { createLayersToDraw } from '../../tiles/layers-to-draw.ts';
import { selectPathStyle } from '../../tiles/select-tile.ts';
import { chooseFormat, type OfferedFormat } from '../common/formats.ts';
import { listNames, onlyFormat, readParameter, readParameters } from '../common/parameters.ts';
import { readRequestedOptions } from '../common/requested-options.ts';
import { collectionsParameters, readCollectionPage } from './collection-page.ts';
import {
  buildApiDocument,
  buildCollectionDocument,
  buildCollectionsDocument,
  buildConformanceDocument,
  buildLandingDocument,
  buildStylesDocument,
  mapFormats,
  toListedStyle,
} from './documents.ts';
import { readRequestedMap } from './map-frame.ts';
import { mapParameters } from './map-parameters.ts';
import { type MapsCall, type MapsContext, type MapsEnvironment, openMapsContext } from './maps-context.ts';
import { buildStylesheet, STYLESHEET_TYPE } from './stylesheet.ts';

const json = { name: 'json', mediaType: 'application/json', title: 'JSON' } as const satisfies OfferedFormat;
const openApi = {
  name: 'json',
  mediaType: 'application/vnd.oai.openapi+json;version=3.0',
  title: 'OpenAPI 3.0',
} as const;

const mapLibreStyle = { name: 'mbs', mediaType: STYLESHEET_TYPE, title: 'MapLibre style' } as const;

const knownMapParameters = listNames(mapParameters);
const knownCollectionsParameters = listNames(collectionsParameters);

export async function landing(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  return createJsonReply(json, buildLandingDocument(await prepareDocument(call, world, json)));
}

export async function conformance(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  return createJsonReply(json, buildConformanceDocument(await prepareDocument(call, world, json)));
}

export async function api(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  return createJsonReply(openApi, buildApiDocument(await prepareDocument(call, world, openApi)));
}

export async function collections(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  const visit = await prepareDocument(call, world, json, knownCollectionsParameters);
  const page = await readCollectionPage(call.services.catalog, visit.mapAccess, visit.parameters);
  return createJsonReply(json, buildCollectionsDocument(visit, page));
}

export async function collection(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  const visit = await prepareDocument(call, world, json);
  return createJsonReply(json, buildCollectionDocument(visit, await visit.getCollection('description')));
}

export async function styles(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  const visit = await prepareDocument(call, world, json);
  const found = await visit.getCollection('description');
  const listed =
    found.kind === 'layer'
      ? (await listMapStyles(call.services.catalog, found)).map(toListedStyle)
      : found.styles.map(({ name, title }) => ({ id: name, title }));
  return createJsonReply(json, buildStylesDocument(visit, found, listed));
}

/** The style `default` is that of the layer or group. */
export async function stylesheet(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  const parameters = readParameters(call.rawQuery, onlyFormat);
  const visit = await openMapsContext(call, world, 'GetMap', parameters);
  const found = await visit.getCollection('read');
  chooseFormat([mapLibreStyle], readParameter(parameters, mapParameters.f), call.headers);
  const style = await selectPathStyle(call.services.catalog, found, call.params.style);
  const tiles = `${call.baseUrl}${world.contextPath}/ogc/tiles/v1`;
  return { contentType: STYLESHEET_TYPE, body: await buildStylesheet(call.services, found, style, tiles) };
}

export async function map(call: MapsCall, world: MapsEnvironment): Promise<ServiceReply> {
  const parameters = readParameters(call.rawQuery, knownMapParameters);
  const visit = await openMapsContext(call, world, 'GetMap', parameters);
  // Access is checked before any detail of the map is disclosed.
  const found = await visit.getCollection('read');
  const { name: format, mediaType } = chooseFormat(
    mapFormats,
    readParameter(parameters, mapParameters.f),
    call.headers,
  );
  const style = await selectPathStyle(call.services.catalog, found, call.params.style);
  const { crs, ...frame } = await readRequestedMap(parameters, found);
  const { layer: wishes } = readRequestedOptions(parameters);
  const layers = await createLayersToDraw(
    call.services,
    listStyledLayers(found, style),
    wishes,
    createDefaultDimensionSettings(world.now()),
  );
  const isTransparent = frame.isTransparent && format !== 'jpeg';
  const pixels = await drawPublished(call.services, { ...frame, isTransparent, layers }, call.signal());
  const { encodePicture } = await import('../../../rendering/output/encode-picture.ts');
  const { minX, minY, maxX, maxY } = frame.box;
  return {
    contentType: mediaType,
    headers: { 'content-crs': `<${crs}>`, 'content-bbox': [minX, minY, maxX, maxY].join(',') },
    body: await encodePicture(pixels, format),
    isPacked: true,
  };
}

/** The style is a path variable. */
export const styledMap = map;

async function prepareDocument(
  call: MapsCall,
  world: MapsEnvironment,
  format: OfferedFormat,
  known: ReadonlySet<string> = onlyFormat,
): Promise<MapsContext> {
  const parameters = readParameters(call.rawQuery, known);
  chooseFormat([format], readParameter(parameters, mapParameters.f), call.headers);
  return openMapsContext(call, world, 'GetCapabilities', parameters);
}

function createJsonReply({ mediaType }: OfferedFormat, document: object): ServiceReply {
  return { contentType: mediaType, body: JSON.stringify(document) };
}
