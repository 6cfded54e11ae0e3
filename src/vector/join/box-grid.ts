/** Finds boxes that intersect a box, by cells of a grid over all of them. */
import type { Bounds } from '../../crs/bounds.ts';

/** Boxes in more cells are compared with every requested box. */
const MAX_CELLS_OF_BOX = 64;

/** Finer cells would hold less than one of the features that a join accepts. */
const MAX_CELLS_PER_SIDE = 256;

export class BoxGrid {
  readonly #boxes: readonly (Bounds | undefined)[];
  readonly #cells = new Map<number, number[]>();
  readonly #large: number[] = [];
  readonly #extent: Bounds;
  readonly #perSide: number;
  #comparisons = 0;

  /** Undefined boxes are never found. */
  constructor(boxes: readonly (Bounds | undefined)[], extent: Bounds) {
    this.#boxes = boxes;
    this.#extent = extent;
    this.#perSide = Math.min(MAX_CELLS_PER_SIDE, Math.max(1, Math.ceil(Math.sqrt(boxes.length))));
  }

  /** Adds the box at a position; separate, so that the caller can yield between boxes. */
  add(index: number): void {
    const box = this.#boxes[index];
    if (box === undefined) return;
    const cells = this.#listCells(box);
    if (cells === undefined) {
      this.#large.push(index);
      return;
    }
    for (const cell of cells) {
      const members = this.#cells.get(cell);
      if (members === undefined) this.#cells.set(cell, [index]);
      else members.push(index);
    }
  }

  /** Returns the positions of the boxes that intersect or touch a box, in ascending order. */
  find(box: Bounds): readonly number[] {
    const cells = this.#listCells(box);
    const found: ReadonlySet<number> | readonly number[] =
      cells === undefined
        ? [...this.#boxes.keys()]
        : new Set([...this.#large, ...cells.flatMap((cell) => this.#cells.get(cell) ?? [])]);
    this.#comparisons += 'size' in found ? found.size : found.length;
    return [...found].filter((index) => intersects(this.#boxes[index], box)).sort((one, other) => one - other);
  }

  /** The number of compared boxes of all calls. */
  get comparisons(): number {
    return this.#comparisons;
  }

  #listCells(box: Bounds): readonly number[] | undefined {
    const { minX, minY, maxX, maxY } = this.#extent;
    const [left, right] = [this.#toStep(box.minX, minX, maxX), this.#toStep(box.maxX, minX, maxX)];
    const [lower, upper] = [this.#toStep(box.minY, minY, maxY), this.#toStep(box.maxY, minY, maxY)];
    if ((right - left + 1) * (upper - lower + 1) > MAX_CELLS_OF_BOX) return undefined;
    const cells: number[] = [];
    for (let x = left; x <= right; x += 1) for (let y = lower; y <= upper; y += 1) cells.push(x * this.#perSide + y);
    return cells;
  }

  #toStep(value: number, low: number, high: number): number {
    const step = Math.floor(((value - low) / (high - low || 1)) * this.#perSide);
    return Math.min(this.#perSide - 1, Math.max(0, step));
  }
}

function intersects(one: Bounds | undefined, other: Bounds): boolean {
  return (
    one !== undefined &&
    one.minX <= other.maxX &&
    one.maxX >= other.minX &&
    one.minY <= other.maxY &&
    one.maxY >= other.minY
  );
}
