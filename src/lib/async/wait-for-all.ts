/** Work that is done side by side and ends together. */

/** Waits for all, also when one has failed: nothing of a refused start may go on when the data directory is let go. */
export async function waitForAll<T extends readonly Promise<unknown>[]>(
  work: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
