/** Joins lines that share an end, so that the pieces of a road get one label along the whole road. */

/**
 * Pieces of one road share their ends except for rounding. This tolerance is tried first, because short pieces have
 * several ends within the larger one.
 */
const SAME_PIXELS = 0.001;

/** Ends that are closer to each other than this also count as one point. */
const MEETING_PIXELS = 0.5;

/** Extends each line as far as possible; earlier lines are joined first. */
export function joinLines(lines: readonly Float64Array[]): readonly Float64Array[] {
  const places = [new EndpointIndex(lines, SAME_PIXELS), new EndpointIndex(lines, MEETING_PIXELS)];
  const isTaken = new Uint8Array(lines.length);
  const markTaken = (index: number): void => {
    isTaken[index] = 1;
    for (const each of places) each.remove(index);
  };
  /** Returns whether another line was joined. */
  const extendChain = (chain: Chain): boolean => {
    for (const each of places) {
      const next = each.findFirstJoinable(chain);
      if (next === undefined) continue;
      markTaken(next);
      chain.join(lines[next] ?? new Float64Array(), each.pixels);
      return true;
    }
    return false;
  };
  const found: Float64Array[] = [];
  for (const [index, line] of lines.entries()) {
    if (isTaken[index] === 1) continue;
    markTaken(index);
    const chain = new Chain(line);
    while (extendChain(chain));
    found.push(chain.toLine());
  }
  return found;
}

/** A line that grows at both ends. The parts are concatenated once, in `toLine`. */
class Chain {
  readonly #before: Float64Array[] = [];
  readonly #behind: Float64Array[];
  #head: Float64Array;
  #tail: Float64Array;

  constructor(line: Float64Array) {
    this.#behind = [line];
    this.#head = getLineStart(line);
    this.#tail = getLineEnd(line);
  }

  get ends(): readonly Float64Array[] {
    return [this.#tail, this.#head];
  }

  canJoin(line: Float64Array, pixels: number): boolean {
    return this.ends.some((end) => areNear(end, getLineStart(line), pixels) || areNear(end, getLineEnd(line), pixels));
  }

  /** Appends the line if possible, otherwise prepends it; reverses it if necessary. */
  join(line: Float64Array, pixels: number): void {
    if (areNear(this.#tail, getLineStart(line), pixels)) this.#append(line);
    else if (areNear(this.#tail, getLineEnd(line), pixels)) this.#append(reverseLine(line));
    else if (areNear(this.#head, getLineEnd(line), pixels)) this.#prepend(line);
    else this.#prepend(reverseLine(line));
  }

  toLine(): Float64Array {
    const parts = [...this.#before.reverse(), ...this.#behind];
    const joined = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }

  #append(line: Float64Array): void {
    this.#behind.push(line.subarray(2));
    this.#tail = getLineEnd(line);
  }

  #prepend(line: Float64Array): void {
    this.#before.push(line.subarray(0, -2));
    this.#head = getLineStart(line);
  }
}

/** An index of the ends of lines, in squares as wide as the tolerance. */
class EndpointIndex {
  readonly pixels: number;
  readonly #lines: readonly Float64Array[];
  /** The indexes of lines, in ascending order. */
  readonly #squares = new Map<string, Set<number>>();

  constructor(lines: readonly Float64Array[], pixels: number) {
    this.#lines = lines;
    this.pixels = pixels;
    for (const [index, line] of lines.entries()) {
      for (const key of this.#listSquares(line)) {
        const square = this.#squares.get(key) ?? new Set();
        this.#squares.set(key, square.add(index));
      }
    }
  }

  remove(index: number): void {
    for (const key of this.#listSquares(this.#lines[index] ?? new Float64Array()))
      this.#squares.get(key)?.delete(index);
  }

  findFirstJoinable(chain: Chain): number | undefined {
    let first: number | undefined;
    for (const key of chain.ends.flatMap((end) => this.#listNearbySquares(end))) {
      for (const index of this.#squares.get(key) ?? []) {
        if (first !== undefined && index >= first) break;
        if (chain.canJoin(this.#lines[index] ?? new Float64Array(), this.pixels)) first = index;
      }
    }
    return first;
  }

  #listSquares(line: Float64Array): readonly string[] {
    return line.length < 2
      ? []
      : [this.#formatSquareKey(getLineStart(line), 0, 0), this.#formatSquareKey(getLineEnd(line), 0, 0)];
  }

  #listNearbySquares(end: Float64Array): readonly string[] {
    const aside = [-1, 0, 1];
    return aside.flatMap((right) => aside.map((down) => this.#formatSquareKey(end, right, down)));
  }

  #formatSquareKey([x = 0, y = 0]: Float64Array, right: number, down: number): string {
    return `${Math.floor(x / this.pixels) + right} ${Math.floor(y / this.pixels) + down}`;
  }
}

function areNear([x = Number.NaN, y = 0]: Float64Array, other: Float64Array, pixels: number): boolean {
  return Math.abs(x - (other[0] ?? Number.NaN)) < pixels && Math.abs(y - (other[1] ?? 0)) < pixels;
}

function getLineStart(line: Float64Array): Float64Array {
  return line.subarray(0, 2);
}

function getLineEnd(line: Float64Array): Float64Array {
  return line.subarray(-2);
}

export function reverseLine(line: Float64Array): Float64Array {
  const reversed = new Float64Array(line.length);
  for (let at = 0, from = line.length - 2; from >= 0; at += 2, from -= 2) {
    reversed[at] = line[from] ?? 0;
    reversed[at + 1] = line[from + 1] ?? 0;
  }
  return reversed;
}
