/** The WMTS service: checks access and returns tiles, feature information and capabilities. */

import type { ServiceCall } from '../../http/route-table/service-route.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { ParameterFilter } from '../../tiles/settings/tile-settings.ts';
import { type MapAccess, openMapAccess } from '../access/map-access.ts';
import { formatStyleName, listMapStyles } from '../access/map-styles.ts';
import type { PublishedMap } from '../access/published-map.ts';
import type { ServiceScope } from '../access/service-request.ts';
import { createCapabilitiesReply } from '../ows/capabilities-cache.ts';
import { checkUpdateSequence } from '../ows/capabilities-parts.ts';
import type { Parameters } from '../ows/parameters.ts';
import {
  addUnknownWarnings,
  listUnknownWarnings,
  readParameter,
  type ServiceOperation,
} from '../ows/service-parameters.ts';
import { loadPublicationSettings, readServiceSettings } from '../ows/service-settings.ts';
import { createGridConversion } from '../tiles/grid-extent.ts';
import type { MapTile, TileServices } from '../tiles/map-tile.ts';
import { chooseValue, filterTileParameters } from '../tiles/parameter-filters.ts';
import { splitPixelRatio } from '../tiles/pixel-ratio.ts';
import { getMapId } from '../tiles/possible-formats.ts';
import { getTileMap, parseTileAddress, selectTileFormat, selectTileStyle } from '../tiles/select-tile.ts';
import {
  checkOfferedTile,
  listLayerGridSets,
  listTileFormats,
  loadTileSettings,
  selectTileMatrixSet,
} from '../tiles/tile-offer.ts';
import { readTileOptions, scaleTiles } from '../tiles/tile-options.ts';
import { createTileReply } from '../tiles/tile-reply.ts';
import type { ListedDimension } from '../wms/capabilities/content.ts';
import {
  computeDimensionFingerprint,
  createDimensionRecorder,
  type DimensionRecorder,
} from '../wms/capabilities/list-dimensions.ts';
import { allInfoFormats, listInfoFormatNames } from '../wms/context/info-formats.ts';
import {
  type ListedGrid,
  type ListedTiles,
  type TileDimension,
  type WmtsContent,
  writeWmtsCapabilities,
} from './capabilities.ts';
import { tileInfoParameters, wmtsFields, wmtsOperations } from './parameters.ts';
import type { GetCapabilities, GetTile, WmtsRequest } from './request.ts';

export interface WmtsCall extends Pick<ServiceCall<TileServices>, 'services' | 'principal' | 'signal'> {
  readonly place: ServiceScope;
  /** All key-value pairs, also those after a path. */
  readonly parameters: Parameters;
  readonly limits: DocumentLimits;
  /** The cache key of a tile. */
  readonly question: string | undefined;
  readonly now: () => Date;
  /** The address of this service as the client sees it. */
  readonly address: string;
  /** The base address before the workspace, as the client sees it. */
  readonly root: string;
}

const infoFields = {
  layer: wmtsFields.layer,
  i: tileInfoParameters.i.name,
  j: tileInfoParameters.j.name,
  format: tileInfoParameters.infoFormat.name,
};

/** `operation` declares the parameters of the address. */
export async function answerWmts(
  call: WmtsCall,
  request: WmtsRequest,
  operation: ServiceOperation = wmtsOperations[request.kind],
): Promise<ServiceReply> {
  const { services, principal, place, parameters } = call;
  const mapAccess = await openMapAccess(services, { principal, place, service: 'wmts', operation: request.kind });
  switch (request.kind) {
    case 'GetCapabilities':
      return addUnknownWarnings(await answerCapabilities(call, mapAccess, request), operation, parameters);
    case 'GetTile':
      return createTileReply(
        call,
        await readTile(call, mapAccess, request),
        listUnknownWarnings(operation, parameters),
      );
    case 'GetFeatureInfo': {
      const { createTileInfoReply: tileInfoReply } = await import('../tiles/tile-info.ts');
      const tile = await readTile(call, mapAccess, request);
      const { i, j, infoFormat: format } = request;
      const count = readParameter(parameters, tileInfoParameters.featureCount);
      const reply = await tileInfoReply({ ...call, mapAccess }, { tile, i, j, format, count }, infoFields);
      return addUnknownWarnings(reply, operation, parameters);
    }
  }
}

async function readTile(
  { services, parameters, limits }: WmtsCall,
  mapAccess: MapAccess,
  { layer, style, format: wanted, set: grid, ...numbers }: Omit<GetTile, 'kind'>,
): Promise<MapTile> {
  // Access is checked before any detail of the tile is disclosed.
  const map = await getTileMap(mapAccess, layer, wmtsFields.layer);
  const offered = await selectTileMatrixSet(services.catalog, map, grid, wmtsFields.set);
  const format = await selectTileFormat(services.catalog, map, wanted, wmtsFields.format);
  const { number: column, pixelRatio } = splitPixelRatio(numbers.column, wmtsFields.column);
  const address = parseTileAddress(offered.set, { ...numbers, column }, wmtsFields);
  checkOfferedTile(offered, address, wmtsFields);
  const filtered = await filterTileParameters(services.catalog, map, parameters);
  return {
    map,
    style: await selectTileStyle(services.catalog, map, style, wmtsFields.style),
    set: offered.set,
    address,
    format,
    wishes: scaleTiles(await readTileOptions(filtered, limits, format), pixelRatio),
  };
}

async function answerCapabilities(
  call: WmtsCall,
  mapAccess: MapAccess,
  { updateSequence }: GetCapabilities,
): Promise<ServiceReply> {
  checkUpdateSequence(updateSequence, call.services.catalog.position());
  return createTileListReply(call, mapAccess, {
    contentType: 'text/xml;charset=utf-8',
    question: ['WMTS'],
    write: writeWmtsCapabilities,
  });
}

export interface TileListOptions {
  readonly contentType: string;
  /** Identifies the document and the service. */
  readonly question: readonly unknown[];
  readonly write: (content: WmtsContent) => Iterable<string>;
}

/** Creates a document that lists all layers with tiles. */
export function createTileListReply(
  call: WmtsCall,
  mapAccess: MapAccess,
  { contentType, question, write }: TileListOptions,
): Promise<ServiceReply> {
  const { services, now } = call;
  const dimensionContext = { services, now, signal: call.signal() };
  return createCapabilitiesReply(call, {
    contentType,
    question: [...question, call.address, mapAccess.workspace?.name, mapAccess.layer],
    async make() {
      const dimensions = createDimensionRecorder(dimensionContext);
      const content = await loadTileListContent(call, mapAccess, dimensions);
      return { pieces: write(content), byData: dimensions.getFingerprint() };
    },
    computeFingerprint: (layers) => computeDimensionFingerprint(dimensionContext, layers),
  });
}

/** Keeps only the listed properties of each layer in memory. */
async function loadTileListContent(
  call: WmtsCall,
  mapAccess: MapAccess,
  dimensions: DimensionRecorder,
): Promise<WmtsContent> {
  const { services, address } = call;
  const layers: ListedTiles[] = [];
  const grids = new Map<string, ListedGrid>();
  for await (const map of mapAccess.each()) {
    for (const each of listWithMembers(map)) {
      const formats = await listTileFormats(services.catalog, each);
      const sets = await listLayerGridSets(services.catalog, each);
      if (formats.length === 0 || sets.length === 0) continue;
      for (const { set } of sets) {
        if (!grids.has(set.id)) grids.set(set.id, { set, convertToGrid: await createGridConversion(set) });
      }
      const listed = await createListedTiles(call, mapAccess, each, dimensions);
      layers.push({ ...listed, formats: formats.map(({ mediaType }) => mediaType), sets });
    }
  }
  const { facts } = readServiceSettings('wmts', mapAccess.settings);
  const { contact } = await loadPublicationSettings(services.catalog, mapAccess.workspace);
  return {
    address,
    service: facts,
    contact,
    updateSequence: services.catalog.position(),
    layers,
    grids: [...grids.values()],
  };
}

/** Tree groups contain their members; WMTS has no trees, so that the list is flat. */
export function* listWithMembers(map: PublishedMap): Iterable<PublishedMap> {
  const isContainer = map.kind === 'group' && map.group.mode === 'CONTAINER';
  if (!isContainer) yield map;
  if (map.kind === 'group' && ['CONTAINER', 'NAMED', 'EO'].includes(map.group.mode)) {
    for (const part of map.parts) yield* listWithMembers(part.map);
  }
}

async function createListedTiles(
  call: WmtsCall,
  mapAccess: MapAccess,
  map: PublishedMap,
  dimensions: DimensionRecorder,
): Promise<Omit<ListedTiles, 'sets' | 'formats'>> {
  const { catalog } = call.services;
  const { parameterFilters = [] } = await loadTileSettings(catalog, getMapId(map));
  const styles =
    map.kind === 'layer'
      ? selectAllowedStyles(
          parameterFilters,
          (await listMapStyles(catalog, map)).map((each) => ({ name: formatStyleName(each), title: '' })),
        )
      : [{ name: 'default', title: '' }, ...map.styles.map(({ name, title }) => ({ name, title }))];
  return {
    name: mapAccess.workspace === undefined ? map.qualifiedName : map.name,
    title: map.title,
    abstract: map.abstract,
    keywords: map.keywords,
    geographic: map.latLonBounds ?? undefined,
    styles,
    dimensions: map.kind === 'layer' ? toTileDimensions(await dimensions.list(map)) : [],
    infoFormats: map.isQueryable ? listInfoFormatNames(allInfoFormats) : [],
  };
}

/** The default style comes first and is always offered. */
function selectAllowedStyles<S extends { readonly name: string }>(
  filters: readonly ParameterFilter[],
  styles: readonly S[],
): readonly S[] {
  const filter = filters.find(({ kind }) => kind === 'style');
  return filter === undefined
    ? styles
    : styles.filter(({ name }, index) => index === 0 || chooseValue(filter, name) !== undefined);
}

/** Returns the dimensions that have values. Custom dimensions have a parameter prefix. */
function toTileDimensions(found: readonly ListedDimension[]): readonly TileDimension[] {
  return found.flatMap(({ name, units, default: usual, values }) =>
    usual === undefined || values === ''
      ? []
      : [
          {
            name: name === 'time' || name === 'elevation' ? name : `dim_${name}`,
            units,
            default: usual,
            values: values.split(','),
          },
        ],
  );
}
