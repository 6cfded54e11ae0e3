/** Joins rings and lines that jump over the antimeridian, so that they continue beyond the edge of the world. */

/** A turn around the Earth in the coordinates of a ring. */
export interface WorldTurn {
  /** The length of a turn, and the factors by which coordinates are measured in its direction. */
  readonly width: number;
  readonly alongX: number;
  readonly alongY: number;
  /** The vector of a turn to the east. */
  readonly turnX: number;
  readonly turnY: number;
  /** A position beyond the pole that a ring around a pole encloses. */
  readonly toPole: (x: number, y: number) => readonly [number, number];
}

/** The part of a turn beyond which segments are jumps: both ends are nearer to the antimeridian than to each other. */
export const MIN_JUMP = 0.75;

/** Segments of a whole turn within rounding are edges of the world. */
export const TURN_ROUNDING = 1e-9;

/** Returns a turn in a CRS whose x axis goes around the Earth. */
export function createWorldTurn(width: number): WorldTurn {
  return {
    width,
    alongX: 1,
    alongY: 0,
    turnX: width,
    turnY: 0,
    toPole: (x, y) => [x, (Math.sign(y) * width) / 4],
  };
}

/** A ring or line without its jumps; undefined if it has none. */
export function unwrapLine(places: Float64Array, isClosed: boolean, turn: WorldTurn): Float64Array | undefined {
  const { width, alongX, alongY, turnX, turnY } = turn;
  const count = places.length / 2;
  const found = new Float64Array(places.length);
  let [turns, jumps, edges, min, max] = [0, 0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let firstJump = 0;
  const pass = (from: number, to: number): void => {
    const step =
      ((places[to * 2] ?? 0) - (places[from * 2] ?? 0)) * alongX +
      ((places[to * 2 + 1] ?? 0) - (places[from * 2 + 1] ?? 0)) * alongY;
    if (!(Math.abs(step) > width * MIN_JUMP)) return;
    turns -= Math.sign(step);
    if (Math.abs(Math.abs(step) - width) < width * TURN_ROUNDING) edges += 1;
    else jumps += 1;
    if (jumps === 1 && firstJump === 0) firstJump = to;
  };
  for (let index = 0; index < count; index += 1) {
    if (index > 0) pass(index - 1, index);
    const x = (places[index * 2] ?? 0) + turns * turnX;
    const y = (places[index * 2 + 1] ?? 0) + turns * turnY;
    found[index * 2] = x;
    found[index * 2 + 1] = y;
    min = Math.min(min, x * alongX + y * alongY);
    max = Math.max(max, x * alongX + y * alongY);
  }
  if (isClosed && count > 1) pass(count - 1, 0);
  if (jumps + edges === 0) return undefined;
  // A ring of nothing but edges of the world, such as the whole Earth, is a jump only if the joined ring is small.
  if (jumps === 0 && (turns !== 0 || !(max - min > width * TURN_ROUNDING) || max - min > width / 2)) return undefined;
  if (!isClosed || turns === 0) return found;
  // Start at the antimeridian, so that the way over the pole is at the edge of most maps.
  if (firstJump > 0) return unwrapLine(startAt(places, firstJump * 2), isClosed, turn);
  return closeAroundPole(found, turns, turn);
}

function startAt(ring: Float64Array, start: number): Float64Array {
  const turned = new Float64Array(ring.length);
  turned.set(ring.subarray(start));
  turned.set(ring.subarray(0, start), ring.length - start);
  return turned;
}

/** Adds the way over the pole to a ring that ends a turn away from its start. */
function closeAroundPole(ring: Float64Array, turns: number, { turnX, turnY, toPole }: WorldTurn): Float64Array {
  const [x, y] = [ring[0] ?? 0, ring[1] ?? 0];
  const [endX, endY] = [x + turns * turnX, y + turns * turnY];
  const closed = new Float64Array(ring.length + 6);
  closed.set(ring);
  closed.set([endX, endY, ...toPole(endX, endY), ...toPole(x, y)], ring.length);
  return closed;
}

/** Moves a hole by whole turns to where its polygon is. */
export function moveInto(hole: Float64Array, outer: Float64Array, turn: WorldTurn): Float64Array {
  const [place, [min, max]] = [measureRange(hole, turn)[0], measureRange(outer, turn)];
  const turns = place < min - turn.width * TURN_ROUNDING ? 1 : place > max + turn.width * TURN_ROUNDING ? -1 : 0;
  if (turns === 0) return hole;
  return hole.map((each, at) => each + turns * (at % 2 === 0 ? turn.turnX : turn.turnY));
}

function measureRange(ring: Float64Array, { alongX, alongY }: WorldTurn): readonly [number, number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < ring.length; at += 2) {
    const along = (ring[at] ?? 0) * alongX + (ring[at + 1] ?? 0) * alongY;
    min = Math.min(min, along);
    max = Math.max(max, along);
  }
  return [min, max];
}
