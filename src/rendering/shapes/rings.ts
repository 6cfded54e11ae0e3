/** Functions on rings that may have more positions than a call can have arguments. */

/** Returns the ring as a line that repeats its first position at the end. */
export function closeRing(places: Float64Array): Float64Array {
  const closed = new Float64Array(places.length + 2);
  closed.set(places);
  closed.set(places.subarray(0, 2), places.length);
  return closed;
}

/** Returns the convex hull (Andrew's monotone chain). */
export function computeHull(places: Float64Array): Float64Array {
  const points = Array.from({ length: places.length / 2 }, (_, index): readonly [number, number] => [
    places[index * 2] ?? 0,
    places[index * 2 + 1] ?? 0,
  ]).sort(([x1, y1], [x2, y2]) => x1 - x2 || y1 - y2);
  const buildHalfHull = (list: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] => {
    const kept: (readonly [number, number])[] = [];
    for (const point of list) {
      while (kept.length > 1 && !isLeftTurn(kept.at(-2), kept.at(-1), point)) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return Float64Array.from([...buildHalfHull(points), ...buildHalfHull(points.toReversed())].flat());
}

function isLeftTurn(
  [ax, ay]: readonly [number, number] = [0, 0],
  [bx, by]: readonly [number, number] = [0, 0],
  [cx, cy]: readonly [number, number],
): boolean {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0;
}
