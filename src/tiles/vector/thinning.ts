/**
 * Selects the features of a tile that has too many. Three classes follow each other until the tile is full: features
 * that are larger than a cell of a grid, the largest first; of the others, one in each cell; and the rest. The feature
 * with the lowest hash of its name is the first of a cell and of the rest. Features in the buffer follow in the same
 * classes, because clients do not show them.
 *
 * Grids are aligned with tiles, their cells are nested, and hashes depend on names only. Higher levels therefore show
 * the same features, and the order of the data is irrelevant.
 */
import { selectGridCell } from '../../lib/values/grid-cell.ts';
import { EXTENT } from './tile-geometry.ts';

/** The position and size of a feature in tile units, before clipping. */
export interface FeatureBox {
  readonly x: number;
  readonly y: number;
  /** The larger of width and height. */
  readonly size: number;
}

interface ThinnedItem<T> extends FeatureBox {
  readonly item: T;
  readonly hash: number;
  /** The position in the data. */
  readonly order: number;
}

export class Thinning<T> {
  readonly #room: number;
  readonly #capacity: number;
  #kept: ThinnedItem<T>[] = [];
  /** The cells that limit the memory; 0 for none. */
  #cell = 0;
  #order = 0;

  constructor(room: number) {
    this.#room = room;
    this.#capacity = Math.max(room, MIN_CAPACITY);
  }

  add(name: string, box: FeatureBox, item: T): void {
    this.#kept.push({ ...box, item, hash: computeHash(name), order: this.#order });
    this.#order += 1;
    if (this.#kept.length >= this.#capacity + MIN_CAPACITY) this.#limitMemory();
  }

  /** Returns the items within the limit, in the order of the data. */
  listItems(): readonly T[] {
    if (this.#kept.length <= this.#room) return this.#kept.map(({ item }) => item);
    return sortByOrder(this.#prioritize(this.#room).slice(0, this.#room)).map(({ item }) => item);
  }

  /**
   * Returns the items that fit, in the order of the data. `estimate` is their approximate number; `tryAdd` returns
   * false for an item that does not fit.
   */
  selectFitting(estimate: number, tryAdd: (item: T) => boolean): readonly T[] {
    const chosen: ThinnedItem<T>[] = [];
    let misses = 0;
    for (const each of this.#prioritize(estimate)) {
      if (chosen.length >= this.#room) break;
      if (tryAdd(each.item)) {
        chosen.push(each);
      } else {
        misses += 1;
        if (misses >= MAX_MISSES) break;
      }
    }
    return sortByOrder(chosen).map(({ item }) => item);
  }

  /** Drops items that are invisible beside others: as few as the memory requires. */
  #limitMemory(): void {
    while (this.#kept.length > this.#capacity && this.#cell < EXTENT) {
      this.#cell = Math.max(1, this.#cell * 2);
      const { large, first } = splitByGrid(this.#kept, this.#cell);
      this.#kept = [...large, ...first];
    }
    // Only large items are left.
    if (this.#kept.length > this.#capacity) this.#kept = this.#prioritize(this.#capacity).slice(0, this.#capacity);
  }

  #prioritize(estimate: number): ThinnedItem<T>[] {
    const cell = selectGridCell(EXTENT, estimate);
    const { inside = [], outside = [] } = Object.groupBy(this.#kept, (item) => (isInTile(item) ? 'inside' : 'outside'));
    return [...sortByPriority(inside, cell), ...sortByPriority(outside, cell)];
  }
}

/** Returns false for a feature in the buffer. The shape is unknown: a square of its size around its centre counts. */
function isInTile({ x, y, size }: FeatureBox): boolean {
  const isWithin = (middle: number): boolean => middle + size / 2 >= 0 && middle - size / 2 < EXTENT;
  return isWithin(x) && isWithin(y);
}

function sortByPriority<T>(items: readonly ThinnedItem<T>[], cell: number): readonly ThinnedItem<T>[] {
  const { large, first, rest } = splitByGrid(items, cell);
  large.sort((a, b) => b.size - a.size || compareHashes(a, b));
  return [...large, ...first.sort(compareHashes), ...rest.sort(compareHashes)];
}

/** Up to this many items are retained, so that low limits apply to all of the data. */
const MIN_CAPACITY = 10_000;

/** A tile is full when this many features in sequence did not fit; few are much larger than others. */
const MAX_MISSES = 100;

function splitByGrid<T>(items: readonly ThinnedItem<T>[], cell: number) {
  const large: ThinnedItem<T>[] = [];
  const rest: ThinnedItem<T>[] = [];
  const cells = new Map<number, ThinnedItem<T>>();
  for (const item of items) {
    if (item.size >= cell) {
      large.push(item);
      continue;
    }
    const key = findCell(item, cell);
    const other = cells.get(key);
    const isFirst = other === undefined || compareHashes(item, other) < 0;
    if (isFirst) cells.set(key, item);
    if (other !== undefined) rest.push(isFirst ? other : item);
  }
  return { large, first: [...cells.values()], rest };
}

function findCell({ x, y }: FeatureBox, cell: number): number {
  return Math.floor(x / cell) * 4 * EXTENT + Math.floor(y / cell);
}

/** Parts of one feature have the same hash; their order decides. */
function compareHashes(a: ThinnedItem<unknown>, b: ThinnedItem<unknown>): number {
  return a.hash - b.hash || a.order - b.order;
}

function sortByOrder<T>(items: readonly ThinnedItem<T>[]): readonly ThinnedItem<T>[] {
  return items.toSorted((a, b) => a.order - b.order);
}

/** FNV-1a: spreads names that differ in their last digit. */
function computeHash(name: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x0100_0193);
  // Each bit of FNV-1a depends on few bits of the name; mix them.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
