/**
 * TMS 1.0.0: lists of tile maps and their tiles with rows counted from the south, and the same tiles with rows from
 * the north.
 */

import type { ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import { getSrsName, webMercatorQuad, worldCrs84Quad } from '../../tiles/default-sets.ts';
import type { TileFormat } from '../../tiles/tile-format.ts';
import { computeMatrixBounds, getClientName, getMatrix, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import { type MapAccess, openMapAccess } from '../access/map-access.ts';
import type { PublishedMap } from '../access/published-map.ts';
import { createCapabilitiesReply } from '../ows/capabilities-cache.ts';
import { writeInPieces } from '../ows/capabilities-parts.ts';
import { addUnknownWarnings, listUnknownWarnings, readParameter } from '../ows/service-parameters.ts';
import { filterTileParameters } from '../tiles/parameter-filters.ts';
import { splitPixelRatio } from '../tiles/pixel-ratio.ts';
import { getTileMap, parseTileAddress, selectTileFormat, selectTileStyle } from '../tiles/select-tile.ts';
import { checkOfferedTile, listLayerGridSets, listTileFormats, selectTileMatrixSet } from '../tiles/tile-offer.ts';
import { readTileOptions, scaleTiles } from '../tiles/tile-options.ts';
import { createTileReply } from '../tiles/tile-reply.ts';
import type { WmtsCall } from '../wmts/service.ts';
import { tmsDocumentOperation, tmsParameters, tmsTileOperation } from './parameters.ts';

const XML = 'text/xml;charset=utf-8';

function openWmtsAccess({ services, principal, place }: WmtsCall, operation: string): Promise<MapAccess> {
  return openMapAccess(services, { principal, place, service: 'wmts', operation });
}

export async function listTileMaps(call: WmtsCall): Promise<ServiceReply> {
  const mapAccess = await openWmtsAccess(call, 'GetCapabilities');
  const reply = await createCapabilitiesReply(call, {
    contentType: XML,
    question: ['TMS', call.address, mapAccess.workspace?.name, mapAccess.layer],
    make: async () => ({ pieces: writeTileMapList(call.address, await listPublishedTileMaps(call, mapAccess)) }),
  });
  return addUnknownWarnings(reply, tmsDocumentOperation, call.parameters);
}

interface ListedTileMap {
  readonly title: string;
  readonly href: string;
  readonly set: TileMatrixSet;
}

async function listPublishedTileMaps(
  { address, services }: WmtsCall,
  mapAccess: MapAccess,
): Promise<readonly ListedTileMap[]> {
  const maps: ListedTileMap[] = [];
  for await (const map of mapAccess.each()) {
    const sets = await listLayerGridSets(services.catalog, map);
    const expressible = sets.filter(({ set }) => hasCommonOrigin(set));
    for (const format of await listTileFormats(services.catalog, map)) {
      for (const { set } of expressible) {
        const href = `${address}/${encodeURIComponent(formatTileMapName(formatMapName(mapAccess, map), set, format))}`;
        maps.push({ title: map.title, href, set });
      }
    }
  }
  return maps;
}

function* writeTileMapList(address: string, maps: readonly ListedTileMap[]): Iterable<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<TileMapService version="1.0.0" services="${escapeAttribute(address)}">
<Title>Tile Map Service</Title>
<Abstract>Tiles by zoom, column and row.</Abstract>
<TileMaps>
`;
  yield* writeInPieces(
    maps,
    ({ title, href, set }) =>
      `<TileMap title="${escapeAttribute(title)}" srs="${getSrsName(set)}" profile="${getProfileName(set)}" href="${escapeAttribute(href)}"/>\n`,
  );
  yield '</TileMaps>\n</TileMapService>\n';
}

export async function describeTileMap(call: WmtsCall, written: string): Promise<ServiceReply> {
  const mapAccess = await openWmtsAccess(call, 'GetCapabilities');
  const { map, offered, format } = await readTileMapName(call, mapAccess, written);
  const { set, minLevel, maxLevel } = offered;
  if (!hasCommonOrigin(set)) throw problem('tile-grid-without-tms', { set: set.id, field: 'gridset' });
  const address = `${call.address}/${encodeURIComponent(written)}`;
  const first = getMatrix(set, 0);
  const { minX, minY, maxX, maxY } = computeMatrixBounds(first);
  const levels = set.matrices.slice(minLevel, maxLevel + 1).map(({ cellSize }, index) => {
    const level = minLevel + index;
    return `<TileSet href="${escapeAttribute(`${address}/${level}`)}" units-per-pixel="${cellSize}" order="${level}"/>`;
  });
  const reply = {
    contentType: XML,
    body: `<?xml version="1.0" encoding="UTF-8"?>
<TileMap version="1.0.0" tilemapservice="${escapeAttribute(call.address)}">
<Title>${escapeText(map.title)}</Title>
<Abstract>${escapeText(map.abstract)}</Abstract>
<SRS>${getSrsName(set)}</SRS>
<BoundingBox minx="${minX}" miny="${minY}" maxx="${maxX}" maxy="${maxY}"/>
<Origin x="${minX}" y="${minY}"/>
<TileFormat width="${first.tileWidth}" height="${first.tileHeight}" mime-type="${format.mediaType}" extension="${format.extension}"/>
<TileSets profile="${getProfileName(set)}">
${levels.join('\n')}
</TileSets>
</TileMap>
`,
  };
  return addUnknownWarnings(reply, tmsDocumentOperation, call.parameters);
}

export async function answerTmsTile(
  call: WmtsCall,
  { map: written = '', level = '', column = '', row: file = '' }: Readonly<Record<string, string | undefined>>,
  firstRow: 'north' | 'south',
): Promise<ServiceReply> {
  const { services, parameters, limits } = call;
  const { map, offered, format } = await readTileMapName(call, await openWmtsAccess(call, 'GetTile'), written);
  const { set } = offered;
  const [scaledRow = '', extension] = file.split('.');
  const { number: row, pixelRatio } = splitPixelRatio(scaledRow, 'y');
  if (extension !== undefined && (await selectTileFormat(services.catalog, map, extension, 'format')) !== format) {
    throw problem('tile-format-unknown', { format: extension, formats: [format.extension], field: 'format' });
  }
  const fields = { level: 'z', row: 'y', column: 'x' };
  const counted = parseTileAddress(set, { level, row, column }, fields);
  const { rows } = getMatrix(set, counted.level);
  const isFlipped = readParameter(parameters, tmsParameters.flipY);
  const isFromSouth = (firstRow === 'south') !== isFlipped;
  const address = isFromSouth ? { ...counted, row: rows - 1 - counted.row } : counted;
  checkOfferedTile(offered, address, fields);
  const filtered = await filterTileParameters(services.catalog, map, parameters);
  const tile = {
    map,
    style: await selectTileStyle(services.catalog, map, readParameter(parameters, tmsParameters.styles), 'style'),
    set,
    address,
    format,
    wishes: scaleTiles(await readTileOptions(filtered, limits, format), pixelRatio),
  };
  return createTileReply(call, tile, listUnknownWarnings(tmsTileOperation, parameters));
}

/** Parses `layer@grid@format`. The default grid is Web Mercator, the default format the first supported one. */
async function readTileMapName({ services }: WmtsCall, mapAccess: MapAccess, written: string) {
  const [name = '', grid, ending] = written.split('@');
  const map = await getTileMap(mapAccess, name, 'layer');
  const offered = await selectTileMatrixSet(services.catalog, map, grid ?? 'EPSG:900913', 'gridset');
  const [first] = await listTileFormats(services.catalog, map);
  const format = await selectTileFormat(services.catalog, map, ending ?? first?.extension ?? '', 'format');
  return { map, offered, format };
}

function formatMapName(mapAccess: MapAccess, map: PublishedMap): string {
  return mapAccess.workspace === undefined ? map.qualifiedName : map.name;
}

function formatTileMapName(map: string, set: TileMatrixSet, format: TileFormat): string {
  return [map, getClientName(set), format.extension].join('@');
}

function getProfileName(set: TileMatrixSet): string {
  if (set === webMercatorQuad) return 'global-mercator';
  return set === worldCrs84Quad ? 'global-geodetic' : 'local';
}

/** TMS documents have one lower left corner and one tile size for all levels. */
function hasCommonOrigin({ matrices: [first, ...others] }: TileMatrixSet): boolean {
  if (first === undefined) return false;
  const { minX, minY } = computeMatrixBounds(first);
  return others.every((matrix) => {
    const bounds = computeMatrixBounds(matrix);
    const tolerance = matrix.cellSize * TOLERANCE_PIXELS;
    const isNear = Math.abs(bounds.minX - minX) <= tolerance && Math.abs(bounds.minY - minY) <= tolerance;
    return isNear && matrix.tileWidth === first.tileWidth && matrix.tileHeight === first.tileHeight;
  });
}

/** A smaller shift is not visible. */
const TOLERANCE_PIXELS = 0.1;
