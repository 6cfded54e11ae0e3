/**
 * Parses responses of a remote WFS: capabilities, schemas and features; runs in threads, because responses have
 * megabytes.
 */

import { findChild, readText } from '../../cascade/xml-elements.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { readXml } from '../../lib/xml/reader.ts';
import type { Task } from '../../workers/task.ts';
import type { Attribute, Feature } from '../port/port.ts';
import { findTypeAttributes } from './attributes.ts';
import { type RemoteType, readWfsCapabilities } from './capabilities.ts';
import { readFeatures } from './features.ts';

/** The body of a response and the charset of its header. */
export interface RemoteResponse {
  readonly bytes: Uint8Array;
  readonly charset?: string;
}

export interface RemoteTypes {
  readonly version: string;
  /** The local names of all types. */
  readonly names: readonly string[];
  /** The requested type; null if it does not exist. */
  readonly type: RemoteType | null;
}

const limits = { maxDepth: 100, maxNodes: 5_000_000 };

export const readingTypes: Task<RemoteResponse & { readonly name: string | null }, RemoteTypes> = {
  module: import.meta.url,
  name: 'readTypes',
  work: readTypes,
};

export function readTypes({ name, ...answer }: RemoteResponse & { readonly name: string | null }): RemoteTypes {
  const root = readDocument(answer);
  const found = readWfsCapabilities(root);
  if (found === undefined) throw createUnreachableProblem(formatUnexpectedDocument(root, 'the capabilities of a WFS'));
  const { types, version } = found;
  const type = types.find((each) => toOwnName(each.name) === name) ?? types.find((each) => each.name === name);
  return {
    version,
    names: name === null ? [...new Set(types.map((each) => toOwnName(each.name)))].sort() : [],
    type: type ?? null,
  };
}

export const readingSchema: Task<RemoteResponse & { readonly type: RemoteType }, readonly Attribute[]> = {
  module: import.meta.url,
  name: 'readSchema',
  work: readSchema,
};

export async function readSchema({
  type,
  ...answer
}: RemoteResponse & { readonly type: RemoteType }): Promise<readonly Attribute[]> {
  const schema = readDocument(answer);
  const code = type.system === null ? undefined : (await resolveCrs({ code: type.system }))?.code;
  const attributes = findTypeAttributes(schema, toLocalName(type.name), code === undefined ? {} : { code });
  if (attributes === undefined)
    throw createUnreachableProblem(formatUnexpectedDocument(schema, `the schema of '${excerpt(type.name)}'`));
  return attributes;
}

type RemotePage = RemoteResponse & {
  readonly type: RemoteType;
  readonly attributes: readonly Attribute[];
  /** The maximum number of features to read. */
  readonly most: number;
};

export const readingPage: Task<RemotePage, readonly Feature[]> = {
  module: import.meta.url,
  name: 'readPage',
  work: readPage,
};

export async function readPage({ type, attributes, most, ...answer }: RemotePage): Promise<readonly Feature[]> {
  const { features, root } = await withReadableErrors(() =>
    readFeatures(decodeText(answer.bytes, answer.charset, true), toLocalName(type.name), attributes),
  );
  if (!/FeatureCollection$/.test(root.local))
    throw createUnreachableProblem(formatUnexpectedDocument(root, 'a collection of features'));
  return features.slice(0, most);
}

function readDocument({ bytes, charset }: RemoteResponse): XmlElement {
  try {
    return readXml(decodeText(bytes, charset, true), limits);
  } catch (error) {
    throw toUnreadableProblem(error);
  }
}

/** Returns the local name of a type; the colon is replaced, because it separates workspace and layer. */
function toOwnName(name: string): string {
  return name.replace(':', '_');
}

function toLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

async function withReadableErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toUnreadableProblem(error);
  }
}

function toUnreadableProblem(error: unknown): unknown {
  return error instanceof Problem
    ? createUnreachableProblem(`the response is invalid: ${error.message.replace(/\.$/, '')}`)
    : error;
}

function createUnreachableProblem(reason: string): Problem {
  return problem('store-unreachable', { name: '', reason });
}

/** Servers report errors in their own documents. */
function formatUnexpectedDocument(root: XmlElement, expected: string): string {
  if (!/Exception/.test(root.local)) return `the response is a '${excerpt(root.name)}', not ${expected}`;
  const inner = findChild(root, 'Exception') ?? findChild(root, 'ServiceException') ?? root;
  return `the service responded with an error: ${excerpt(readText(findChild(inner, 'ExceptionText')) ?? readText(inner) ?? 'no details')}`;
}
