/** Declares query parameters of routes. */

import { parseFlag } from '../../lib/values/flag.ts';
import type { JsonSchema } from '../documents/schema.ts';

export interface QueryParameter<V> {
  readonly description: string;
  readonly schema: JsonSchema;
  /** The expected form, for error messages. */
  readonly expected: string;
  /** Returns undefined for an invalid value. */
  readonly parse: (value: string) => V | undefined;
  readonly absent: V;
  /** Whether the route rejects requests without it; documented, and checked by the route. */
  readonly isRequired?: true;
  /** For a parameter that can be repeated; receives all values that are not empty. */
  readonly parseAll?: (values: readonly string[]) => V | undefined;
  /** For parameters whose names start with a prefix; receives the rest of each name with its values. */
  readonly prefixed?: {
    readonly prefix: string;
    readonly parse: (values: ReadonlyMap<string, readonly string[]>) => V;
  };
  /** Empty values count as absent, unless that would have a larger effect than intended. */
  readonly empty?: 'refused';
}

export type QueryParameters = Readonly<Record<string, QueryParameter<unknown>>>;

export type QueryValues<Q> = { readonly [K in keyof Q]: Q[K] extends QueryParameter<infer V> ? V : never };

export function createFlagParameter(description: string): QueryParameter<boolean> {
  return {
    description,
    schema: { type: 'boolean' },
    expected: 'true or false',
    parse: parseFlag,
    absent: false,
  };
}

/** Creates an integer parameter; null if absent. */
export function createIntegerParameter(description: string, min: number, max: number): QueryParameter<number | null> {
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

/** Creates a text parameter; null if absent. */
export function createTextParameter(description: string): QueryParameter<string | null> {
  return { description, schema: { type: 'string' }, expected: 'some text', parse: (value) => value, absent: null };
}

/** Creates a text parameter that can be repeated. */
export function createTextsParameter(description: string): QueryParameter<readonly string[]> {
  return {
    description,
    schema: { type: 'array', items: { type: 'string' } },
    expected: 'some text',
    parse: (value) => [value],
    parseAll: (values) => values,
    absent: [],
  };
}

/** Creates parameters with a common prefix, which can be repeated. */
export function createPrefixedParameter(
  prefix: string,
  description: string,
): QueryParameter<ReadonlyMap<string, readonly string[]>> {
  return {
    description,
    schema: { type: 'array', items: { type: 'string' } },
    expected: 'some text',
    parse: () => undefined,
    absent: new Map(),
    prefixed: { prefix, parse: (values) => values },
  };
}

/** Accepted on every read, because existence checks of older clients send it. */
export const quietOnNotFound = createFlagParameter('Return 404 without a body.');

export const dryRunParameter = createFlagParameter(
  'Execute the request without saving anything; the response is the same.',
);
