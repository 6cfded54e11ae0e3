/** TMS 1.0.0: lists of maps and the tiles of each, whose rows are counted from the south; and the same from the north. */
import {
  computeTileBounds,
  getCellSize,
  MAX_LEVEL,
  getMatrixSize,
  TILE_PIXELS,
  type TileMatrixSet,
  tileMatrixSets,
} from '../../data/tiles/tile-matrix-set.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { problem } from '../../lib/problem.ts';
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import { type MapDoor, openMapDoor } from '../door/map-door.ts';
import type { PublishedMap } from '../door/published-map.ts';
import { inPieces } from '../ows/capabilities-parts.ts';
import { keptCapabilities } from '../ows/kept-capabilities.ts';
import { chosenAddress, chosenFormat, chosenMap, chosenSet, chosenStyle } from '../tiles/chosen-tile.ts';
import { formatsOf } from '../tiles/map-tile.ts';
import type { TileFormat } from '../tiles/tile-format.ts';
import { tileReply } from '../tiles/tile-reply.ts';
import { readTileWishes } from '../tiles/tile-wishes.ts';
import type { WmtsCall } from '../wmts/service.ts';

const XML = 'text/xml;charset=utf-8';

function open({ services, principal, place }: WmtsCall, operation: string): Promise<MapDoor> {
  return openMapDoor(services, { principal, place, service: 'wmts', operation });
}

export async function listTileMaps(call: WmtsCall): Promise<ServiceReply> {
  const door = await open(call, 'GetCapabilities');
  return keptCapabilities(call, {
    contentType: XML,
    question: ['TMS', call.address, door.workspace?.name, door.layer],
    make: async () => ({ pieces: listPieces(call.address, await tileMapsOf(call, door)) }),
  });
}

interface ListedTileMap {
  readonly title: string;
  readonly href: string;
  readonly set: TileMatrixSet;
}

async function tileMapsOf({ address }: WmtsCall, door: MapDoor): Promise<readonly ListedTileMap[]> {
  const maps: ListedTileMap[] = [];
  for await (const map of door.each()) {
    for (const format of formatsOf(map)) {
      for (const set of tileMatrixSets) {
        const href = `${address}/${encodeURIComponent(nameOf(shownName(door, map), set, format))}`;
        maps.push({ title: map.title, href, set });
      }
    }
  }
  return maps;
}

function* listPieces(address: string, maps: readonly ListedTileMap[]): Iterable<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<TileMapService version="1.0.0" services="${escapeAttribute(address)}">
<Title>Tile Map Service</Title>
<Abstract>Tiles by zoom, column and row.</Abstract>
<TileMaps>
`;
  yield* inPieces(
    maps,
    ({ title, href, set }) =>
      `<TileMap title="${escapeAttribute(title)}" srs="${srsOf(set)}" profile="${profileOf(set)}" href="${escapeAttribute(href)}"/>\n`,
  );
  yield '</TileMaps>\n</TileMapService>\n';
}

export async function describeTileMap(call: WmtsCall, written: string): Promise<ServiceReply> {
  const door = await open(call, 'GetCapabilities');
  const { map, set, format } = await readName(door, written);
  const address = `${call.address}/${encodeURIComponent(written)}`;
  const { columns, rows } = getMatrixSize(set, 0);
  const first = computeTileBounds(set, { level: 0, row: rows - 1, column: 0 });
  const last = computeTileBounds(set, { level: 0, row: 0, column: columns - 1 });
  const levels = Array.from(
    { length: MAX_LEVEL + 1 },
    (_, level) =>
      `<TileSet href="${escapeAttribute(`${address}/${level}`)}" units-per-pixel="${getCellSize(set, level)}" order="${level}"/>`,
  );
  return {
    contentType: XML,
    body: `<?xml version="1.0" encoding="UTF-8"?>
<TileMap version="1.0.0" tilemapservice="${escapeAttribute(call.address)}">
<Title>${escapeText(map.title)}</Title>
<Abstract>${escapeText(map.abstract)}</Abstract>
<SRS>${srsOf(set)}</SRS>
<BoundingBox minx="${first.minX}" miny="${first.minY}" maxx="${last.maxX}" maxy="${last.maxY}"/>
<Origin x="${first.minX}" y="${first.minY}"/>
<TileFormat width="${TILE_PIXELS}" height="${TILE_PIXELS}" mime-type="${format.mediaType}" extension="${format.extension}"/>
<TileSets profile="${profileOf(set)}">
${levels.join('\n')}
</TileSets>
</TileMap>
`,
  };
}

export async function tmsTile(
  call: WmtsCall,
  { map: written = '', level = '', column = '', row: file = '' }: Readonly<Record<string, string | undefined>>,
  firstRow: 'north' | 'south',
): Promise<ServiceReply> {
  const { services, parameters, limits } = call;
  const { map, set, format } = await readName(await open(call, 'GetTile'), written);
  const [row = '', extension] = file.split('.');
  if (extension !== undefined && chosenFormat(map, extension, 'format') !== format) {
    throw problem('tile-format-unknown', { format: extension, formats: [format.extension], field: 'format' });
  }
  const counted = chosenAddress(set, { level, row, column }, { level: 'z', row: 'y', column: 'x' });
  const { rows } = getMatrixSize(set, counted.level);
  const isFlipped = parameters.get('flipy')?.toLowerCase() === 'true';
  const isFromSouth = (firstRow === 'south') !== isFlipped;
  const address = isFromSouth ? { ...counted, row: rows - 1 - counted.row } : counted;
  return tileReply(call, {
    map,
    style: await chosenStyle(services.catalog, map, parameters.get('styles') ?? parameters.get('style'), 'style'),
    set,
    address,
    format,
    wishes: await readTileWishes(parameters, limits, format),
  });
}

/** `layer@grid@format`; without a grid that of Mercator, without a format the first there is. */
async function readName(door: MapDoor, written: string) {
  const [name = '', grid, ending] = written.split('@');
  const map = await chosenMap(door, name, 'layer');
  const set = chosenSet(grid ?? 'EPSG:900913', 'gridset');
  const [first] = formatsOf(map);
  const format = chosenFormat(map, ending ?? first?.extension ?? '', 'format');
  return { map, set, format };
}

function shownName(door: MapDoor, map: PublishedMap): string {
  return door.workspace === undefined ? map.qualifiedName : map.name;
}

function nameOf(map: string, set: TileMatrixSet, format: TileFormat): string {
  return [map, srsOf(set), format.extension].join('@');
}

function srsOf({ id, otherNames }: TileMatrixSet): string {
  return otherNames[0] ?? id;
}

function profileOf({ firstColumns }: TileMatrixSet): string {
  return firstColumns === 1 ? 'global-mercator' : 'global-geodetic';
}
