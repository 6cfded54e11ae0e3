/** Decides whether enough of a label is on its polygon. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Label, MeasuredLabel } from './label.ts';
import { isInRings } from './polygon-center.ts';

/** The number of sample points of a label, along the text and across it. */
const COLUMNS = 9;
const ROWS = 3;

export class LabelFit {
  readonly #rings: readonly { readonly ring: readonly [Float64Array]; readonly bounds: Bounds }[];
  readonly #width: number;
  readonly #height: number;
  readonly #least: number;

  constructor(
    { parts, options }: Pick<Label, 'parts' | 'options'>,
    { width, height }: Pick<MeasuredLabel, 'width' | 'height'>,
  ) {
    this.#rings = parts.map(({ places }) => ({ ring: [places], bounds: computeRingBounds(places) }));
    this.#width = width;
    this.#height = height;
    this.#least = Math.ceil(options.goodnessOfFit * COLUMNS * ROWS);
  }

  /** Tests the label with its centre at the position, rotated by the angle. */
  canFit({ x, y, radians }: Readonly<Record<'x' | 'y' | 'radians', number>>): boolean {
    const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
    let missing = this.#least;
    for (let column = 0; column < COLUMNS; column += 1) {
      for (let row = 0; row < ROWS && missing > 0; row += 1) {
        const along = ((column + 0.5) / COLUMNS - 0.5) * this.#width;
        const across = ((row + 0.5) / ROWS - 0.5) * this.#height;
        if (this.#isInside(x + along * cosine - across * sine, y + along * sine + across * cosine)) missing -= 1;
      }
    }
    return missing <= 0;
  }

  /** Checks the bounds first: a label of many polygons is near few of them. */
  #isInside(x: number, y: number): boolean {
    let isInside = false;
    for (const { ring, bounds } of this.#rings) {
      const isNear = x >= bounds.minX && x <= bounds.maxX && y >= bounds.minY && y <= bounds.maxY;
      if (isNear && isInRings(ring, x, y)) isInside = !isInside;
    }
    return isInside;
  }
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
