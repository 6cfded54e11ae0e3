/** Lists the names of all properties that a condition or an expression uses, as written. */
import type { Expression } from './expression.ts';
import type { Filter } from './filter.ts';

export function collectPropertyNames(part: Filter | Expression): ReadonlySet<string> {
  const names = new Set<string>();
  collect(part, names);
  return names;
}

function collect(part: object, names: Set<string>): void {
  if ('kind' in part && part.kind === 'property' && 'name' in part) names.add(String(part.name));
  for (const inner of Object.values(part)) if (typeof inner === 'object' && inner !== null) collect(inner, names);
}
