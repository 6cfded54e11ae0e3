/**
 * Deletes and rebuilds the persisted schemas of a document store; the old ones stay until the new ones are complete.
 */
import { createHash } from 'node:crypto';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { ConnectionParameters, DriverContext } from '../port/driver.ts';
import type { PersistedSchemas, PreparedSchemaChange, SchemaOptions } from '../port/internal-stores.ts';
import type { DocumentDatabase } from './database.ts';
import { type DocumentSchema, writeDocumentSchema } from './document-schema.ts';
import { inferCollection } from './document-source.ts';
import { openDocuments } from './open-documents.ts';
import type { SchemaChange, SchemaStore } from './schema-store.ts';

export interface MaintainedDocuments {
  readonly parameters: ConnectionParameters;
  readonly context: DriverContext;
  /** The collections that mapped types use. */
  readonly types: readonly string[];
}

/** Connections are opened for each operation and closed after it, because it is rare. */
export function createPersistedSchemas({ parameters, context, types }: MaintainedDocuments): PersistedSchemas {
  const withDocuments = async (
    signal: AbortSignal,
    work: (database: DocumentDatabase, schemas: SchemaStore) => Promise<PreparedChange>,
  ): Promise<PreparedSchemaChange> => {
    const { database, schemas } = await openDocuments(parameters, context);
    const close = async (): Promise<void> => {
      await Promise.allSettled([database.close(), schemas.close()]);
    };
    try {
      const { change, ...result } = await work(database, schemas);
      const prepared = await schemas.prepare(change, signal);
      return {
        ...result,
        schemas: change.put.map((schema) => ({ type: schema.typeName, digest: computeDigest(schema) })),
        commit: () => prepared.commit().finally(close),
        rollback: () => prepared.rollback().finally(close),
      };
    } catch (error) {
      await close();
      throw error;
    }
  };
  return {
    prepareClean: (signal) =>
      withDocuments(signal, async (_database, schemas) => ({
        change: { put: [], remove: await listPersistedTypes(schemas, types, signal) },
        foundIds: [],
        warnings: [],
      })),
    prepareRebuild: (wish, signal, progress) =>
      withDocuments(signal, (database, schemas) =>
        rebuildSchemas(database, schemas, types, { ...wish, signal, progress }),
      ),
  };
}

interface PreparedChange {
  readonly change: SchemaChange;
  readonly foundIds: readonly string[];
  readonly warnings: readonly string[];
}

async function rebuildSchemas(
  database: DocumentDatabase,
  schemas: SchemaStore,
  used: readonly string[],
  { signal, progress, sample, type }: SchemaOptions & { readonly signal: AbortSignal; readonly progress: () => void },
): Promise<PreparedChange> {
  const collections = new Set(await database.listCollections(signal));
  if (type !== undefined && !used.includes(type) && !collections.has(type)) {
    throw problem('document-type-unknown', { name: type });
  }
  const put: DocumentSchema[] = [];
  const foundIds: string[] = [];
  const warnings: string[] = [];
  for (const name of type === undefined ? used : [type]) {
    const inferred = collections.has(name)
      ? await inferCollection(database, name, sample, { signal, progress })
      : undefined;
    if (inferred === undefined || inferred.schema.attributes.length === 0) {
      warnings.push(`The collection '${name}' has no documents with fields, so it no longer has a schema.`);
      continue;
    }
    put.push(inferred.schema);
    foundIds.push(...inferred.foundIds);
    warnings.push(...inferred.warnings.map((each) => `Collection '${name}': ${each}`));
  }
  const kept = new Set(put.map(({ typeName }) => typeName));
  const old = type === undefined ? await listPersistedTypes(schemas, used, signal) : [type];
  return { change: { put, remove: old.filter((each) => !kept.has(each)) }, foundIds, warnings };
}

/** Lists valid schemas, and those of mapped types in any state; a folder can contain other files. */
async function listPersistedTypes(
  schemas: SchemaStore,
  used: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  const names = await schemas.listTypeNames(signal).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'document-schema-invalid') return used;
    throw error;
  });
  for (const name of new Set(names)) {
    try {
      if ((await schemas.get(name, signal))?.typeName === name) found.push(name);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'document-schema-invalid') throw error;
      if (used.includes(name)) found.push(name);
    }
  }
  return found;
}

function computeDigest(schema: DocumentSchema): string {
  return createHash('sha256').update(writeDocumentSchema(schema)).digest('hex');
}
