/**
 * The files below one folder that clients may read and write by path. A path is a list of plain names, and what is there
 * must be exactly there: no link is followed, wherever it leads, so that nobody gets out of the folder, nor out of a part
 * of it.
 */
import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../lib/error-code.ts';
import { fileNameKey, objectionToFileName, printableFileName } from '../lib/file-name.ts';
import { problem } from '../lib/problem.ts';
import { identityFrom } from './path-gate/identity.ts';
import { findOwnPlaces } from './path-gate/own-places.ts';

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
  placeFor(path: FolderPath): Promise<{ readonly file: string; readonly madeFolders: readonly string[] }>;
  /** The same without making any: throws if that could not be done. */
  checkPlace(path: FolderPath): Promise<void>;
  /** Where it is, whatever it is. */
  fileAt(path: FolderPath): Promise<string>;
  /** All names in a folder, whatever they belong to. */
  namesIn(path: FolderPath): Promise<readonly string[]>;
}

/** `dataDir` is where the server's own files are, which no path may mean. */
export function createFolderGate({
  dataDir,
  folder,
}: {
  readonly dataDir: string;
  readonly folder: string;
}): FolderGate {
  async function placeOf(path: FolderPath): Promise<string> {
    for (const name of path) {
      // Some disks take characters that look alike, or like nothing, for the plain ones.
      const objection = objectionToFileName(name) ?? objectionToFileName(fileNameKey(name));
      if (objection !== undefined) {
        throw problem('file-name-illegal', { name: printableFileName(name), reason: objection });
      }
    }
    const root = await realpath(join(dataDir, folder));
    return join(root, ...path);
  }

  /** Where it is, and what is there; throws for what lies behind a link, or is the server's own. */
  async function look(path: FolderPath): Promise<{ readonly file: string; readonly entry: FolderEntry | undefined }> {
    const file = await placeOf(path);
    const refuse = (reason: string) => problem('path-refused', { path: shown(folder, path), reason });
    const status = await lstat(file, { bigint: true }).catch((error: unknown) => unlessMissing(error));
    const nearest = status === undefined ? await nearestThere(file) : file;
    const real = await realpath(nearest).catch((error: unknown) => unlessMissing(error));
    // A link that leads nowhere, or somebody has removed it since: then it is gone when it is looked at again.
    if (real === undefined && (await lstat(nearest).catch((error: unknown) => unlessMissing(error))) === undefined) {
      return look(path);
    }
    // Other spellings of a name, on disks that take them for the same, are other paths as well.
    if (real !== nearest) {
      throw refuse('it is a link, or lies behind one');
    }
    const own = await findOwnPlaces(dataDir);
    if ((await own.isOwn(file)) || (status !== undefined && own.isOwnEntry(file, identityFrom(status)))) {
      throw refuse('it belongs to the server itself');
    }
    if (status === undefined) {
      return { file, entry: undefined };
    }
    if (!status.isFile() && !status.isDirectory()) {
      throw refuse('it is neither a file nor a folder');
    }
    return { file, entry: entryOf(path.at(-1) ?? folder, status) };
  }

  /** The folders above a path that have to be made, outermost first. */
  async function missingAbove(path: FolderPath): Promise<readonly string[]> {
    await look(path);
    const missing: string[] = [];
    for (let length = 1; length < path.length; length += 1) {
      const { file, entry } = await look(path.slice(0, length));
      if (entry?.kind === 'file') {
        const reason = `'${printableFileName(entry.name)}' is a file and no folder`;
        throw problem('path-refused', { path: shown(folder, path), reason });
      }
      if (entry === undefined) {
        missing.push(file);
      }
    }
    return missing;
  }

  return {
    find: async (path) => (await look(path)).entry,

    async list(path) {
      const { file, entry } = await look(path);
      if (entry?.kind !== 'folder') {
        return [];
      }
      const own = await findOwnPlaces(dataDir);
      const names = (await readdir(file)).sort();
      const found: FolderEntry[] = [];
      for (const name of names) {
        const at = join(file, name);
        const status = await lstat(at, { bigint: true }).catch((error: unknown) => unlessMissing(error));
        const isSeen =
          status !== undefined &&
          (status.isFile() || status.isDirectory()) &&
          objectionToFileName(name) === undefined &&
          !own.isOwnEntry(at, identityFrom(status));
        if (isSeen) {
          found.push(entryOf(name, status));
        }
      }
      return found;
    },

    async open(path) {
      const { file, entry } = await look(path);
      if (entry?.kind !== 'file') {
        return undefined;
      }
      const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
      const status = await handle.stat({ bigint: true });
      return { entry: entryOf(entry.name, status), handle };
    },

    async placeFor(path) {
      const madeFolders: string[] = [];
      for (const folderAbove of await missingAbove(path)) {
        await mkdir(folderAbove, { mode: 0o700 });
        madeFolders.unshift(folderAbove);
      }
      return { file: (await look(path)).file, madeFolders };
    },

    checkPlace: async (path) => void (await missingAbove(path)),

    fileAt: async (path) => (await look(path)).file,

    namesIn: async (path) => (await readdir((await look(path)).file)).sort(),
  };
}

function shown(folder: string, path: FolderPath): string {
  return printableFileName([folder, ...path].join('/'));
}

/** A file that has no place in the folder yet, as it will be there. */
export async function fileEntry(name: string, file: string): Promise<FolderEntry> {
  return entryOf(name, await lstat(file, { bigint: true }));
}

function entryOf(name: string, status: BigIntStats): FolderEntry {
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
async function nearestThere(path: string): Promise<string> {
  const above = dirname(path);
  const status = await lstat(above).catch((error: unknown) => unlessMissing(error));
  return status === undefined && above !== path ? nearestThere(above) : above;
}

function unlessMissing(error: unknown): undefined {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return undefined;
  }
  throw error;
}
