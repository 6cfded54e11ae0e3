/** Downloads the tiles of a layer with OGC API Tiles, as any client does. */
import type { Agent } from 'node:http';
import type { TilePosition } from '../../lib/tile-archive/tile-id.ts';
import { CommandError, type Reply, ResponseError, type ServerClient } from '../client/command.ts';

export type ExportFormat = 'mvt' | 'png' | 'jpeg' | 'webp';

export interface DownloadOptions {
  readonly server: ServerClient;
  readonly layer: string;
  readonly format: ExportFormat;
  readonly connections: Agent;
}

/** Tiles that are requested at the same time: neighbours, which the server draws together. */
export const PARALLEL_TILES = 8;

/** What is known of a layer. */
export interface LayerInfo {
  readonly name: string;
  readonly description?: string;
  readonly attribution?: string;
  readonly bounds?: readonly number[];
  readonly vector_layers?: readonly unknown[];
}

export async function readLayerInfo(options: DownloadOptions): Promise<LayerInfo> {
  const reply = await send(options, '', 'tilejson');
  return JSON.parse(await reply.text()) as LayerInfo;
}

/** Yields the tiles in the order of their positions; empty ones have no bytes. */
export async function* downloadTiles(
  options: DownloadOptions,
  positions: Iterable<TilePosition>,
): AsyncGenerator<{ readonly position: TilePosition; readonly bytes: Uint8Array }> {
  const waiting: { readonly position: TilePosition; readonly reading: Promise<Uint8Array> }[] = [];
  try {
    for (const position of positions) {
      const reading = readTile(options, position);
      // Failures are reported in order.
      reading.catch(() => undefined);
      waiting.push({ position, reading });
      if (waiting.length < PARALLEL_TILES) continue;
      const next = waiting.shift();
      if (next !== undefined) yield { position: next.position, bytes: await next.reading };
    }
    for (const { position, reading } of waiting) yield { position, bytes: await reading };
  } finally {
    await Promise.allSettled(waiting.map(({ reading }) => reading));
  }
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
