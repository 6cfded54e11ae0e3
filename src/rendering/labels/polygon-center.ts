/** Finds a point near the centre of a polygon that is inside it. */

/**
 * Returns the centre of gravity. If that is in a hole or a bay, returns the centre of the widest interior stretch at
 * half the height.
 */
export function findPolygonCenter(rings: readonly Float64Array[]): readonly [number, number] | undefined {
  const [outer] = rings;
  if (outer === undefined || outer.length < 6) return undefined;
  const [x, y] = computeCentroid(rings);
  return isInRings(rings, x, y) ? [x, y] : findWidestMiddle(rings);
}

export function isInRings(rings: readonly Float64Array[], x: number, y: number): boolean {
  let isInside = false;
  for (const ring of rings) {
    for (let at = 0, last = ring.length - 2; at < ring.length; last = at, at += 2) {
      const [fromX, fromY] = [ring[last] ?? 0, ring[last + 1] ?? 0];
      const [toX, toY] = [ring[at] ?? 0, ring[at + 1] ?? 0];
      if (fromY > y === toY > y) continue;
      if (x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) isInside = !isInside;
    }
  }
  return isInside;
}

function computeCentroid(rings: readonly Float64Array[]): readonly [number, number] {
  let [sumX, sumY, total] = [0, 0, 0];
  for (const [index, ring] of rings.entries()) {
    let [ringX, ringY, area] = [0, 0, 0];
    for (let at = 0, last = ring.length - 2; at < ring.length; last = at, at += 2) {
      const [fromX, fromY, x, y] = [ring[last] ?? 0, ring[last + 1] ?? 0, ring[at] ?? 0, ring[at + 1] ?? 0];
      const cross = fromX * y - x * fromY;
      area += cross;
      ringX += (fromX + x) * cross;
      ringY += (fromY + y) * cross;
    }
    // Subtract holes, independent of the orientation of their rings.
    const sign = area > 0 === (index === 0) ? 1 : -1;
    sumX += ringX * sign;
    sumY += ringY * sign;
    total += area * sign;
  }
  return total === 0 ? [rings[0]?.[0] ?? 0, rings[0]?.[1] ?? 0] : [sumX / (3 * total), sumY / (3 * total)];
}

function findWidestMiddle(rings: readonly Float64Array[]): readonly [number, number] {
  const y = computeMiddleHeight(rings[0] ?? new Float64Array());
  const crossings: number[] = [];
  for (const ring of rings) {
    for (let at = 0, last = ring.length - 2; at < ring.length; last = at, at += 2) {
      const [fromX, fromY, toX, toY] = [ring[last] ?? 0, ring[last + 1] ?? 0, ring[at] ?? 0, ring[at + 1] ?? 0];
      if (fromY > y !== toY > y) crossings.push(fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX));
    }
  }
  crossings.sort((one, other) => one - other);
  let [best, widest] = [rings[0]?.[0] ?? 0, -1];
  for (let index = 0; index + 1 < crossings.length; index += 2) {
    const [from, to] = [crossings[index] ?? 0, crossings[index + 1] ?? 0];
    if (to - from > widest) [best, widest] = [(from + to) / 2, to - from];
  }
  return [best, y];
}

function computeMiddleHeight(ring: Float64Array): number {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 1; at < ring.length; at += 2) {
    least = Math.min(least, ring[at] ?? 0);
    greatest = Math.max(greatest, ring[at] ?? 0);
  }
  return (least + greatest) / 2;
}
