/** What OGC API Maps answers at each of its addresses. */
import type { ServiceReply } from '../../../http/service-reply.ts';
import { stylesOfMap } from '../../door/map-styles.ts';
import { layersOf, type PublishedMap } from '../../door/published-map.ts';
import { drawPublished } from '../../maps/draw-published.ts';
import { usualTerms } from '../../maps/layer-wishes.ts';
import { chosenStyle } from '../../tiles/chosen-tile.ts';
import { layersToDraw } from '../../tiles/layers-to-draw.ts';
import { isDrawn } from '../../tiles/map-tile.ts';
import { chooseFormat, type OfferedFormat } from '../common/formats.ts';
import { readParameters } from '../common/parameters.ts';
import { wishesIn } from '../common/wishes.ts';
import {
  apiDocument,
  collectionDocument,
  collectionsDocument,
  conformanceDocument,
  landingDocument,
  listedStyle,
  mapFormats,
  mapParameters,
  stylesDocument,
} from './documents.ts';
import { requestedMap } from './map-frame.ts';
import { type MapsCall, type MapsVisit, type MapsWorld, visitMaps } from './visit.ts';

const json = { name: 'json', mediaType: 'application/json', title: 'JSON' } as const satisfies OfferedFormat;
const openApi = {
  name: 'json',
  mediaType: 'application/vnd.oai.openapi+json;version=3.0',
  title: 'OpenAPI 3.0',
} as const;

const onlyFormat: ReadonlySet<string> = new Set(['f']);
const ofMaps: ReadonlySet<string> = new Set(mapParameters);

export async function landing(call: MapsCall, world: MapsWorld): Promise<ServiceReply> {
  return reply(json, landingDocument(await ask(call, world, json)));
}

export async function conformance(call: MapsCall, world: MapsWorld): Promise<ServiceReply> {
  return reply(json, conformanceDocument(await ask(call, world, json)));
}

export async function api(call: MapsCall, world: MapsWorld): Promise<ServiceReply> {
  return reply(openApi, apiDocument(await ask(call, world, openApi)));
}

export async function collections(call: MapsCall, world: MapsWorld): Promise<ServiceReply> {
  const visit = await ask(call, world, json);
  const maps: PublishedMap[] = [];
  for await (const map of visit.door.each()) if (isDrawn(map)) maps.push(map);
  return reply(json, collectionsDocument(visit, maps));
}

export async function collection(call: MapsCall, world: MapsWorld): Promise<ServiceReply> {
  const visit = await ask(call, world, json);
  return reply(json, collectionDocument(visit, await visit.collection('description')));
}

export async function styles(call: MapsCall, world: MapsWorld): Promise<ServiceReply> {
  const visit = await ask(call, world, json);
  const found = await visit.collection('description');
  const listed =
    found.kind === 'layer'
      ? (await stylesOfMap(call.services.catalog, found)).map(listedStyle)
      : found.styles.map(({ name, title }) => ({ id: name, title }));
  return reply(json, stylesDocument(visit, found, listed));
}

export async function map(call: MapsCall, world: MapsWorld): Promise<ServiceReply> {
  const parameters = readParameters(call.rawQuery, ofMaps);
  const visit = await visitMaps(call, world, 'GetMap', parameters);
  // Who may look is asked before anything is said of the map.
  const found = await visit.collection('read');
  const { name: format, mediaType } = chooseFormat(mapFormats, parameters.get('f'), call.headers);
  const style = await chosenStyle(call.services.catalog, found, call.params.style, 'style');
  const { crs, ...frame } = await requestedMap(parameters, found);
  const { layer: wishes } = wishesIn(parameters);
  const layers = await layersToDraw(call.services, layersOf(found, style), wishes, usualTerms(world.now()));
  const isTransparent = frame.isTransparent && format !== 'jpeg';
  const pixels = await drawPublished(call.services, { ...frame, isTransparent, layers }, call.signal());
  const { encodePicture } = await import('../../../rendering/encode-picture.ts');
  const { minX, minY, maxX, maxY } = frame.box;
  return {
    contentType: mediaType,
    headers: { 'content-crs': `<${crs}>`, 'content-bbox': [minX, minY, maxX, maxY].join(',') },
    body: await encodePicture(pixels, format),
    isPacked: true,
  };
}

/** The same with a style in the path. */
export const styledMap = map;

async function ask(call: MapsCall, world: MapsWorld, format: OfferedFormat): Promise<MapsVisit> {
  const parameters = readParameters(call.rawQuery, onlyFormat);
  chooseFormat([format], parameters.get('f'), call.headers);
  return visitMaps(call, world, 'GetCapabilities', parameters);
}

function reply({ mediaType }: OfferedFormat, document: object): ServiceReply {
  return { contentType: mediaType, body: JSON.stringify(document) };
}
