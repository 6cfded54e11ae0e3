/** A map with the key kind, parent and name. */

/** Nested maps: a combined key would cost more than the lookup. */
export class RecordNameMap<V> {
  readonly #kinds = new Map<string, Map<string | null, Map<string, V>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(kind: string, parent: string | null, name: string): V | undefined {
    return this.#kinds.get(kind)?.get(parent)?.get(name);
  }

  set(kind: string, parent: string | null, name: string, value: V): void {
    const names = getOrCreateMap(getOrCreateMap(this.#kinds, kind), parent);
    if (!names.has(name)) this.#size += 1;
    names.set(name, value);
  }

  delete(kind: string, parent: string | null, name: string): void {
    if (this.#kinds.get(kind)?.get(parent)?.delete(name)) this.#size -= 1;
  }

  clear(): void {
    this.#kinds.clear();
    this.#size = 0;
  }
}

function getOrCreateMap<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let map = maps.get(key);
  if (map === undefined) {
    map = new Map();
    maps.set(key, map);
  }
  return map;
}
