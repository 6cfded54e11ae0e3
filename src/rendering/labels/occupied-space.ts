/** The areas of a map that labels and obstacles occupy. */
import type { Bounds } from '../../crs/bounds.ts';

const CELL_PIXELS = 64;

export interface OccupiedBox extends Bounds {
  /** The feature of an obstacle. */
  readonly owner?: object;
}

/** The areas of the map that have a label, indexed by squares to keep the number of comparisons small. */
export class OccupiedSpace {
  readonly #width: number;
  readonly #height: number;
  readonly #cells = new Map<number, OccupiedBox[]>();

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** Returns space of the same size without any box. */
  createEmpty(): OccupiedSpace {
    return new OccupiedSpace(this.#width, this.#height);
  }

  isInside({ minX, minY, maxX, maxY }: Bounds): boolean {
    return minX >= 0 && minY >= 0 && maxX <= this.#width && maxY <= this.#height;
  }

  /** Boxes of the owners do not count. */
  isFree(boxes: readonly Bounds[], space: number, owners?: ReadonlySet<object>): boolean {
    return boxes.every((box) => {
      const wide = {
        minX: box.minX - space,
        minY: box.minY - space,
        maxX: box.maxX + space,
        maxY: box.maxY + space,
      };
      return this.#listCells(wide).every(
        (cell) =>
          !(this.#cells.get(cell) ?? []).some((other) => areOverlapping(wide, other) && !isOwned(other, owners)),
      );
    });
  }

  addBoxes(boxes: readonly OccupiedBox[]): void {
    for (const box of boxes) {
      for (const cell of this.#listCells(box)) {
        const inCell = this.#cells.get(cell);
        if (inCell === undefined) this.#cells.set(cell, [box]);
        else inCell.push(box);
      }
    }
  }

  /** Boxes beyond the edges belong to the squares at the edge. */
  #listCells({ minX, minY, maxX, maxY }: Bounds): readonly number[] {
    const columns = Math.ceil(this.#width / CELL_PIXELS);
    const rows = Math.ceil(this.#height / CELL_PIXELS);
    const within = (value: number, count: number): number =>
      Math.min(count - 1, Math.max(0, Math.floor(value / CELL_PIXELS)));
    const cells: number[] = [];
    for (let row = within(minY, rows); row <= within(maxY, rows); row += 1) {
      for (let column = within(minX, columns); column <= within(maxX, columns); column += 1) {
        cells.push(row * columns + column);
      }
    }
    return cells;
  }
}

function areOverlapping(one: Bounds, other: Bounds): boolean {
  return one.minX < other.maxX && one.maxX > other.minX && one.minY < other.maxY && one.maxY > other.minY;
}

function isOwned({ owner }: OccupiedBox, owners: ReadonlySet<object> | undefined): boolean {
  return owner !== undefined && owners?.has(owner) === true;
}
