/** Hilbert's curve through a square: what is near on it is near in the square. */

/** Places are told apart on a grid of so many steps each way. */
const GRID_BITS = 16;
const GRID_STEPS = 2 ** GRID_BITS - 1;

/** A number of 32 bits, of a place from 0 to 1 each way. Each quarter of the square is a smaller curve, turned so that its end meets the next. */
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
