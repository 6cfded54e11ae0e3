/** Reads the first item before the response starts, so that errors until then become an exception report. */
export async function prefetchFirst<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const reading = items[Symbol.asyncIterator]();
  const first = await reading.next();
  return (async function* () {
    try {
      for (let item = first; item.done !== true; item = await reading.next()) yield item.value;
    } finally {
      await reading.return?.();
    }
  })();
}
