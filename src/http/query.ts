/** Query parameters: declared by a route, read with a clear complaint. */
import { parseFlag } from '../lib/flag.ts';
import { problem } from '../lib/problem.ts';
import type { JsonSchema } from './documents/schema.ts';

export interface QueryParameter<V> {
  readonly description: string;
  readonly schema: JsonSchema;
  /** What a value looks like, for the complaint about one that does not. */
  readonly expected: string;
  /** Undefined for a value that is none. */
  readonly parse: (value: string) => V | undefined;
  readonly absent: V;
  /** An empty value counts as absent, unless that would do more than was meant. */
  readonly empty?: 'refused';
}

export type QueryParameters = Readonly<Record<string, QueryParameter<unknown>>>;

export type QueryValues<Q> = { readonly [K in keyof Q]: Q[K] extends QueryParameter<infer V> ? V : never };

export function flagParameter(description: string): QueryParameter<boolean> {
  return {
    description,
    schema: { type: 'boolean' },
    expected: 'true or false',
    parse: parseFlag,
    absent: false,
  };
}

/** A whole number; absent means null. */
export function integerParameter(description: string, min: number, max: number): QueryParameter<number | null> {
  return {
    description,
    schema: { type: 'integer', minimum: min, maximum: max },
    expected: `a whole number from ${min} to ${max}`,
    parse: (value) => {
      const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
    absent: null,
  };
}

/** Any text; absent means null. */
export function textParameter(description: string): QueryParameter<string | null> {
  return { description, schema: { type: 'string' }, expected: 'some text', parse: (value) => value, absent: null };
}

/** Accepted on every read, as existence checks of older clients send it. */
export const quietOnNotFound = flagParameter('Answer a 404 without a body.');

const noQuery = new URLSearchParams();

/** Reads the declared parameters; others are ignored, an empty value counts as absent, the first of several counts. */
export function readQuery(declared: QueryParameters, rawQuery: string): Readonly<Record<string, unknown>> {
  const query = rawQuery === '' ? noQuery : new URLSearchParams(rawQuery);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(declared)) {
    const parameter = declared[name];
    const given = query.get(name);
    if (parameter === undefined) {
      continue;
    }
    if (given === null || (given === '' && parameter.empty !== 'refused')) {
      values[name] = parameter.absent;
      continue;
    }
    const value = given === '' ? undefined : parameter.parse(given);
    if (value === undefined) {
      throw problem('query-invalid', { parameter: name, value: given, expected: parameter.expected, field: name });
    }
    values[name] = value;
  }
  return values;
}
