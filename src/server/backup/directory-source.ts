/**
 * A data directory at one moment, while its server writes. All GeoPackages are locked against commits for the moment in
 * which the state of the catalog is taken; then they are copied, and each is free again. A GeoPackage is the only file
 * that changes in place.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { readGranules } from '../../raster/granules/copy/granule-copies.ts';
import { openSqliteSource } from '../../storage/copy/sqlite-storage.ts';
import { openReader } from '../../storage/sqlite/connection.ts';
import { DATABASE_FILE, GRANULES_FILE } from '../settings/data-directory.ts';
import type { BackupSource, DirectoryEntry } from './backup-source.ts';
import { listDirectoryEntries } from './directory-entries.ts';

/** Copies the whole file in one step: a write between two steps would restart the copy. */
const ALL_PAGES = 2_147_483_647;

/** How long a GeoPackage whose writer is committing is waited for. */
const LOCK_MS = 5_000;

export interface DirectorySourceOptions {
  readonly dataDir: string;
  /** An empty folder for copies. */
  readonly staging: string;
  readonly includeTiles: boolean;
}

export async function openDirectorySource(options: DirectorySourceOptions): Promise<BackupSource> {
  const { dataDir, staging } = options;
  const listed = listDirectoryEntries(dataDir, options.includeTiles);
  const locked = new Map<DirectoryEntry, DatabaseSync>();
  const catalog = openReader(join(dataDir, DATABASE_FILE));
  try {
    for (const entry of listed) {
      const database = entry.kind === 'file' ? lockDatabase(entry.file) : undefined;
      if (database !== undefined) locked.set(entry, database);
    }
    // The moment of the backup: from here on the reader sees this state, and no GeoPackage was committed since.
    beginReading(catalog);
    const entries = await copyDatabases(listed, locked, staging);
    await backup(catalog, join(staging, DATABASE_FILE), { rate: ALL_PAGES });
    await copyGranuleFile(dataDir, staging);
    const rows = openSqliteSource({ directory: dataDir, database: join(staging, DATABASE_FILE) });
    return {
      rows,
      blobFolder: (shelf) => join(dataDir, shelf),
      readGranules: (work) => readGranules({ file: join(staging, GRANULES_FILE) }, work),
      entries,
      close: () => rows.close(),
    };
  } finally {
    catalog.close();
    for (const database of locked.values()) if (database.isOpen) database.close();
  }
}

/** Prevents commits; returns undefined for files that are not databases. */
function lockDatabase(file: string): DatabaseSync | undefined {
  if (!/\.gpkg$/i.test(file)) return undefined;
  const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_MS, defensive: true });
  try {
    beginReading(database);
    return database;
  } catch (error) {
    database.close();
    if (isNoDatabase(error)) return undefined;
    throw error;
  }
}

function beginReading(database: DatabaseSync): void {
  database.exec('BEGIN');
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
}

/** SQLITE_NOTADB, also for an empty file with a wrong name. */
function isNoDatabase(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 26;
}

async function copyDatabases(
  listed: readonly DirectoryEntry[],
  locked: ReadonlyMap<DirectoryEntry, DatabaseSync>,
  staging: string,
): Promise<readonly DirectoryEntry[]> {
  const folder = join(staging, 'databases');
  mkdirSync(folder, { mode: 0o700 });
  const copies = new Map<DirectoryEntry, string>();
  for (const [entry, database] of locked) {
    const file = join(folder, String(copies.size));
    await backup(database, file, { rate: ALL_PAGES });
    database.close();
    copies.set(entry, file);
  }
  return listed.map((entry) => {
    const file = copies.get(entry);
    return file === undefined || entry.kind !== 'file' ? entry : { ...entry, file };
  });
}

/** Copied after the catalog: a later version of a mosaic is harmless, a missing one is not. */
async function copyGranuleFile(dataDir: string, staging: string): Promise<void> {
  let granules: DatabaseSync;
  try {
    granules = openReader(join(dataDir, GRANULES_FILE));
  } catch {
    // The file is created with the first granule.
    return;
  }
  try {
    await backup(granules, join(staging, GRANULES_FILE), { rate: ALL_PAGES });
  } finally {
    granules.close();
  }
}
