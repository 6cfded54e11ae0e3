/** Says a filter with those conditions alone that the filter encoding of styles has elements for. */
import type { Expression } from './expression.ts';
import type { Constant, Filter } from './filter.ts';
import { joined } from './join.ts';
import { literal } from './literal.ts';
import { temporalCondition } from './temporal.ts';

/** Moments are compared as they are written then, which is right for ISO 8601 in one time zone. */
export function spellOut(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return condition(joined(filter.kind, filter.filters.map(spellOut)));
    case 'not':
      return { kind: 'not', filter: spellOut(filter.filter) };
    case 'membership':
      return condition(
        joined(
          'or',
          filter.list.map((right) => ({ kind: 'comparison', operator: 'equal', left: filter.value, right })),
        ),
      );
    case 'temporal':
      return condition(temporalCondition(filter) ?? { kind: 'exclude' });
    case 'exists':
      return decision('PropertyExists', [literal(filter.property.name)]);
    case 'relate':
      return decision('relatePattern', [filter.left, filter.right, literal(filter.pattern)]);
    default:
      return filter;
  }
}

/** All features, or none, as a comparison that is always true, or never. */
function condition(filter: Filter | Constant): Filter {
  if (filter.kind !== 'include' && filter.kind !== 'exclude') return filter;
  const right = literal(filter.kind === 'include' ? '1' : '0');
  return { kind: 'comparison', operator: 'equal', left: literal('1'), right };
}

/** What the standard has no element for is a function that decides. */
function decision(name: string, inputs: readonly Expression[]): Filter {
  const left: Expression = { kind: 'function', name, arguments: inputs };
  return { kind: 'comparison', operator: 'equal', left, right: literal('true') };
}
