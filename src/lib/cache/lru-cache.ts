/** A least-recently-used cache with a size limit. */

export interface LruCache<V> {
  get(key: string): V | undefined;
  /** A value larger than the whole cache is not stored. */
  set(key: string, value: V, size: number): void;
  delete(key: string): void;
  /** The sum of all sizes. */
  getSize(): number;
  /** The number of values that were removed because of the limit. */
  countEvictions(): number;
}

/** `room` is the maximum of the sum of all sizes. */
export function createLruCache<V>(room: number): LruCache<V> {
  // In order of use: the last entry is the most recently used one.
  const kept = new Map<string, { readonly value: V; readonly size: number }>();
  let used = 0;
  let lastUsed: string | undefined;
  let evictions = 0;

  const remove = (key: string): void => {
    used -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  };

  return {
    delete: remove,
    getSize: () => used,
    countEvictions: () => evictions,
    get(key) {
      const found = kept.get(key);
      if (found === undefined || key === lastUsed) return found?.value;
      kept.delete(key);
      kept.set(key, found);
      lastUsed = key;
      return found.value;
    },
    set(key, value, size) {
      remove(key);
      kept.set(key, { value, size });
      lastUsed = key;
      used += size;
      for (const oldest of kept.keys()) {
        if (used <= room) break;
        remove(oldest);
        evictions += 1;
      }
    },
  };
}
