/** Sorts a limited number of features in memory, in runs that yield to other requests. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Geometry } from '../../geometry/geometry.ts';
import { problem } from '../../lib/problems/problem.ts';
import { compareCodePoints } from '../../lib/text/code-point-order.ts';
import { compareExactDecimals, type ExactDecimal, toExactDecimal } from '../../lib/values/exact-decimal.ts';
import { compareExactMoments, type ExactMoment } from '../../lib/values/exact-moment.ts';
import type { Attribute, Feature, SortKey, Value, ValueType } from '../port/port.ts';

/** The number of features in memory; sources that sort themselves have no such limit. */
export const MAX_SORTED_FEATURES = 200_000;

const BATCH_FEATURES = 1_024;

type Order = (one: Feature, other: Feature) => number;

interface SortOptions {
  readonly attributes: readonly Attribute[];
  readonly keys: readonly SortKey[];
  /** The number of leading features to return. */
  readonly first: number;
}

/** The sort is stable. */
export async function* sortFeatures(
  batches: AsyncIterable<readonly Feature[]>,
  { attributes, keys, first }: SortOptions,
): AsyncGenerator<readonly Feature[]> {
  const order = createOrder(attributes, keys);
  let runs: (readonly Feature[])[] = [];
  let held = 0;
  for await (const batch of batches) {
    runs.push(batch.toSorted(order));
    held += batch.length;
    if (held > MAX_SORTED_FEATURES && first <= MAX_SORTED_FEATURES / 2) {
      runs = [await collectFirst(runs, order, first)];
      held = first;
    }
    if (held > MAX_SORTED_FEATURES) throw problem('features-not-sortable', { most: MAX_SORTED_FEATURES });
  }
  yield* mergeRuns(runs, order);
}

async function collectFirst(
  runs: readonly (readonly Feature[])[],
  order: Order,
  first: number,
): Promise<readonly Feature[]> {
  const kept: Feature[] = [];
  for await (const batch of mergeRuns(runs, order)) {
    for (const feature of batch) kept.push(feature);
    if (kept.length >= first) break;
  }
  return kept.slice(0, first);
}

/** Merges sorted runs; earlier runs precede later ones for equal features. */
async function* mergeRuns(runs: readonly (readonly Feature[])[], order: Order): AsyncGenerator<readonly Feature[]> {
  const heads = runs.flatMap((run, index) => {
    const [feature] = run;
    return feature === undefined ? [] : [{ run, index, at: 0, feature }];
  });
  const isBefore = (one: number, other: number): boolean => {
    const [left, right] = [heads[one], heads[other]];
    if (left === undefined || right === undefined) return left !== undefined;
    return (order(left.feature, right.feature) || left.index - right.index) < 0;
  };
  const siftDown = (from: number): void => {
    for (let place = from; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const best = isBefore(right, left) ? right : left;
      const [parent, child] = [heads[place], heads[best]];
      if (parent === undefined || child === undefined || !isBefore(best, place)) return;
      [heads[place], heads[best]] = [child, parent];
      place = best;
    }
  };
  for (let place = heads.length >> 1; place >= 0; place -= 1) siftDown(place);

  let batch: Feature[] = [];
  for (let [head] = heads; head !== undefined; [head] = heads) {
    batch.push(head.feature);
    head.at += 1;
    const next = head.run[head.at];
    if (next === undefined) {
      const last = heads.pop();
      if (last !== undefined && heads.length > 0) heads[0] = last;
    } else {
      head.feature = next;
    }
    siftDown(0);
    if (batch.length >= BATCH_FEATURES) {
      yield batch;
      await othersFirst();
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function createOrder(attributes: readonly Attribute[], keys: readonly SortKey[]): Order {
  const sorting = keys.map(({ attribute, isDescending = false }): Order => {
    const index = attributes.findIndex(({ name }) => name === attribute);
    const found = attributes[index];
    const order = orders[(found?.kind === 'value' && found.type) || 'string'] ?? comparePlain;
    const sign = isDescending ? -1 : 1;
    return (one, other) => sign * compareWithNulls(one.values[index], other.values[index], order);
  });
  return (one, other) => {
    for (const order of sorting) {
      const found = order(one, other);
      if (found !== 0) return found;
    }
    return 0;
  };
}

type ValueOrder = (one: Sortable, other: Sortable) => number;

type Sortable = NonNullable<Value | Geometry>;

/** Null is less than all other values. */
function compareWithNulls(
  one: Value | Geometry | undefined,
  other: Value | Geometry | undefined,
  order: ValueOrder,
): number {
  const [left, right] = [one ?? null, other ?? null];
  if (left === null || right === null) return Number(right === null) - Number(left === null);
  return order(left, right);
}

function comparePlain(one: Sortable, other: Sortable): number {
  if (typeof one === 'string' && typeof other === 'string') return compareCodePoints(one, other);
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Types that can be represented as text but have another order. */
const orders: Readonly<Partial<Record<ValueType, ValueOrder>>> = {
  decimal: (one, other) => compareExactDecimals(toDecimal(one), toDecimal(other)),
  timestamp: (one, other) => compareExactMoments(toMoment(one), toMoment(other)),
};

function toDecimal(value: Sortable): ExactDecimal {
  return typeof value === 'object' ? Number.NaN : (toExactDecimal(String(value)) ?? Number.NaN);
}

function toMoment(value: Sortable): ExactMoment {
  return typeof value === 'string' ? value : value instanceof Date ? value.getTime() : Number.NaN;
}
