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
    for (const { minX, minY, maxX, maxY } of boxes) {
      const wide = { minX: minX - space, minY: minY - space, maxX: maxX + space, maxY: maxY + space };
      const isTaken = this.#someCell(wide, (cell) => {
        for (const other of this.#cells.get(cell) ?? [])
          if (areOverlapping(wide, other) && !isOwned(other, owners)) return true;
        return false;
      });
      if (isTaken) return false;
    }
    return true;
  }

  addBoxes(boxes: readonly OccupiedBox[]): void {
    for (const box of boxes) {
      this.#someCell(box, (cell) => {
        const inCell = this.#cells.get(cell);
        if (inCell === undefined) this.#cells.set(cell, [box]);
        else inCell.push(box);
        return false;
      });
    }
  }

  /** Visits the squares of a box until a visit returns true. Boxes beyond the edges belong to the squares there. */
  #someCell({ minX, minY, maxX, maxY }: Bounds, visit: (cell: number) => boolean): boolean {
    const columns = Math.ceil(this.#width / CELL_PIXELS);
    const rows = Math.ceil(this.#height / CELL_PIXELS);
    const [lastRow, lastColumn] = [toCell(maxY, rows), toCell(maxX, columns)];
    for (let row = toCell(minY, rows); row <= lastRow; row += 1)
      for (let column = toCell(minX, columns); column <= lastColumn; column += 1)
        if (visit(row * columns + column)) return true;
    return false;
  }
}

function toCell(value: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(value / CELL_PIXELS)));
}

function areOverlapping(one: Bounds, other: Bounds): boolean {
  return one.minX < other.maxX && one.maxX > other.minX && one.minY < other.maxY && one.maxY > other.minY;
}

function isOwned({ owner }: OccupiedBox, owners: ReadonlySet<object> | undefined): boolean {
  return owner !== undefined && owners?.has(owner) === true;
}
