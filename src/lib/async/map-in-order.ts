/** Runs asynchronous work on several items at a time and yields the results in the order of the items. */
export async function* mapInOrder<T, R>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  try {
    for (const item of items) {
      const result = work(item);
      // Failures are reported in order.
      result.catch(() => undefined);
      running.push(result);
      if (running.length < atOnce) continue;
      const next = running.shift();
      if (next !== undefined) yield await next;
    }
    for (let next = running.shift(); next !== undefined; next = running.shift()) yield await next;
  } finally {
    await Promise.allSettled(running);
  }
}
