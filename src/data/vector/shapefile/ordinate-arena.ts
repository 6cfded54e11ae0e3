/** Hands out stretches of numbers from a common block, since a buffer for every small shape keeps the collector busy. */

/** Small, because whoever keeps one shape keeps the block: a few dozen shapes, not a file of them. */
const BLOCK_NUMBERS = 2_048;

export interface OrdinateArena {
  take(count: number): Float64Array;
}

export function createOrdinateArena(): OrdinateArena {
  let block = new Float64Array(BLOCK_NUMBERS);
  let used = 0;
  return {
    take: (count) => {
      if (count > BLOCK_NUMBERS / 4) return new Float64Array(count);
      if (used + count > BLOCK_NUMBERS) {
        block = new Float64Array(BLOCK_NUMBERS);
        used = 0;
      }
      used += count;
      return block.subarray(used - count, used);
    },
  };
}
