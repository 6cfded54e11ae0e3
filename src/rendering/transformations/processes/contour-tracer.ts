/** Traces lines of equal value through a grid and joins their segments to long lines. */

/** Segments of all levels: noise with many levels would fill the memory. */
const MAX_SEGMENTS = 3_000_000;

/** Receives a line as alternating columns and rows, from the centre of the first cell. */
type ReceiveLine = (level: number, line: readonly number[]) => void;

/**
 * A segment connects two edges of the grid: edge `2 * cell` leads from a cell to its right neighbour, edge
 * `2 * cell + 1` to the one below. In each level an edge belongs to at most two segments, one on each side.
 */
export class ContourTracer {
  readonly #heights: Float64Array;
  readonly #width: number;
  readonly #height: number;
  /** The segments at each edge, by their number plus one; 0 for none. */
  readonly #first: Int32Array;
  readonly #second: Int32Array;

  constructor(heights: Float64Array, width: number, height: number) {
    this.#heights = heights;
    this.#width = width;
    this.#height = height;
    this.#first = new Int32Array(heights.length * 2);
    this.#second = new Int32Array(heights.length * 2);
  }

  /** The levels are in ascending order. */
  trace(levels: readonly number[], reject: (reason: string) => Error, receive: ReceiveLine): void {
    const segments: number[][] = levels.map(() => []);
    let count = 0;
    for (let row = 0; row + 1 < this.#height; row += 1) {
      for (let column = 0; column + 1 < this.#width; column += 1) {
        const cell = row * this.#width + column;
        count += this.#collectSegments(cell, levels, segments);
      }
      if (count > MAX_SEGMENTS)
        throw reject(`the contours have more than ${MAX_SEGMENTS} segments. Use fewer levels or a larger interval`);
    }
    for (const [index, level] of levels.entries()) this.#joinSegments(level, segments[index] ?? [], receive);
  }

  /** Adds the segments in the square to the right of and below a cell; returns their number. */
  #collectSegments(cell: number, levels: readonly number[], segments: readonly number[][]): number {
    const heights = this.#heights;
    const below = cell + this.#width;
    const a = heights[cell] ?? Number.NaN;
    const b = heights[cell + 1] ?? Number.NaN;
    const c = heights[below + 1] ?? Number.NaN;
    const d = heights[below] ?? Number.NaN;
    const least = Math.min(a, b, c, d);
    const most = Math.max(a, b, c, d);
    // A square without data has NaN in both.
    if (!(most > least)) return 0;
    let count = 0;
    for (let index = findFirstAbove(levels, least); index < levels.length; index += 1) {
      const level = levels[index] ?? 0;
      if (level > most) break;
      const into = segments[index];
      if (into === undefined) continue;
      const shape = (a >= level ? 8 : 0) | (b >= level ? 4 : 0) | (c >= level ? 2 : 0) | (d >= level ? 1 : 0);
      count += 1;
      if (shape === 5 || shape === 10) {
        // A saddle: the mean decides which corners are connected.
        const isHigh = (a + b + c + d) / 4 >= level;
        const [top, right, bottom, left] = [cell * 2, (cell + 1) * 2 + 1, below * 2, cell * 2 + 1];
        if (isHigh === (shape === 10)) into.push(top, right, bottom, left);
        else into.push(left, top, right, bottom);
        continue;
      }
      const edges = squareEdges[shape];
      if (edges !== undefined) into.push(this.#findEdge(cell, edges[0]), this.#findEdge(cell, edges[1]));
    }
    return count;
  }

  /** Returns the top, right, bottom or left edge of a square. */
  #findEdge(cell: number, side: number): number {
    if (side === 0) return cell * 2;
    if (side === 1) return (cell + 1) * 2 + 1;
    return side === 2 ? (cell + this.#width) * 2 : cell * 2 + 1;
  }

  #joinSegments(level: number, segments: readonly number[], receive: ReceiveLine): void {
    const [first, second] = [this.#first, this.#second];
    for (let at = 0; at < segments.length; at += 1) {
      const edge = segments[at] ?? 0;
      if (first[edge] === 0) first[edge] = (at >> 1) + 1;
      else second[edge] = (at >> 1) + 1;
    }
    const isUsed = new Uint8Array(segments.length / 2);
    const follow = (start: number, from: number): void => {
      const line: number[] = [];
      this.#addPosition(level, from, line);
      let [segment, edge] = [start, from];
      while (isUsed[segment] === 0) {
        isUsed[segment] = 1;
        edge = segments[segment * 2] === edge ? (segments[segment * 2 + 1] ?? 0) : (segments[segment * 2] ?? 0);
        this.#addPosition(level, edge, line);
        const next = first[edge] === segment + 1 ? (second[edge] ?? 0) : (first[edge] ?? 0);
        if (next === 0) break;
        segment = next - 1;
      }
      if (line.length >= 4) receive(level, line);
    };
    // Open lines start at edges with one segment; the others are closed.
    for (let at = 0; at < segments.length; at += 1) {
      const edge = segments[at] ?? 0;
      if (second[edge] === 0 && isUsed[at >> 1] === 0) follow(at >> 1, edge);
    }
    for (let segment = 0; segment < isUsed.length; segment += 1)
      if (isUsed[segment] === 0) follow(segment, segments[segment * 2] ?? 0);
    for (const edge of segments) {
      first[edge] = 0;
      second[edge] = 0;
    }
  }

  /** Adds the crossing of an edge, unless the line is already there. */
  #addPosition(level: number, edge: number, line: number[]): void {
    const cell = edge >> 1;
    const isDown = (edge & 1) === 1;
    const from = this.#heights[cell] ?? 0;
    const to = this.#heights[isDown ? cell + this.#width : cell + 1] ?? 0;
    const share = to === from ? 0.5 : Math.min(1, Math.max(0, (level - from) / (to - from)));
    const row = Math.floor(cell / this.#width);
    const x = cell - row * this.#width + (isDown ? 0 : share);
    const y = row + (isDown ? share : 0);
    if (line.length > 0 && line[line.length - 2] === x && line[line.length - 1] === y) return;
    line.push(x, y);
  }
}

/** The edges of a square (top, right, bottom, left) that its line crosses, by its high corners. */
const squareEdges: readonly (readonly [number, number] | undefined)[] = [
  undefined,
  [2, 3],
  [1, 2],
  [1, 3],
  [0, 1],
  undefined,
  [0, 2],
  [0, 3],
  [0, 3],
  [0, 2],
  undefined,
  [0, 1],
  [1, 3],
  [1, 2],
  [2, 3],
  undefined,
];

/** Returns the index of the first level above the value. */
function findFirstAbove(levels: readonly number[], value: number): number {
  let [low, high] = [0, levels.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((levels[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
