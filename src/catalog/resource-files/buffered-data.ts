/** The files below `data` within a draft: uncommitted writes of the draft over the files on the disk. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FolderEntry,
  type FolderGate,
  type FolderPath,
  type OpenedFile,
  readFileEntry,
} from '../../gates/folder-gate.ts';
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

export interface BufferedDataOptions {
  readonly gate: FolderGate;
  readonly disk: Disk;
  readonly staging: () => Promise<string>;
}

/** `staging` is a folder that exists until the draft ends. */
export function createBufferedData(parts: BufferedDataOptions): BufferedData {
  return new BufferedDataFiles(parts);
}

class BufferedDataFiles implements BufferedData {
  readonly #parts: BufferedDataOptions;
  readonly #drafted = new Map<string, BufferedEntry>();
  /** The entries read below `data`, each with a function that reads them again. */
  readonly #seen = new Map<string, { readonly look: () => Promise<string>; readonly was: string }>();
  #stagedCount = 0;

  constructor(parts: BufferedDataOptions) {
    this.#parts = parts;
  }

  async open(path: FolderPath): Promise<OpenedFile | undefined> {
    const own = this.#drafted.get(formatPathKey(path));
    if (own === undefined) {
      await this.#findOnDisk(path);
      return this.#parts.gate.open(path);
    }
    const entry = await this.find(path);
    return own.kind === 'file' && entry !== undefined ? { entry, handle: await open(own.staged) } : undefined;
  }

  async put(path: FolderPath, staged: string, check: CheckBefore): Promise<void> {
    check(await this.find(path));
    await this.#parts.disk.syncFile(staged);
    const own = await this.#createStagedPath();
    await this.#parts.disk.move(staged, own);
    await this.#putStaged(path, own);
  }

  async move(from: FolderPath, to: FolderPath, check: CheckBefore): Promise<void> {
    check(await this.find(to));
    if ((await this.find(from)) === undefined) throw createUnknownResourceProblem(['data', ...from]);
    await this.#putStaged(to, await this.#stageCopy(from));
    this.#drafted.set(formatPathKey(from), { kind: 'gone' });
  }

  async removeFile(path: FolderPath, check: CheckBefore): Promise<void> {
    check(await this.find(path));
    this.#drafted.set(formatPathKey(path), { kind: 'gone' });
  }

  async removeFolder(path: FolderPath): Promise<boolean> {
    const real = (await this.#findOnDisk(path))?.kind === 'folder' ? await this.#listNamesOnDisk(path) : [];
    const names = new Set([...real, ...this.#listBufferedNames(path)]);
    const isEmpty = [...names].every((name) => this.#drafted.get(formatPathKey([...path, name]))?.kind === 'gone');
    if (isEmpty) this.#drafted.set(formatPathKey(path), { kind: 'gone' });
    return isEmpty;
  }

  async collectChanges(): Promise<DataChanges | undefined> {
    if (this.#drafted.size === 0) return undefined;
    const removedFiles: string[] = [];
    const removedFolders: string[] = [];
    const madeFolders: string[] = [];
    const placed: PlacedFile[] = [];
    for (const [key, own] of this.#drafted) {
      const path = key.split('/');
      const real = (await this.#parts.gate.find(path))?.kind;
      if (real === 'file' && own.kind !== 'file') removedFiles.push(key);
      if (real === 'folder' && own.kind !== 'folder') removedFolders.push(key);
      if (own.kind === 'folder' && real !== 'folder') madeFolders.push(key);
      if (own.kind === 'file')
        placed.push({ path: key, near: await this.#findNearestFolder(path), staged: own.staged });
    }
    // Sort inner folders first: a path is longer than those above it.
    removedFolders.sort((one, other) => other.length - one.length);
    madeFolders.sort((one, other) => one.length - other.length);
    return { removedFiles, removedFolders, madeFolders, placed };
  }

  async hasConflict(): Promise<boolean> {
    for (const { look, was } of this.#seen.values()) {
      if ((await look()) !== was) return true;
    }
    return false;
  }

  async #createStagedPath(): Promise<string> {
    this.#stagedCount += 1;
    return join(await this.#parts.staging(), String(this.#stagedCount));
  }

  async #trackRead<T>(key: string, look: () => Promise<T>, tell: (found: T) => string): Promise<T> {
    const found = await look();
    if (!this.#seen.has(key)) this.#seen.set(key, { was: tell(found), look: async () => tell(await look()) });
    return found;
  }

  #findOnDisk(path: FolderPath) {
    return this.#trackRead(
      `entry ${formatPathKey(path)}`,
      () => this.#parts.gate.find(path),
      (entry) => (entry?.kind === 'file' ? String(entry.version) : String(entry?.kind)),
    );
  }

  #listNamesOnDisk(path: FolderPath) {
    return this.#trackRead(
      `names ${formatPathKey(path)}`,
      () => this.#parts.gate.listNames(path),
      (names) => JSON.stringify(names),
    );
  }

  async find(path: FolderPath): Promise<FolderEntry | undefined> {
    // The path gate checks the path itself, even if the draft has an entry for it.
    const real = await this.#findOnDisk(path);
    const own = this.#drafted.get(formatPathKey(path));
    if (own === undefined) return real;
    const name = path.at(-1) ?? '';
    return own.kind === 'gone'
      ? undefined
      : readFileEntry(name, own.kind === 'file' ? own.staged : await this.#parts.staging());
  }

  async list(path: FolderPath): Promise<readonly FolderEntry[]> {
    const isReal = (await this.#findOnDisk(path))?.kind === 'folder';
    if (isReal) await this.#listNamesOnDisk(path);
    const there = isReal ? await this.#parts.gate.list(path) : [];
    const entries = there.filter(({ name }) => !this.#drafted.has(formatPathKey([...path, name])));
    for (const name of this.#listBufferedNames(path)) {
      const entry = await this.find([...path, name]);
      if (entry !== undefined) entries.push(entry);
    }
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Lists the names directly below a path that the draft has written, including deleted ones. */
  #listBufferedNames(path: FolderPath): readonly string[] {
    const prefix = path.length === 0 ? '' : `${formatPathKey(path)}/`;
    return [...this.#drafted.keys()]
      .filter((key) => key.startsWith(prefix) && !key.slice(prefix.length).includes('/'))
      .map((key) => key.slice(prefix.length));
  }

  /** Creates missing parent folders. */
  async #putStaged(path: FolderPath, staged: string): Promise<void> {
    const missing: FolderPath[] = [];
    for (let length = 1; length < path.length; length += 1) {
      const above = path.slice(0, length);
      const entry = await this.find(above);
      if (entry?.kind === 'file') {
        const reason = `'${toPrintableFileName(entry.name)}' is a file, not a folder`;
        throw problem('path-refused', { path: formatResourcePath(['data', ...path]), reason });
      }
      if (entry === undefined) missing.push(above);
    }
    for (const above of missing) this.#drafted.set(formatPathKey(above), { kind: 'folder' });
    this.#drafted.set(formatPathKey(path), { kind: 'file', staged });
  }

  /** Copies a file into the staging folder, where it stays unchanged. */
  async #stageCopy(path: FolderPath): Promise<string> {
    const own = this.#drafted.get(formatPathKey(path));
    if (own?.kind === 'file') return own.staged;
    const staged = await this.#createStagedPath();
    const file = await this.#parts.gate.resolveFile(path);
    if ((await this.#parts.disk.linkFile(file, staged)) === 'impossible') {
      await this.#parts.disk.copyFile(file, staged);
      await this.#parts.disk.syncFile(staged);
    }
    return staged;
  }

  /** Returns the nearest existing folder above a path that is not deleted. */
  async #findNearestFolder(path: FolderPath): Promise<string> {
    for (let length = path.length - 1; length > 0; length -= 1) {
      const above = path.slice(0, length);
      const own = this.#drafted.get(formatPathKey(above))?.kind ?? 'folder';
      if (own === 'folder' && (await this.#parts.gate.find(above))?.kind === 'folder') return formatPathKey(above);
    }
    return '';
  }
}

function formatPathKey(path: FolderPath): string {
  return path.join('/');
}
