/** Room for the ordinates of many small geometries: a buffer for each of them would keep the collector busy. */

/** Small, because whoever keeps one geometry keeps the block: a few dozen of them, not a file. */
const BLOCK_NUMBERS = 2_048;

/** Zeros, so many of them. */
export type AllocateOrdinates = (count: number) => Float64Array;

/** Hands out stretches of common blocks; what is large has a buffer of its own. */
export function createOrdinateBlocks(): AllocateOrdinates {
  let block = new Float64Array(BLOCK_NUMBERS);
  let used = 0;
  return (count) => {
    if (count > BLOCK_NUMBERS / 4) return new Float64Array(count);
    if (used + count > BLOCK_NUMBERS) {
      block = new Float64Array(BLOCK_NUMBERS);
      used = 0;
    }
    used += count;
    return block.subarray(used - count, used);
  };
}
