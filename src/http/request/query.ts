/** Parses the target of a request: its path and query, the parameters that a route declares, and dryRun. */

import { problem } from '../../lib/problems/problem.ts';
import { parseFlag } from '../../lib/values/flag.ts';
import type { JsonSchema } from '../documents/schema.ts';

/** Splits the target of a request line into path and query. */
export function splitUrl(url: string): [path: string, query: string] {
  // A proxy can send an absolute URL with a password, which must not reach the log.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

export interface QueryParameter<V> {
  readonly description: string;
  readonly schema: JsonSchema;
  /** The expected form, for error messages. */
  readonly expected: string;
  /** Returns undefined for an invalid value. */
  readonly parse: (value: string) => V | undefined;
  readonly absent: V;
  /** For a parameter that can be repeated; receives all values that are not empty. */
  readonly parseAll?: (values: readonly string[]) => V | undefined;
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

/** Accepted on every read, because existence checks of older clients send it. */
export const quietOnNotFound = createFlagParameter('Return 404 without a body.');

const noQuery = new URLSearchParams();

/**
 * Reads the declared parameters and ignores others. Empty values count as absent. The first of several values counts
 * unless the parameter can be repeated.
 */
export function readQuery(declared: QueryParameters, rawQuery: string): Readonly<Record<string, unknown>> {
  const query = rawQuery === '' ? noQuery : new URLSearchParams(rawQuery);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(declared)) {
    const parameter = declared[name];
    if (parameter === undefined) {
      continue;
    }
    const given = query.get(name);
    const isAbsent = given === null || (given === '' && parameter.empty !== 'refused');
    const all =
      parameter.parseAll === undefined || given === null ? [] : query.getAll(name).filter((each) => each !== '');
    if (isAbsent && all.length === 0) {
      values[name] = parameter.absent;
      continue;
    }
    const value = parameter.parseAll?.(all) ?? (given ? parameter.parse(given) : undefined);
    if (value === undefined) {
      throw problem('query-invalid', {
        parameter: name,
        value: given ?? '',
        expected: parameter.expected,
        field: name,
      });
    }
    values[name] = value;
  }
  return values;
}

/** They change nothing. */
const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const dryRunParameter = createFlagParameter(
  'Execute the request without saving anything; the response is the same.',
);

/** Returns how a request uses the storage, by its method and query; a route can need less. */
export function readSessionKind(method: string, rawQuery: string): 'read' | 'write' | 'dry run' {
  if (readMethods.has(method)) {
    return 'read';
  }
  return parseDryRun(rawQuery) === true ? 'dry run' : 'write';
}

/** Rejects dry runs of reads and invalid values. */
export function checkDryRun(method: string, rawQuery: string): void {
  const sent = parseDryRun(rawQuery);
  if (sent === undefined) {
    return;
  }
  if (readMethods.has(method)) {
    throw problem('dry-run-on-read', { field: 'dryRun' });
  }
  if (typeof sent === 'string') {
    throw problem('query-invalid', { parameter: 'dryRun', value: sent, expected: 'true or false', field: 'dryRun' });
  }
}

const dryRunValues: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Returns the flag, an invalid value, or undefined if it is not sent. It is stricter than other flags, because a client
 * that intends a dry run must not change anything: the name is case-insensitive, and repeated values must agree.
 */
function parseDryRun(rawQuery: string): boolean | string | undefined {
  // A quick check: few requests have the parameter, but any letter can be percent-encoded.
  if (rawQuery === '' || !/dryrun|%/i.test(rawQuery)) {
    return undefined;
  }
  const sent = [...new URLSearchParams(rawQuery)].filter(([name]) => name.toLowerCase() === 'dryrun');
  const values = new Set(sent.map(([, value]) => value));
  const [value] = values;
  return value === undefined || values.size > 1 ? value && [...values].join(', ') : (dryRunValues.get(value) ?? value);
}
