/**
 * Finds records by name, parent, kind and key: those that a buffered transaction has written, or those that it hides.
 */
import { sortCooperatively } from '../../lib/async/sort-cooperatively.ts';
import { compareCodePoints } from '../../lib/text/code-point-order.ts';
import type { RecordKeys, RecordSortKey } from '../port/port.ts';
import type { ValuePage } from '../port/rows.ts';

interface NameList {
  readonly ids: Map<string, string>;
  /** Sorted on demand, until an entry is added or removed. */
  sorted: readonly string[] | undefined;
}

/** What identifies a record. */
export interface RecordHead extends RecordSortKey {
  readonly id: string;
  readonly kind: string;
}

interface KindEntry<H> {
  readonly records: Map<string, H>;
  sorted: readonly H[] | undefined;
  /** Counts the changes of `records`. */
  revision: number;
}

/** Most values belong to one record, which needs no set. */
type ValueIds = string | Set<string>;

const NO_IDS: ReadonlySet<string> = new Set();

export class BufferedRecordIndex<H extends RecordHead> {
  readonly #names = new Map<string, Map<string | null, NameList>>();
  readonly #inside = new Map<string, Set<string>>();
  readonly #values = new Map<string, Map<string, ValueIds>>();
  readonly #kinds = new Map<string, KindEntry<H>>();

  add(record: H, keys: RecordKeys): void {
    const { id, kind, parent, name } = record;
    const places = getOrCreate(this.#names, kind, () => new Map<string | null, NameList>());
    const place = getOrCreate(places, parent, () => ({ ids: new Map(), sorted: undefined }));
    place.ids.set(name, id);
    place.sorted = undefined;
    if (parent !== null) getOrCreate(this.#inside, parent, createSet).add(id);
    const ofKind = getOrCreate(this.#kinds, kind, () => ({ records: new Map(), sorted: undefined, revision: 0 }));
    ofKind.records.set(id, record);
    noteChange(ofKind);
    for (const [key, value] of listPairs(keys)) {
      const values = getOrCreate(this.#values, formatKey(kind, key), () => new Map<string, ValueIds>());
      const ids = values.get(value);
      if (ids === undefined) values.set(value, id);
      else if (ids instanceof Set) ids.add(id);
      else if (ids !== id) values.set(value, new Set([ids, id]));
    }
  }

  remove(record: H, keys: RecordKeys): void {
    const { id, kind, parent, name } = record;
    const place = this.#names.get(kind)?.get(parent);
    // Another record may have taken the name in the meantime.
    if (place?.ids.get(name) === id) {
      place.ids.delete(name);
      place.sorted = undefined;
    }
    if (parent !== null) this.#inside.get(parent)?.delete(id);
    const ofKind = this.#kinds.get(kind);
    if (ofKind?.records.delete(id)) noteChange(ofKind);
    for (const [key, value] of listPairs(keys)) {
      const values = this.#values.get(formatKey(kind, key));
      const ids = values?.get(value);
      if (ids instanceof Set) ids.delete(id);
      if (ids === id || (ids instanceof Set && ids.size === 0)) values?.delete(value);
    }
  }

  findId(kind: string, parent: string | null, name: string): string | undefined {
    return this.#names.get(kind)?.get(parent)?.ids.get(name);
  }

  /** Lists in code-point order, after the given name. */
  listNames(kind: string, parent: string | null, after: string | undefined, limit: number): readonly string[] {
    const place = this.#names.get(kind)?.get(parent);
    if (place === undefined) return [];
    place.sorted ??= [...place.ids.keys()].sort(compareCodePoints);
    const from = after === undefined ? 0 : findFirstAfter(place.sorted, (name) => compareCodePoints(name, after));
    return place.sorted.slice(from, from + limit);
  }

  /** Lists in code-point order, after the given value. */
  listValues(kind: string, key: string, { from = '', before, after, limit }: ValuePage): readonly string[] {
    return [...(this.#values.get(formatKey(kind, key))?.keys() ?? [])]
      .filter(
        (value) =>
          compareCodePoints(value, from) >= 0 &&
          (before === undefined || compareCodePoints(value, before) < 0) &&
          (after === undefined || compareCodePoints(value, after) > 0),
      )
      .sort(compareCodePoints)
      .slice(0, limit);
  }

  findIds(kind: string, key: string, value: string): ReadonlySet<string> {
    const ids = this.#values.get(formatKey(kind, key))?.get(value) ?? NO_IDS;
    return typeof ids === 'string' ? new Set([ids]) : ids;
  }

  listChildIds(parent: string): ReadonlySet<string> {
    return this.#inside.get(parent) ?? NO_IDS;
  }

  countChildren(parent: string): number {
    return this.listChildIds(parent).size;
  }

  /** Lists in sort order, after the given key. */
  async listRecords(kind: string, after: RecordSortKey | undefined, limit: number): Promise<readonly H[]> {
    const ofKind = this.#kinds.get(kind);
    if (ofKind === undefined) return [];
    const sorted = ofKind.sorted ?? (await sortRecords(ofKind));
    const from = after === undefined ? 0 : findFirstAfter(sorted, (record) => compareSortKeys(record, after));
    return sorted.slice(from, from + limit);
  }

  countRecords(kind: string): number {
    return this.#kinds.get(kind)?.records.size ?? 0;
  }
}

function noteChange<H>(ofKind: KindEntry<H>): void {
  ofKind.sorted = undefined;
  ofKind.revision += 1;
}

async function sortRecords<H extends RecordHead>(ofKind: KindEntry<H>): Promise<readonly H[]> {
  const { revision } = ofKind;
  const sorted = await sortCooperatively([...ofKind.records.values()], (a, b) => compareSortKeys(a, b) < 0);
  // Others may have written in between.
  if (ofKind.revision === revision) ofKind.sorted = sorted;
  return sorted;
}

export function compareSortKeys(a: RecordSortKey, b: RecordSortKey): number {
  return compareCodePoints(a.parent ?? '', b.parent ?? '') || compareCodePoints(a.name, b.name);
}

/** Storable text contains no NUL. */
function formatKey(kind: string, key: string): string {
  return `${kind}\0${key}`;
}

function* listPairs(keys: RecordKeys): Generator<readonly [string, string]> {
  for (const [key, values] of Object.entries(keys)) for (const value of values) yield [key, value];
}

function createSet(): Set<string> {
  return new Set();
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Returns the index of the first sorted element after the one that `compare` tests against. */
function findFirstAfter<T>(sorted: readonly T[], compare: (one: T) => number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle] as T) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
