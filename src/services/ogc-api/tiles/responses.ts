/** The responses of OGC API Tiles. */

import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { formatPrintableName } from '../../../records/names.ts';
import {
  findTileMatrixSet,
  isInMatrix,
  parseLevel,
  type TileAddress,
  type TileMatrixSet,
  tileMatrixSets,
} from '../../../tiles/tile-matrix-set.ts';
import type { FeatureServiceRequest } from '../../access/feature-access.ts';
import { createMapLayer } from '../../access/published-map.ts';
import { loadTileStyle } from '../../maps/tile-style.ts';
import type { MapTile } from '../../tiles/map-tile.ts';
import { splitPixelRatio } from '../../tiles/pixel-ratio.ts';
import { selectPathStyle, selectTileFormat } from '../../tiles/select-tile.ts';
import { vectorFormat } from '../../tiles/tile-format.ts';
import { scaleTiles, type TileOptions } from '../../tiles/tile-options.ts';
import { createTileReply } from '../../tiles/tile-reply.ts';
import { readAttributeNames } from '../common/attribute-names.ts';
import { chooseFormat, type OfferedFormat } from '../common/formats.ts';
import { formatParameters, listNames, onlyFormat, readParameter, readParameters } from '../common/parameters.ts';
import { optionParameters, readRequestedOptions } from '../common/requested-options.ts';
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
  return createJsonReply(chosen, buildTileMatrixSetsDocument(visit));
}

export async function tilingScheme(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const { chosen } = await prepareDocument(call, world, 'GetCapabilities', [json]);
  return createJsonReply(chosen, buildTileMatrixSetDocument(getTileMatrixSet(call)));
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
  return createJsonReply(chosen, buildTilesetsDocument(visit, await getVectorCollection(visit, 'description')));
}

export async function tileset(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const formats = [json, tileJson];
  const { visit, chosen } = await prepareDocument(call, world, 'DescribeFeatureType', formats, vectorSetParameters);
  const collection = await getVectorCollection(visit, 'description');
  const layer = findTiledLayer(collection);
  const tileStyle = layer && (await loadTileStyle(call.services, { layer, style: null }));
  const found = { ...collection, properties: readProperties(visit, collection), tileStyle };
  const set = getTileMatrixSet(call);
  return createJsonReply(
    chosen,
    chosen.name === 'json' ? buildTilesetDocument(visit, found, set) : buildTileJsonDocument(visit, found, set),
  );
}

/** Access is checked before any detail of the tile is disclosed. */
export async function tile(call: TilesCall, world: TilesRequestEnvironment): Promise<ServiceReply> {
  const { visit } = await prepareDocument(call, world, 'GetFeature', [mvt], vectorParameters);
  const collection = await getVectorCollection(visit, 'read');
  const map = findTiledLayer(collection);
  if (map === undefined) throw problem('collection-unknown', { name: formatPrintableName(collection.id) });
  const set = getTileMatrixSet(call);
  const wishes = addProperties(readRequestedOptions(visit.parameters), readProperties(visit, collection));
  return answerTile(call, world, {
    map,
    style: null,
    set,
    address: readTileAddress(call.params, set),
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
  return createJsonReply(chosen, buildMapTilesetsDocument(visit, await getMapCollection(visit, 'description')));
}

export async function mapTileset(call: TilesCall, world: TilesEnvironment): Promise<ServiceReply> {
  const formats = [json, tileJson];
  const { visit, chosen } = await prepareDocument(call, world, 'DescribeFeatureType', formats, mapSetParameters);
  const pixelRatio = readParameter(visit.parameters, ratioParameters.pixelRatio);
  const found = { ...(await getMapCollection(visit, 'description')), pixelRatio };
  const document = chosen.name === 'json' ? buildMapTilesetDocument : buildMapTileJsonDocument;
  return createJsonReply(chosen, document(visit, found, getTileMatrixSet(call)));
}

export async function mapTile(call: TilesCall, world: TilesRequestEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetFeature', pictures, pictureParameters);
  const { map, style } = await getMapCollection(visit, 'read');
  const set = getTileMatrixSet(call);
  const { number: column, pixelRatio } = splitPixelRatio(call.params['column'] ?? '', 'column');
  return answerTile(call, world, {
    map,
    style: await selectPathStyle(call.services.catalog, map, style),
    set,
    address: readTileAddress({ ...call.params, column }, set),
    format: selectTileFormat(map, chosen.name, 'f'),
    wishes: scaleTiles(
      readRequestedOptions(visit.parameters),
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

function getTileMatrixSet({ params: { set = '' } }: TilesCall): TileMatrixSet {
  const found = findTileMatrixSet(set);
  if (found === undefined) {
    throw problem('tile-matrix-set-unknown', { name: excerpt(set), known: tileMatrixSets.map(({ id }) => id) });
  }
  return found;
}

/** Accepts a level with or without the name of its tile matrix set. */
function readTileAddress({ level = '', row = '', column = '' }: TilesCall['params'], set: TileMatrixSet): TileAddress {
  const named = parseLevel(set, level);
  const address = { level: named ?? 0, row: Number(row), column: Number(column) };
  const isWritten = named !== undefined && [row, column].every((each) => /^\d{1,9}$/.test(each));
  if (!isWritten || !isInMatrix(set, address)) {
    throw problem('tile-unknown', { tile: excerpt([level, row, column].join('/')), set: set.id });
  }
  return address;
}

function createJsonReply({ mediaType }: OfferedFormat, document: object): ServiceReply {
  return { contentType: mediaType, body: JSON.stringify(document) };
}
