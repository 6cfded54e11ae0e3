/** Decides whether enough of a label is on its polygon. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Label, MeasuredLabel } from './label.ts';
import { isInRings } from './polygon-center.ts';

/** The sample points are as far apart as letters are wide, but not fewer or more than this. */
const MIN_SAMPLES = 5;
const MAX_SAMPLES = 40;

export class LabelFit {
  readonly #rings: readonly { readonly ring: readonly [Float64Array]; readonly bounds: Bounds }[];
  readonly #width: number;
  /** A sample point at this distance from the polygon counts nothing; nearer points count in part. */
  readonly #reach: number;
  readonly #samples: number;
  readonly #least: number;

  constructor(
    { parts, options }: Pick<Label, 'parts' | 'options'>,
    { width, fontPixels }: Pick<MeasuredLabel, 'width' | 'fontPixels'>,
  ) {
    this.#rings = parts.map(({ places }) => ({ ring: [places], bounds: computeRingBounds(places) }));
    this.#width = width;
    this.#reach = fontPixels;
    this.#samples = Math.min(MAX_SAMPLES, Math.max(MIN_SAMPLES, Math.round((2 * width) / fontPixels)));
    this.#least = options.goodnessOfFit * this.#samples;
  }

  /** Tests the label with its centre at the position, rotated by the angle. */
  canFit({ x, y, radians }: Readonly<Record<'x' | 'y' | 'radians', number>>): boolean {
    const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
    let missing = this.#least;
    for (let sample = 0; sample < this.#samples && missing > ROUNDING; sample += 1) {
      const along = ((sample + 0.5) / this.#samples - 0.5) * this.#width;
      missing -= this.#countPoint(x + along * cosine, y + along * sine);
    }
    return missing <= ROUNDING;
  }

  /** Returns 1 inside the polygon, and less at a distance from it. */
  #countPoint(x: number, y: number): number {
    let isInside = false;
    // Check the bounds first: a label of many polygons is near few of them.
    const near = this.#rings.filter(
      ({ bounds: { minX, minY, maxX, maxY } }) =>
        x >= minX - this.#reach && x <= maxX + this.#reach && y >= minY - this.#reach && y <= maxY + this.#reach,
    );
    for (const { ring } of near) if (isInRings(ring, x, y)) isInside = !isInside;
    if (isInside) return 1;
    const nearest = near.reduce((least, { ring }) => Math.min(least, measureDistance(ring[0], x, y)), this.#reach);
    return 1 - nearest / this.#reach;
  }
}

/** Sums of parts are not exact. */
const ROUNDING = 1e-9;

/** Returns the distance of a point from a ring. */
function measureDistance(ring: Float64Array, x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0, last = ring.length - 2; at < ring.length; last = at, at += 2) {
    const [fromX, fromY] = [ring[last] ?? 0, ring[last + 1] ?? 0];
    const [dx, dy] = [(ring[at] ?? 0) - fromX, (ring[at + 1] ?? 0) - fromY];
    const length = dx * dx + dy * dy;
    const share = length > 0 ? Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / length)) : 0;
    least = Math.min(least, Math.hypot(x - fromX - share * dx, y - fromY - share * dy));
  }
  return least;
}

function computeRingBounds(ring: Float64Array): Bounds {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < ring.length; at += 2) {
    const [x, y] = [ring[at] ?? 0, ring[at + 1] ?? 0];
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minY = Math.min(minY, y);
    maxY = Math.max(maxY, y);
  }
  return { minX, minY, maxX, maxY };
}
