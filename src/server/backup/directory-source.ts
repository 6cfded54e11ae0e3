/**
 * A data directory at one moment, while its server writes. All GeoPackages are locked against commits for the moment in
 * which the state of the catalog is taken; then they are copied, and each is free again. A GeoPackage is the only file
 * that changes in place.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
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
  const moment = takeMoment(options);
  try {
    const entries = saveServerKey(moment.serverKey, await copyDatabases(moment, staging), staging);
    await backup(moment.catalog, join(staging, DATABASE_FILE), { rate: ALL_PAGES });
    const hasGranules = await copyGranuleFile(dataDir, staging);
    const rows = openSqliteSource({ directory: dataDir, database: join(staging, DATABASE_FILE) });
    return {
      rows,
      blobFolder: (shelf) => join(dataDir, shelf),
      async readGranules(work) {
        if (!hasGranules) return work(undefined);
        // Its many modules take longer to load than all granules of most servers to copy.
        const { readGranules } = await import('../../raster/granules/copy/granule-copies.ts');
        return readGranules({ file: join(staging, GRANULES_FILE) }, work);
      },
      entries,
      close: () => rows.close(),
    };
  } finally {
    releaseMoment(moment);
  }
}

type FileEntry = Extract<DirectoryEntry, { readonly kind: 'file' }>;

/** Another program keeps a GeoPackage locked. */
export class LockedFile extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`The file '${path}' is locked.`, { cause });
    this.path = path;
  }
}

/** The catalog and all GeoPackages, of which none was committed since the state of the catalog. */
interface Moment {
  readonly catalog: DatabaseSync;
  readonly entries: readonly DirectoryEntry[];
  /** By path. */
  readonly locked: Map<string, DatabaseSync>;
  /** The server key that fits the catalog, if it is in the data directory. */
  readonly serverKey: Buffer | undefined;
}

const SERVER_KEY_PATH = 'security/server.key';

/** Copies the key: a rotation can replace the file before it is read. */
function saveServerKey(
  key: Buffer | undefined,
  entries: readonly DirectoryEntry[],
  staging: string,
): readonly DirectoryEntry[] {
  if (key === undefined) return entries;
  const file = join(staging, 'server.key');
  writeFileSync(file, key, { mode: 0o600 });
  return entries.map((entry) => (entry.path === SERVER_KEY_PATH && entry.kind === 'file' ? { ...entry, file } : entry));
}

function readServerKey(dataDir: string): Buffer | undefined {
  const file = join(dataDir, SERVER_KEY_PATH);
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** A file that is created between the list and the moment needs another attempt; it is hardly ever needed. */
const ATTEMPTS = 5;

function takeMoment({ dataDir, includeTiles }: DirectorySourceOptions): Moment {
  for (let attempt = 1; ; attempt += 1) {
    const catalog = openReader(join(dataDir, DATABASE_FILE));
    const locked = new Map<string, DatabaseSync>();
    try {
      lockDatabases(listDirectoryEntries(dataDir, includeTiles), locked);
      const serverKey = readServerKey(dataDir);
      // From here on the reader sees this state.
      beginReading(catalog);
      const entries = listDirectoryEntries(dataDir, includeTiles);
      const count = locked.size;
      lockDatabases(entries, locked);
      // The keystore accepts both keys until the file is replaced: a key that has not changed since fits the catalog.
      const isSameKey = isEqual(serverKey, readServerKey(dataDir));
      if ((locked.size === count && isSameKey) || attempt === ATTEMPTS) return { catalog, entries, locked, serverKey };
    } catch (error) {
      releaseMoment({ catalog, locked });
      throw error;
    }
    releaseMoment({ catalog, locked });
  }
}

function isEqual(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}

function releaseMoment({ catalog, locked }: Pick<Moment, 'catalog' | 'locked'>): void {
  catalog.close();
  for (const database of locked.values()) if (database.isOpen) database.close();
}

function lockDatabases(entries: readonly DirectoryEntry[], locked: Map<string, DatabaseSync>): void {
  for (const entry of entries) {
    if (entry.kind !== 'file' || !/\.gpkg$/i.test(entry.path) || locked.has(entry.path)) continue;
    const database = lockDatabase(entry);
    if (database !== undefined) locked.set(entry.path, database);
  }
}

/** Prevents commits; returns undefined for a file that SQLite cannot read, which is copied as it is. */
function lockDatabase({ path, file }: Pick<FileEntry, 'path' | 'file'>): DatabaseSync | undefined {
  try {
    return openForBackup(file);
  } catch (error) {
    if (hasCode(error, SQLITE_BUSY)) throw new LockedFile(path, error);
    if (!hasCode(error, SQLITE_READONLY)) return undefined;
  }
  // A writer was killed: only a writing connection can undo its work.
  const writer = new DatabaseSync(file, { timeout: LOCK_MS, defensive: true });
  try {
    beginReading(writer);
  } finally {
    writer.close();
  }
  return openForBackup(file);
}

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;

/** The lowest byte of a result code is its kind. */
function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === code;
}

function openForBackup(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_MS, defensive: true });
  try {
    beginReading(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function beginReading(database: DatabaseSync): void {
  database.exec('BEGIN');
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
}

async function copyDatabases({ entries, locked }: Moment, staging: string): Promise<readonly DirectoryEntry[]> {
  const folder = join(staging, 'databases');
  mkdirSync(folder, { mode: 0o700 });
  const copies = new Map<string, string>();
  for (const [path, database] of locked) {
    const file = join(folder, String(copies.size));
    await backup(database, file, { rate: ALL_PAGES });
    database.close();
    copies.set(path, file);
  }
  return entries.map((entry) => {
    const file = copies.get(entry.path);
    return file === undefined || entry.kind !== 'file' ? entry : { ...entry, file };
  });
}

/**
 * Copied after the catalog: a later version of a mosaic is harmless, a missing one is not. Returns whether there is a
 * file; it is created with the first granule.
 */
async function copyGranuleFile(dataDir: string, staging: string): Promise<boolean> {
  const file = join(dataDir, GRANULES_FILE);
  if (!existsSync(file)) return false;
  const granules = openReader(file);
  try {
    await backup(granules, join(staging, GRANULES_FILE), { rate: ALL_PAGES });
    return true;
  } finally {
    granules.close();
  }
}
