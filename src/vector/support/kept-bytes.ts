/** The sizes of the caches of a thread. They are outside of its heap, whose limit follows from the memory budget. */
import { resourceLimits } from 'node:worker_threads';

/** Each of a few caches. */
const SHARE_OF_HEAP = 1 / 8;

/** Returns `most`, or less in a thread with little memory. */
export function limitKeptBytes(most: number): number {
  const { maxOldGenerationSizeMb: megabytes } = resourceLimits;
  return megabytes === undefined ? most : Math.min(most, Math.floor(megabytes * 1_048_576 * SHARE_OF_HEAP));
}
