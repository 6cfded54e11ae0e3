/** Waits for all promises before rejecting, so that cleanup after a failure does not run concurrently with the rest. */
export async function allSettled<const T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
