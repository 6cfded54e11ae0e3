/** Tiles for clients that ask for maps: by a box that is that of a tile (WMS-C), or by zoom, x and y. */
import type { Bounds } from '../../data/crs/bounds.ts';
import {
  boundsOfTile,
  MAX_LEVEL,
  TILE_PIXELS,
  type TileAddress,
  type TileMatrixSet,
  tilesMeeting,
} from '../../data/tiles/tile-matrix-set.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { problem } from '../../lib/problem.ts';
import { type MapDoor, openMapDoor } from '../door/map-door.ts';
import type { Parameters } from '../ows/parameters.ts';
import { chosenAddress, chosenFormat, chosenMap, chosenSet, chosenStyle } from '../tiles/chosen-tile.ts';
import { tileReply } from '../tiles/tile-reply.ts';
import { readTileWishes } from '../tiles/tile-wishes.ts';
import type { WmtsCall } from '../wmts/service.ts';

/** How far off, in pixels, a box may be: clients round. */
const TOLERANCE_PIXELS = 0.1;

export async function tileByBox(call: WmtsCall): Promise<ServiceReply> {
  const { parameters } = call;
  const request = parameters.get('request') ?? 'GetMap';
  if (request.toLowerCase() !== 'getmap') {
    throw problem('ows-operation-unknown', {
      operation: request,
      service: 'The WMS of tiles',
      operations: ['GetMap'],
      field: 'request',
    });
  }
  const srs = parameters.get('srs') ?? parameters.get('crs') ?? 'EPSG:900913';
  return answer(call, srs, 'srs', (set) => addressOfBox(set, parameters.get('bbox') ?? ''));
}

export async function tileByZoom(call: WmtsCall): Promise<ServiceReply> {
  const { parameters } = call;
  const written = {
    level: parameters.get('zoom') ?? parameters.get('z') ?? '',
    row: parameters.get('y') ?? '',
    column: parameters.get('x') ?? '',
  };
  const fields = { level: 'zoom', row: 'y', column: 'x' };
  return answer(call, 'EPSG:900913', 'gridset', (set) => chosenAddress(set, written, fields));
}

async function answer(
  call: WmtsCall,
  grid: string,
  gridField: string,
  addressIn: (set: TileMatrixSet) => TileAddress,
): Promise<ServiceReply> {
  const { services, principal, place, parameters, limits } = call;
  const door: MapDoor = await openMapDoor(services, { principal, place, service: 'wmts', operation: 'GetTile' });
  const map = await chosenMap(door, parameters.get('layers') ?? parameters.get('layer') ?? '', 'layers');
  const set = chosenSet(grid, gridField);
  const style = await chosenStyle(services.catalog, map, parameters.get('styles') ?? parameters.get('style'), 'styles');
  const format = chosenFormat(map, parameters.get('format') ?? 'image/png', 'format');
  requireSize(parameters);
  const wishes = await readTileWishes(parameters, limits, format);
  return tileReply(call, { map, style, set, address: addressIn(set), format, wishes });
}

/** Tiles have one size; who asks for another would draw them in the wrong place. */
function requireSize(parameters: Parameters): void {
  for (const parameter of ['width', 'height']) {
    const value = parameters.get(parameter) ?? String(TILE_PIXELS);
    if (Number(value) !== TILE_PIXELS) {
      const expected = `tiles of ${TILE_PIXELS} by ${TILE_PIXELS} pixels were expected`;
      throw problem('ows-parameter-invalid', { parameter, value, expected, field: parameter });
    }
  }
}

/** x before y. */
function addressOfBox(set: TileMatrixSet, written: string): TileAddress {
  const numbers = written.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  const [minX = Number.NaN, minY = Number.NaN, maxX = Number.NaN, maxY = Number.NaN, ...more] = numbers;
  const box = { minX, minY, maxX, maxY };
  const level = Math.round(Math.log2(set.firstSide / (maxX - minX)));
  const isReadable = more.length === 0 && numbers.every(Number.isFinite) && level >= 0 && level <= MAX_LEVEL;
  const middle = { minX: (minX + maxX) / 2, minY: (minY + maxY) / 2, maxX: (minX + maxX) / 2, maxY: (minY + maxY) / 2 };
  const found = isReadable ? tilesMeeting(set, level, middle) : undefined;
  const address = found && { level, row: found.minRow, column: found.minColumn };
  if (address === undefined || !isNear(boundsOfTile(set, address), box)) {
    throw problem('tile-box-unaligned', { box: written, set: set.otherNames[0] ?? set.id, field: 'bbox' });
  }
  return address;
}

function isNear(one: Bounds, other: Bounds): boolean {
  const tolerance = ((one.maxX - one.minX) / TILE_PIXELS) * TOLERANCE_PIXELS;
  const sides = ['minX', 'minY', 'maxX', 'maxY'] as const;
  return sides.every((side) => Math.abs(one[side] - other[side]) <= tolerance);
}
