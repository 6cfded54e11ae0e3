/** The responses of OGC API Tiles. */

import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { formatPrintableName } from '../../../records/names.ts';
import { vectorFormat } from '../../../tiles/tile-format.ts';
import {
  hasName,
  isInMatrix,
  parseLevel,
  type TileAddress,
  type TileMatrixSet,
} from '../../../tiles/tile-matrix-set.ts';
import type { FeatureServiceRequest } from '../../access/feature-access.ts';
import { createMapLayer, type PublishedMap } from '../../access/published-map.ts';
import { loadTileStyle } from '../../maps/tile-style.ts';
import { listDefaultSets, listUsedSets } from '../../tiles/grid-sets.ts';
import type { MapTile } from '../../tiles/map-tile.ts';
import { splitPixelRatio } from '../../tiles/pixel-ratio.ts';
import { selectPathStyle, selectTileFormat } from '../../tiles/select-tile.ts';
import { createOfferedSet, isOfferedTile, listLayerGridSets, type OfferedSet } from '../../tiles/tile-offer.ts';
import { scaleTiles, type TileOptions } from '../../tiles/tile-options.ts';
import { createTileReply } from '../../tiles/tile-reply.ts';
import { readAttributeNames } from '../common/attribute-names.ts';
import { chooseFormat, type OfferedFormat } from '../common/formats.ts';
import { formatParameters, listNames, onlyFormat, readParameter, readParameters } from '../common/parameters.ts';
import { filterRequestedOptions, optionParameters, readRequestedOptions } from '../common/requested-options.ts';
import { attributeParameters, buildApiDocument, ratioParameters } from './api.ts';
import {
  buildCollectionDocument,
  buildCollectionsDocument,
  buildConformanceDocument,
  buildLandingDocument,
  buildMapTileJsonDocument,
  buildMapTilesetDocument,
  buildMapTilesetsDocument,
  buildTileJsonDocument,
  buildTileMatrixSetDocument,
  buildTileMatrixSetsDocument,
  buildTilesetDocument,
  buildTilesetsDocument,
  type MapCollection,
  TILE_TYPE,
  type VectorCollection,
} from './documents.ts';
import {
  openTilesContext,
  type TilesCall,
  type TilesContext,
  type TilesEnvironment,
  type TilesRequestEnvironment,
} from './tiles-context.ts';

const json = { name: 'json', mediaType: 'application/json', title: 'JSON' } as const satisfies OfferedFormat;
const xml = { name: 'xml', mediaType: 'application/xml', title: 'XML of WMTS' } as const satisfies OfferedFormat;
const tileJson = { name: 'tilejson', mediaType: 'application/vnd.mapbox.tile+json', title: 'TileJSON' } as const;
const openApi = {
  name: 'json',
  mediaType: 'application/vnd.oai.openapi+json;version=3.0',
  title: 'OpenAPI 3.0',
} as const;
const mvt = { name: 'mvt', aliases: ['pbf'], mediaType: TILE_TYPE, title: 'Mapbox vector tile' } as const;

const pictures: readonly OfferedFormat[] = [
  { name: 'png', mediaType: 'image/png', title: 'PNG' },
  { name: 'jpeg', aliases: ['jpg'], mediaType: 'image/jpeg', title: 'JPEG' },
  { name: 'webp', mediaType: 'image/webp', title: 'WebP' },
  { name: 'png8', mediaType: 'image/png8', title: 'PNG with 256 colours' },
  { name: 'gif', mediaType: 'image/gif', title: 'GIF' },
];

const pictureParameters = listNames({ ...formatParameters, ...optionParameters, ...ratioParameters });
const mapSetParameters = listNames({ ...formatParameters, ...ratioParameters });
const vectorParameters = listNames({ ...formatParameters, ...optionParameters, ...attributeParameters });
const vectorSetParameters = listNames({ ...formatParameters, ...attributeParameters });

export async function landing(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetCapabilities', [json]);
  return createJsonReply(chosen, buildLandingDocument(visit));
}

export async function conformance(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetCapabilities', [json]);
  return createJsonReply(chosen, buildConformanceDocument(visit));
}

export async function api(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetCapabilities', [openApi]);
  return createJsonReply(chosen, buildApiDocument(visit));
}

export async function tilingSchemes(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetCapabilities', [json]);
  return createJsonReply(chosen, buildTileMatrixSetsDocument(visit, await listUsedSets(call.services.catalog)));
}

export async function tilingScheme(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const { chosen } = await prepareDocument(call, world, 'GetCapabilities', [json, xml]);
  const set = await getUsedSet(call);
  if (chosen.name === 'json') return createJsonReply(chosen, buildTileMatrixSetDocument(set));
  const { writeTileMatrixSet } = await import('../../wmts/capabilities.ts');
  return { contentType: chosen.mediaType, body: writeTileMatrixSet(set) };
}

export async function collections(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetCapabilities', [json]);
  return createJsonReply(chosen, buildCollectionsDocument(visit, await visit.list()));
}

export async function collection(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'DescribeFeatureType', [json]);
  return createJsonReply(chosen, buildCollectionDocument(visit, await visit.collection('description')));
}

export async function tilesets(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'DescribeFeatureType', [json]);
  const collection = await getVectorCollection(visit, 'description');
  const sets = await listCollectionSets(call, findTiledLayer(collection));
  return createJsonReply(chosen, buildTilesetsDocument(visit, collection, sets));
}

export async function tileset(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const formats = [json, tileJson];
  const { visit, chosen } = await prepareDocument(call, world, 'DescribeFeatureType', formats, vectorSetParameters);
  const collection = await getVectorCollection(visit, 'description');
  const layer = findTiledLayer(collection);
  const tileStyle = layer && (await loadTileStyle(call.services, { layer, style: null }));
  const found = { ...collection, properties: readProperties(visit, collection), tileStyle };
  const offered = await getTileMatrixSet(call, layer);
  return createJsonReply(
    chosen,
    chosen.name === 'json' ? buildTilesetDocument(visit, found, offered) : buildTileJsonDocument(visit, found, offered),
  );
}

/** Access is checked before any detail of the tile is disclosed. */
export async function tile(call: TilesCall, world: TilesRequestEnvironment): Promise<ServiceReply> {
  const { visit } = await prepareDocument(call, world, 'GetFeature', [mvt], vectorParameters);
  const collection = await getVectorCollection(visit, 'read');
  const map = findTiledLayer(collection);
  if (map === undefined) throw problem('collection-unknown', { name: formatPrintableName(collection.id) });
  const offered = await getTileMatrixSet(call, map);
  const parameters = await filterRequestedOptions(call.services.catalog, map, visit.parameters);
  const wishes = addProperties(readRequestedOptions(parameters), readProperties(visit, collection));
  return answerTile(call, world, {
    map,
    style: null,
    set: offered.set,
    address: readTileAddress(call.params, offered),
    format: vectorFormat,
    wishes,
  });
}

/** Returns undefined if the layer is disabled. */
function findTiledLayer({ type }: VectorCollection) {
  const { type: resource, ...records } = type.records;
  return createMapLayer({ ...records, resource }, 'WFS');
}

export async function mapTilesets(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'DescribeFeatureType', [json]);
  const collection = await getMapCollection(visit, 'description');
  const sets = await listCollectionSets(call, collection.map);
  return createJsonReply(chosen, buildMapTilesetsDocument(visit, collection, sets));
}

export async function mapTileset(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const formats = [json, tileJson];
  const { visit, chosen } = await prepareDocument(call, world, 'DescribeFeatureType', formats, mapSetParameters);
  const pixelRatio = readParameter(visit.parameters, ratioParameters.pixelRatio);
  const found = { ...(await getMapCollection(visit, 'description')), pixelRatio };
  const document = chosen.name === 'json' ? buildMapTilesetDocument : buildMapTileJsonDocument;
  return createJsonReply(chosen, document(visit, found, await getTileMatrixSet(call, found.map)));
}

export async function mapTile(call: TilesCall, world: TilesRequestEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetFeature', pictures, pictureParameters);
  const { map, style } = await getMapCollection(visit, 'read');
  const offered = await getTileMatrixSet(call, map);
  const parameters = await filterRequestedOptions(call.services.catalog, map, visit.parameters);
  const { number: column, pixelRatio } = splitPixelRatio(call.params['column'] ?? '', 'column');
  return answerTile(call, world, {
    map,
    style: await selectPathStyle(call.services.catalog, map, style),
    set: offered.set,
    address: readTileAddress({ ...call.params, column }, offered),
    format: await selectTileFormat(call.services.catalog, map, chosen.name, 'f'),
    wishes: scaleTiles(
      readRequestedOptions(parameters),
      pixelRatio ?? readParameter(visit.parameters, ratioParameters.pixelRatio),
    ),
  });
}

/** The style is a path variable. */
export const styledTilesets = mapTilesets;
export const styledTileset = mapTileset;
export const styledTile = mapTile;

function answerTile(call: TilesCall, { now, question }: TilesRequestEnvironment, made: MapTile): Promise<ServiceReply> {
  const { services, principal, signal } = call;
  return createTileReply({ services, principal, signal, now, question }, made);
}

/** Returns the requested attributes; undefined for all. */
function readProperties({ parameters }: TilesContext, { type }: VectorCollection): readonly string[] | undefined {
  const written = readParameter(parameters, attributeParameters.properties);
  const values = type.attributes.filter(({ kind }) => kind === 'value');
  return written === undefined ? undefined : readAttributeNames('properties', written, values);
}

/** Each list of attributes is cached separately. */
function addProperties(options: TileOptions, properties: readonly string[] | undefined): TileOptions {
  if (properties === undefined) return options;
  const { layer, written } = options;
  return {
    ...options,
    layer: { ...layer, properties },
    written: { ...written, layer: { ...written.layer, properties: properties.join(',') } },
  };
}

async function getVectorCollection(visit: TilesContext, wish: 'description' | 'read'): Promise<VectorCollection> {
  const found = await visit.collection(wish);
  const { type } = found;
  if (type === undefined) {
    const mapTiles = `${visit.formatCollectionUrl(found)}/map/tiles`;
    throw problem('collection-unknown', { name: formatPrintableName(found.id), mapTiles });
  }
  return { ...found, type };
}

/** Uses the style of the path, which must be a style of the collection. */
async function getMapCollection(visit: TilesContext, wish: 'description' | 'read'): Promise<MapCollection> {
  const found = await visit.collection(wish);
  const { map } = found;
  if (map === undefined) throw problem('collection-unknown', { name: formatPrintableName(found.id) });
  const { style } = visit.call.params;
  await selectPathStyle(visit.call.services.catalog, map, style);
  return { ...found, map, style };
}

async function prepareDocument<F extends OfferedFormat>(
  call: TilesCall,
  world: TilesEnvironment,
  operation: FeatureServiceRequest['operation'],
  formats: readonly F[],
  known = onlyFormat,
): Promise<{ readonly visit: TilesContext; readonly chosen: F }> {
  const parameters = readParameters(call.rawQuery, known);
  const visit = await openTilesContext(call, world, operation, parameters);
  return { visit, chosen: chooseFormat(formats, readParameter(parameters, formatParameters.f), call.headers) };
}

/** The sets of a layer; those of the server if the layer is disabled. */
async function listCollectionSets(
  { services: { catalog } }: TilesCall,
  map: PublishedMap | undefined,
): Promise<readonly OfferedSet[]> {
  if (map !== undefined) return listLayerGridSets(catalog, map);
  return (await listDefaultSets(catalog)).map((set) => createOfferedSet(set));
}

/** Finds the set of the path among those of a layer, or of the server. */
async function getTileMatrixSet(call: TilesCall, map: PublishedMap | undefined): Promise<OfferedSet> {
  const { set = '' } = call.params;
  const sets = await listCollectionSets(call, map);
  const found = sets.find((each) => hasName(each.set, set));
  if (found === undefined) throw createUnknownSetProblem(set, sets);
  return found;
}

function createUnknownSetProblem(name: string, sets: readonly OfferedSet[]) {
  return problem('tile-matrix-set-unknown', { name: excerpt(name), known: sets.map(({ set }) => set.id) });
}

/** Finds a set that some layer offers. */
async function getUsedSet(call: TilesCall): Promise<TileMatrixSet> {
  const { set = '' } = call.params;
  const sets = await listUsedSets(call.services.catalog);
  const found = sets.find((each) => hasName(each, set));
  if (found === undefined)
    throw createUnknownSetProblem(
      set,
      sets.map((each) => createOfferedSet(each)),
    );
  return found;
}

/** Accepts a level with or without the name of its tile matrix set. */
function readTileAddress({ level = '', row = '', column = '' }: TilesCall['params'], offered: OfferedSet): TileAddress {
  const { set } = offered;
  const named = parseLevel(set, level);
  const address = { level: named ?? 0, row: Number(row), column: Number(column) };
  const isWritten = named !== undefined && [row, column].every((each) => /^\d{1,9}$/.test(each));
  if (!isWritten || !isInMatrix(set, address) || !isOfferedTile(offered, address)) {
    throw problem('tile-unknown', { tile: excerpt([level, row, column].join('/')), set: set.id });
  }
  return address;
}

function createJsonReply({ mediaType }: OfferedFormat, document: object): ServiceReply {
  return { contentType: mediaType, body: JSON.stringify(document) };
}
