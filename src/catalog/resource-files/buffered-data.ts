/** The files below `data` within a draft: uncommitted writes of the draft over the files on the disk. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderEntry, type FolderGate, type FolderPath, readFileEntry } from '../../gates/folder-gate.ts';
import { problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import type { DataChanges, PlacedFile } from './data-writes.ts';
import { createUnknownResourceProblem, formatResourcePath } from './resource.ts';

/** Checks the current entry right before the write, and throws to reject it. */
export type CheckBefore = (current: FolderEntry | undefined) => void;

/** Operations on the files below `data`. */
export interface DataFiles extends Pick<FolderGate, 'find' | 'list' | 'open'> {
  /** Moves a complete file to its path. */
  put(path: FolderPath, staged: string, check: CheckBefore): Promise<void>;
  move(from: FolderPath, to: FolderPath, check: CheckBefore): Promise<void>;
  removeFile(path: FolderPath, check: CheckBefore): Promise<void>;
  /** Returns false for a folder that is not empty. */
  removeFolder(path: FolderPath): Promise<boolean>;
}

/** The state of a path within a draft. */
type BufferedEntry = { readonly kind: 'file'; readonly staged: string } | { readonly kind: 'folder' | 'gone' };

export interface BufferedData extends DataFiles {
  /** Returns all writes of the draft; undefined if there are none. */
  collectChanges(): Promise<DataChanges | undefined>;
  /** Returns whether another request has changed an entry that the draft has read. */
  hasConflict(): Promise<boolean>;
}

/** `staging` is a folder that exists until the draft ends. */
export function createBufferedData(parts: {
  readonly gate: FolderGate;
  readonly disk: Disk;
  readonly staging: () => Promise<string>;
}): BufferedData {
  const { gate, disk } = parts;
  const drafted = new Map<string, BufferedEntry>();
  /** The entries read below `data`, each with a function that reads them again. */
  const seen = new Map<string, { readonly look: () => Promise<string>; readonly was: string }>();
  let stagedCount = 0;

  async function createStagedPath(): Promise<string> {
    stagedCount += 1;
    return join(await parts.staging(), String(stagedCount));
  }

  async function trackRead<T>(key: string, look: () => Promise<T>, tell: (found: T) => string): Promise<T> {
    const found = await look();
    if (!seen.has(key)) seen.set(key, { was: tell(found), look: async () => tell(await look()) });
    return found;
  }

  const findOnDisk = (path: FolderPath) =>
    trackRead(
      `entry ${formatPathKey(path)}`,
      () => gate.find(path),
      (entry) => (entry?.kind === 'file' ? String(entry.version) : String(entry?.kind)),
    );
  const listNamesOnDisk = (path: FolderPath) =>
    trackRead(
      `names ${formatPathKey(path)}`,
      () => gate.listNames(path),
      (names) => JSON.stringify(names),
    );

  async function find(path: FolderPath): Promise<FolderEntry | undefined> {
    // The path gate checks the path itself, even if the draft has an entry for it.
    const real = await findOnDisk(path);
    const own = drafted.get(formatPathKey(path));
    if (own === undefined) return real;
    const name = path.at(-1) ?? '';
    return own.kind === 'gone'
      ? undefined
      : readFileEntry(name, own.kind === 'file' ? own.staged : await parts.staging());
  }

  async function list(path: FolderPath): Promise<readonly FolderEntry[]> {
    const isReal = (await findOnDisk(path))?.kind === 'folder';
    if (isReal) await listNamesOnDisk(path);
    const there = isReal ? await gate.list(path) : [];
    const entries = there.filter(({ name }) => !drafted.has(formatPathKey([...path, name])));
    for (const name of listBufferedNames(path)) {
      const entry = await find([...path, name]);
      if (entry !== undefined) entries.push(entry);
    }
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Lists the names directly below a path that the draft has written, including deleted ones. */
  function listBufferedNames(path: FolderPath): readonly string[] {
    const prefix = path.length === 0 ? '' : `${formatPathKey(path)}/`;
    return [...drafted.keys()]
      .filter((key) => key.startsWith(prefix) && !key.slice(prefix.length).includes('/'))
      .map((key) => key.slice(prefix.length));
  }

  /** Creates missing parent folders. */
  async function putStaged(path: FolderPath, staged: string): Promise<void> {
    const missing: FolderPath[] = [];
    for (let length = 1; length < path.length; length += 1) {
      const above = path.slice(0, length);
      const entry = await find(above);
      if (entry?.kind === 'file') {
        const reason = `'${toPrintableFileName(entry.name)}' is a file, not a folder`;
        throw problem('path-refused', { path: formatResourcePath(['data', ...path]), reason });
      }
      if (entry === undefined) missing.push(above);
    }
    for (const above of missing) drafted.set(formatPathKey(above), { kind: 'folder' });
    drafted.set(formatPathKey(path), { kind: 'file', staged });
  }

  /** Copies a file into the staging folder, where it stays unchanged. */
  async function stageCopy(path: FolderPath): Promise<string> {
    const own = drafted.get(formatPathKey(path));
    if (own?.kind === 'file') return own.staged;
    const staged = await createStagedPath();
    const file = await gate.resolveFile(path);
    if ((await disk.linkFile(file, staged)) === 'impossible') {
      await disk.copyFile(file, staged);
      await disk.syncFile(staged);
    }
    return staged;
  }

  /** Returns the nearest existing folder above a path that is not deleted. */
  async function findNearestFolder(path: FolderPath): Promise<string> {
    for (let length = path.length - 1; length > 0; length -= 1) {
      const above = path.slice(0, length);
      const own = drafted.get(formatPathKey(above))?.kind ?? 'folder';
      if (own === 'folder' && (await gate.find(above))?.kind === 'folder') return formatPathKey(above);
    }
    return '';
  }

  return {
    find,
    list,

    async open(path) {
      const own = drafted.get(formatPathKey(path));
      if (own === undefined) {
        await findOnDisk(path);
        return gate.open(path);
      }
      const entry = await find(path);
      return own.kind === 'file' && entry !== undefined ? { entry, handle: await open(own.staged) } : undefined;
    },

    async put(path, staged, check) {
      check(await find(path));
      await disk.syncFile(staged);
      const own = await createStagedPath();
      await disk.move(staged, own);
      await putStaged(path, own);
    },

    async move(from, to, check) {
      check(await find(to));
      if ((await find(from)) === undefined) throw createUnknownResourceProblem(['data', ...from]);
      await putStaged(to, await stageCopy(from));
      drafted.set(formatPathKey(from), { kind: 'gone' });
    },

    async removeFile(path, check) {
      check(await find(path));
      drafted.set(formatPathKey(path), { kind: 'gone' });
    },

    async removeFolder(path) {
      const real = (await findOnDisk(path))?.kind === 'folder' ? await listNamesOnDisk(path) : [];
      const names = new Set([...real, ...listBufferedNames(path)]);
      const isEmpty = [...names].every((name) => drafted.get(formatPathKey([...path, name]))?.kind === 'gone');
      if (isEmpty) drafted.set(formatPathKey(path), { kind: 'gone' });
      return isEmpty;
    },

    async collectChanges() {
      if (drafted.size === 0) return undefined;
      const removedFiles: string[] = [];
      const removedFolders: string[] = [];
      const madeFolders: string[] = [];
      const placed: PlacedFile[] = [];
      for (const [key, own] of drafted) {
        const path = key.split('/');
        const real = (await gate.find(path))?.kind;
        if (real === 'file' && own.kind !== 'file') removedFiles.push(key);
        if (real === 'folder' && own.kind !== 'folder') removedFolders.push(key);
        if (own.kind === 'folder' && real !== 'folder') madeFolders.push(key);
        if (own.kind === 'file') placed.push({ path: key, near: await findNearestFolder(path), staged: own.staged });
      }
      // Sort inner folders first: a path is longer than those above it.
      removedFolders.sort((one, other) => other.length - one.length);
      madeFolders.sort((one, other) => one.length - other.length);
      return { removedFiles, removedFolders, madeFolders, placed };
    },

    async hasConflict() {
      for (const { look, was } of seen.values()) {
        if ((await look()) !== was) return true;
      }
      return false;
    },
  };
}

function formatPathKey(path: FolderPath): string {
  return path.join('/');
}
