/** Applies the remainder of a query that a source did not execute. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { type FilterRunner, inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Attribute, Feature, Selection, SourceQuery, VectorSource } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';
import { filterFeatures } from '../support/filter-features.ts';
import { sortFeatures } from './sort-features.ts';

/** For a source without `select` the remainder is the whole query. */
export async function selectFrom(
  source: VectorSource,
  of: string | SqlView,
  query: SourceQuery,
  signal: AbortSignal,
): Promise<Selection> {
  if (source.select !== undefined) return source.select(of, query, signal);
  const { filter, sort, offset, limit } = query;
  const filters = filter === undefined || source.filters === true;
  const limits = filters && sort === undefined && offset === undefined;
  const done = {
    ...(filter === undefined || !filters ? {} : { filter }),
    ...(limit === undefined || !limits ? {} : { limit }),
  };
  const batches = typeof of === 'string' ? source.read(of, done, signal) : source.readView?.(of, done, signal);
  if (batches === undefined) throw new Error('The source does not support SQL views.');
  return {
    batches,
    remainder: {
      ...(filter === undefined || filters ? {} : { filter }),
      ...(sort === undefined ? {} : { sort }),
      ...(offset === undefined ? {} : { offset }),
      ...(limit === undefined || limits ? {} : { limit }),
    },
  };
}

export interface FinishOptions {
  readonly attributes: readonly Attribute[];
  /** Evaluates filters; defaults to this thread. */
  readonly runner?: FilterRunner | undefined;
  readonly signal: AbortSignal;
}

/** Returns the features of the complete query, with the values of all attributes of the source. */
export function finishSelection(
  { batches, remainder }: Selection,
  { attributes, runner = inlineFilterRunner, signal }: FinishOptions,
): AsyncIterable<readonly Feature[]> {
  const { filter, sort = [], offset = 0, limit = Number.POSITIVE_INFINITY } = remainder;
  const names = attributes.map(({ name }) => name);
  const whole = checkWidth(batches, attributes.length);
  const fitting =
    filter === undefined ? whole : filterFeatures(paceBatches(whole, signal), { names, filter, runner, signal });
  const sorted = sort.length === 0 ? fitting : sortFeatures(fitting, { attributes, keys: sort, first: offset + limit });
  return offset === 0 && limit === Number.POSITIVE_INFINITY ? sorted : sliceBatches(sorted, offset, limit);
}

/** Detects changed columns, whose values would be returned under wrong names. */
async function* checkWidth(
  batches: AsyncIterable<readonly Feature[]>,
  width: number,
): AsyncGenerator<readonly Feature[]> {
  for await (const batch of batches) {
    const [first] = batch;
    if (first !== undefined && first.values.length !== width) throw problem('vector-type-changed', {});
    yield batch;
  }
}

/** Yields to other requests between batches, because some sources have them in memory. */
async function* paceBatches(
  batches: AsyncIterable<readonly Feature[]>,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  for await (const batch of batches) {
    yield batch;
    await othersFirst();
    signal.throwIfAborted();
  }
}

async function* sliceBatches(
  batches: AsyncIterable<readonly Feature[]>,
  offset: number,
  limit: number,
): AsyncGenerator<readonly Feature[]> {
  if (limit <= 0) return;
  let passed = 0;
  for await (const batch of batches) {
    const wanted = batch.slice(Math.max(0, offset - passed), offset + limit - passed);
    passed += batch.length;
    if (wanted.length > 0) yield wanted;
    if (passed >= offset + limit) return;
  }
}
