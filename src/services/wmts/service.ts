/** The WMTS: opens the door, and gives tiles, what is drawn in them, and what there is. */
import type { ServiceReply } from '../../http/service-reply.ts';
import type { ServiceCall } from '../../http/service-route.ts';
import { problem } from '../../lib/problem.ts';
import { type MapDoor, openMapDoor } from '../door/map-door.ts';
import { styleName, stylesOfMap } from '../door/map-styles.ts';
import type { PublishedMap } from '../door/published-map.ts';
import type { ServicePlace } from '../door/visit.ts';
import { asTheyCome, checkUpdateSequence } from '../ows/capabilities-parts.ts';
import { publicationSettings, readServiceSettings } from '../ows/service-settings.ts';
import { chosenAddress, chosenFormat, chosenMap, chosenSet, chosenStyle } from '../tiles/chosen-tile.ts';
import { formatsOf, type MapTile, type TileServices } from '../tiles/map-tile.ts';
import { tileReply } from '../tiles/tile-reply.ts';
import { type ListedTiles, writeWmtsCapabilities } from './capabilities.ts';
import { type GetCapabilities, type GetTile, type WmtsRequest, wmtsFields } from './request.ts';

export interface WmtsCall extends Pick<ServiceCall<TileServices>, 'services' | 'principal' | 'signal'> {
  readonly place: ServicePlace;
  /** Where this service is asked, as the client knows it. */
  readonly address: string;
}

export async function answerWmts(call: WmtsCall, request: WmtsRequest): Promise<ServiceReply> {
  const { services, principal, place } = call;
  const door = await openMapDoor(services, { principal, place, service: 'wmts', operation: request.kind });
  switch (request.kind) {
    case 'GetCapabilities':
      return capabilities(call, door, request);
    case 'GetTile':
      return tileReply({ services, principal, signal: call.signal() }, await readTile(call, door, request));
    case 'GetFeatureInfo':
      throw problem('ows-option-unsupported', {
        what: 'Asking tiles for their features',
        instead: 'ask the WMS with GetFeatureInfo',
        field: 'Request',
      });
  }
}

async function readTile(
  { services }: Pick<WmtsCall, 'services'>,
  door: MapDoor,
  { layer, style, format, set: grid, ...numbers }: Omit<GetTile, 'kind'>,
): Promise<MapTile> {
  // Who may read is asked before anything is said of the tile.
  const map = await chosenMap(door, layer, wmtsFields.layer);
  const set = chosenSet(grid, wmtsFields.set);
  return {
    map,
    style: await chosenStyle(services.catalog, map, style, wmtsFields.style),
    set,
    address: chosenAddress(set, numbers, wmtsFields),
    format: chosenFormat(map, format, wmtsFields.format),
  };
}

async function capabilities(
  { services, address }: WmtsCall,
  door: MapDoor,
  { updateSequence: asked }: GetCapabilities,
): Promise<ServiceReply> {
  const { catalog } = services;
  const updateSequence = catalog.position();
  checkUpdateSequence(asked, updateSequence);
  // All of them are read before the first byte is sent, since that must not need the catalog; little is kept of each.
  const layers: ListedTiles[] = [];
  for await (const map of door.each()) {
    for (const each of withMembers(map)) {
      if (formatsOf(each).length > 0) layers.push(await listed(services, door, each));
    }
  }
  const { facts } = readServiceSettings('wmts', door.settings);
  const { contact } = await publicationSettings(catalog, door.workspace);
  const pieces = writeWmtsCapabilities({ address, service: facts, contact, updateSequence, layers });
  return { contentType: 'text/xml;charset=utf-8', body: asTheyCome(pieces) };
}

/** Groups that are shown as trees have their members inside; a WMTS has no trees. */
function* withMembers(map: PublishedMap): Iterable<PublishedMap> {
  const isContainer = map.kind === 'group' && map.group.mode === 'CONTAINER';
  if (!isContainer) yield map;
  if (map.kind === 'group' && ['CONTAINER', 'NAMED', 'EO'].includes(map.group.mode)) {
    for (const part of map.parts) yield* withMembers(part.map);
  }
}

async function listed(
  { catalog }: Pick<TileServices, 'catalog'>,
  door: MapDoor,
  map: PublishedMap,
): Promise<ListedTiles> {
  const styles =
    map.kind === 'layer'
      ? (await stylesOfMap(catalog, map)).map((each) => ({ name: styleName(each), title: '' }))
      : [{ name: 'default', title: '' }, ...map.styles.map(({ name, title }) => ({ name, title }))];
  return {
    name: door.workspace === undefined ? map.qualifiedName : map.name,
    title: map.title,
    abstract: map.abstract,
    keywords: map.keywords,
    geographic: map.latLonBounds ?? undefined,
    styles,
    formats: formatsOf(map).map(({ mediaType }) => mediaType),
    infoFormats: [],
  };
}
