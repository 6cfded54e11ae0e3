/** Lets work of the same key run one after the other, in the order it was asked for. */

export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    // Whether the one before succeeded is its own business.
    const own = before === undefined ? work() : before.then(work, work);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) {
        last.delete(key);
      }
    }
  };
}
