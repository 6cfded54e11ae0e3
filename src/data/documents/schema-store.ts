/** Where the schemas of collections are persisted: a folder with a file for each, one file, or a collection of a database. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { problem } from '../../lib/problem.ts';
import type { DocumentDatabase } from './database.ts';
import {
  type DocumentSchema,
  readDocumentSchema,
  SchemaMistake,
  schemaOf,
  writeDocumentSchema,
} from './document-schema.ts';

/** By the names of their types. */
export type DocumentSchemas = ReadonlyMap<string, DocumentSchema>;

/** What was made ready and is not there yet. */
export interface PreparedSchemas {
  commit(): Promise<void>;
  /** Leaves nothing of it. */
  rollback(): Promise<void>;
}

export interface SchemaStore {
  get(typeName: string, signal: AbortSignal): Promise<DocumentSchema | undefined>;
  typeNames(signal: AbortSignal): Promise<readonly string[]>;
  /** Makes schemas ready to take the place of those of the same types, and others to go; until then the old ones stay. */
  prepare(change: SchemaChange, signal: AbortSignal): Promise<PreparedSchemas>;
  close(): Promise<void>;
}

export interface SchemaChange {
  readonly put: readonly DocumentSchema[];
  readonly remove: readonly string[];
}

const MAX_SCHEMA_BYTES = 16_777_216;
const NOTHING: PreparedSchemas = { commit: async () => undefined, rollback: async () => undefined };

/** A folder need not be there: it is made with the first schema. */
export function openSchemaFolder(folder: string): SchemaStore {
  const fileOf = (typeName: string): string => join(folder, `${encodeURIComponent(typeName)}.json`);
  return {
    get: async (typeName) => {
      const text = await readSchemaFile(fileOf(typeName));
      return text === undefined ? undefined : asSchema(`${typeName}.json`, () => readDocumentSchema(text));
    },
    typeNames: async () => {
      const names = await orNone(readdir(folder), []);
      return names.flatMap((name) => {
        const [, encoded] = /^([^.].*)\.json$/.exec(name) ?? [];
        return encoded === undefined ? [] : [decodedName(encoded)];
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
          const to = fileOf(schema.typeName);
          const from = join(folder, `.${randomUUID()}.tmp`);
          written.push({ from, to });
          await failing(folder, writeDurably(from, writeDocumentSchema(schema)));
        }
      } catch (error) {
        await rollback();
        throw error;
      }
      return {
        rollback,
        commit: async () => {
          for (const { from, to } of written) await failing(folder, rename(from, to));
          for (const typeName of remove) await failing(folder, rm(fileOf(typeName), { force: true }));
          if (written.length + remove.length > 0) await syncFolder(folder);
        },
      };
    },
    close: async () => undefined,
  };
}

/** One file with one schema, or with a list of them. */
export function openSchemaFile(file: string): SchemaStore {
  const all = async (): Promise<DocumentSchemas> => {
    const text = await readSchemaFile(file);
    if (text === undefined || text.trim() === '') return new Map();
    return asSchema(basename(file), () => {
      const json = parsed(text);
      const schemas = (Array.isArray(json) ? json : [json]).map(schemaOf);
      return new Map(schemas.map((schema) => [schema.typeName, schema]));
    });
  };
  return {
    get: async (typeName) => (await all()).get(typeName),
    typeNames: async () => [...(await all()).keys()],
    prepare: async (change) => {
      // What cannot be read is in nobody's way when it is replaced.
      const current = await all().catch(() => new Map<string, DocumentSchema>());
      const next = new Map([...current].filter(([name]) => !change.remove.includes(name)));
      for (const schema of change.put) next.set(schema.typeName, schema);
      const folder = dirname(file);
      if (next.size === 0) return { ...NOTHING, commit: () => failing(folder, rm(file, { force: true })) };
      const texts = [...next.values()].map(writeDocumentSchema);
      const from = join(folder, `.${randomUUID()}.tmp`);
      const unmake = await makeFolder(folder);
      const rollback = async (): Promise<void> => {
        await rm(from, { force: true });
        await unmake();
      };
      try {
        await failing(folder, writeDurably(from, texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(',')}]`));
      } catch (error) {
        await rollback();
        throw error;
      }
      return {
        rollback,
        commit: async () => {
          await failing(folder, rename(from, file));
          await syncFolder(folder);
        },
      };
    },
    close: async () => undefined,
  };
}

/** A collection whose documents have the schemas, found by `typeName`. */
export function openSchemaCollection(database: DocumentDatabase, collection: string): SchemaStore {
  return {
    get: async (typeName, signal) => {
      const found = (await database.readNamed(collection, 'typeName', signal)).get(typeName);
      return found === undefined ? undefined : asSchema(`${typeName} in ${collection}`, () => schemaOf(found));
    },
    typeNames: async (signal) => [...(await database.readNamed(collection, 'typeName', signal)).keys()],
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

/** Schemas that came with an upload, which is never changed. */
export function asReadOnly(schemas: SchemaStore, name: string): SchemaStore {
  return {
    ...schemas,
    prepare: async ({ put, remove }) => {
      if (put.length + remove.length === 0) return NOTHING;
      throw problem('document-schemas-fixed', { name });
    },
  };
}

async function readSchemaFile(file: string): Promise<string | undefined> {
  const status = await orNone(stat(file), undefined);
  if (status === undefined) return undefined;
  const name = basename(file);
  if (!status.isFile()) throw problem('document-schema-invalid', { name, reason: 'it is no file' });
  if (status.size > MAX_SCHEMA_BYTES) {
    throw problem('document-schema-invalid', { name, reason: `it is larger than ${MAX_SCHEMA_BYTES} bytes` });
  }
  return orNone(readFile(file, 'utf8'), undefined);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SchemaMistake('it is no JSON');
  }
}

function asSchema<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SchemaMistake ? problem('document-schema-invalid', { name, reason: error.message }) : error;
  }
}

function decodedName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

async function orNone<T>(work: Promise<T>, none: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error) ?? '')) return none;
    if (['EACCES', 'EPERM'].includes(errorCode(error) ?? ''))
      throw unusable('schema_store', 'the server may not read it');
    throw error;
  }
}

const writeFailures: Readonly<Record<string, string>> = {
  EACCES: 'the server may not write there',
  EPERM: 'the server may not write there',
  EROFS: 'the server may not write there',
  ENOTDIR: 'it leads through a file',
  EEXIST: 'there is a file where a folder is expected',
  EISDIR: 'there is a folder where a file is expected',
  ENAMETOOLONG: 'the name of a type is too long for a file',
};

async function failing<T>(folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = writeFailures[errorCode(error) ?? ''];
    throw reason === undefined ? error : unusable(basename(folder), reason);
  }
}

function unusable(name: string, reason: string) {
  return problem('document-schemas-unwritable', { name, reason });
}

/** Makes it with those above it; what comes back removes those that were not there, as far as they are empty. */
async function makeFolder(folder: string): Promise<() => Promise<void>> {
  const first = await failing(folder, mkdir(folder, { recursive: true, mode: 0o700 }));
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
