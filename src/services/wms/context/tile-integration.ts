/** What WMS needs of the tile services, which depend on WMS themselves. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import type { GetMapRequest } from '../request/request.ts';
import type { WmsContext } from './context.ts';

/** The reply with a tile, or why the map has to be drawn. */
export type MapFromTiles = { readonly reply: ServiceReply } | { readonly missReason: string };

export interface TileIntegration {
  /** Returns undefined if maps are not answered from tiles. */
  createMap(context: WmsContext, request: GetMapRequest): Promise<MapFromTiles | undefined>;
  /** Returns undefined if maps are not answered from tiles. */
  openTileSets(): Promise<TileSetWriter | undefined>;
}

/** Writes the tile sets of capabilities 1.1.1. */
export interface TileSetWriter {
  /** The extension of the DTD. */
  readonly declarations: string;
  /** Returns the elements of a layer, or of a group and the members below it. */
  write(map: PublishedMap, formatName: (map: PublishedMap) => string): Promise<string>;
}

/** Whether the client accepts a tile in place of a map. */
export function isTiled(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'true';
}
