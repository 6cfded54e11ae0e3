/** Grows the rings of a glyph by a distance, for the halo around it. */

/** The maximum deviation of a round corner from a circle, relative to its radius. */
const FLATNESS = 0.05;

const RADIANS_PER_STEP = 2 * Math.acos(1 - FLATNESS);

/**
 * Returns the ring that encloses all positions within the distance of the area on its outer side (`side` 1 if the area
 * has a positive signed area, otherwise -1). The ring crosses itself at inner corners, where it encloses the area
 * twice, so fill it with the rule `nonzero`.
 */
export function growRing(ring: Float64Array, distance: number, side: 1 | -1): Float64Array {
  const grown: number[] = [];
  const count = ring.length / 2;
  const reach = distance * side;
  let [beforeX, beforeY] = computeDirection(ring, count - 1);
  for (let corner = 0; corner < count; corner += 1) {
    const [x, y] = [ring[corner * 2] ?? 0, ring[corner * 2 + 1] ?? 0];
    const [nextX, nextY] = computeDirection(ring, corner);
    const turn = Math.atan2(beforeX * nextY - beforeY * nextX, beforeX * nextX + beforeY * nextY);
    if (turn * side < 0) {
      grown.push(x + beforeY * reach, y - beforeX * reach, x, y);
    } else {
      const steps = Math.ceil(Math.abs(turn) / RADIANS_PER_STEP);
      for (let step = 0; step < steps; step += 1) {
        const angle = (turn * step) / steps;
        const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
        const [alongX, alongY] = [beforeX * cosine - beforeY * sine, beforeX * sine + beforeY * cosine];
        grown.push(x + alongY * reach, y - alongX * reach);
      }
    }
    grown.push(x + nextY * reach, y - nextX * reach);
    [beforeX, beforeY] = [nextX, nextY];
  }
  return Float64Array.from(grown);
}

/** Returns the direction from a corner to the next. */
function computeDirection(ring: Float64Array, corner: number): readonly [number, number] {
  const at = corner * 2;
  const next = (at + 2) % ring.length;
  const [dx, dy] = [(ring[next] ?? 0) - (ring[at] ?? 0), (ring[next + 1] ?? 0) - (ring[at + 1] ?? 0)];
  const length = Math.hypot(dx, dy);
  return length > 0 ? [dx / length, dy / length] : [1, 0];
}
