/** Rewrites a filter with only the conditions that the filter encoding of styles supports. */
import type { Expression } from './expression.ts';
import type { Constant, Filter } from './filter.ts';
import { joinFilters } from './join-filters.ts';
import { createLiteral } from './literal.ts';
import { createTemporalCondition } from './temporal.ts';

/** Moments are compared as text afterwards, which is correct for ISO 8601 in one time zone. */
export function expandFilter(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return toCondition(joinFilters(filter.kind, filter.filters.map(expandFilter)));
    case 'not':
      return { kind: 'not', filter: expandFilter(filter.filter) };
    case 'membership':
      return toCondition(
        joinFilters(
          'or',
          filter.list.map((right) => ({ kind: 'comparison', operator: 'equal', left: filter.value, right })),
        ),
      );
    case 'temporal':
      return toCondition(createTemporalCondition(filter) ?? { kind: 'exclude' });
    case 'exists':
      return createDecision('PropertyExists', [createLiteral(filter.property.name)]);
    case 'relate':
      return createDecision('relatePattern', [filter.left, filter.right, createLiteral(filter.pattern)]);
    default:
      return filter;
  }
}

/** Expresses a constant as a comparison that is always true or always false. */
function toCondition(filter: Filter | Constant): Filter {
  if (filter.kind !== 'include' && filter.kind !== 'exclude') return filter;
  const right = createLiteral(filter.kind === 'include' ? '1' : '0');
  return { kind: 'comparison', operator: 'equal', left: createLiteral('1'), right };
}

/** Conditions without an element in the standard become boolean functions. */
function createDecision(name: string, inputs: readonly Expression[]): Filter {
  const left: Expression = { kind: 'function', name, arguments: inputs };
  return { kind: 'comparison', operator: 'equal', left, right: createLiteral('true') };
}
