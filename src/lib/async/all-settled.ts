/** Waits for all of several, also when one of them fails: who cleans up after a failure must not do so beside the rest. */
export async function allSettled<const T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
