/** Reads what another WFS answers: capabilities, schemas and features; runs in threads, since answers have megabytes. */
import { decodeText } from '../../../lib/decode-text.ts';
import { excerpt } from '../../../lib/excerpt.ts';
import { Problem, problem } from '../../../lib/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { readXml } from '../../../lib/xml/reader.ts';
import type { Task } from '../../../workers/task.ts';
import { childNamed, textOf } from '../../cascade/xml-parts.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import type { Attribute, Feature } from '../port.ts';
import { attributesOfType } from './attributes.ts';
import { type RemoteType, readWfsCapabilities } from './capabilities.ts';
import { readFeatures } from './features.ts';

/** The body of an answer, and the charset that its header names. */
export interface Answer {
  readonly bytes: Uint8Array;
  readonly charset?: string;
}

export interface AnsweredTypes {
  readonly version: string;
  /** What all types are called here. */
  readonly names: readonly string[];
  /** The one that was asked for; null where there is none of that name. */
  readonly type: RemoteType | null;
}

const limits = { maxDepth: 100, maxNodes: 5_000_000 };

export const readingTypes: Task<Answer & { readonly name: string | null }, AnsweredTypes> = {
  module: import.meta.url,
  name: 'readTypes',
  work: readTypes,
};

export function readTypes({ name, ...answer }: Answer & { readonly name: string | null }): AnsweredTypes {
  const root = readDocument(answer);
  const found = readWfsCapabilities(root);
  if (found === undefined) throw unreachable(otherDocument(root, 'the capabilities of a WFS'));
  const { types, version } = found;
  const type = types.find((each) => ownName(each.name) === name) ?? types.find((each) => each.name === name);
  return {
    version,
    names: name === null ? [...new Set(types.map((each) => ownName(each.name)))].sort() : [],
    type: type ?? null,
  };
}

export const readingSchema: Task<Answer & { readonly type: RemoteType }, readonly Attribute[]> = {
  module: import.meta.url,
  name: 'readSchema',
  work: readSchema,
};

export async function readSchema({
  type,
  ...answer
}: Answer & { readonly type: RemoteType }): Promise<readonly Attribute[]> {
  const schema = readDocument(answer);
  const code = type.system === null ? undefined : (await resolveCrs({ code: type.system }))?.code;
  const attributes = attributesOfType(schema, localName(type.name), code === undefined ? {} : { code });
  if (attributes === undefined) throw unreachable(otherDocument(schema, `the schema of '${excerpt(type.name)}'`));
  return attributes;
}

type AnsweredPage = Answer & {
  readonly type: RemoteType;
  readonly attributes: readonly Attribute[];
  /** More are not wanted, whatever the server sends. */
  readonly most: number;
};

export const readingPage: Task<AnsweredPage, readonly Feature[]> = {
  module: import.meta.url,
  name: 'readPage',
  work: readPage,
};

export async function readPage({ type, attributes, most, ...answer }: AnsweredPage): Promise<readonly Feature[]> {
  const { features, root } = await telling(() =>
    readFeatures(decodeText(answer.bytes, answer.charset, true), localName(type.name), attributes),
  );
  if (!/FeatureCollection$/.test(root.local)) throw unreachable(otherDocument(root, 'a collection of features'));
  return features.slice(0, most);
}

function readDocument({ bytes, charset }: Answer): XmlElement {
  try {
    return readXml(decodeText(bytes, charset, true), limits);
  } catch (error) {
    throw unreadable(error);
  }
}

/** What a type is called here: a colon stands between workspace and layer, so that there is another character for it. */
function ownName(name: string): string {
  return name.replace(':', '_');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(error: unknown): unknown {
  return error instanceof Problem
    ? unreachable(`its answer cannot be read: ${error.message.replace(/\.$/, '')}`)
    : error;
}

function unreachable(reason: string): Problem {
  return problem('store-unreachable', { name: '', reason });
}

/** Servers tell their errors in documents of their own. */
function otherDocument(root: XmlElement, expected: string): string {
  if (!/Exception/.test(root.local)) return `its answer is a '${excerpt(root.name)}', and not ${expected}`;
  const inner = childNamed(root, 'Exception') ?? childNamed(root, 'ServiceException') ?? root;
  return `it answered with an error: ${excerpt(textOf(childNamed(inner, 'ExceptionText')) ?? textOf(inner) ?? 'it does not say which')}`;
}
