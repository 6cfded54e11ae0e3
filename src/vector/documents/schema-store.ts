/** Persists the schemas of collections: in a folder with a file each, in one file, or in a database collection. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { DocumentDatabase } from './database.ts';
import {
  type DocumentSchema,
  parseSchema,
  readDocumentSchema,
  SchemaError,
  writeDocumentSchema,
} from './document-schema.ts';

/** By type name. */
export type DocumentSchemas = ReadonlyMap<string, DocumentSchema>;

/** Prepared changes that are not yet visible. */
export interface PreparedSchemas {
  commit(): Promise<void>;
  /** Discards the changes. */
  rollback(): Promise<void>;
}

export interface SchemaStore {
  get(typeName: string, signal: AbortSignal): Promise<DocumentSchema | undefined>;
  listTypeNames(signal: AbortSignal): Promise<readonly string[]>;
  /** Prepares schemas to replace or delete; until the commit the old ones stay. */
  prepare(change: SchemaChange, signal: AbortSignal): Promise<PreparedSchemas>;
  close(): Promise<void>;
}

export interface SchemaChange {
  readonly put: readonly DocumentSchema[];
  readonly remove: readonly string[];
}

/** A schema is held in memory; large ones have some megabytes. */
const MAX_SCHEMA_BYTES = 16_777_216;
const NO_CHANGE: PreparedSchemas = { commit: async () => undefined, rollback: async () => undefined };

/** The folder is created with the first schema. */
export function openSchemaFolder(folder: string): SchemaStore {
  const toFilePath = (typeName: string): string => join(folder, `${encodeURIComponent(typeName)}.json`);
  return {
    get: async (typeName) => {
      const text = await readSchemaFile(toFilePath(typeName));
      return text === undefined ? undefined : withSchemaErrors(`${typeName}.json`, () => readDocumentSchema(text));
    },
    listTypeNames: async () => {
      const names = await defaultIfMissing(readdir(folder), []);
      return names.flatMap((name) => {
        const [, encoded] = /^([^.].*)\.json$/.exec(name) ?? [];
        return encoded === undefined ? [] : [decodeName(encoded)];
      });
    },
    prepare: async ({ put, remove }) => {
      const unmake = put.length > 0 ? await makeFolder(folder) : async () => undefined;
      const written: { readonly from: string; readonly to: string }[] = [];
      const rollback = async (): Promise<void> => {
        for (const { from } of written) await rm(from, { force: true });
        await unmake();
      };
      try {
        for (const schema of put) {
          const to = toFilePath(schema.typeName);
          const from = join(folder, `.${randomUUID()}.tmp`);
          written.push({ from, to });
          await withWriteErrors(folder, writeDurably(from, writeDocumentSchema(schema)));
        }
      } catch (error) {
        await rollback();
        throw error;
      }
      return {
        rollback,
        commit: async () => {
          for (const { from, to } of written) await withWriteErrors(folder, rename(from, to));
          for (const typeName of remove) await withWriteErrors(folder, rm(toFilePath(typeName), { force: true }));
          if (written.length + remove.length > 0) await syncFolder(folder);
        },
      };
    },
    close: async () => undefined,
  };
}

/** A file with one schema or a list of schemas. */
export function openSchemaFile(file: string): SchemaStore {
  const readAll = async (): Promise<DocumentSchemas> => {
    const text = await readSchemaFile(file);
    if (text === undefined || text.trim() === '') return new Map();
    return withSchemaErrors(basename(file), () => {
      const json = parseJson(text);
      const schemas = (Array.isArray(json) ? json : [json]).map(parseSchema);
      return new Map(schemas.map((schema) => [schema.typeName, schema]));
    });
  };
  return {
    get: async (typeName) => (await readAll()).get(typeName),
    listTypeNames: async () => [...(await readAll()).keys()],
    prepare: async (change) => {
      // An invalid file is simply replaced.
      const current = await readAll().catch(() => new Map<string, DocumentSchema>());
      const next = new Map([...current].filter(([name]) => !change.remove.includes(name)));
      for (const schema of change.put) next.set(schema.typeName, schema);
      const folder = dirname(file);
      if (next.size === 0) return { ...NO_CHANGE, commit: () => withWriteErrors(folder, rm(file, { force: true })) };
      const texts = [...next.values()].map(writeDocumentSchema);
      const from = join(folder, `.${randomUUID()}.tmp`);
      const unmake = await makeFolder(folder);
      const rollback = async (): Promise<void> => {
        await rm(from, { force: true });
        await unmake();
      };
      try {
        await withWriteErrors(
          folder,
          writeDurably(from, texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(',')}]`),
        );
      } catch (error) {
        await rollback();
        throw error;
      }
      return {
        rollback,
        commit: async () => {
          await withWriteErrors(folder, rename(from, file));
          await syncFolder(folder);
        },
      };
    },
    close: async () => undefined,
  };
}

/** A collection of schema documents, identified by `typeName`. */
export function openSchemaCollection(database: DocumentDatabase, collection: string): SchemaStore {
  return {
    get: async (typeName, signal) => {
      const found = (await database.readNamed(collection, 'typeName', signal)).get(typeName);
      return found === undefined
        ? undefined
        : withSchemaErrors(`${typeName} in ${collection}`, () => parseSchema(found));
    },
    listTypeNames: async (signal) => [...(await database.readNamed(collection, 'typeName', signal)).keys()],
    prepare: async ({ put, remove }, signal) => ({
      rollback: async () => undefined,
      commit: () => {
        const documents = put.map((each) => [each.typeName, JSON.parse(writeDocumentSchema(each))] as const);
        return database.replaceNamed(collection, 'typeName', { put: new Map(documents), remove }, signal);
      },
    }),
    close: () => database.close(),
  };
}

/** Schemas of an upload, which is never changed. */
export function toReadOnly(schemas: SchemaStore, name: string): SchemaStore {
  return {
    ...schemas,
    prepare: async ({ put, remove }) => {
      if (put.length + remove.length === 0) return NO_CHANGE;
      throw problem('document-schemas-fixed', { name });
    },
  };
}

async function readSchemaFile(file: string): Promise<string | undefined> {
  const status = await defaultIfMissing(stat(file), undefined);
  if (status === undefined) return undefined;
  const name = basename(file);
  if (!status.isFile()) throw problem('document-schema-invalid', { name, reason: 'it is not a regular file' });
  if (status.size > MAX_SCHEMA_BYTES) {
    throw problem('document-schema-invalid', { name, reason: `it exceeds ${MAX_SCHEMA_BYTES} bytes` });
  }
  return defaultIfMissing(readFile(file, 'utf8'), undefined);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SchemaError('it is not valid JSON');
  }
}

function withSchemaErrors<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SchemaError ? problem('document-schema-invalid', { name, reason: error.message }) : error;
  }
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

async function defaultIfMissing<T>(work: Promise<T>, none: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(findErrorCode(error) ?? '')) return none;
    if (['EACCES', 'EPERM'].includes(findErrorCode(error) ?? ''))
      throw createUnwritableProblem('schema_store', 'the server has no permission to read it');
    throw error;
  }
}

const writeFailures: Readonly<Record<string, string>> = {
  EACCES: 'the server has no permission to write to it',
  EPERM: 'the server has no permission to write to it',
  EROFS: 'the server has no permission to write to it',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file exists where a folder is expected',
  EISDIR: 'a folder exists where a file is expected',
  ENAMETOOLONG: 'the type name is too long for a file name',
};

async function withWriteErrors<T>(folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = writeFailures[findErrorCode(error) ?? ''];
    throw reason === undefined ? error : createUnwritableProblem(basename(folder), reason);
  }
}

function createUnwritableProblem(name: string, reason: string) {
  return problem('document-schemas-unwritable', { name, reason });
}

/** Creates missing folders; the returned function deletes those that were created and are still empty. */
async function makeFolder(folder: string): Promise<() => Promise<void>> {
  const first = await withWriteErrors(folder, mkdir(folder, { recursive: true, mode: 0o700 }));
  return async () => {
    if (first === undefined) return;
    for (let path = folder; path.length >= first.length; path = dirname(path)) {
      const isRemoved = await rmdir(path).then(
        () => true,
        () => false,
      );
      if (!isRemoved) return;
    }
  };
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
