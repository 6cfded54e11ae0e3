/** Combines and negates resolved filters. */
import type { ResolvedFilter } from './resolved-filter.ts';

/** Constants are evaluated or removed, and nested lists of the same kind are merged. */
export function joinResolvedFilters(kind: 'and' | 'or', filters: readonly ResolvedFilter[]): ResolvedFilter {
  const decides = kind === 'or';
  const kept: ResolvedFilter[] = [];
  for (const filter of filters) {
    if (filter.kind === 'constant') {
      if (filter.value === decides) return filter;
    } else if (filter.kind === kind) for (const each of filter.filters) kept.push(each);
    else kept.push(filter);
  }
  const [first] = kept;
  if (first === undefined) return { kind: 'constant', value: !decides };
  return kept.length === 1 ? first : { kind, filters: kept };
}

export function negateResolvedFilter(filter: ResolvedFilter): ResolvedFilter {
  if (filter.kind === 'constant') return { kind: 'constant', value: !filter.value };
  return filter.kind === 'not' ? filter.filter : { kind: 'not', filter };
}
