/** The data directory at start-up: created if missing, rejected if it belongs to another program, and locked. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../lib/files/create-folder.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { type DataDirectoryLock, lockDataDirectory } from '../../storage/data-directory-lock.ts';
import { SettingError } from './settings.ts';

/** Exists in every data directory that a server has started in. */
export const DATABASE_FILE = 'graticule.sqlite';

/** Replaces the database file if the catalog is in PostgreSQL and the directory holds only the files of one node. */
const NODE_FILE = 'graticule.node';

/** The granules of mosaics without their own database; created with the first granule. */
export const GRANULES_FILE = 'granules.sqlite';

/** The locks of features of a server without `--storage`; created with the first lock. */
export const FEATURE_LOCKS_FILE = 'feature-locks.sqlite';

/** Lists the database indexes to drop. */
export const DROPS_FOLDER = 'index-drops';

/** The log of file operations below `data` that belong to the current change. */
export const DATA_WRITES_FOLDER = 'data-writes';

/** Indexes of data files; rebuilt if missing. */
export const RECORD_INDEXES_FOLDER = 'record-indexes';

/** Fonts that an operator puts there. */
export const FONTS_FOLDER = 'fonts';

/** Uploaded fonts as files for the drawing library; created again after a start. */
export const FONT_COPIES_FOLDER = 'font-copies';

/** Disk space reserved for deletions (`storage/files/disk-reserve.ts`). */
export const RESERVE_FILE = 'disk.reserve';

/**
 * Entries that may exist before the database file: left by an interrupted start, by an operator or by the file system.
 */
const harmlessEntries: ReadonlySet<string> = new Set([
  'server.lock',
  'data',
  'security',
  'staging',
  'app-schema-cache',
  FONTS_FOLDER,
  RESERVE_FILE,
  'lost+found',
]);

/** `isNode`: the catalog is in PostgreSQL. */
export async function claimDataDirectory(directory: string, { isNode = false } = {}): Promise<DataDirectoryLock> {
  try {
    checkEntries(await listNames(directory), isNode);
    // Create the `data` folder as well: stores create databases in it, but not the folder itself.
    await createFolder(join(directory, 'data'));
    const lock = await lockDataDirectory(directory);
    if (isNode) await writeFile(join(directory, NODE_FILE), '', { mode: 0o600 });
    return lock;
  } catch (error) {
    throw createUnusableError(`Cannot use --data-dir '${directory}'`, error);
  }
}

/** Throws for the directory of another program, or of a server with another kind of storage. */
export function checkEntries(names: readonly string[], isNode: boolean): void {
  const foreign = findForeignEntry(names);
  if (foreign !== undefined) {
    throw new Error(`it contains '${foreign}' but no Graticule data. Use an empty or a new directory`);
  }
  if (names.includes(isNode ? DATABASE_FILE : NODE_FILE)) {
    throw new Error(
      isNode
        ? 'it contains a catalog, but --storage is set. Use another directory'
        : 'it belongs to a node with --storage. Set the same --storage, or use another directory',
    );
  }
}

export function createUnusableError(what: string, error: unknown): SettingError {
  const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  return new SettingError(`${what}: ${reason}.`, { cause: error });
}

async function listNames(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch((error: unknown): readonly string[] => {
    if (findErrorCode(error) === 'ENOENT') {
      return [];
    }
    throw error;
  });
}

function findForeignEntry(names: readonly string[]): string | undefined {
  // Ignore hidden files, such as .gitkeep.
  return names.includes(DATABASE_FILE) || names.includes(NODE_FILE)
    ? undefined
    : names.find((name) => !harmlessEntries.has(name) && !name.startsWith('.'));
}
