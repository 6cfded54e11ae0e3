/** Opens a cascaded WMTS layer for drawing: combines the tiles that cover a map into one image. */

import type { RemoteTileSet } from '../../cascade/capabilities.ts';
import { decodeRemotePixels } from '../../catalog/cascaded/remote-responses.ts';
import type { RemoteServers } from '../../catalog/cascaded/remote-servers.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { CoverageRequest } from '../../raster/pictures/read-pictures.ts';
import { pictureBands, type RemotePicture } from '../../raster/pictures/warp-picture.ts';
import type { WarpRequest } from '../../raster/warp/read-warped.ts';
import type { CascadeOptions, OpenedCascade } from './cascaded-source.ts';
import { createTileFinder } from './cascaded-tile-info.ts';
import { computeTileGrid, locateInTiles, type TileGrid } from './cascaded-tile-sets.ts';
import {
  type AddressedTile,
  createTileRequestBuilder,
  MISSING_TILE_STATUSES,
  type PublishedRemoteLayer,
} from './remote-tile-requests.ts';

/** Limits for one map, in tiles and pixels: enough for a large screen. */
const MAX_TILES = 120;
const MAX_PIXELS = MAX_TILES * 512 * 512;

/** The default number of concurrent requests if the store does not set one. */
const DEFAULT_CONNECTIONS = 6;

/** A response of a remote server is held in memory. */
const MAX_TILE_BYTES = 16_777_216;

const CHANNELS = 4;

export function openCascadedTiles(
  remoteServers: Pick<RemoteServers, 'query' | 'warp'>,
  published: PublishedRemoteLayer,
  options: CascadeOptions,
): OpenedCascade {
  const { store, layer, remote } = published;
  const { tiles } = remote;
  if (tiles === undefined) {
    const reason = 'the capabilities of the remote server contain no tile addresses';
    throw problem('wms-layer-not-drawable', { name: layer.name, reason, field: 'layers' });
  }
  const tileSets = tiles.sets;
  const buildTileRequest = createTileRequestBuilder(published, tiles, options);

  async function paintTile(tile: RequestedTile, onto: RemotePicture, signal: AbortSignal): Promise<void> {
    const answer = await remoteServers.query(store, buildTileRequest(tile), {
      accept: 'image/*',
      maxBytes: MAX_TILE_BYTES,
      signal,
      nothingBy: MISSING_TILE_STATUSES,
    });
    if (answer.isEmpty) return;
    const { tileWidth, tileHeight } = tile.matrix;
    const { pixels } = await decodeRemotePixels(layer.name, answer, { width: tileWidth, height: tileHeight });
    for (let row = 0; row < tileHeight; row += 1) {
      const line = pixels.subarray(row * tileWidth * CHANNELS, (row + 1) * tileWidth * CHANNELS);
      onto.pixels.set(line, ((tile.top + row) * onto.width + tile.left) * CHANNELS);
    }
  }

  async function read(request: CoverageRequest, signal: AbortSignal) {
    const found = await selectTiles(request, tileSets, remote.latLonBounds);
    if (found === undefined) return undefined;
    const { wanted, picture } = found;
    const waiting = [...wanted];
    const paintQueuedTiles = async (): Promise<void> => {
      for (let tile = waiting.shift(); tile !== undefined; tile = waiting.shift()) {
        await paintTile(tile, picture, signal);
      }
    };
    const connections = Math.max(1, Number(store.parameters['maxConnections']) || DEFAULT_CONNECTIONS);
    await Promise.all(Array.from({ length: Math.min(connections, wanted.length) }, paintQueuedTiles));
    return remoteServers.warp({ picture, request }, signal);
  }

  return {
    name: layer.name,
    bands: pictureBands,
    remote,
    read,
    ...createTileFinder(remoteServers, published, tiles, options),
    legend: async () => {
      const reason = 'tile servers provide no legends';
      throw problem('wms-layer-not-drawable', { name: layer.name, reason, field: 'layer' });
    },
  };
}

/** A tile and its pixel offset in the image. */
interface RequestedTile extends AddressedTile {
  readonly left: number;
  readonly top: number;
}

interface TilePlan {
  readonly wanted: readonly RequestedTile[];
  /** Transparent at first. */
  readonly picture: RemotePicture;
}

/** Returns undefined if the map shows none of the tiles. */
async function selectTiles(
  { target, crs }: WarpRequest,
  sets: readonly RemoteTileSet[],
  degrees: Bounds | null,
): Promise<TilePlan | undefined> {
  const area = await locateInTiles({ bounds: target.bounds, crs }, sets, degrees);
  if (area === undefined) return undefined;
  const { set, system, box, seen } = area;
  const wishedCell = Math.hypot(box.maxX - box.minX, box.maxY - box.minY) / Math.hypot(target.width, target.height);
  // Searches from the coarsest to the finest level: the first that is fine enough, or the last within the tile limit.
  const levels = set.matrices
    .map((matrix) => computeTileLevel(computeTileGrid(matrix, area), seen))
    .toSorted((one, other) => other.cell - one.cell);
  const affordable = levels.filter(
    ({ count, matrix }) => count <= MAX_TILES && count * matrix.tileWidth * matrix.tileHeight <= MAX_PIXELS,
  );
  const level = affordable.find(({ cell }) => cell <= wishedCell * (1 + ROUNDING)) ?? affordable.at(-1);
  if (level === undefined || level.count === 0) return undefined;
  return buildTilePlan(set, level, system);
}

/** A tolerance for rounding: a level with nearly the pixel size of the map is fine enough. */
const ROUNDING = 0.01;

interface TileLevel extends TileGrid {
  readonly columns: readonly [first: number, last: number];
  readonly rows: readonly [first: number, last: number];
  readonly count: number;
}

function computeTileLevel(grid: TileGrid, box: Bounds): TileLevel {
  const { matrix, cell, corner } = grid;
  const [x, y] = corner;
  const [width, height] = [cell * matrix.tileWidth, cell * matrix.tileHeight];
  const columns = computeTileRange((box.minX - x) / width, (box.maxX - x) / width, matrix.columns);
  const rows = computeTileRange((y - box.maxY) / height, (y - box.minY) / height, matrix.rows);
  const count = Math.max(0, columns[1] - columns[0] + 1) * Math.max(0, rows[1] - rows[0] + 1);
  return { ...grid, columns, rows, count };
}

/** A fraction of a tile. Tiles that overlap by less, mostly because of rounding, are not requested. */
const MIN_VISIBLE_SHARE = 0.002;

function computeTileRange(low: number, high: number, count: number): readonly [number, number] {
  const first = Math.floor(low + MIN_VISIBLE_SHARE);
  const last = Math.max(first, Math.ceil(high - MIN_VISIBLE_SHARE) - 1);
  return [Math.max(0, first), Math.min(count - 1, last)];
}

function buildTilePlan(set: RemoteTileSet, level: TileLevel, system: { readonly code: string }): TilePlan {
  const { matrix, cell, corner, columns, rows } = level;
  const { tileWidth, tileHeight } = matrix;
  const [across, down] = [columns[1] - columns[0] + 1, rows[1] - rows[0] + 1];
  const [width, height] = [across * tileWidth, down * tileHeight];
  const minX = corner[0] + columns[0] * cell * tileWidth;
  const maxY = corner[1] - rows[0] * cell * tileHeight;
  const bounds = { minX, minY: maxY - height * cell, maxX: minX + width * cell, maxY };
  return {
    picture: { width, height, pixels: new Uint8Array(width * height * CHANNELS), bounds, crs: system },
    wanted: Array.from({ length: across * down }, (_, index) => {
      const [column, row] = [index % across, Math.floor(index / across)];
      return {
        ...{ set, matrix, left: column * tileWidth, top: row * tileHeight },
        ...{ column: columns[0] + column, row: rows[0] + row },
      };
    }),
  };
}
