/** Opens a cascaded WMTS layer for drawing: combines the tiles that cover a map into one image. */

import type { RemoteLayer, RemoteTileMatrix, RemoteTileSet, RemoteTiles } from '../../cascade/capabilities.ts';
import { decodeRemotePixels, type RemoteQuery } from '../../catalog/cascaded/remote-responses.ts';
import type { RemoteServers } from '../../catalog/cascaded/remote-servers.ts';
import type { CascadedLayer } from '../../catalog/kinds/cascaded-layer.ts';
import type { CascadedStore } from '../../catalog/kinds/cascaded-store.ts';
import { type NamedCrs, readCrsName } from '../../crs/axis-order.ts';
import { type Bounds, intersectBounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { CoverageRequest } from '../../raster/pictures/read-pictures.ts';
import { pictureBands, type RemotePicture } from '../../raster/pictures/warp-picture.ts';
import type { WarpRequest } from '../../raster/warp/read-warped.ts';
import { resolveMapSystem } from '../../rendering/shapes/map-area.ts';
import type { CascadeOptions, OpenedCascade } from './cascaded-source.ts';

/** Limits for one map, in tiles and pixels: enough for a large screen. */
const MAX_TILES = 120;
const MAX_PIXELS = MAX_TILES * 512 * 512;

/** The default number of concurrent requests if the store does not set one. */
const DEFAULT_CONNECTIONS = 6;

/** A response of a remote server is held in memory. */
const MAX_TILE_BYTES = 16_777_216;

/** Servers that store no empty tiles answer with these statuses; the tile is transparent. */
const MISSING_TILE_STATUSES: readonly number[] = [204, 404];

const CHANNELS = 4;

interface PublishedRemoteLayer {
  readonly store: CascadedStore;
  readonly layer: CascadedLayer;
  /** As described by the remote server. */
  readonly remote: RemoteLayer;
}

export function openCascadedTiles(
  remoteServers: Pick<RemoteServers, 'query' | 'warp'>,
  { store, layer, remote }: PublishedRemoteLayer,
  { style, dimensions = {} }: CascadeOptions,
): OpenedCascade {
  const { tiles } = remote;
  if (tiles === undefined) {
    const reason = 'the capabilities of the remote server contain no tile addresses';
    throw problem('wms-layer-not-drawable', { name: layer.name, reason, field: 'layers' });
  }
  const buildTileRequest = createTileRequestBuilder(layer, remote, tiles, { style, dimensions });

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
    const found = await selectTiles(request, tiles?.sets ?? [], remote.latLonBounds);
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
    find: async () => ({ description: { name: layer.name, attributes: [] }, features: [] }),
    legend: async () => {
      const reason = 'tile servers provide no legends';
      throw problem('wms-layer-not-drawable', { name: layer.name, reason, field: 'layer' });
    },
  };
}

/** A tile and its pixel offset in the image. */
interface RequestedTile {
  readonly set: RemoteTileSet;
  readonly matrix: RemoteTileMatrix;
  readonly row: number;
  readonly column: number;
  readonly left: number;
  readonly top: number;
}

interface TilePlan {
  readonly wanted: readonly RequestedTile[];
  /** Transparent at first. */
  readonly picture: RemotePicture;
}

/** Uses the CRS of the map if the layer has tiles in it; undefined if the map shows none of the tiles. */
async function selectTiles(
  { target, crs }: WarpRequest,
  sets: readonly RemoteTileSet[],
  degrees: Bounds | null,
): Promise<TilePlan | undefined> {
  const known: { readonly set: RemoteTileSet; readonly named: NamedCrs }[] = [];
  for (const set of sets) {
    const named = await readCrsName(set.system, 'as-authority');
    if (named !== undefined) known.push({ set, named });
  }
  const chosen = known.find(({ named }) => named.code === crs.code) ?? known[0];
  if (chosen === undefined) return undefined;
  const { set, named } = chosen;
  const system = { code: named.code };
  const reprojection = await createReprojection(crs, system);
  const box = reprojection === undefined ? target.bounds : reprojection.reprojectBounds(target.bounds);
  if (box === undefined) return undefined;
  const seen = await clipToLayer(box, system, degrees);
  if (seen === undefined) return undefined;
  const { metresPerUnit } = await resolveMapSystem(system);
  const wishedCell = Math.hypot(box.maxX - box.minX, box.maxY - box.minY) / Math.hypot(target.width, target.height);
  // Searches from the coarsest to the finest level: the first that is fine enough, or the last within the tile limit.
  const levels = set.matrices
    .map((matrix) => computeTileLevel(matrix, seen, metresPerUnit, named.isNorthFirst))
    .toSorted((one, other) => other.cell - one.cell);
  const affordable = levels.filter(
    ({ count, matrix }) => count <= MAX_TILES && count * matrix.tileWidth * matrix.tileHeight <= MAX_PIXELS,
  );
  const level = affordable.find(({ cell }) => cell <= wishedCell * (1 + ROUNDING)) ?? affordable.at(-1);
  if (level === undefined || level.count === 0) return undefined;
  return buildTilePlan(set, level, system);
}

/** Many servers return an error for tiles beyond the extent of the layer. */
async function clipToLayer(box: Bounds, system: CrsReference, degrees: Bounds | null): Promise<Bounds | undefined> {
  if (degrees === null) return box;
  const reprojection = await createReprojection({ code: 'EPSG:4326' }, system);
  const layer = reprojection === undefined ? degrees : reprojection.reprojectBounds(degrees);
  if (layer === undefined) return box;
  return intersectBounds(box, layer);
}

/** A tolerance for rounding: a level with nearly the pixel size of the map is fine enough. */
const ROUNDING = 0.01;

const PIXEL_METRES = 0.000_28;

interface TileLevel {
  readonly matrix: RemoteTileMatrix;
  /** The pixel size, and the upper left corner with x before y. */
  readonly cell: number;
  readonly corner: readonly [number, number];
  readonly columns: readonly [first: number, last: number];
  readonly rows: readonly [first: number, last: number];
  readonly count: number;
}

function computeTileLevel(
  matrix: RemoteTileMatrix,
  box: Bounds,
  metresPerUnit: number,
  isNorthFirst: boolean,
): TileLevel {
  const cell = (matrix.scaleDenominator * PIXEL_METRES) / metresPerUnit;
  const [one, other] = matrix.corner;
  const [x, y] = isNorthFirst ? [other, one] : [one, other];
  const [width, height] = [cell * matrix.tileWidth, cell * matrix.tileHeight];
  const columns = computeTileRange((box.minX - x) / width, (box.maxX - x) / width, matrix.columns);
  const rows = computeTileRange((y - box.maxY) / height, (y - box.minY) / height, matrix.rows);
  const count = Math.max(0, columns[1] - columns[0] + 1) * Math.max(0, rows[1] - rows[0] + 1);
  return { matrix, cell, corner: [x, y], columns, rows, count };
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

const formats = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Uses the address templates of the remote server, or key-value pairs if it publishes none. */
function createTileRequestBuilder(
  { forcedRemoteStyle, preferredFormat, vendorParameters, nativeName }: CascadedLayer,
  { styles: [usualStyle = ''], formats: offered }: RemoteLayer,
  { templates, dimensions: usual }: RemoteTiles,
  wishes: Required<Pick<CascadeOptions, 'dimensions'>> & Pick<CascadeOptions, 'style'>,
): (tile: RequestedTile) => RemoteQuery {
  const style = forcedRemoteStyle || wishes.style || usualStyle;
  const wanted = [preferredFormat ?? '', ...formats].filter((format) => formats.includes(format));
  const known = [...offered, ...Object.keys(templates)];
  const format = wanted.find((each) => known.includes(each)) ?? 'image/png';
  const template = templates[format];
  const requested = Object.entries(wishes.dimensions ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const values = Object.entries({ ...usual, ...vendorParameters }).map(([name, value]) => {
    const [, given] = requested.find(([each]) => each === name.toLowerCase()) ?? [];
    return [name, given ?? value] as const;
  });
  return ({ set, matrix, row, column }) => {
    const place = { TileMatrixSet: set.name, TileMatrix: matrix.name, TileRow: `${row}`, TileCol: `${column}` };
    if (template === undefined) {
      const question = { Service: 'WMTS', Version: '1.0.0', Request: 'GetTile', Layer: nativeName };
      return { ...Object.fromEntries(values), ...question, Style: style, Format: format, ...place };
    }
    const named = new Map(
      [...values, ['style', style] as const, ...Object.entries(place)].map(([name, value]) => [
        name.toLowerCase(),
        encodeURIComponent(value),
      ]),
    );
    return template.replace(/\{([^{}]*)\}/g, (_, name: string) => named.get(name.toLowerCase()) ?? '');
  };
}
