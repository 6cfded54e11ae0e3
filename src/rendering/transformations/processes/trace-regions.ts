/** Finds the connected cells of equal value in a grid and traces their outlines. */

/** Noise has a region for almost every cell. */
const MAX_REGIONS = 200_000;

/** Receives the outer ring and the holes of a region, as closed lists of columns and rows. */
type ReceiveRegion = (value: number, rings: readonly (readonly number[])[]) => void;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Cells with NaN belong to no region. Cells that touch only at a corner are not connected. */
export function traceRegions(
  values: Float64Array,
  size: Size,
  reject: (reason: string) => Error,
  receive: ReceiveRegion,
): void {
  const regions = new Int32Array(values.length);
  let count = 0;
  for (let cell = 0; cell < values.length; cell += 1) {
    if (regions[cell] !== 0 || Number.isNaN(values[cell])) continue;
    count += 1;
    if (count > MAX_REGIONS) throw reject(`the raster has more than ${MAX_REGIONS} regions. Use ranges`);
    const cells = collectRegion(values, regions, cell, count, size);
    receive(values[cell] ?? 0, traceRings(regions, cells, count, size));
  }
}

function collectRegion(
  values: Float64Array,
  regions: Int32Array,
  start: number,
  region: number,
  { width, height }: Size,
): readonly number[] {
  const cells = [start];
  const value = values[start];
  regions[start] = region;
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at] ?? 0;
    const column = cell % width;
    const row = (cell - column) / width;
    const visit = (next: number): void => {
      if (regions[next] !== 0 || values[next] !== value) return;
      regions[next] = region;
      cells.push(next);
    };
    if (column > 0) visit(cell - 1);
    if (column + 1 < width) visit(cell + 1);
    if (row > 0) visit(cell - width);
    if (row + 1 < height) visit(cell + width);
  }
  return cells;
}

/** Follows the edges with the region on their right. The outer ring is first, because its first cell is the topmost. */
function traceRings(
  regions: Int32Array,
  cells: readonly number[],
  region: number,
  { width, height }: Size,
): readonly (readonly number[])[] {
  /** The edges by their start: right, down, left, up. */
  const edges = new Map<number, number[]>();
  const corners = width + 1;
  const addEdge = (start: number, direction: number): void => {
    const found = edges.get(start);
    if (found === undefined) edges.set(start, [direction]);
    else found.push(direction);
  };
  for (const cell of cells) {
    const column = cell % width;
    const row = (cell - column) / width;
    const corner = row * corners + column;
    if (row === 0 || regions[cell - width] !== region) addEdge(corner, 0);
    if (column + 1 === width || regions[cell + 1] !== region) addEdge(corner + 1, 1);
    if (row + 1 === height || regions[cell + width] !== region) addEdge(corner + corners + 1, 2);
    if (column === 0 || regions[cell - 1] !== region) addEdge(corner + corners, 3);
  }
  const steps = [1, corners, -1, -corners];
  const rings: number[][] = [];
  for (const [start, directions] of edges) {
    while (directions.length > 0) {
      const ring: number[] = [];
      let corner = start;
      let direction = -1;
      do {
        const next = takeNext(edges.get(corner), direction);
        if (next === undefined) break;
        if (next !== direction) ring.push(corner % corners, Math.floor(corner / corners));
        direction = next;
        corner += steps[direction] ?? 0;
      } while (corner !== start || hasTurn(edges.get(corner), direction));
      ring.push(ring[0] ?? 0, ring[1] ?? 0);
      rings.push(ring);
    }
  }
  return rings;
}

/** Where two outlines meet in a corner, the right turn stays with the same cell. */
function takeNext(directions: number[] | undefined, from: number): number | undefined {
  if (directions === undefined || directions.length === 0) return undefined;
  const right = (from + 1) % 4;
  const index = from < 0 ? 0 : Math.max(0, directions.indexOf(right));
  return directions.splice(index, 1)[0];
}

/** Whether the line that arrives at its start continues with a right turn instead of being closed. */
function hasTurn(directions: readonly number[] | undefined, from: number): boolean {
  return directions?.includes((from + 1) % 4) === true;
}
