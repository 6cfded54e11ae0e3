/** The key-value pairs of a request, with case-insensitive names and one value each. */
import { problem } from '../../lib/problems/problem.ts';

/** By lower-case name. Empty values are dropped: clients send names without values for unset options. */
export type Parameters = ReadonlyMap<string, string>;

/** Parameters that are repeated once per axis of a coverage: `subset=Lat(0,1)&subset=Long(0,1)`. */
const repeatableParameters: ReadonlySet<string> = new Set(['subset']);

/** Parses the query of a URL, the body of a form, or both joined with an ampersand. */
export function readParameters(text: string): Parameters {
  const parameters = new Map<string, string>();
  for (const [written, value] of new URLSearchParams(text)) {
    const name = written.toLowerCase();
    if (value === '') continue;
    const known = parameters.get(name);
    if (known !== undefined && repeatableParameters.has(name)) {
      parameters.set(name, `${known},${value}`);
      continue;
    }
    if (known !== undefined && known !== value) {
      throw problem('ows-parameter-ambiguous', { parameter: written, field: written });
    }
    parameters.set(name, value);
  }
  return parameters;
}

/** Parses a comma-separated list; trims entries and drops empty ones. */
export function readList(text: string): readonly string[] {
  return text.split(',').flatMap((item) => item.trim() || []);
}

/** Parses lists in parentheses, one per query: `(a,b)(c)`. Without parentheses there is one list. */
export function readLists(text: string): readonly (readonly string[])[] {
  return readGroups(text).map(readList);
}

/** Returns the content of each pair of parentheses: `(a)(b)`. Without parentheses there is one group. */
export function readGroups(text: string): readonly string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith('(') || !trimmed.endsWith(')')) return [trimmed];
  return trimmed.slice(1, -1).split(/\)\s*\(/);
}

/** Parses `name:value;name:value` with lower-case names, the syntax of format options. */
export function readOptions(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(';').flatMap((pair): readonly (readonly [string, string])[] => {
    const colon = pair.indexOf(':');
    return colon < 0 ? [] : [[pair.slice(0, colon).trim().toLowerCase(), pair.slice(colon + 1).trim()]];
  });
  return new Map(pairs);
}

/** Parses a non-negative integer; undefined for other text. */
export function parseCount(text: string): number | undefined {
  return /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}

/** Returns an object with the member, or an empty object if the value is undefined. */
export function toOptionalProperty<K extends string, V>(name: K, value: V | undefined | ''): { readonly [N in K]?: V } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { readonly [N in K]?: V });
}
