/** Schemas that people have written down themselves, which types of mappings follow: where they are, and what they say. */

import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { QualifiedName } from '../../../vector/port/mapping.ts';
import type { TypeSchema, VectorSource } from '../../../vector/port/port.ts';
import type { FeatureServices } from '../../access/feature-access.ts';
import type { PublishedType } from '../../access/published-type.ts';

export interface ApplicationSchema {
  /** What features of the type are in documents. */
  readonly element: QualifiedName;
  /** Where the documents are to be had that declare it. */
  readonly locations: readonly string[];
  /** The namespace of the GML that they build on, where it is known. */
  readonly gml: string | undefined;
}

/** Below a layer: there its documents are, under the paths by which they include each other. */
export const SCHEMA_PATH = 'wfs/schema';

/** Undefined for a type that follows from its data. `root` is the address before all workspaces. */
export async function findApplicationSchema(
  vectorData: FeatureServices['vectorData'],
  root: string,
  published: PublishedType,
): Promise<ApplicationSchema | undefined> {
  if (!vectorData.isMapping(published.records.store)) return undefined;
  const schema = await withHeldSource(vectorData, published, ({ schemas }, signal) =>
    schemas?.findSchema(published.records.type.nativeName, signal),
  );
  return schema && toApplicationSchema(schema, root, published);
}

/** The same where the source is open anyway. */
export async function findApplicationSchemaIn(
  { schemas }: VectorSource,
  root: string,
  published: PublishedType,
  signal: AbortSignal,
): Promise<ApplicationSchema | undefined> {
  const schema = await schemas?.findSchema(published.records.type.nativeName, signal);
  return schema && toApplicationSchema(schema, root, published);
}

/** One of the documents that come with a mapping. */
export async function readSchemaDocument(
  vectorData: FeatureServices['vectorData'],
  published: PublishedType | undefined,
  path: string,
): Promise<ServiceReply> {
  const isFollowing = published !== undefined && vectorData.isMapping(published.records.store);
  const body = isFollowing
    ? await withHeldSource(vectorData, published, ({ schemas }, signal) => schemas?.findDocument(path, signal))
    : undefined;
  if (body === undefined) throw problem('wfs-schema-unknown', { path });
  return { contentType: 'application/xml', body };
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
