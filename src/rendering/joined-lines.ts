/** Lines that begin or end where others do become one: the pieces of a road that is written along it once. */

/** Ends nearer to each other than this are one place. */
const MEETING_PIXELS = 0.5;

/** Which lines have an end there, by their number. */
type Ends = Map<string, Set<number>>;

/** Each as long as it can become; those that come first are joined first. */
export function joinedLines(lines: readonly Float64Array[]): readonly Float64Array[] {
  const ends: Ends = new Map();
  for (const [index, line] of lines.entries()) for (const key of endsOf(line)) cellAt(ends, key).add(index);
  const take = (index: number): Float64Array | undefined => {
    const line = lines[index];
    for (const key of line === undefined ? [] : endsOf(line)) ends.get(key)?.delete(index);
    return line;
  };
  const found: Float64Array[] = [];
  const isTaken = new Uint8Array(lines.length);
  for (const index of lines.keys()) {
    if (isTaken[index] === 1) continue;
    const first = take(index) ?? new Float64Array();
    const chain = new Chain(first);
    for (let next = nextOf(chain, ends, lines); next !== undefined; next = nextOf(chain, ends, lines)) {
      isTaken[next] = 1;
      chain.join(take(next) ?? first);
    }
    found.push(chain.whole());
  }
  return found;
}

/** A line that grows at both of its ends; what it consists of is put together at the end. */
class Chain {
  readonly #behind: Float64Array[];
  readonly #before: Float64Array[] = [];
  #head: Float64Array;
  #tail: Float64Array;

  constructor(line: Float64Array) {
    this.#behind = [line];
    this.#head = line.subarray(0, 2);
    this.#tail = line.subarray(-2);
  }

  get ends(): readonly Float64Array[] {
    return [this.#tail, this.#head];
  }

  meets(line: Float64Array): boolean {
    return this.ends.some((end) => areOne(end, line.subarray(0, 2)) || areOne(end, line.subarray(-2)));
  }

  /** Behind it, if that can be; turned round where it has to be. */
  join(line: Float64Array): void {
    const [begin, end] = [line.subarray(0, 2), line.subarray(-2)];
    if (areOne(this.#tail, begin)) this.#append(line);
    else if (areOne(this.#tail, end)) this.#append(turned(line));
    else if (areOne(this.#head, end)) this.#prepend(line);
    else this.#prepend(turned(line));
  }

  whole(): Float64Array {
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
    this.#tail = line.subarray(-2);
  }

  #prepend(line: Float64Array): void {
    this.#before.push(line.subarray(0, -2));
    this.#head = line.subarray(0, 2);
  }
}

/** The first of those that are left and meet it. */
function nextOf(chain: Chain, ends: Ends, lines: readonly Float64Array[]): number | undefined {
  let next: number | undefined;
  for (const end of chain.ends) {
    for (const key of cellsAround(end)) {
      for (const index of ends.get(key) ?? []) {
        if (next !== undefined && index >= next) break;
        if (chain.meets(lines[index] ?? end)) next = index;
      }
    }
  }
  return next;
}

function areOne(one: Float64Array, other: Float64Array): boolean {
  return (
    one.length === 2 &&
    other.length === 2 &&
    [0, 1].every((at) => Math.abs((one[at] ?? 0) - (other[at] ?? 0)) < MEETING_PIXELS)
  );
}

function endsOf(line: Float64Array): readonly string[] {
  return line.length < 2 ? [] : [keyOf(line.subarray(0, 2), 0, 0), keyOf(line.subarray(-2), 0, 0)];
}

function cellsAround(end: Float64Array): readonly string[] {
  const aside = [-1, 0, 1];
  return end.length < 2 ? [] : aside.flatMap((x) => aside.map((y) => keyOf(end, x, y)));
}

/** Cells are as wide as ends may be apart. */
function keyOf([x = 0, y = 0]: Float64Array, right: number, down: number): string {
  return `${Math.floor(x / MEETING_PIXELS) + right} ${Math.floor(y / MEETING_PIXELS) + down}`;
}

function cellAt(ends: Ends, key: string): Set<number> {
  const cell = ends.get(key) ?? new Set<number>();
  ends.set(key, cell);
  return cell;
}

export function turned(line: Float64Array): Float64Array {
  const count = line.length / 2;
  return Float64Array.from({ length: line.length }, (_, at) => line[(count - 1 - (at >> 1)) * 2 + (at % 2)] ?? 0);
}
