/** Says a filter with those conditions alone that the filter encoding of styles has elements for. */
import type { Expression } from './expression.ts';
import type { Filter } from './filter.ts';
import { literal } from './literal.ts';
import { temporalComparisons } from './temporal.ts';

/** Moments are compared as they are written then, which is right for ISO 8601 in one time zone. */
export function spellOut(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joined(filter.kind, filter.filters.map(spellOut));
    case 'not':
      return { kind: 'not', filter: spellOut(filter.filter) };
    case 'membership':
      return joined(
        'or',
        filter.list.map((right) => ({ kind: 'comparison', operator: 'equal', left: filter.value, right })),
      );
    case 'temporal':
      return joined('and', temporalComparisons(filter) ?? []);
    case 'exists':
      return decision('PropertyExists', [literal(filter.property.name)]);
    case 'relate':
      return decision('relatePattern', [filter.left, filter.right, literal(filter.pattern)]);
    default:
      return filter;
  }
}

function joined(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  const parts = filters.flatMap((filter) => (filter.kind === kind ? filter.filters : [filter]));
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : { kind, filters: parts };
}

/** What the standard has no element for is a function that decides. */
function decision(name: string, inputs: readonly Expression[]): Filter {
  const left: Expression = { kind: 'function', name, arguments: inputs };
  return { kind: 'comparison', operator: 'equal', left, right: literal('true') };
}
