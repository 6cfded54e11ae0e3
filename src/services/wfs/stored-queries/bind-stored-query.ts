/** Calls a stored query: checks the values of its parameters and inserts them into the parsed queries. */
import type { StoredQueryParameter } from '../../../catalog/kinds/stored-query.ts';
import { getParameterType, type StoredQueryValue } from '../../../catalog/stored-queries/parameter-types.ts';
import { bindQuery, findSplitName, parseQuery } from '../../../catalog/stored-queries/query-text.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { readDocument } from '../../ows/message.ts';
import type { WfsContext } from '../context/context.ts';
import type { StoredQueryCall } from '../request/request.ts';
import { findStoredQuery } from './find-stored-queries.ts';

/** A query can contain a value many times. */
const MAX_VALUE_LENGTH = 65_536;

export interface BoundStoredQuery {
  readonly queries: readonly XmlElement[];
  /** The names of all parameters in lower case. */
  readonly names: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

export async function bindStoredQuery(
  context: WfsContext,
  { id, values, hasOtherNames }: StoredQueryCall,
  limits: DocumentLimits,
): Promise<BoundStoredQuery> {
  const { query } = await findStoredQuery(context, id);
  const bound = new Map<string, StoredQueryValue>();
  for (const parameter of query.parameters) {
    bound.set(parameter.name, await readValue(parameter, values.get(parameter.name.toLowerCase()), limits));
  }
  const names = new Set(query.parameters.map(({ name }) => name.toLowerCase()));
  const unknown = hasOtherNames ? [] : [...values.keys()].filter((name) => !names.has(name));
  const roots = query.queries.map(parseQuery);
  for (const root of roots) {
    const name = findSplitName(root, bound);
    const expected = 'expected the name of one feature type';
    if (name !== undefined) {
      const value = excerpt(String(bound.get(name)));
      throw problem('ows-parameter-invalid', { parameter: name, value, expected, field: name });
    }
  }
  return {
    queries: roots.map((root) => bindQuery(root, bound)),
    names,
    warnings: unknown.map((name) => `Unknown parameter '${excerpt(name)}' of the stored query. It is ignored.`),
  };
}

async function readValue(
  { name, type }: StoredQueryParameter,
  sent: StoredQueryValue | undefined,
  limits: DocumentLimits,
): Promise<StoredQueryValue> {
  const declared = getParameterType(type);
  const expected = `expected ${declared.expected} (${type})`;
  if (sent === undefined) throw problem('ows-parameter-missing', { parameter: name, expected, field: name });
  const createInvalid = (value: string) =>
    problem('ows-parameter-invalid', { parameter: name, value: excerpt(value), expected, field: name });
  if (declared.kind === 'geometry') {
    const isText = typeof sent === 'string';
    if (isText && !sent.trimStart().startsWith('<')) throw createInvalid(sent);
    const element = isText ? await readDocument(sent.trim(), limits) : sent;
    if (!declared.allows(element)) throw createInvalid(element.name);
    return element;
  }
  if (typeof sent !== 'string') throw createInvalid(sent.name);
  const text = declared.isAny ? sent : sent.trim();
  if (text.length > MAX_VALUE_LENGTH || !declared.allows(text)) throw createInvalid(sent);
  return text;
}
