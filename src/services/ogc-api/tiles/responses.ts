/** What OGC API Tiles answers at each of its addresses. */
import {
  isInMatrix,
  parseLevel,
  type TileAddress,
  type TileMatrixSet,
  findTileMatrixSet,
  tileMatrixSets,
} from '../../../data/tiles/tile-matrix-set.ts';
import type { ServiceReply } from '../../../http/service-reply.ts';
import { excerpt } from '../../../lib/excerpt.ts';
import { problem } from '../../../lib/problem.ts';
import { formatPrintableName } from '../../../records/names.ts';
import type { FeatureVisit } from '../../door/door.ts';
import { mapLayer } from '../../door/published-map.ts';
import { chosenFormat, chosenStyle } from '../../tiles/chosen-tile.ts';
import type { MapTile } from '../../tiles/map-tile.ts';
import { vectorFormat } from '../../tiles/tile-format.ts';
import { tileReply } from '../../tiles/tile-reply.ts';
import { chooseFormat, type OfferedFormat } from '../common/formats.ts';
import { readParameters } from '../common/parameters.ts';
import { wishesIn, wishParameters } from '../common/wishes.ts';
import { apiDocument } from './api.ts';
import {
  collectionDocument,
  collectionsDocument,
  conformanceDocument,
  landingDocument,
  type MapCollection,
  mapTileJsonDocument,
  mapTilesetDocument,
  mapTilesetsDocument,
  TILE_TYPE,
  tileJsonDocument,
  tileMatrixSetDocument,
  tileMatrixSetsDocument,
  tilesetDocument,
  tilesetsDocument,
  type VectorCollection,
} from './documents.ts';
import { type TilesCall, type TilesQuestion, type TilesVisit, type TilesWorld, visitTiles } from './visit.ts';

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

const onlyFormat: ReadonlySet<string> = new Set(['f']);
const ofTiles: ReadonlySet<string> = new Set(['f', ...Object.keys(wishParameters)]);

export async function landing(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'GetCapabilities', [json]);
  return reply(chosen, landingDocument(visit));
}

export async function conformance(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'GetCapabilities', [json]);
  return reply(chosen, conformanceDocument(visit));
}

export async function api(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'GetCapabilities', [openApi]);
  return reply(chosen, apiDocument(visit));
}

export async function tilingSchemes(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'GetCapabilities', [json]);
  return reply(chosen, tileMatrixSetsDocument(visit));
}

export async function tilingScheme(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { chosen } = await ask(call, world, 'GetCapabilities', [json]);
  return reply(chosen, tileMatrixSetDocument(setOf(call)));
}

export async function collections(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'GetCapabilities', [json]);
  return reply(chosen, collectionsDocument(visit, await visit.list()));
}

export async function collection(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'DescribeFeatureType', [json]);
  return reply(chosen, collectionDocument(visit, await visit.collection('description')));
}

export async function tilesets(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'DescribeFeatureType', [json]);
  return reply(chosen, tilesetsDocument(visit, await vectorCollection(visit, 'description')));
}

export async function tileset(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'DescribeFeatureType', [json, tileJson]);
  const found = await vectorCollection(visit, 'description');
  const set = setOf(call);
  return reply(
    chosen,
    chosen.name === 'json' ? tilesetDocument(visit, found, set) : tileJsonDocument(visit, found, set),
  );
}

/** Who may read is asked before anything is said of the tile. */
export async function tile(call: TilesCall, world: TilesQuestion): Promise<ServiceReply> {
  const { visit } = await ask(call, world, 'GetFeature', [mvt], ofTiles);
  const { id, type } = await vectorCollection(visit, 'read');
  const { layer, type: resource, store, workspace } = type.records;
  const map = mapLayer({ layer, resource, store, workspace }, 'WFS');
  if (map === undefined) throw problem('collection-unknown', { name: formatPrintableName(id) });
  const set = setOf(call);
  const wishes = wishesIn(visit.parameters);
  return tileOf(call, world, { map, style: null, set, address: addressIn(call, set), format: vectorFormat, wishes });
}

export async function mapTilesets(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'DescribeFeatureType', [json]);
  return reply(chosen, mapTilesetsDocument(visit, await mapCollection(visit, 'description')));
}

export async function mapTileset(call: TilesCall, world: TilesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'DescribeFeatureType', [json, tileJson]);
  const found = await mapCollection(visit, 'description');
  const document = chosen.name === 'json' ? mapTilesetDocument : mapTileJsonDocument;
  return reply(chosen, document(visit, found, setOf(call)));
}

export async function mapTile(call: TilesCall, world: TilesQuestion): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'GetFeature', pictures, ofTiles);
  const { map, style } = await mapCollection(visit, 'read');
  const set = setOf(call);
  return tileOf(call, world, {
    map,
    style: await chosenStyle(call.services.catalog, map, style, 'style'),
    set,
    address: addressIn(call, set),
    format: chosenFormat(map, chosen.name, 'f'),
    wishes: wishesIn(visit.parameters),
  });
}

/** The same with a style in the path. */
export const styledTilesets = mapTilesets;
export const styledTileset = mapTileset;
export const styledTile = mapTile;

function tileOf(call: TilesCall, { now, question }: TilesQuestion, made: MapTile): Promise<ServiceReply> {
  const { services, principal, signal } = call;
  return tileReply({ services, principal, signal, now, question }, made);
}

async function vectorCollection(visit: TilesVisit, wish: 'description' | 'read'): Promise<VectorCollection> {
  const found = await visit.collection(wish);
  const { type } = found;
  if (type === undefined) throw problem('collection-unknown', { name: formatPrintableName(found.id) });
  return { ...found, type };
}

/** In the style of the path, which has to be one of its own. */
async function mapCollection(visit: TilesVisit, wish: 'description' | 'read'): Promise<MapCollection> {
  const found = await visit.collection(wish);
  const { map } = found;
  if (map === undefined) throw problem('collection-unknown', { name: formatPrintableName(found.id) });
  const { style } = visit.call.params;
  await chosenStyle(visit.call.services.catalog, map, style, 'style');
  return { ...found, map, style };
}

async function ask<F extends OfferedFormat>(
  call: TilesCall,
  world: TilesWorld,
  operation: FeatureVisit['operation'],
  formats: readonly F[],
  known = onlyFormat,
): Promise<{ readonly visit: TilesVisit; readonly chosen: F }> {
  const parameters = readParameters(call.rawQuery, known);
  const visit = await visitTiles(call, world, operation, parameters);
  return { visit, chosen: chooseFormat(formats, parameters.get('f'), call.headers) };
}

function setOf({ params: { set = '' } }: TilesCall): TileMatrixSet {
  const found = findTileMatrixSet(set);
  if (found === undefined) {
    throw problem('tile-matrix-set-unknown', { name: excerpt(set), known: tileMatrixSets.map(({ id }) => id) });
  }
  return found;
}

/** The level with the name of the grid before it, or alone. */
function addressIn({ params: { level = '', row = '', column = '' } }: TilesCall, set: TileMatrixSet): TileAddress {
  const named = parseLevel(set, level);
  const address = { level: named ?? 0, row: Number(row), column: Number(column) };
  const isWritten = named !== undefined && [row, column].every((each) => /^\d{1,9}$/.test(each));
  if (!isWritten || !isInMatrix(set, address)) {
    throw problem('tile-unknown', { tile: excerpt([level, row, column].join('/')), set: set.id });
  }
  return address;
}

function reply({ mediaType }: OfferedFormat, document: object): ServiceReply {
  return { contentType: mediaType, body: JSON.stringify(document) };
}
