/** Query parameters of OGC APIs: unknown, repeated and invalid parameters are rejected. */

import { type Problem, problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';

export interface Parameters {
  /** Returns undefined for an absent parameter. */
  get(name: string): string | undefined;
  /** All parameters as sent, for links that repeat them. */
  readonly all: readonly (readonly [name: string, value: string])[];
}

/** Throws a Problem for an unknown parameter, or one with several different values. */
export function readParameters(rawQuery: string, known: ReadonlySet<string>): Parameters {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    if (name === '' && value === '') {
      continue;
    }
    if (!known.has(name)) {
      throw problem('parameter-unknown', { parameter: excerpt(name), known: [...known], field: excerpt(name) });
    }
    if (values.get(name) !== undefined && values.get(name) !== value) {
      throw createParameterProblem(name, value, 'a single value');
    }
    values.set(name, value);
  }
  return { get: (name) => values.get(name), all: [...values] };
}

export function createParameterProblem(parameter: string, value: string, expected: string): Problem {
  return problem('query-invalid', { parameter, value: excerpt(value), expected, field: parameter });
}

/** Formats the query of a link: these parameters with some replaced, or removed if undefined. */
export function formatQuery(
  { all }: Pick<Parameters, 'all'>,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const kept = all.filter(([name]) => !Object.hasOwn(changes, name));
  const query = new URLSearchParams(Object.fromEntries(kept));
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined) {
      query.set(name, value);
    }
  }
  return query.size === 0 ? '' : `?${query}`;
}
