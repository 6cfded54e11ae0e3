/** The location of a storage: a data directory or a PostgreSQL address. */
import { readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createFolder } from '../../lib/files/create-folder.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { openFiles } from '../../records/files/files.ts';
import { openPostgresSource, openPostgresTarget } from '../../storage/copy/postgres-storage.ts';
import { openSqliteSource, openSqliteTarget } from '../../storage/copy/sqlite-storage.ts';
import { type CopySource, type CopyTarget, shelves } from '../../storage/copy/tables.ts';
import {
  DataDirectoryInUse,
  type DataDirectoryLock,
  LOCK_FILE,
  lockDataDirectory,
} from '../../storage/data-directory-lock.ts';
import type { ObjectStore } from '../../storage/objects/port.ts';
import { recordProgramVersion } from '../../storage/port/program-version.ts';
import { type PostgresLocation, parsePostgresLocation } from '../../storage/postgres/connection/location.ts';
import { openPostgresStorage } from '../../storage/postgres/open.ts';
import { openSqliteStorage } from '../../storage/sqlite/open.ts';
import { DATABASE_FILE, GRANULES_FILE } from '../settings/data-directory.ts';
import { readVersion } from '../settings/version.ts';
import { recordKinds } from '../storage/record-kinds.ts';

export type StorageLocation =
  | { readonly kind: 'directory'; readonly directory: string; readonly shown: string }
  | { readonly kind: 'postgres'; readonly place: PostgresLocation; readonly shown: string };

/** Returns undefined for an invalid address. */
export function parseStorageLocation(text: string, folder: string): StorageLocation | undefined {
  if (!/^[a-z][a-z+]+:\/\//i.test(text)) {
    const directory = resolve(folder, text);
    return { kind: 'directory', directory, shown: `'${directory}'` };
  }
  const place = parsePostgresLocation(text);
  return place && { kind: 'postgres', place, shown: place.shown };
}

/** Migrates a storage as a server start would, and returns its last change. */
export async function migrateStorage(storage: StorageLocation): Promise<number> {
  const opened =
    storage.kind === 'directory'
      ? await openSqliteStorage({ file: join(storage.directory, DATABASE_FILE), clock: Date.now, kinds: recordKinds })
      : await openPostgresStorage({ location: storage.place, kinds: recordKinds });
  try {
    await recordProgramVersion(opened.notes, readVersion());
    return opened.position();
  } finally {
    await opened.close();
  }
}

/** An open source; `release` closes it and its locks. */
export interface OpenedSource<T> {
  readonly opened: T;
  release(): Promise<void>;
}

/** `objects` is the store of the larger files of a database. */
export async function openSource(storage: StorageLocation, objects?: ObjectStore): Promise<OpenedSource<CopySource>> {
  if (storage.kind === 'postgres') {
    await migrateStorage(storage);
    const opened = await openPostgresSource(storage.place, objects);
    return { opened, release: () => opened.close() };
  }
  const { directory } = storage;
  const names = await listNames(directory);
  if (!names.includes(DATABASE_FILE)) throw new Error('it contains no catalog');
  const lock = await lockDataDirectory(directory).catch((error: unknown) => {
    if (error instanceof DataDirectoryInUse) return undefined;
    throw error;
  });
  if (lock === undefined) return openRunningDirectory(directory);
  try {
    await migrateStorage(storage);
    // Unpack small files that are still stored together.
    const files = openFiles({ root: directory });
    await files.recover();
    await files.waitUntilIdle();
    const opened = openSqliteSource({ directory, database: join(directory, DATABASE_FILE) });
    return {
      opened,
      async release() {
        await opened.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** How long a server has time to give small files their own files. */
const BUNDLE_MS = 30_000;
const BUNDLE_INTERVAL_MS = 20;

/** Reads a snapshot beside a running server. A file that the server deletes meanwhile ends the copy. */
async function openRunningDirectory(directory: string): Promise<OpenedSource<CopySource>> {
  const opened = openSqliteSource({ directory, database: join(directory, DATABASE_FILE) });
  try {
    for (const shelf of shelves) await waitForBundles(join(directory, shelf, 'bundles'));
    return { opened, release: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Small files of the snapshot can still be stored together. */
async function waitForBundles(folder: string): Promise<void> {
  const bundles = new Set(await listNames(folder));
  for (const untilMs = performance.now() + BUNDLE_MS; ; await wait(BUNDLE_INTERVAL_MS)) {
    if ((await listNames(folder)).every((name) => !bundles.has(name))) return;
    if (performance.now() > untilMs) throw new Error('its server does not write its files. Stop the server');
  }
}

export interface OpenedTarget {
  readonly target: CopyTarget;
  /** The file for the granules of mosaics, if the target is a directory. */
  readonly granulesFile: string | undefined;
  /** Completes the copy: the target appears under its final name. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

/** Fills a directory under a temporary name, so that `--to` exists only once the copy is complete. */
export async function openTarget(storage: StorageLocation, hasObjects = false): Promise<OpenedTarget> {
  if (storage.kind === 'postgres') {
    const target = await openPostgresTarget(storage.place, hasObjects);
    const close = once(() => target.close());
    return { target, granulesFile: undefined, finish: close, abandon: close };
  }
  const { directory } = storage;
  const names = await listNames(directory);
  if (names.length > 0) throw new Error('it is not empty');
  const unfinished = `${directory}.unfinished`;
  await createFolder(unfinished);
  const lock = await lockUnfinished(unfinished);
  const target = await emptyFolder(unfinished)
    .then(() => openSqliteTarget({ directory: unfinished, database: join(unfinished, DATABASE_FILE) }))
    .catch((error: unknown) => {
      lock.release();
      throw error;
    });
  const close = once(() => target.close());
  let isRenamed = false;
  return {
    target,
    granulesFile: join(unfinished, GRANULES_FILE),
    async finish() {
      await close();
      // With the lock, so that no other copy begins in the folder.
      await rename(unfinished, directory);
      await rm(join(directory, LOCK_FILE), { force: true });
      lock.release();
      isRenamed = true;
    },
    async abandon() {
      await close();
      if (isRenamed) return;
      await rm(unfinished, { recursive: true, force: true });
      lock.release();
    },
  };
}

/** Another copy to the same directory would delete what this one has written. */
async function lockUnfinished(unfinished: string): Promise<DataDirectoryLock> {
  return lockDataDirectory(unfinished).catch((error: unknown) => {
    throw error instanceof DataDirectoryInUse ? new Error('another copy is writing it') : error;
  });
}

/** Deletes what an interrupted copy has left. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== LOCK_FILE) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** The names in a directory, none if it does not exist. */
async function listNames(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A copy that could not be completed is abandoned after it was closed. */
function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= close();
    return closed;
  };
}
