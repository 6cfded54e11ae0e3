/** Combines and negates filters. */
import type { Constant, Filter } from './filter.ts';

export function negateFilter(filter: Filter | Constant): Filter | Constant {
  if (filter.kind === 'include') return { kind: 'exclude' };
  if (filter.kind === 'exclude') return { kind: 'include' };
  return filter.kind === 'not' ? filter.filter : { kind: 'not', filter };
}

/** Joins filters by AND or OR and merges nested filters of the same kind. */
export function joinFilters(kind: 'and' | 'or', filters: readonly (Filter | Constant)[]): Filter | Constant {
  const decides = kind === 'and' ? 'exclude' : 'include';
  const kept: Filter[] = [];
  for (const filter of filters) {
    if (filter.kind === decides) return filter;
    if (filter.kind === 'include' || filter.kind === 'exclude') continue;
    // In a loop, because there can be more filters than a call supports arguments.
    if (filter.kind === kind) for (const each of filter.filters) kept.push(each);
    else kept.push(filter);
  }
  const [first] = kept;
  if (first === undefined) return { kind: kind === 'and' ? 'include' : 'exclude' };
  return kept.length === 1 ? first : { kind, filters: kept };
}
