/** The numbers of tiles in PMTiles: all tiles of coarser zooms, then the position on a Hilbert curve. */

/** Rows are counted from the north. */
export interface TilePosition {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
}

/** Numbers of finer zooms are not exact. */
export const MAX_PMTILES_ZOOM = 26;

/** The number of the first tile of a zoom. */
export function computeFirstTileId(zoom: number): number {
  return (4 ** zoom - 1) / 3;
}

export function computeTileId({ zoom, column, row }: TilePosition): number {
  let [x, y] = [column, row];
  let distance = 0;
  for (let side = 2 ** (zoom - 1); side >= 1; side /= 2) {
    const right = (x & side) === 0 ? 0 : 1;
    const lower = (y & side) === 0 ? 0 : 1;
    distance += side * side * ((3 * right) ^ lower);
    if (lower === 0) {
      if (right === 1) [x, y] = [side - 1 - x, side - 1 - y];
      [x, y] = [y, x];
    }
  }
  return computeFirstTileId(zoom) + distance;
}

/** Returns the column and row at a position on the Hilbert curve of a zoom. */
function findHilbertPosition(zoom: number, distance: number): TilePosition {
  let [x, y, rest] = [0, 0, distance];
  for (let side = 1; side < 2 ** zoom; side *= 2) {
    const right = Math.floor(rest / 2) % 2;
    const lower = (rest % 2) ^ right;
    if (lower === 0) {
      if (right === 1) [x, y] = [side - 1 - x, side - 1 - y];
      [x, y] = [y, x];
    }
    [x, y] = [x + side * right, y + side * lower];
    rest = Math.floor(rest / 4);
  }
  return { zoom, column: x, row: y };
}

/** Tiles of one zoom, both ends inclusive. */
export interface TileRectangle {
  readonly minColumn: number;
  readonly maxColumn: number;
  readonly minRow: number;
  readonly maxRow: number;
}

/** Lists the tiles of a rectangle in ascending order of their ids. */
export function* listTilesInOrder(zoom: number, tiles: TileRectangle, level = 0, index = 0): Generator<TilePosition> {
  const position = findHilbertPosition(level, index);
  const scale = 2 ** (zoom - level);
  const isOutside =
    position.column * scale > tiles.maxColumn ||
    (position.column + 1) * scale <= tiles.minColumn ||
    position.row * scale > tiles.maxRow ||
    (position.row + 1) * scale <= tiles.minRow;
  if (isOutside) return;
  if (level === zoom) yield position;
  // A quarter of a tile has the next four positions.
  else
    for (let quarter = 0; quarter < 4; quarter += 1)
      yield* listTilesInOrder(zoom, tiles, level + 1, index * 4 + quarter);
}
