/** The same items, of which the first is there: what goes wrong until then is told in the place of the answer. */
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
