/** Takes those features that fit a filter, where a source gives others as well. */
import { compilePredicate, type RowAccess } from '../filter/predicate.ts';
import type { ResolvedFilter } from '../filter/resolved-filter.ts';
import type { Feature } from './port.ts';

/** Up to a limit; batches of which none fits are left out. */
export async function* fittingFeatures<F extends Feature>(
  batches: AsyncIterable<readonly F[]>,
  /** Of the values, in their order. */
  names: readonly string[],
  filter: ResolvedFilter,
  limit: number,
): AsyncGenerator<readonly F[]> {
  let left = limit;
  if (left <= 0) return;
  const fits = await compilePredicate(filter, rowAccess(names));
  for await (const batch of batches) {
    const fitting = batch.filter(fits).slice(0, left);
    left -= fitting.length;
    if (fitting.length > 0) yield fitting;
    if (left <= 0) return;
  }
}

function rowAccess(names: readonly string[]): RowAccess<Feature> {
  const indexes = new Map(names.map((name, index) => [name, index]));
  return {
    value: (feature, name) => feature.values[indexes.get(name) ?? -1],
    identifier: (feature) => feature.id,
  };
}
