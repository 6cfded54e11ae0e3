/** Reproducible random numbers: the seed is printed when a test fails. */
import { onTestFailed } from 'vitest';

/** Numbers from 0 up to 1 (mulberry32 generator). */
export function seededRandom(seed: number): () => number {
  onTestFailed(() => console.error(`The seed was ${seed}.`));
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
