/** Finds records by place, parent, kind and key: those that a draft has written, or those that it hides. */
import { byCodePoints } from '../lib/code-point-order.ts';
import type { RecordKeys, StoredRecord, ValueRange } from './port.ts';

interface Place {
  readonly ids: Map<string, string>;
  /** Sorted when somebody asks, until the next is added or removed. */
  sorted: readonly string[] | undefined;
}

const nobody: ReadonlySet<string> = new Set();

export class DraftIndex {
  readonly #places = new Map<string, Place>();
  readonly #inside = new Map<string, Set<string>>();
  readonly #values = new Map<string, Map<string, Set<string>>>();
  readonly #kinds = new Map<string, Set<string>>();

  add(record: StoredRecord, keys: RecordKeys): void {
    const { id, kind, parent, name } = record;
    const place = valueIn(this.#places, placeOf(kind, parent), () => ({ ids: new Map(), sorted: undefined }));
    place.ids.set(name, id);
    place.sorted = undefined;
    if (parent !== null) valueIn(this.#inside, parent, newSet).add(id);
    valueIn(this.#kinds, kind, newSet).add(id);
    for (const [key, value] of pairsOf(keys)) {
      valueIn(
        valueIn(this.#values, keyOf(kind, key), () => new Map<string, Set<string>>()),
        value,
        newSet,
      ).add(id);
    }
  }

  remove(record: StoredRecord, keys: RecordKeys): void {
    const { id, kind, parent, name } = record;
    const place = this.#places.get(placeOf(kind, parent));
    // Another may have taken the name meanwhile.
    if (place?.ids.get(name) === id) {
      place.ids.delete(name);
      place.sorted = undefined;
    }
    if (parent !== null) this.#inside.get(parent)?.delete(id);
    this.#kinds.get(kind)?.delete(id);
    for (const [key, value] of pairsOf(keys)) {
      const values = this.#values.get(keyOf(kind, key));
      const ids = values?.get(value);
      ids?.delete(id);
      if (ids?.size === 0) values?.delete(value);
    }
  }

  idAt(kind: string, parent: string | null, name: string): string | undefined {
    return this.#places.get(placeOf(kind, parent))?.ids.get(name);
  }

  /** In code-point order, after this one. */
  namesIn(kind: string, parent: string | null, after: string | undefined, limit: number): readonly string[] {
    const place = this.#places.get(placeOf(kind, parent));
    if (place === undefined) return [];
    place.sorted ??= [...place.ids.keys()].sort(byCodePoints);
    const from = after === undefined ? 0 : firstAfter(place.sorted, after);
    return place.sorted.slice(from, from + limit);
  }

  /** In code-point order, after this one. */
  valuesOf(
    kind: string,
    key: string,
    { from = '', before }: ValueRange,
    after: string | undefined,
    limit: number,
  ): readonly string[] {
    return [...(this.#values.get(keyOf(kind, key))?.keys() ?? [])]
      .filter(
        (value) =>
          byCodePoints(value, from) >= 0 &&
          (before === undefined || byCodePoints(value, before) < 0) &&
          (after === undefined || byCodePoints(value, after) > 0),
      )
      .sort(byCodePoints)
      .slice(0, limit);
  }

  idsWith(kind: string, key: string, value: string): ReadonlySet<string> {
    return this.#values.get(keyOf(kind, key))?.get(value) ?? nobody;
  }

  idsIn(parent: string): ReadonlySet<string> {
    return this.#inside.get(parent) ?? nobody;
  }

  countIn(parent: string): number {
    return this.idsIn(parent).size;
  }

  idsOf(kind: string): ReadonlySet<string> {
    return this.#kinds.get(kind) ?? nobody;
  }

  countOf(kind: string): number {
    return this.idsOf(kind).size;
  }
}

/** Text that is stored holds no NUL, and no parent is empty. */
function placeOf(kind: string, parent: string | null): string {
  return `${kind}\0${parent ?? ''}`;
}

function keyOf(kind: string, key: string): string {
  return `${kind}\0${key}`;
}

function* pairsOf(keys: RecordKeys): Generator<readonly [string, string]> {
  for (const [key, values] of Object.entries(keys)) for (const value of values) yield [key, value];
}

function newSet(): Set<string> {
  return new Set();
}

function valueIn<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Where the first of these sorted names is that comes after this one. */
function firstAfter(sorted: readonly string[], after: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byCodePoints(sorted[middle] ?? '', after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
