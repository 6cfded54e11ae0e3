/** A seed job, as recorded for all nodes. */
import type { TileAddress, TileRectangle } from '../tile-matrix-set.ts';

export type LevelTiles = TileRectangle & { readonly level: number };

/** What a job draws. */
export interface JobTiles {
  /** The id of the record of the layer or group. */
  readonly map: string;
  readonly name: string;
  /** Null for the default style. */
  readonly style: string | null;
  readonly set: string;
  /** The key of the set when the job was created; jobs of earlier releases have none. */
  readonly setKey?: string;
  readonly format: string;
  /** The parameters that clients would send with each tile. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

export interface SeedOrder extends JobTiles {
  readonly levels: readonly LevelTiles[];
  /** The number of tiles that are created concurrently. */
  readonly threads: number;
}

export interface SeedJob extends SeedOrder {
  readonly id: number;
}

const countColumns = ({ minColumn, maxColumn }: LevelTiles) => maxColumn - minColumn + 1;
const countLevelTiles = (tiles: LevelTiles) => countColumns(tiles) * (tiles.maxRow - tiles.minRow + 1);

export function countTiles({ levels }: SeedOrder): number {
  return levels.reduce((sum, each) => sum + countLevelTiles(each), 0);
}

/** Lists tiles row by row, the lowest level first, from this number on and then those before it. */
export function* listTiles(order: SeedOrder, start = 0): Generator<TileAddress> {
  yield* listBetween(order, start, countTiles(order));
  yield* listBetween(order, 0, start);
}

function* listBetween({ levels }: SeedOrder, from: number, to: number): Generator<TileAddress> {
  let first = 0;
  for (const tiles of levels) {
    const { level, minColumn, minRow } = tiles;
    const [columns, count] = [countColumns(tiles), countLevelTiles(tiles)];
    for (let at = Math.max(from - first, 0); at < Math.min(to - first, count); at += 1) {
      yield { level, row: minRow + Math.floor(at / columns), column: minColumn + (at % columns) };
    }
    first += count;
  }
}
