/**
 * TMS 1.0.0: lists of tile maps and their tiles with rows counted from the south, and the same tiles with rows from
 * the north.
 */

import type { ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import {
  computeTileBounds,
  getCellSize,
  getMatrixSize,
  MAX_LEVEL,
  TILE_PIXELS,
  type TileMatrixSet,
  tileMatrixSets,
} from '../../tiles/tile-matrix-set.ts';
import { type MapAccess, openMapAccess } from '../access/map-access.ts';
import type { PublishedMap } from '../access/published-map.ts';
import { createCapabilitiesReply } from '../ows/capabilities-cache.ts';
import { writeInPieces } from '../ows/capabilities-parts.ts';
import { addUnknownWarnings, listUnknownWarnings, readParameter } from '../ows/service-parameters.ts';
import { listTileFormats } from '../tiles/map-tile.ts';
import { splitPixelRatio } from '../tiles/pixel-ratio.ts';
import {
  getTileMap,
  parseTileAddress,
  selectTileFormat,
  selectTileMatrixSet,
  selectTileStyle,
} from '../tiles/select-tile.ts';
import type { TileFormat } from '../tiles/tile-format.ts';
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

async function listPublishedTileMaps({ address }: WmtsCall, mapAccess: MapAccess): Promise<readonly ListedTileMap[]> {
  const maps: ListedTileMap[] = [];
  for await (const map of mapAccess.each()) {
    for (const format of listTileFormats(map)) {
      for (const set of tileMatrixSets) {
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
  const { map, set, format } = await readTileMapName(mapAccess, written);
  const address = `${call.address}/${encodeURIComponent(written)}`;
  const { columns, rows } = getMatrixSize(set, 0);
  const first = computeTileBounds(set, { level: 0, row: rows - 1, column: 0 });
  const last = computeTileBounds(set, { level: 0, row: 0, column: columns - 1 });
  const levels = Array.from(
    { length: MAX_LEVEL + 1 },
    (_, level) =>
      `<TileSet href="${escapeAttribute(`${address}/${level}`)}" units-per-pixel="${getCellSize(set, level)}" order="${level}"/>`,
  );
  const reply = {
    contentType: XML,
    body: `<?xml version="1.0" encoding="UTF-8"?>
<TileMap version="1.0.0" tilemapservice="${escapeAttribute(call.address)}">
<Title>${escapeText(map.title)}</Title>
<Abstract>${escapeText(map.abstract)}</Abstract>
<SRS>${getSrsName(set)}</SRS>
<BoundingBox minx="${first.minX}" miny="${first.minY}" maxx="${last.maxX}" maxy="${last.maxY}"/>
<Origin x="${first.minX}" y="${first.minY}"/>
<TileFormat width="${TILE_PIXELS}" height="${TILE_PIXELS}" mime-type="${format.mediaType}" extension="${format.extension}"/>
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
  const { map, set, format } = await readTileMapName(await openWmtsAccess(call, 'GetTile'), written);
  const [scaledRow = '', extension] = file.split('.');
  const { number: row, pixelRatio } = splitPixelRatio(scaledRow, 'y');
  if (extension !== undefined && selectTileFormat(map, extension, 'format') !== format) {
    throw problem('tile-format-unknown', { format: extension, formats: [format.extension], field: 'format' });
  }
  const counted = parseTileAddress(set, { level, row, column }, { level: 'z', row: 'y', column: 'x' });
  const { rows } = getMatrixSize(set, counted.level);
  const isFlipped = readParameter(parameters, tmsParameters.flipY);
  const isFromSouth = (firstRow === 'south') !== isFlipped;
  const address = isFromSouth ? { ...counted, row: rows - 1 - counted.row } : counted;
  const tile = {
    map,
    style: await selectTileStyle(services.catalog, map, readParameter(parameters, tmsParameters.styles), 'style'),
    set,
    address,
    format,
    wishes: scaleTiles(await readTileOptions(parameters, limits, format), pixelRatio),
  };
  return createTileReply(call, tile, listUnknownWarnings(tmsTileOperation, parameters));
}

/** Parses `layer@grid@format`. The default grid is Web Mercator, the default format the first supported one. */
async function readTileMapName(mapAccess: MapAccess, written: string) {
  const [name = '', grid, ending] = written.split('@');
  const map = await getTileMap(mapAccess, name, 'layer');
  const set = selectTileMatrixSet(grid ?? 'EPSG:900913', 'gridset');
  const [first] = listTileFormats(map);
  const format = selectTileFormat(map, ending ?? first?.extension ?? '', 'format');
  return { map, set, format };
}

function formatMapName(mapAccess: MapAccess, map: PublishedMap): string {
  return mapAccess.workspace === undefined ? map.qualifiedName : map.name;
}

function formatTileMapName(map: string, set: TileMatrixSet, format: TileFormat): string {
  return [map, getSrsName(set), format.extension].join('@');
}

function getSrsName({ id, otherNames }: TileMatrixSet): string {
  return otherNames[0] ?? id;
}

function getProfileName({ firstColumns }: TileMatrixSet): string {
  return firstColumns === 1 ? 'global-mercator' : 'global-geodetic';
}
