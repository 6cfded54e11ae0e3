/** Parameters of OGC services. Parsing, warnings, documentation and OpenAPI follow from one declaration of each. */

import type { QueryParameter } from '../../http/request/query.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { parseFlag } from '../../lib/values/flag.ts';
import { type Parameters, parseCount, readList, readOptions } from './parameters.ts';

/** The values of a parameter. `absent` is the default. */
export type ParameterKind<V> = Pick<QueryParameter<V>, 'schema' | 'expected' | 'parse' | 'absent'>;

export interface ServiceParameter<V> extends QueryParameter<V> {
  /** The name in documents and errors; names in requests are case-insensitive. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** In lower case: the name and its aliases. The first one that is sent counts. */
  readonly keys: readonly string[];
  /** Whether different values for the name and an alias are an error. */
  readonly mustAgree?: true;
  /** In lower case: the beginning of the names of a family of parameters, such as `dim_`. */
  readonly prefix?: string;
  /** Set for a parameter of other servers that would change the response. */
  readonly unsupported?: UnsupportedOption;
}

interface UnsupportedOption {
  readonly what: string;
  readonly instead: string;
  /** The value in lower case that is accepted because it changes nothing. */
  readonly usual?: string;
}

export type ParameterTable = Readonly<Record<string, ServiceParameter<unknown>>>;

/** An operation with all its parameters. */
export interface ServiceOperation<T extends ParameterTable = ParameterTable> extends DeclaredNames {
  readonly name: string;
  readonly parameters: T;
  /** Those of the parameters that are unsupported. */
  readonly rejected: readonly ServiceParameter<unknown>[];
}

/** All names that requests can contain, in lower case. */
interface DeclaredNames {
  readonly known: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

export function declareParameter<V>(
  name: string,
  kind: ParameterKind<V>,
  description: string,
  { aliases = [], mustAgree }: { readonly aliases?: readonly string[]; readonly mustAgree?: true } = {},
): ServiceParameter<V> {
  const keys = [name, ...aliases].map((each) => each.toLowerCase());
  return { ...kind, name, aliases, keys, description, ...(mustAgree === undefined ? {} : { mustAgree }) };
}

/** Declares a family of parameters: those whose name begins with the prefix. */
export function declareFamily(prefix: string, description: string): ServiceParameter<string | undefined> {
  return { ...text, name: `${prefix}NAME`, aliases: [], keys: [], prefix, description };
}

/** Declares a parameter that `rejectUnsupported` rejects; a prefix of a family ends with an underscore. */
export function declareUnsupported(name: string, unsupported: UnsupportedOption): ServiceParameter<string | undefined> {
  const description = `${unsupported.what} is not supported: ${unsupported.instead}.`;
  if (name.endsWith('_')) return { ...declareFamily(name, description), unsupported };
  return { ...declareParameter(name, text, description), unsupported };
}

export function declareOperation<T extends ParameterTable>(name: string, parameters: T): ServiceOperation<T> {
  const all = Object.values(parameters);
  return {
    name,
    parameters,
    known: new Set(all.flatMap(({ keys }) => keys)),
    prefixes: all.flatMap(({ prefix }) => prefix ?? []),
    rejected: all.filter(({ unsupported }) => unsupported !== undefined),
  };
}

/** Lists the names for documentation. */
export function formatNames({ parameters }: ServiceOperation): string {
  return Object.values(parameters)
    .map(({ name }) => name)
    .join(', ');
}

/** Creates a kind whose values are texts unless a schema says otherwise. `parse` returns undefined for invalid text. */
export function createKind<V>(
  expected: string,
  parse: (text: string) => V | undefined,
  absent: V,
  schema: ParameterKind<V>['schema'] = { type: 'string' },
): ParameterKind<V> {
  return { expected, parse, absent, schema };
}

export function createTextKind(expected: string): ParameterKind<string | undefined> {
  return createKind<string | undefined>(expected, (value) => value, undefined);
}

export const text: ParameterKind<string | undefined> = createTextKind('text');

export const count: ParameterKind<number | undefined> = createKind<number | undefined>(
  'an integer of at least 0',
  parseCount,
  undefined,
  { type: 'integer', minimum: 0 },
);

/** Accepts common spellings; any other value is false, with a warning of `listFlagWarnings`. */
export const flag: ParameterKind<boolean> = createKind('true or false', (value) => parseFlag(value) ?? false, false, {
  type: 'boolean',
});

export const list: ParameterKind<readonly string[]> = createKind('a list separated by commas', readList, []);

export const options: ParameterKind<ReadonlyMap<string, string>> = createKind<ReadonlyMap<string, string>>(
  'options such as name:value;name:value',
  readOptions,
  new Map(),
);

/** Returns the value as sent; undefined if the parameter is absent. */
export function findSentText(parameters: Parameters, declared: ServiceParameter<unknown>): string | undefined {
  for (const key of declared.keys) {
    const sent = parameters.get(key);
    if (sent === undefined) continue;
    if (declared.mustAgree) checkAgreement(parameters, declared, sent);
    return sent;
  }
  return undefined;
}

function checkAgreement(parameters: Parameters, { aliases }: ServiceParameter<unknown>, sent: string): void {
  const other = aliases.find((alias) => (parameters.get(alias.toLowerCase()) ?? sent) !== sent);
  if (other !== undefined) throw problem('ows-parameter-ambiguous', { parameter: other, field: other });
}

/** Returns the parsed value, or the default if the parameter is absent. */
export function readParameter<V>(parameters: Parameters, declared: ServiceParameter<V>): V {
  return parseParameter(findSentText(parameters, declared), declared);
}

/** Does the same for a value from another source, such as an XML document. */
export function parseParameter<V>(sent: string | undefined, declared: ServiceParameter<V>): V {
  if (sent === undefined) return declared.absent;
  const value = declared.parse(sent);
  if (value === undefined) throw createParameterProblem(declared.name, sent, declared.expected);
  return value;
}

/** Throws a Problem if the parameter is absent. `name` is that of the requested version, if versions differ. */
export function requireParameter<V>(
  parameters: Parameters,
  declared: ServiceParameter<V>,
  name = declared.name,
): Exclude<V, undefined> {
  const sent = findSentText(parameters, declared);
  if (sent === undefined) {
    throw problem('ows-parameter-missing', {
      parameter: name,
      expected: `expected ${declared.expected}`,
      field: name,
    });
  }
  return parseParameter(sent, declared) as Exclude<V, undefined>;
}

export function createParameterProblem(parameter: string, value: string, expected: string): Problem {
  return problem('ows-parameter-invalid', { parameter, value, expected: `expected ${expected}`, field: parameter });
}

/** Throws a Problem for the first parameter that is declared as unsupported. */
export function rejectUnsupported({ rejected }: Pick<ServiceOperation, 'rejected'>, parameters: Parameters): void {
  for (const { unsupported, prefix, keys } of rejected) {
    if (unsupported === undefined) continue;
    const field =
      prefix === undefined
        ? keys.find((key) => parameters.has(key))
        : [...parameters.keys()].find((key) => key.startsWith(prefix));
    if (field !== undefined && parameters.get(field)?.toLowerCase() !== unsupported.usual) {
      throw problem('ows-option-unsupported', { what: unsupported.what, instead: unsupported.instead, field });
    }
  }
}

/** Returns whether the operation declares a name in lower case. */
export function isDeclared({ known, prefixes }: DeclaredNames, name: string): boolean {
  return known.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

/** The maximum number of warnings: a request can contain thousands of names. */
const MAX_WARNINGS = 8;

/** Ignores names with a leading underscore, which clients add to bypass caches: `_=1699999999`. */
export function listUnknownWarnings(
  operation: DeclaredNames,
  parameters: Parameters,
  what: 'parameter' | 'format option' = 'parameter',
): readonly string[] {
  let warnings: string[] | undefined;
  for (const name of parameters.keys()) {
    if (isDeclared(operation, name) || name.startsWith('_')) continue;
    warnings ??= [];
    if (warnings.length < MAX_WARNINGS) warnings.push(`Unknown ${what} '${excerpt(name)}'. It is ignored.`);
  }
  return warnings ?? noWarnings;
}

const noWarnings: readonly string[] = [];

/** Returns warnings for unknown format options, and for flags among them whose value is neither true nor false. */
export function listFormatOptionWarnings(operation: ServiceOperation, formatOptions: Parameters): readonly string[] {
  if (formatOptions.size === 0) return noWarnings;
  const invalid = Object.values(operation.parameters).flatMap((declared) => {
    const sent = declared.parse === flag.parse ? findSentText(formatOptions, declared) : undefined;
    if (sent === undefined || parseFlag(sent) !== undefined) return [];
    return [
      `Invalid value '${excerpt(sent)}' of the format option '${declared.name}': expected true or false. It counts as false.`,
    ];
  });
  return [...listUnknownWarnings(operation, formatOptions, 'format option'), ...invalid];
}

/** Adds a warning for each unknown parameter to a response. */
export function addUnknownWarnings(
  reply: ServiceReply,
  operation: DeclaredNames,
  parameters: Parameters,
): ServiceReply {
  const warnings = listUnknownWarnings(operation, parameters);
  return warnings.length === 0 ? reply : { ...reply, warnings: [...warnings, ...(reply.warnings ?? [])] };
}
