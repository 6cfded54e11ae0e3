/** Page keys of SQL tables: the texts of the sort values and of the row key. */
import { problem } from '../../lib/problems/problem.ts';

export function formatPageKey(values: readonly (string | null)[]): string {
  return JSON.stringify(values);
}

/** Throws a problem for a text that no page key has. */
export function parsePageKey(key: string): readonly (string | null)[] {
  let values: unknown;
  try {
    values = JSON.parse(key);
  } catch {
    throw problem('page-key-invalid', {});
  }
  if (!isPageKey(values)) throw problem('page-key-invalid', {});
  return values;
}

function isPageKey(values: unknown): values is readonly (string | null)[] {
  return Array.isArray(values) && values.every((each) => each === null || typeof each === 'string');
}
