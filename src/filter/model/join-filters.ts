/** Puts conditions together, and turns them round. */
import type { Constant, Filter } from './filter.ts';

export function negateFilter(filter: Filter | Constant): Filter | Constant {
  if (filter.kind === 'include') return { kind: 'exclude' };
  if (filter.kind === 'exclude') return { kind: 'include' };
  return filter.kind === 'not' ? filter.filter : { kind: 'not', filter };
}

/** All of them, or one of them; conditions of the same kind inside become part of it. */
export function joinFilters(kind: 'and' | 'or', filters: readonly (Filter | Constant)[]): Filter | Constant {
  const decides = kind === 'and' ? 'exclude' : 'include';
  const kept: Filter[] = [];
  for (const filter of filters) {
    if (filter.kind === decides) return filter;
    if (filter.kind === 'include' || filter.kind === 'exclude') continue;
    // One by one: there may be more of them than a call takes arguments.
    if (filter.kind === kind) for (const each of filter.filters) kept.push(each);
    else kept.push(filter);
  }
  const [first] = kept;
  if (first === undefined) return { kind: kind === 'and' ? 'include' : 'exclude' };
  return kept.length === 1 ? first : { kind, filters: kept };
}
