/** Counts matching features: exactly if there is time, otherwise as an estimate. */
import type { FeatureQuery, QueriedType } from './feature-query.ts';
import { finishSelection, selectFrom } from './finish-selection.ts';
import { buildFilter } from './query-features.ts';

export type FeatureCount =
  | { readonly kind: 'exact'; readonly count: number }
  | { readonly kind: 'estimated'; readonly count: number }
  | { readonly kind: 'unknown' };

export interface CountLimits {
  readonly signal: AbortSignal;
  /** Aborts when counting has taken too long. */
  readonly timeoutSignal: AbortSignal;
}

export async function countFeatures(
  type: QueriedType,
  query: Pick<FeatureQuery, 'filter' | 'box'>,
  { signal, timeoutSignal: patience }: CountLimits,
): Promise<FeatureCount> {
  const { source, description, view } = type;
  const filter = buildFilter(type, query);
  if (filter?.kind === 'constant' && !filter.value) return { kind: 'exact', count: 0 };
  const of = view ?? description.name;
  const either = AbortSignal.any([signal, patience]);
  try {
    const count = (await source.count?.(of, filter, either)) ?? (await countOneByOne(type, filter, either));
    return { kind: 'exact', count };
  } catch (error) {
    if (signal.aborted || !patience.aborted) throw error;
  }
  const estimate = await source.estimateCount?.(of, filter, signal);
  return estimate === undefined ? { kind: 'unknown' } : { kind: 'estimated', count: estimate };
}

async function countOneByOne(
  { source, description, view, filterRunner }: QueriedType,
  filter: FeatureQuery['filter'],
  signal: AbortSignal,
): Promise<number> {
  const query = { attributes: [], ...(filter === undefined ? {} : { filter }) };
  const selection = await selectFrom(source, view ?? description.name, query, signal);
  let count = 0;
  for await (const batch of finishSelection(selection, {
    attributes: description.attributes,
    runner: filterRunner,
    signal,
  })) {
    signal.throwIfAborted();
    count += batch.length;
  }
  return count;
}
