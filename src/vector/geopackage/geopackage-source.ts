/** GeoPackage behind the vector port: an embedded spatial database without installation. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ConnectionParameters, DriverContext } from '../port/driver.ts';
import type { Feature, VectorSource } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';
import { describeTable } from './describe.ts';
import { toFileProblem } from './failure.ts';
import { openForReading } from './open-file.ts';
import { readTable } from './read.ts';
import { computeRowBounds, countRows, selectRows } from './select.ts';
import { findTable, listTables, type Table } from './table.ts';
import { startWriting } from './write-session.ts';

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === 'true';
}

/** Copies the whole file in one step: a write between two steps would restart the copy. */
const ALL_PAGES = 2_147_483_647;

/** The file is opened for each call, because it can be replaced in between. */
export function openGeopackage(parameters: ConnectionParameters, context: DriverContext): VectorSource {
  const named = parameters['database'] ?? '';
  const exposesPrimaryKeys = isTrue(parameters['Expose primary keys']);

  let isClosed = false;
  const checkOpen = (signal: AbortSignal): void => {
    if (isClosed) throw new Error('The GeoPackage source is closed.');
    signal.throwIfAborted();
  };

  /** A missing file has no tables. */
  const withFile = async <T>(
    signal: AbortSignal,
    whenMissing: () => T,
    work: (database: DatabaseSync, file: string, sizeBytes: number) => T | Promise<T>,
  ): Promise<T> => {
    checkOpen(signal);
    const { path, sizeBytes } = await findFileLocation(named, context);
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
  };

  const getTable = (database: DatabaseSync, file: string, name: string): Table => {
    const table = findTable(database, file, name, exposesPrimaryKeys);
    if (table === undefined) throw problem('vector-type-unknown', { name });
    return table;
  };

  const withTable = <T>(
    name: string,
    signal: AbortSignal,
    work: (database: DatabaseSync, table: Table) => Promise<T>,
  ): Promise<T> =>
    withFile<T>(
      signal,
      () => {
        throw problem('vector-type-unknown', { name });
      },
      (database, file) => work(database, getTable(database, file, name)),
    );

  async function* readFromFile(
    name: string,
    signal: AbortSignal,
    read: (database: DatabaseSync, table: Table) => AsyncIterable<readonly Feature[]>,
  ): AsyncGenerator<readonly Feature[]> {
    checkOpen(signal);
    const { path, sizeBytes } = await findFileLocation(named, context);
    if (sizeBytes === 0) throw problem('vector-type-unknown', { name });
    let database: DatabaseSync | undefined;
    try {
      database = openForReading(path);
      yield* read(database, getTable(database, basename(path), name));
    } catch (error) {
      throw toFileProblem(error, path);
    } finally {
      database?.close();
    }
  }

  const source: VectorSource = {
    filters: true,
    listTypes: (signal) => withFile(signal, () => [], listTables),
    describe: (name, signal) =>
      withFile(
        signal,
        () => undefined,
        async (database, file, sizeBytes) => {
          const table = findTable(database, file, name, exposesPrimaryKeys);
          return table === undefined ? undefined : describeTable(database, table, sizeBytes, signal);
        },
      ),
    read: (name, query, signal) =>
      readFromFile(name, signal, (database, table) => readTable(database, table, query, signal)),
    async select(of, query, signal) {
      const batches = readFromFile(requireTypeName(of), signal, (database, table) =>
        selectRows(database, table, query, signal),
      );
      return { batches, remainder: {} };
    },
    count: (of, filter, signal) =>
      withTable(requireTypeName(of), signal, (database, table) => countRows(database, table, filter, signal)),
    bounds: (of, filter, signal) =>
      withTable(requireTypeName(of), signal, (database, table) => computeRowBounds(database, table, filter, signal)),
    copyTo: (target, signal) =>
      withFile(
        signal,
        () => {
          throw problem('vector-file-missing', { file: basename(named) });
        },
        async (database) => void (await backup(database, target, { rate: ALL_PAGES })),
      ),
    // A read in progress owns its connection and keeps it until it ends.
    close: async () => {
      isClosed = true;
    },
  };
  if (isTrue(parameters['read_only'])) return source;
  return {
    ...source,
    startWriting: async (signal) => {
      checkOpen(signal);
      const { path, exists } = await findFileLocation(named, context);
      const isNew = !exists && (await createFile(path));
      return startWriting(path, signal, { exposesPrimaryKeys, isNew });
    },
  };
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
