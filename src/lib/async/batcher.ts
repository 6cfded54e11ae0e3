/** Creates a function that batches items: items added during a run are processed together in the next run. */
export function createBatcher<T>(work: (items: readonly T[]) => Promise<void>): (items: readonly T[]) => Promise<void> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let running: Promise<unknown> = Promise.resolve();

  function startBatch(): Promise<void> {
    const before = running;
    const run = before
      .catch(() => undefined)
      .then(() => {
        const items = waiting;
        waiting = [];
        next = undefined;
        return work(items);
      });
    running = run;
    return run;
  }

  return (items) => {
    waiting.push(...items);
    next ??= startBatch();
    return next;
  };
}
