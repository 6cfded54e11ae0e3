/** The key-value pairs of a request: names in any case, one value for each, whatever way they came. */
import { problem } from '../../lib/problems/problem.ts';

/** By names in lower case. What is empty is not there: clients send names without values for what they have nothing to say of. */
export type Parameters = ReadonlyMap<string, string>;

/** What is said once for each axis of a coverage, and means all of it: `subset=Lat(0,1)&subset=Long(0,1)`. */
const repeatableParameters: ReadonlySet<string> = new Set(['subset']);

/** The query of a URL, the body of a form, or both with an ampersand between. */
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

/** A list of texts without the white space around them; empty ones are none. */
export function readList(text: string): readonly string[] {
  return text.split(',').flatMap((item) => item.trim() || []);
}

/** Lists in parentheses, one for each of several queries: `(a,b)(c)`. Without parentheses it is one list. */
export function readLists(text: string): readonly (readonly string[])[] {
  return readGroups(text).map(readList);
}

/** What stands in each pair of parentheses: `(a)(b)`. Without parentheses it is all of it. */
export function readGroups(text: string): readonly string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith('(') || !trimmed.endsWith(')')) return [trimmed];
  return trimmed.slice(1, -1).split(/\)\s*\(/);
}

/** `name:value;name:value`, names in lower case: the options that clients send for a format. */
export function readOptions(text: string | undefined): ReadonlyMap<string, string> {
  const pairs = (text ?? '').split(';').flatMap((pair): readonly (readonly [string, string])[] => {
    const colon = pair.indexOf(':');
    return colon < 0 ? [] : [[pair.slice(0, colon).trim().toLowerCase(), pair.slice(colon + 1).trim()]];
  });
  return new Map(pairs);
}

/** A whole number that is not negative; undefined where there is none. */
export function readCount(parameter: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\s*\d{1,15}\s*$/.test(text)) {
    throw problem('ows-parameter-invalid', {
      parameter,
      value: text,
      expected: 'a whole number from 0 was expected',
      field: parameter,
    });
  }
  return Number(text);
}

export function requireParameter(parameters: Parameters, parameter: string, expected: string): string {
  const value = parameters.get(parameter.toLowerCase());
  if (value === undefined) throw problem('ows-parameter-missing', { parameter, expected, field: parameter });
  return value;
}

/** A member for what is there, none for what is not. */
export function toOptionalProperty<K extends string, V>(name: K, value: V | undefined | ''): { readonly [N in K]?: V } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { readonly [N in K]?: V });
}
