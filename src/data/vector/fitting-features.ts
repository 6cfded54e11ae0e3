/** Takes those features that fit a filter, where a source gives others as well. */
import { compilePredicate, type Predicate } from '../filter/predicate.ts';
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
  const fits = await featurePredicate(names, filter);
  for await (const batch of batches) {
    const fitting = batch.filter(fits).slice(0, left);
    left -= fitting.length;
    if (fitting.length > 0) yield fitting;
    if (left <= 0) return;
  }
}

/** Whether features whose values have these names fit. */
export function featurePredicate(names: readonly string[], filter: ResolvedFilter): Promise<Predicate<Feature>> {
  const indexes = new Map(names.map((name, index) => [name, index]));
  return compilePredicate<Feature>(filter, {
    value: (feature, name) => feature.values[indexes.get(name) ?? -1],
    identifier: (feature) => feature.id,
  });
}
