/** The data directory at the start: made if need be, refused if it is not ours, and locked. */
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { type DataDirectoryLock, lockDataDirectory } from '../../storage/data-directory-lock.ts';
import { SettingError } from './settings.ts';

/** The one that is always there once a server has started in a directory. */
export const DATABASE_FILE = 'graticule.sqlite';

/** Instead of it, where the catalog is in a PostgreSQL and the directory only holds what one node needs. */
const NODE_FILE = 'graticule.node';

/** The granules of mosaics that name no database of their own; there with the first of them. */
export const GRANULES_FILE = 'granules.sqlite';

/** Where it is noted which indexes in databases are to go. */
export const DROPS_FOLDER = 'index-drops';

/** Where it is written down what a change does below `data`, while that is under way. */
export const DATA_WRITES_FOLDER = 'data-writes';

/** Indexes over files of data, made again when they are missing. */
export const RECORD_INDEXES_FOLDER = 'record-indexes';

/** Room for deletions (`storage/files/disk-reserve.ts`). */
export const RESERVE_FILE = 'disk.reserve';

/** What may lie in a directory before that: left by a start that died early, put there by an operator, or by the disk. */
const harmlessEntries: ReadonlySet<string> = new Set([
  'server.lock',
  'data',
  'security',
  'staging',
  'app-schema-cache',
  RESERVE_FILE,
  'lost+found',
]);

/** `isNode`: the catalog is elsewhere. */
export async function claimDataDirectory(directory: string, { isNode = false } = {}): Promise<DataDirectoryLock> {
  try {
    const names = await listNames(directory);
    const foreign = findForeignEntry(names);
    if (foreign !== undefined) {
      throw new Error(`it holds '${foreign}' and no data of ours; name an empty directory or a new one`);
    }
    if (names.includes(isNode ? DATABASE_FILE : NODE_FILE)) {
      throw new Error(
        isNode
          ? 'it holds a catalog of its own; name another directory, since --storage has the catalog elsewhere'
          : 'it belongs to a node whose catalog is elsewhere; give the --storage that it had, or name another directory',
      );
    }
    // With the folder that stores name their files in: a database is made there, but not a folder for it.
    await createFolder(join(directory, 'data'));
    const lock = await lockDataDirectory(directory);
    if (isNode) await writeFile(join(directory, NODE_FILE), '', { mode: 0o600 });
    return lock;
  } catch (error) {
    throw createUnusableError(`--data-dir cannot be '${directory}'`, error);
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
  // Hidden files, such as those that keep an empty folder in a repository, do no harm.
  return names.includes(DATABASE_FILE) || names.includes(NODE_FILE)
    ? undefined
    : names.find((name) => !harmlessEntries.has(name) && !name.startsWith('.'));
}

/** Folder by folder: Node's own way to make several at once never ends where none can be made, as in `/proc`. */
async function createFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const code = findErrorCode(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) {
      return;
    }
    if (code !== 'ENOENT' || dirname(path) === path) {
      throw error;
    }
    await createFolder(dirname(path));
    await make();
  }
}
