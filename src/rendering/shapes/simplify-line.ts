/** Removes positions of lines and rings that are close to the line through the remaining ones, in one pass. */

/** A ring with fewer positions has no area. */
const LEAST_POSITIONS = 4;

/**
 * From each kept position a cone contains all directions in which a segment passes the positions so far within the
 * tolerance. The first position outside of the cone ends the segment at its predecessor.
 */
export function simplifyLine(places: Float64Array, tolerance: number): Float64Array {
  const { length } = places;
  if (length <= LEAST_POSITIONS * 2) return places;
  const kept = new Float64Array(length);
  let [anchorX = 0, anchorY = 0] = places;
  kept[0] = anchorX;
  kept[1] = anchorY;
  let to = 2;
  let reference = 0;
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let farthest = 0;
  for (let at = 2; at < length; ) {
    const dx = (places[at] ?? 0) - anchorX;
    const dy = (places[at + 1] ?? 0) - anchorY;
    const distance = Math.sqrt(dx * dx + dy * dy);
    const direction = Math.atan2(dy, dx);
    if (farthest === 0) reference = direction;
    const turn = normalizeAngle(direction - reference);
    const isOutside = distance > tolerance && (turn < low || turn > high);
    // A line that turns back would lose its tip.
    if (farthest > 0 && (isOutside || distance < farthest - tolerance)) {
      anchorX = places[at - 2] ?? 0;
      anchorY = places[at - 1] ?? 0;
      kept[to] = anchorX;
      kept[to + 1] = anchorY;
      to += 2;
      low = Number.NEGATIVE_INFINITY;
      high = Number.POSITIVE_INFINITY;
      farthest = 0;
      continue;
    }
    if (distance > tolerance) {
      const spread = Math.asin(tolerance / distance);
      low = Math.max(low, turn - spread);
      high = Math.min(high, turn + spread);
      farthest = Math.max(farthest, distance);
    }
    at += 2;
  }
  kept[to] = places[length - 2] ?? 0;
  kept[to + 1] = places[length - 1] ?? 0;
  to += 2;
  return to < LEAST_POSITIONS * 2 ? places : kept.subarray(0, to);
}

function normalizeAngle(angle: number): number {
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}
