/** Finds the tile that has the box of a map. */
import type { Bounds } from '../../crs/bounds.ts';
import { getSrsName } from '../../tiles/default-sets.ts';
import {
  computeTileBounds,
  findTilesInBounds,
  getMatrix,
  type TileAddress,
  type TileMatrixSet,
} from '../../tiles/tile-matrix-set.ts';
import type { OfferedSet } from '../tiles/tile-offer.ts';

/** The tolerance for boxes in pixels, because clients round. */
const TOLERANCE_PIXELS = 0.1;

export interface FoundTile {
  readonly offered: OfferedSet;
  readonly address: TileAddress;
}

/** Several sets can have the same CRS; the box belongs to the first that has such a tile. */
export function findTileByBox(sets: readonly OfferedSet[], box: Bounds): FoundTile | undefined {
  for (const offered of sets) {
    const address = findTileAddress(offered.set, box);
    if (address !== undefined) return { offered, address };
  }
  return undefined;
}

/** `srs` is a code, or a name that existing clients use. */
export function isInSystem(set: TileMatrixSet, srs: string): boolean {
  return set.crs.code === srs || getSrsName(set) === srs || set.otherNames.includes(srs);
}

/** Returns undefined if the set has no tile with the box. */
function findTileAddress(set: TileMatrixSet, box: Bounds): TileAddress | undefined {
  const { minX, minY, maxX, maxY } = box;
  const level = findNearestLevel(set, maxX - minX);
  const [x, y] = [(minX + maxX) / 2, (minY + maxY) / 2];
  const found = findTilesInBounds(set, level, { minX: x, minY: y, maxX: x, maxY: y });
  const address = found && { level, row: found.minRow, column: found.minColumn };
  const tolerance = getMatrix(set, level).cellSize * TOLERANCE_PIXELS;
  return address !== undefined && isNear(computeTileBounds(set, address), box, tolerance) ? address : undefined;
}

function findNearestLevel({ matrices }: TileMatrixSet, width: number): number {
  const differences = matrices.map(({ cellSize, tileWidth }) => Math.abs(cellSize * tileWidth - width));
  return differences.indexOf(Math.min(...differences));
}

function isNear(one: Bounds, other: Bounds, tolerance: number): boolean {
  const sides = ['minX', 'minY', 'maxX', 'maxY'] as const;
  return sides.every((side) => Math.abs(one[side] - other[side]) <= tolerance);
}
