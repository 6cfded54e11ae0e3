/** Reads the features of a layer in order, and returns the sort keys of the next feature. */
import type { StyleValue } from '../../filter/evaluate/evaluate.ts';
import { compareCodePoints } from '../../lib/text/code-point-order.ts';
import type { FeatureBatch } from '../../vector/port/packed-features.ts';
import type { SortKey } from '../../vector/port/port.ts';

export type KeyValues = readonly StyleValue[];

interface ReadBatch {
  /** The values of each key, by feature. */
  readonly keys: readonly (readonly StyleValue[] | Float64Array)[];
  readonly count: number;
  /** The number of features before this batch. */
  readonly before: number;
}

export class OrderedReader {
  readonly #columns: readonly number[];
  readonly #batches: AsyncIterator<FeatureBatch>;
  readonly #onBatch: (batch: FeatureBatch) => Promise<void>;
  readonly #read: ReadBatch[] = [];
  #count = 0;
  #at = 0;

  /** `columns` are the columns of a batch with the keys. The batch is passed on as soon as it is read. */
  constructor(
    batches: AsyncIterable<FeatureBatch>,
    columns: readonly number[],
    give: (batch: FeatureBatch) => Promise<void>,
  ) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#columns = columns;
    this.#onBatch = give;
  }

  /** The number of features read so far. */
  get count(): number {
    return this.#count;
  }

  /** Returns whether another batch was read. */
  async readNextBatch(): Promise<boolean> {
    const { value: batch, done } = await this.#batches.next();
    if (done === true) return false;
    const keys = this.#columns.map((column) => batch.columns[column]?.slice() ?? []);
    if (batch.count > 0) this.#read.push({ keys, count: batch.count, before: this.#count });
    this.#count += batch.count;
    await this.#onBatch(batch);
    return true;
  }

  /** Returns the keys of the next feature; undefined at the end. */
  async getNextKeys(): Promise<KeyValues | undefined> {
    for (;;) {
      const [first] = this.#read;
      if (first !== undefined && this.#at < first.before + first.count)
        return getKeysAt(first, this.#at - first.before);
      if (first !== undefined) this.#read.shift();
      else if (!(await this.readNextBatch())) return undefined;
    }
  }

  /** Skips the features with equal keys, at most `most`; returns the index of the next feature. */
  async skipMatching(place: KeyValues, most: number): Promise<number> {
    const end = this.#at + most;
    for (
      let next = await this.getNextKeys();
      next !== undefined && areSameKeys(next, place);
      next = await this.getNextKeys()
    ) {
      this.#at += 1;
      if (this.#at >= end) break;
    }
    return this.#at;
  }

  /** The index of the next feature. */
  get place(): number {
    return this.#at;
  }

  /** Stops reading and closes the source. */
  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}

function getKeysAt({ keys }: ReadBatch, index: number): KeyValues {
  return keys.map((values) => {
    const value = values[index] ?? null;
    return Number.isNaN(value) ? null : value;
  });
}

function areSameKeys(one: KeyValues, other: KeyValues): boolean {
  return one.every((value, index) => compareKeyValues(value, other[index] ?? null) === 0);
}

/** Compares by the directions of the keys. The names of the keys are ignored, because they differ between layers. */
export function compareKeys(one: KeyValues, other: KeyValues, keys: readonly SortKey[]): number {
  for (const [index, { isDescending }] of keys.entries()) {
    const order = compareKeyValues(one[index] ?? null, other[index] ?? null);
    if (order !== 0) return isDescending === true ? -order : order;
  }
  return 0;
}

/** Null sorts first, as in all sources. */
function compareKeyValues(one: StyleValue, other: StyleValue): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? -1 : 1;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return compareCodePoints(String(one), String(other));
}
