/** Filters the features of a source that does not filter itself. */

import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { RowAccess } from '../../filter/predicate/predicate.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { Feature } from '../port/port.ts';

export interface FilteringOptions {
  /** The names of the values, in order. */
  readonly names: readonly string[];
  readonly filter: ResolvedFilter;
  readonly limit?: number | undefined;
  readonly runner: FilterRunner;
  readonly signal: AbortSignal;
}

/** Batches that threads filter while the next one is read. */
const BATCHES_AHEAD = 2;

/** Yields up to a limit; batches without matches are omitted. */
export async function* filterFeatures<F extends Feature>(
  batches: AsyncIterable<readonly F[]>,
  { names, filter, limit = Number.POSITIVE_INFINITY, runner, signal }: FilteringOptions,
): AsyncGenerator<readonly F[]> {
  let left = limit;
  if (left <= 0) return;
  const ended = new AbortController();
  const match = await runner.start<F>(filter, createFeatureAccess(names), AbortSignal.any([signal, ended.signal]));
  const ahead: (readonly F[] | Promise<readonly F[]>)[] = [];

  async function* readMatches(): AsyncGenerator<readonly F[]> {
    const fitting = (await ahead.shift())?.slice(0, left) ?? [];
    left -= fitting.length;
    if (fitting.length > 0) yield fitting;
  }

  try {
    for await (const batch of batches) {
      const matching = match(batch);
      ahead.push(matching);
      // Awaited later, or not at all if an earlier batch fails.
      if (matching instanceof Promise) matching.catch(() => undefined);
      while (left > 0 && (ahead.length >= BATCHES_AHEAD || (ahead.length > 0 && !(ahead[0] instanceof Promise))))
        yield* readMatches();
      if (left <= 0) return;
    }
    while (left > 0 && ahead.length > 0) yield* readMatches();
  } finally {
    ended.abort(new DOMException('Reading has ended.', 'AbortError'));
  }
}

/** Creates the access of filters to feature values. */
export function createFeatureAccess(names: readonly string[]): RowAccess<Feature> {
  const indexes = new Map(names.map((name, index) => [name, index]));
  return {
    value: (feature, name) => feature.values[indexes.get(name) ?? -1],
    identifier: (feature) => feature.id,
  };
}
