/** Downloads the tiles of a layer with OGC API Tiles, as any client does. */
import type { Agent } from 'node:http';
import { mapInOrder } from '../../lib/async/map-in-order.ts';
import type { ArchivedType, ArchiveMetadata } from '../../lib/tile-archive/archive-file.ts';
import type { TilePosition } from '../../lib/tile-archive/tile-id.ts';
import { CommandError, type Reply, ResponseError, type ServerClient } from '../client/command.ts';

export interface DownloadOptions {
  readonly server: ServerClient;
  readonly layer: string;
  readonly format: ArchivedType;
  readonly connections: Agent;
}

/** Tiles that are requested at the same time: neighbours, which the server draws together. */
export const PARALLEL_TILES = 8;

/** What is known of a layer. */
export interface LayerInfo extends ArchiveMetadata {
  readonly minzoom?: number;
  readonly maxzoom?: number;
  readonly bounds?: readonly number[];
}

export async function readLayerInfo(options: DownloadOptions): Promise<LayerInfo> {
  const reply = await send(options, '', 'tilejson');
  return JSON.parse(await reply.text()) as LayerInfo;
}

export interface DownloadedTile {
  readonly position: TilePosition;
  /** Empty for a tile without content. */
  readonly bytes: Uint8Array;
}

/** Yields the tiles in the order of their positions. */
export function downloadTiles(
  options: DownloadOptions,
  positions: Iterable<TilePosition>,
): AsyncIterable<DownloadedTile> {
  return mapInOrder(positions, PARALLEL_TILES, async (position) => ({
    position,
    bytes: await readTile(options, position),
  }));
}

async function readTile(options: DownloadOptions, { zoom, column, row }: TilePosition): Promise<Uint8Array> {
  try {
    const reply = await send(options, `/${zoom}/${row}/${column}`, options.format);
    const pieces: Uint8Array[] = [];
    for await (const piece of reply.pieces) pieces.push(piece);
    return Buffer.concat(pieces);
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    throw new CommandError(`Tile ${zoom}/${column}/${row} failed: ${error.message}`);
  }
}

function send({ server, layer, format, connections }: DownloadOptions, tile: string, f: string): Promise<Reply> {
  const kind = format === 'mvt' ? 'tiles' : 'map/tiles';
  return server.send({
    // Services are beside the REST root.
    path: `/../ogc/tiles/v1/collections/${encodeURIComponent(layer)}/${kind}/WebMercatorQuad${tile}`,
    query: [['f', f]],
    headers: { accept: '*/*' },
    connections,
  });
}
