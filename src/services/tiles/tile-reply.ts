/** A tile as it is sent, whatever service was asked for it. */
import { boundsOfTile, matrixSize } from '../../data/tiles/tile-matrix-set.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import type { Principal } from '../../lib/principal.ts';
import { refusal } from '../door/visit.ts';
import { type MapTile, mapTile, type TileServices, type TileWorld } from './map-tile.ts';

export interface TileCall extends Omit<TileWorld, 'signal'> {
  readonly principal: Principal;
  /** Given when the client is gone. */
  readonly signal: () => AbortSignal;
}

/** 204 for a vector tile in which nothing is seen. */
export async function tileReply(call: TileCall, tile: MapTile): Promise<ServiceReply> {
  const { format } = tile;
  if (format.isVector) await requireFeatures(call.services, call.principal);
  const { bytes, isKept, maxAgeSeconds } = await mapTile({ ...call, signal: call.signal() }, tile);
  const shared = {
    contentType: format.mediaType,
    headers: headersOf(tile, isKept),
    ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }),
  };
  if (bytes.length === 0) return { ...shared, status: 204, body: '' };
  return { ...shared, body: bytes, ...(format.isVector ? {} : { isPacked: true as const }) };
}

/** Who may not ask for features is not given them in tiles. */
async function requireFeatures({ access }: Pick<TileServices, 'access'>, principal: Principal): Promise<void> {
  if (!(await access.mayCallService(principal, 'wfs', 'GetFeature'))) throw refusal(principal);
}

/** What clients of the reference server read; whether a tile was there before tells nobody anything that they may not see. */
function headersOf({ set, address }: MapTile, isKept: boolean): Readonly<Record<string, string>> {
  const { level, row, column } = address;
  const { rows } = matrixSize(set, level);
  const { minX, minY, maxX, maxY } = boundsOfTile(set, address);
  return {
    'geowebcache-cache-result': isKept ? 'HIT' : 'MISS',
    'geowebcache-tile-index': `[${column}, ${rows - 1 - row}, ${level}]`,
    'geowebcache-tile-bounds': [minX, minY, maxX, maxY].join(','),
    'geowebcache-gridset': set.otherNames[0] ?? set.id,
    'geowebcache-crs': set.otherNames[0] ?? set.id,
  };
}
