/** GeoPackage behind the vector port: an embedded spatial database without installation. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ConnectionParameters, DriverContext } from '../port/driver.ts';
import type { Feature, VectorSource, WriteSession } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';
import { describeTable } from './describe.ts';
import { toFileProblem } from './failure.ts';
import { openForReading } from './open-file.ts';
import { readTable } from './read.ts';
import { computeRowBounds, countRows, selectRows } from './select.ts';
import { findTable, listTables, type Table } from './table.ts';
import { computeStatistics } from './value-statistics.ts';
import { startWriting } from './write-session.ts';

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === 'true';
}

/** Copies the whole file in one step: a write between two steps would restart the copy. */
const ALL_PAGES = 2_147_483_647;

export function openGeopackage(parameters: ConnectionParameters, context: DriverContext): VectorSource {
  const file = new GeopackageFile(parameters, context);
  const source: VectorSource = {
    filters: true,
    listTypes: (signal) => file.use(signal, () => [], listTables),
    describe: (name, signal) =>
      file.use(
        signal,
        () => undefined,
        async (database, fileName, sizeBytes) => {
          const table = findTable(database, fileName, name, file.exposesPrimaryKeys);
          return table === undefined ? undefined : describeTable(database, table, sizeBytes, signal);
        },
      ),
    read: (name, query, signal) =>
      file.read(name, signal, (database, table) => readTable(database, table, query, signal)),
    async select(of, query, signal) {
      const batches = file.read(requireTypeName(of), signal, (database, table) =>
        selectRows(database, table, query, signal),
      );
      return { batches, remainder: {} };
    },
    count: (of, filter, signal) =>
      file.useTable(requireTypeName(of), signal, (database, table) => countRows(database, table, filter, signal)),
    bounds: (of, filter, signal) =>
      file.useTable(requireTypeName(of), signal, (database, table) =>
        computeRowBounds(database, table, filter, signal),
      ),
    computeStatistics: (of, request, signal) =>
      file.useTable(requireTypeName(of), signal, (database, table) =>
        computeStatistics(database, table, request, signal),
      ),
    copyTo: (target, signal) =>
      file.use(
        signal,
        () => {
          throw problem('vector-file-missing', { file: basename(file.named) });
        },
        async (database) => void (await backup(database, target, { rate: ALL_PAGES })),
      ),
    // A read in progress owns its connection and keeps it until it ends.
    close: async () => file.close(),
  };
  return isTrue(parameters['read_only']) ? source : { ...source, startWriting: (signal) => file.startWriting(signal) };
}

/** The file is opened for each call, because it can be replaced in between. */
class GeopackageFile {
  /** The path in the parameters. */
  readonly named: string;
  readonly exposesPrimaryKeys: boolean;
  readonly #context: DriverContext;
  #isClosed = false;

  constructor(parameters: ConnectionParameters, context: DriverContext) {
    this.named = parameters['database'] ?? '';
    this.exposesPrimaryKeys = isTrue(parameters['Expose primary keys']);
    this.#context = context;
  }

  /** A missing file has no tables. */
  async use<T>(
    signal: AbortSignal,
    whenMissing: () => T,
    work: (database: DatabaseSync, file: string, sizeBytes: number) => T | Promise<T>,
  ): Promise<T> {
    const { path, sizeBytes } = await this.#locate(signal);
    if (sizeBytes === 0) return whenMissing();
    let database: DatabaseSync | undefined;
    try {
      database = openForReading(path);
      return await work(database, basename(path), sizeBytes);
    } catch (error) {
      throw toFileProblem(error, path);
    } finally {
      database?.close();
    }
  }

  useTable<T>(
    name: string,
    signal: AbortSignal,
    work: (database: DatabaseSync, table: Table) => Promise<T>,
  ): Promise<T> {
    return this.use<T>(
      signal,
      () => {
        throw problem('vector-type-unknown', { name });
      },
      (database, file) => work(database, this.#getTable(database, file, name)),
    );
  }

  async *read(
    name: string,
    signal: AbortSignal,
    read: (database: DatabaseSync, table: Table) => AsyncIterable<readonly Feature[]>,
  ): AsyncGenerator<readonly Feature[]> {
    const { path, sizeBytes } = await this.#locate(signal);
    if (sizeBytes === 0) throw problem('vector-type-unknown', { name });
    let database: DatabaseSync | undefined;
    try {
      database = openForReading(path);
      yield* read(database, this.#getTable(database, basename(path), name));
    } catch (error) {
      throw toFileProblem(error, path);
    } finally {
      database?.close();
    }
  }

  async startWriting(signal: AbortSignal): Promise<WriteSession> {
    const { path, exists } = await this.#locate(signal);
    const isNew = !exists && (await createFile(path));
    return startWriting(path, signal, { exposesPrimaryKeys: this.exposesPrimaryKeys, isNew });
  }

  close(): void {
    this.#isClosed = true;
  }

  async #locate(signal: AbortSignal): Promise<FileLocation> {
    if (this.#isClosed) throw new Error('The GeoPackage source is closed.');
    signal.throwIfAborted();
    return findFileLocation(this.named, this.#context);
  }

  #getTable(database: DatabaseSync, file: string, name: string): Table {
    const table = findTable(database, file, name, this.exposesPrimaryKeys);
    if (table === undefined) throw problem('vector-type-unknown', { name });
    return table;
  }
}

/** SQL views are not supported on files. */
function requireTypeName(of: string | SqlView): string {
  if (typeof of !== 'string') throw new Error('GeoPackage stores do not support SQL views.');
  return of;
}

/** Returns whether the file was created; never follows a link or overwrites a file. */
async function createFile(path: string): Promise<boolean> {
  try {
    const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY);
    await file.close();
    return true;
  } catch (error) {
    if (findErrorCode(error) === 'EEXIST') return false;
    throw toFileProblem(error, path);
  }
}

/** The location of the file, resolved for each call because files can move. */
interface FileLocation {
  readonly path: string;
  /** 0 for a missing file, or one that was created and never filled. */
  readonly sizeBytes: number;
  readonly exists: boolean;
}

/** A missing file can be created later if its folder exists and its name is that of a GeoPackage. */
async function findFileLocation(named: string, context: DriverContext): Promise<FileLocation> {
  const path = await context.resolvePath(named);
  const file = basename(path);
  const status = await stat(path).catch(() => undefined);
  if (status !== undefined) {
    if (!status.isFile()) throw problem('vector-file-unreadable', { file, reason: 'it is not a regular file' });
    return { path, sizeBytes: status.size, exists: true };
  }
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (!/\.gpkg$/i.test(file) || !folder?.isDirectory()) throw problem('vector-file-missing', { file });
  return { path, sizeBytes: 0, exists: false };
}
