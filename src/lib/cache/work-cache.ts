/** Work whose result several want at the same time: done once, and remembered for those who come right after. */
import { createLruCache } from './lru-cache.ts';

/** Who asks under the same key wants the same; what fails is tried again by the next. */
export type WorkCache<V> = (key: string, work: () => Promise<V>) => Promise<V>;

/** Remembers results whose sizes sum up to `room` at most. */
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
