/** Application schemas of app-schema mappings: their locations and content. */

import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { QualifiedName } from '../../../vector/port/mapping.ts';
import type { TypeSchema, VectorSource } from '../../../vector/port/port.ts';
import type { FeatureServices } from '../../access/feature-access.ts';
import type { PublishedType } from '../../access/published-type.ts';

export interface ApplicationSchema {
  /** The element name of the features. */
  readonly element: QualifiedName;
  /** The addresses of the schema documents. */
  readonly locations: readonly string[];
  /** The GML namespace of the schema, if known. */
  readonly gml: string | undefined;
}

/** The path of schema documents below a layer; their relative paths are kept, so that includes resolve. */
export const SCHEMA_PATH = 'wfs/schema';

/**
 * Returns undefined for a type without an application schema, or if it describes attributes that are hidden from the
 * principal. `root` is the address before the workspace.
 */
export async function findApplicationSchema(
  vectorData: FeatureServices['vectorData'],
  root: string,
  published: PublishedType,
): Promise<ApplicationSchema | undefined> {
  if (!vectorData.isMapping(published.records.store) || hasHiddenAttributes(published)) return undefined;
  const schema = await withHeldSource(vectorData, published, ({ schemas }, signal) =>
    schemas?.findSchema(published.records.type.nativeName, signal),
  );
  return schema && toApplicationSchema(schema, root, published);
}

/** Does the same with an opened source. */
export async function findApplicationSchemaIn(
  { schemas }: VectorSource,
  root: string,
  published: PublishedType,
  signal: AbortSignal,
): Promise<ApplicationSchema | undefined> {
  const schema = await schemas?.findSchema(published.records.type.nativeName, signal);
  return schema && toApplicationSchema(schema, root, published);
}

/** Reads a schema document of a mapping. */
export async function readSchemaDocument(
  vectorData: FeatureServices['vectorData'],
  published: PublishedType | undefined,
  path: string,
): Promise<ServiceReply> {
  const isFollowing =
    published !== undefined && vectorData.isMapping(published.records.store) && !hasHiddenAttributes(published);
  const body = isFollowing
    ? await withHeldSource(vectorData, published, ({ schemas }, signal) => schemas?.findDocument(path, signal))
    : undefined;
  if (body === undefined) throw problem('wfs-schema-unknown', { path });
  return { contentType: 'application/xml', body };
}

function hasHiddenAttributes({ attributes, records }: PublishedType): boolean {
  return attributes.length < records.type.attributes.length;
}

function toApplicationSchema(
  { element, documents, gml }: TypeSchema,
  root: string,
  { prefix, name }: PublishedType,
): ApplicationSchema | undefined {
  const own = [prefix, name].map(encodeURIComponent).join('/');
  const locations = documents.map((each) =>
    'address' in each
      ? each.address
      : `${root}/${own}/${SCHEMA_PATH}/${each.path.split('/').map(encodeURIComponent).join('/')}`,
  );
  return locations.length === 0 ? undefined : { element, locations, gml };
}

async function withHeldSource<T>(
  vectorData: FeatureServices['vectorData'],
  { records }: PublishedType,
  question: (source: VectorSource, signal: AbortSignal) => Promise<T> | undefined,
): Promise<T | undefined> {
  const held = await vectorData.acquireSource(records.store);
  try {
    return await held.within(async (signal) => question(held.source, signal));
  } finally {
    held.release();
  }
}
