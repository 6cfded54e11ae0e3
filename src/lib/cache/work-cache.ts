/** A cache of asynchronous results that runs the work once for concurrent callers with the same key. */
import { createLruCache } from './lru-cache.ts';

/** Returns the cached or running result of the key, or starts `work`. Failures are not cached. */
export type WorkCache<V> = (key: string, work: () => Promise<V>) => Promise<V>;

/** `room` is the maximum of the sum of the sizes of all cached results. */
export function createWorkCache<V>(room: number, sizeOf: (value: V) => number): WorkCache<V> {
  const remembered = createLruCache<V>(room);
  const underWay = new Map<string, Promise<V>>();
  return (key, work) => {
    const done = remembered.get(key);
    if (done !== undefined) {
      return Promise.resolve(done);
    }
    let doing = underWay.get(key);
    if (doing === undefined) {
      doing = work()
        .then((value) => {
          remembered.set(key, value, sizeOf(value));
          return value;
        })
        .finally(() => underWay.delete(key));
      underWay.set(key, doing);
    }
    return doing;
  };
}
