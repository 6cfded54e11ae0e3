/** Query parameters of OGC APIs: unknown, repeated and invalid parameters are rejected. */

import { type Problem, problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { parseFlag } from '../../../lib/values/flag.ts';
import {
  createKind,
  declareParameter,
  type ParameterKind,
  type ParameterTable,
  type ServiceParameter,
  text,
} from '../../ows/service-parameters.ts';

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

/** Returns the parsed value, or the default if the parameter is absent. Names are case-sensitive. */
export function readParameter<V>(parameters: Pick<Parameters, 'get'>, declared: ServiceParameter<V>): V {
  const sent = parameters.get(declared.name);
  if (sent === undefined) return declared.absent;
  const value = declared.parse(sent);
  if (value === undefined) throw createParameterProblem(declared.name, sent, declared.expected);
  return value;
}

/** Returns the names for `readParameters`. */
export function listNames(table: ParameterTable): ReadonlySet<string> {
  return new Set(Object.values(table).map(({ name }) => name));
}

/** Describes a parameter in OpenAPI. */
export function describeParameter({ name, description, schema, absent }: ServiceParameter<unknown>) {
  const usual = ['string', 'number', 'boolean'].includes(typeof absent) ? { default: absent } : {};
  const style = schema.type === 'array' ? { style: 'form', explode: false } : {};
  return { name, in: 'query', required: false, description, schema: { ...schema, ...usual }, ...style };
}

/** Every resource has this parameter. */
export const formatParameters = {
  f: declareParameter('f', text, 'The response format. Default: negotiated with the Accept header.'),
};

export const onlyFormat: ReadonlySet<string> = listNames(formatParameters);

/** A text that is a list in OpenAPI; the reader splits it. */
export function createListKind(items: 'string' | 'number'): ParameterKind<string | undefined> {
  return { ...text, schema: { type: 'array', items: { type: items } } };
}

export const uri: ParameterKind<string | undefined> = { ...text, schema: { type: 'string', format: 'uri' } };

export function createFlagKind<D extends boolean | undefined>(absent: D): ParameterKind<boolean | D> {
  return createKind<boolean | D>('true or false', parseFlag, absent, { type: 'boolean' });
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
