/**
 * The files below one folder that clients can read and write by path. A path is a list of plain names. Links are never
 * followed, so that no path leads out of the folder.
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

/** The names from the folder down; empty for the folder itself. */
export type FolderPath = readonly string[];

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  /** Changes with each write, even within a millisecond. */
  readonly version: number;
}

/** An open file: the entry and the content belong together. */
export interface OpenedFile {
  readonly entry: FolderEntry;
  readonly handle: FileHandle;
}

export interface FolderGate {
  /** Returns undefined if nothing exists. */
  find(path: FolderPath): Promise<FolderEntry | undefined>;
  /** Sorted by name, without links, devices and files of the server. */
  list(path: FolderPath): Promise<readonly FolderEntry[]>;
  /** Returns undefined if there is no file. */
  open(path: FolderPath): Promise<OpenedFile | undefined>;
  /** Returns the path of a file, and creates missing parents. */
  prepareFile(path: FolderPath): Promise<{ readonly file: string; readonly madeFolders: readonly string[] }>;
  /** Checks the same without creating folders. */
  checkFilePath(path: FolderPath): Promise<void>;
  /** Returns the path of any existing or new entry. */
  resolveFile(path: FolderPath): Promise<string>;
  /** Returns all names in a folder, including links and files of the server. */
  listNames(path: FolderPath): Promise<readonly string[]>;
}

/** `dataDir` contains files of the server, which no path may reach. */
export function createFolderGate({
  dataDir,
  folder,
}: {
  readonly dataDir: string;
  readonly folder: string;
}): FolderGate {
  return new CheckedFolder({
    dataDir,
    folder,
  });
}

class CheckedFolder implements FolderGate {
  readonly #dataDir: string;
  readonly #folder: string;

  constructor({
    dataDir,
    folder,
  }: {
    readonly dataDir: string;
    readonly folder: string;
  }) {
    this.#dataDir = dataDir;
    this.#folder = folder;
  }

  async find(path: FolderPath): Promise<FolderEntry | undefined> {
    return (await this.#inspectPath(path)).entry;
  }

  async list(path: FolderPath): Promise<readonly FolderEntry[]> {
    const { file, entry } = await this.#inspectPath(path);
    if (entry?.kind !== 'folder') {
      return [];
    }
    const own = await loadServerOwnedPaths(this.#dataDir);
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
  }

  async open(path: FolderPath): Promise<OpenedFile | undefined> {
    const { file, entry } = await this.#inspectPath(path);
    if (entry?.kind !== 'file') {
      return undefined;
    }
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const status = await handle.stat({ bigint: true });
    return { entry: toFolderEntry(entry.name, status), handle };
  }

  async prepareFile(path: FolderPath): Promise<{ readonly file: string; readonly madeFolders: readonly string[] }> {
    const madeFolders: string[] = [];
    for (const folderAbove of await this.#listMissingFolders(path)) {
      await mkdir(folderAbove, { mode: 0o700 });
      madeFolders.unshift(folderAbove);
    }
    return { file: (await this.#inspectPath(path)).file, madeFolders };
  }

  async checkFilePath(path: FolderPath): Promise<void> {
    return void (await this.#listMissingFolders(path));
  }

  async resolveFile(path: FolderPath): Promise<string> {
    return (await this.#inspectPath(path)).file;
  }

  async listNames(path: FolderPath): Promise<readonly string[]> {
    return (await readdir((await this.#inspectPath(path)).file)).sort();
  }

  async #resolveFilePath(path: FolderPath): Promise<string> {
    for (const name of path) {
      // Some file systems ignore case or invisible characters.
      const objection = findFileNameFault(name) ?? findFileNameFault(toFileNameKey(name));
      if (objection !== undefined) {
        throw problem('file-name-illegal', { name: toPrintableFileName(name), reason: objection });
      }
    }
    const root = await realpath(join(this.#dataDir, this.#folder));
    return join(root, ...path);
  }

  /** Returns path and entry; throws for links and files of the server. */
  async #inspectPath(path: FolderPath): Promise<{ readonly file: string; readonly entry: FolderEntry | undefined }> {
    const file = await this.#resolveFilePath(path);
    const createRefusal = (reason: string) =>
      problem('path-refused', { path: formatFolderPath(this.#folder, path), reason });
    const status = await lstat(file, { bigint: true }).catch((error: unknown) => ignoreMissing(error));
    const nearest = status === undefined ? await getNearestExisting(file) : file;
    const real = await realpath(nearest).catch((error: unknown) => ignoreMissing(error));
    // A dangling link, or the entry was removed meanwhile: inspect it again in that case.
    if (real === undefined && (await lstat(nearest).catch((error: unknown) => ignoreMissing(error))) === undefined) {
      return this.#inspectPath(path);
    }
    // Different spellings of a name, on file systems that treat them as equal, are rejected as well.
    if (real !== nearest) {
      throw createRefusal('it is a link or is below a link');
    }
    const own = await loadServerOwnedPaths(this.#dataDir);
    if ((await own.isOwn(file)) || (status !== undefined && own.isOwnEntry(file, toIdentity(status)))) {
      throw createRefusal('it is a file of the server');
    }
    if (status === undefined) {
      return { file, entry: undefined };
    }
    if (!status.isFile() && !status.isDirectory()) {
      throw createRefusal('it is neither a file nor a folder');
    }
    return { file, entry: toFolderEntry(path.at(-1) ?? this.#folder, status) };
  }

  /** Returns the missing parents of a path, outermost first. */
  async #listMissingFolders(path: FolderPath): Promise<readonly string[]> {
    await this.#inspectPath(path);
    const missing: string[] = [];
    for (let length = 1; length < path.length; length += 1) {
      const { file, entry } = await this.#inspectPath(path.slice(0, length));
      if (entry?.kind === 'file') {
        const reason = `'${toPrintableFileName(entry.name)}' is a file, not a folder`;
        throw problem('path-refused', { path: formatFolderPath(this.#folder, path), reason });
      }
      if (entry === undefined) {
        missing.push(file);
      }
    }
    return missing;
  }
}

function formatFolderPath(folder: string, path: FolderPath): string {
  return toPrintableFileName([folder, ...path].join('/'));
}

/** Returns the entry of a file that is not in the folder yet. */
export async function readFileEntry(name: string, file: string): Promise<FolderEntry> {
  return toFolderEntry(name, await lstat(file, { bigint: true }));
}

function toFolderEntry(name: string, status: BigIntStats): FolderEntry {
  const { size, mtimeMs, mtimeNs, ino } = status;
  // Excludes ctime, which changes with a rename but not with the content.
  const facts = createHash('sha256').update([size, mtimeNs, ino].join(' ')).digest();
  return {
    name,
    kind: status.isDirectory() ? 'folder' : 'file',
    sizeBytes: Number(size),
    modifiedAtMs: Number(mtimeMs),
    // Versions are integers of at most 15 digits.
    version: facts.readUIntBE(0, 6),
  };
}

/** Returns the innermost existing parent. */
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
