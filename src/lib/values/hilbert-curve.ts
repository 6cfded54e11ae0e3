/** The Hilbert curve: places that are near on the curve are near in the square. */

/** The resolution of the grid in each direction. */
const GRID_BITS = 16;
const GRID_STEPS = 2 ** GRID_BITS - 1;

/** Returns the 32-bit index of a place with coordinates from 0 to 1. */
export function computeHilbertIndex(right: number, up: number): number {
  let [x, y] = [Math.floor(right * GRID_STEPS), Math.floor(up * GRID_STEPS)];
  let place = 0;
  for (let side = 2 ** (GRID_BITS - 1); side >= 1; side /= 2) {
    const isRight = (x & side) === 0 ? 0 : 1;
    const isUpper = (y & side) === 0 ? 0 : 1;
    place += side * side * ((3 * isRight) ^ isUpper);
    if (isUpper === 0) {
      if (isRight === 1) {
        x = GRID_STEPS - x;
        y = GRID_STEPS - y;
      }
      [x, y] = [y, x];
    }
  }
  return place;
}
