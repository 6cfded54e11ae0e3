/**
 * Allocates the ordinates of many small geometries in shared blocks: separate buffers would burden the garbage
 * collector.
 */

/** Small, because a single geometry keeps its block alive. */
const BLOCK_NUMBERS = 2_048;

/** Returns an array of `count` zeros. */
export type AllocateOrdinates = (count: number) => Float64Array;

/** Allocates slices of shared blocks; large arrays have their own buffer. */
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
