/**
 * The files below one folder that clients may read and write by path. A path is a list of plain names, and what is there
 * must be exactly there: no link is followed, wherever it leads, so that nobody gets out of the folder, nor out of a part
 * of it.
 */
import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findErrorCode } from '../lib/problems/error-code.ts';
import { problem } from '../lib/problems/problem.ts';
import { findFileNameFault, toFileNameKey, toPrintableFileName } from '../lib/text/file-name.ts';
import { toIdentity } from './path-gate/identity.ts';
import { loadServerOwnedPaths } from './path-gate/server-owned-paths.ts';

/** The names from the folder down; none for the folder itself. */
export type FolderPath = readonly string[];

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  /** Another one after each write, also within a millisecond. */
  readonly version: number;
}

/** A file that was opened: what is told of it and what is read are one and the same. */
export interface OpenedFile {
  readonly entry: FolderEntry;
  readonly handle: FileHandle;
}

export interface FolderGate {
  /** Undefined where nothing is. */
  find(path: FolderPath): Promise<FolderEntry | undefined>;
  /** In order of the names; links, devices and the server's own files are left out. */
  list(path: FolderPath): Promise<readonly FolderEntry[]>;
  /** Undefined where there is no file. */
  open(path: FolderPath): Promise<OpenedFile | undefined>;
  /** Where a file of this path is or will be, with the folders above it, which are made. */
  prepareFile(path: FolderPath): Promise<{ readonly file: string; readonly madeFolders: readonly string[] }>;
  /** The same without making any: throws if that could not be done. */
  checkFilePath(path: FolderPath): Promise<void>;
  /** Where it is, whatever it is. */
  resolveFile(path: FolderPath): Promise<string>;
  /** All names in a folder, whatever they belong to. */
  listNames(path: FolderPath): Promise<readonly string[]>;
}

/** `dataDir` is where the server's own files are, which no path may mean. */
export function createFolderGate({
  dataDir,
  folder,
}: {
  readonly dataDir: string;
  readonly folder: string;
}): FolderGate {
  async function resolveFilePath(path: FolderPath): Promise<string> {
    for (const name of path) {
      // Some disks take characters that look alike, or like nothing, for the plain ones.
      const objection = findFileNameFault(name) ?? findFileNameFault(toFileNameKey(name));
      if (objection !== undefined) {
        throw problem('file-name-illegal', { name: toPrintableFileName(name), reason: objection });
      }
    }
    const root = await realpath(join(dataDir, folder));
    return join(root, ...path);
  }

  /** Where it is, and what is there; throws for what lies behind a link, or is the server's own. */
  async function inspectPath(
    path: FolderPath,
  ): Promise<{ readonly file: string; readonly entry: FolderEntry | undefined }> {
    const file = await resolveFilePath(path);
    const createRefusal = (reason: string) => problem('path-refused', { path: formatFolderPath(folder, path), reason });
    const status = await lstat(file, { bigint: true }).catch((error: unknown) => ignoreMissing(error));
    const nearest = status === undefined ? await getNearestExisting(file) : file;
    const real = await realpath(nearest).catch((error: unknown) => ignoreMissing(error));
    // A link that leads nowhere, or somebody has removed it since: then it is gone when it is looked at again.
    if (real === undefined && (await lstat(nearest).catch((error: unknown) => ignoreMissing(error))) === undefined) {
      return inspectPath(path);
    }
    // Other spellings of a name, on disks that take them for the same, are other paths as well.
    if (real !== nearest) {
      throw createRefusal('it is a link, or lies behind one');
    }
    const own = await loadServerOwnedPaths(dataDir);
    if ((await own.isOwn(file)) || (status !== undefined && own.isOwnEntry(file, toIdentity(status)))) {
      throw createRefusal('it belongs to the server itself');
    }
    if (status === undefined) {
      return { file, entry: undefined };
    }
    if (!status.isFile() && !status.isDirectory()) {
      throw createRefusal('it is neither a file nor a folder');
    }
    return { file, entry: toFolderEntry(path.at(-1) ?? folder, status) };
  }

  /** The folders above a path that have to be made, outermost first. */
  async function listMissingFolders(path: FolderPath): Promise<readonly string[]> {
    await inspectPath(path);
    const missing: string[] = [];
    for (let length = 1; length < path.length; length += 1) {
      const { file, entry } = await inspectPath(path.slice(0, length));
      if (entry?.kind === 'file') {
        const reason = `'${toPrintableFileName(entry.name)}' is a file and no folder`;
        throw problem('path-refused', { path: formatFolderPath(folder, path), reason });
      }
      if (entry === undefined) {
        missing.push(file);
      }
    }
    return missing;
  }

  return {
    find: async (path) => (await inspectPath(path)).entry,

    async list(path) {
      const { file, entry } = await inspectPath(path);
      if (entry?.kind !== 'folder') {
        return [];
      }
      const own = await loadServerOwnedPaths(dataDir);
      const names = (await readdir(file)).sort();
      const found: FolderEntry[] = [];
      for (const name of names) {
        const at = join(file, name);
        const status = await lstat(at, { bigint: true }).catch((error: unknown) => ignoreMissing(error));
        const isSeen =
          status !== undefined &&
          (status.isFile() || status.isDirectory()) &&
          findFileNameFault(name) === undefined &&
          !own.isOwnEntry(at, toIdentity(status));
        if (isSeen) {
          found.push(toFolderEntry(name, status));
        }
      }
      return found;
    },

    async open(path) {
      const { file, entry } = await inspectPath(path);
      if (entry?.kind !== 'file') {
        return undefined;
      }
      const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
      const status = await handle.stat({ bigint: true });
      return { entry: toFolderEntry(entry.name, status), handle };
    },

    async prepareFile(path) {
      const madeFolders: string[] = [];
      for (const folderAbove of await listMissingFolders(path)) {
        await mkdir(folderAbove, { mode: 0o700 });
        madeFolders.unshift(folderAbove);
      }
      return { file: (await inspectPath(path)).file, madeFolders };
    },

    checkFilePath: async (path) => void (await listMissingFolders(path)),

    resolveFile: async (path) => (await inspectPath(path)).file,

    listNames: async (path) => (await readdir((await inspectPath(path)).file)).sort(),
  };
}

function formatFolderPath(folder: string, path: FolderPath): string {
  return toPrintableFileName([folder, ...path].join('/'));
}

/** A file that has no place in the folder yet, as it will be there. */
export async function readFileEntry(name: string, file: string): Promise<FolderEntry> {
  return toFolderEntry(name, await lstat(file, { bigint: true }));
}

function toFolderEntry(name: string, status: BigIntStats): FolderEntry {
  const { size, mtimeMs, mtimeNs, ino } = status;
  // When it got its name says nothing of what is in it.
  const facts = createHash('sha256').update([size, mtimeNs, ino].join(' ')).digest();
  return {
    name,
    kind: status.isDirectory() ? 'folder' : 'file',
    sizeBytes: Number(size),
    modifiedAtMs: Number(mtimeMs),
    // Versions are whole numbers of at most 15 digits.
    version: facts.readUIntBE(0, 6),
  };
}

/** The innermost folder above that is there. */
async function getNearestExisting(path: string): Promise<string> {
  const above = dirname(path);
  const status = await lstat(above).catch((error: unknown) => ignoreMissing(error));
  return status === undefined && above !== path ? getNearestExisting(above) : above;
}

function ignoreMissing(error: unknown): undefined {
  const code = findErrorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return undefined;
  }
  throw error;
}
