/** Finds the features of a cascaded WMTS layer at a position of a map. */

import type { RemoteTileSet, RemoteTiles } from '../../cascade/capabilities.ts';
import { selectTileInfo } from '../../cascade/select-tile-info.ts';
import { createRemoteMapProblem } from '../../catalog/cascaded/remote-responses.ts';
import type { RemoteServers } from '../../catalog/cascaded/remote-servers.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { CascadeOptions, OpenedCascade, PixelArea } from './cascaded-source.ts';
import { computeTileGrid, locateInTiles } from './cascaded-tile-sets.ts';
import { createTextFeature, MAX_INFO_BYTES, parseRemoteFeatures } from './remote-features.ts';
import {
  createInfoRequestBuilder,
  MISSING_TILE_STATUSES,
  type PublishedRemoteLayer,
  type TilePixel,
} from './remote-tile-requests.ts';

export function createTileFinder(
  remoteServers: Pick<RemoteServers, 'query'>,
  published: PublishedRemoteLayer,
  tiles: RemoteTiles,
  options: CascadeOptions,
): Pick<OpenedCascade, 'find' | 'locate' | 'isQueryable'> {
  const { store, layer, remote } = published;
  const selected = selectTileInfo(tiles.info);
  if (selected === undefined) {
    const find = () => Promise.reject(problem('wms-layer-not-queryable', { name: layer.name }));
    return { isQueryable: false, find };
  }
  const buildInfoRequest = createInfoRequestBuilder(published, tiles, options, selected);
  const locate = (place: PixelArea) => findTilePixel(place, tiles.sets, remote.latLonBounds);
  return {
    isQueryable: true,
    locate,
    find: async (place, count, signal) => {
      const pixel = await locate(place);
      const nothing = { description: { name: layer.name, attributes: [] }, features: [] };
      if (pixel === undefined) return nothing;
      const answer = await remoteServers.query(store, buildInfoRequest(pixel, count), {
        accept: selected.format,
        maxBytes: MAX_INFO_BYTES,
        signal,
        nothingBy: MISSING_TILE_STATUSES,
      });
      if (answer.isEmpty) return nothing;
      if (/json/.test(answer.mediaType)) return parseRemoteFeatures(answer.bytes, layer.name, count);
      if (answer.mediaType !== 'text/plain') throw createRemoteMapProblem(layer.name, answer, 'features');
      return createTextFeature(Buffer.from(answer.bytes).toString(), layer.name);
    },
  };
}

/** Uses the level with the pixel size nearest to that of the map; undefined if the layer has no tile there. */
async function findTilePixel(
  place: PixelArea,
  sets: readonly RemoteTileSet[],
  degrees: Bounds | null,
): Promise<(TilePixel & PixelArea) | undefined> {
  const area = await locateInTiles(place, sets, degrees);
  if (area === undefined) return undefined;
  const { minX, minY, maxX, maxY } = area.box;
  const mapCell = Math.hypot(maxX - minX, maxY - minY) / Math.SQRT2;
  const [nearest] = area.set.matrices
    .map((matrix) => computeTileGrid(matrix, area))
    .toSorted((one, other) => compareSizes(one.cell, mapCell) - compareSizes(other.cell, mapCell));
  if (nearest === undefined) return undefined;
  const { matrix, cell, corner } = nearest;
  const [column, i] = findCell(((minX + maxX) / 2 - corner[0]) / cell, matrix.tileWidth);
  const [row, j] = findCell((corner[1] - (minY + maxY) / 2) / cell, matrix.tileHeight);
  const isInside = column >= 0 && column < matrix.columns && row >= 0 && row < matrix.rows;
  if (!isInside) return undefined;
  const left = corner[0] + (column * matrix.tileWidth + i) * cell;
  const top = corner[1] - (row * matrix.tileHeight + j) * cell;
  const bounds = { minX: left, minY: top - cell, maxX: left + cell, maxY: top };
  return { set: area.set, matrix, column, row, i, j, bounds, crs: area.system };
}

/** Returns 0 for equal sizes, and the same for half and double the size. */
function compareSizes(one: number, other: number): number {
  return Math.abs(Math.log(one / other));
}

/** Returns the tile, and the pixel in it. */
function findCell(pixels: number, tileSide: number): readonly [tile: number, pixel: number] {
  const at = Math.floor(pixels);
  const tile = Math.floor(at / tileSide);
  return [tile, at - tile * tileSide];
}
