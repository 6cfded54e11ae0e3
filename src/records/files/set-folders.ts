/** File sets as folders: opened sets with read-only links, and writable copies. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { allSettled } from '../../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import { BlobMissing, type BlobState, type Blobs, checkHash } from '../../storage/blobs/port.ts';
import type { Staging } from '../../storage/files/staging.ts';
import type { FileSetId, SetFile } from './file-sets.ts';

export interface SetFolders {
  /** Returns the complete folder of a set and creates it if it is missing. */
  open(set: FileSetId): Promise<string>;
  /** Replaces links in opened folders whose bytes were damaged. */
  repair(set: FileSetId, files: readonly SetFile[]): Promise<void>;
  /** Returns the names of opened sets. */
  listNames(): Promise<readonly string[]>;
  /** Removes the folder of an opened set. Open files remain readable. */
  close(set: string): Promise<void>;
  /** Copies the files of a set into a folder. */
  copy(set: FileSetId, folder: string): Promise<void>;
  /**
   * Copies a set durably into a new folder; false if the folder exists. Everything is on disk before the folder gets
   * its name.
   */
  exportSet(set: FileSetId, folder: string): Promise<boolean>;
}

/** The number of files that are copied concurrently. */
const FILES_AT_ONCE = 4;

export interface SetFoldersOptions {
  readonly folder: string;
  readonly staging: Staging;
  readonly blobs: Blobs;
  readonly readSetFiles: (set: FileSetId) => Promise<readonly SetFile[]>;
  readonly getSetState: (set: FileSetId) => Promise<BlobState>;
  readonly disk: Disk;
}

/** `folder` is the parent of the opened sets. */
export function openSetFolders(parts: SetFoldersOptions): SetFolders {
  return new CachedSetFolders(parts);
}

class CachedSetFolders implements SetFolders {
  readonly #parts: SetFoldersOptions;
  readonly #oneAtATime = createKeyedMutex();

  constructor(parts: SetFoldersOptions) {
    this.#parts = parts;
  }

  async open(set: FileSetId): Promise<string> {
    checkHash(set);
    const folder = join(this.#parts.folder, set);
    if (await this.#isOpen(folder)) return folder;
    return this.#oneAtATime(set, async () => ((await this.#isOpen(folder)) ? folder : this.#createFolder(set, folder)));
  }

  async repair(set: FileSetId, files: readonly SetFile[]): Promise<void> {
    const folder = join(this.#parts.folder, set);
    if (!(await this.#isOpen(folder))) return;
    for (const { path, hash, bytes } of files) {
      const file = join(folder, path);
      const status = await this.#parts.disk.findStatus(file);
      if (status === undefined || status.bytes === bytes) continue;
      const place = await this.#parts.staging.createStaging('mended');
      try {
        await this.#parts.blobs.linkTo(hash, join(place.path, 'file'));
        await this.#parts.disk.move(join(place.path, 'file'), file);
      } finally {
        await place.discard();
      }
    }
  }

  listNames(): Promise<readonly string[]> {
    return this.#parts.disk.listNames(this.#parts.folder);
  }

  async copy(set: FileSetId, folder: string): Promise<void> {
    await this.#copyFiles(await this.#parts.readSetFiles(set), folder);
  }

  async exportSet(set: FileSetId, folder: string): Promise<boolean> {
    const place = await this.#parts.staging.createStaging('live');
    try {
      const copy = join(place.path, 'copy');
      const files = await this.#parts.readSetFiles(set);
      const folders = await this.#copyFiles(files, copy);
      for (const { path } of files) {
        await this.#parts.disk.syncFile(join(copy, path));
      }
      for (const each of folders) {
        await this.#parts.disk.syncFolder(each);
      }
      await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
      const isMoved = await this.#parts.disk.moveFolder(copy, folder);
      await this.#parts.disk.syncFolder(dirname(folder));
      return isMoved;
    } finally {
      await place.discard();
    }
  }

  async #isOpen(folder: string): Promise<boolean> {
    return (await this.#parts.disk.findEntry(folder)) === 'folder';
  }

  async close(set: string): Promise<void> {
    // Rename first: a partial folder must not be mistaken for a complete one.
    const place = await this.#parts.staging.createStaging('closed');
    try {
      await this.#parts.disk.moveFolder(join(this.#parts.folder, set), join(place.path, 'set'));
    } finally {
      await place.discard();
    }
  }

  async #createFolder(set: FileSetId, folder: string): Promise<string> {
    const place = await this.#parts.staging.createStaging('set');
    try {
      const files = await this.#parts.readSetFiles(set);
      const folders = await createFolders(files, place.path);
      for (const { hash, path } of files) {
        await this.#parts.blobs.linkTo(hash, join(place.path, path));
      }
      // The entries must be on disk before the folder itself.
      for (const each of folders) {
        await this.#parts.disk.syncFolder(each);
      }
      await this.#parts.disk.makePrivateFolder(this.#parts.folder);
      await this.#parts.disk.moveFolder(place.path, folder);
    } finally {
      await place.discard();
    }
    // The set was purged while it was opened: the code that closes its folders may have run before this folder existed.
    const state = await this.#parts.getSetState(set);
    if (state !== 'present') {
      await this.close(set);
      throw new BlobMissing(set, state);
    }
    return folder;
  }

  async #copyFiles(files: readonly SetFile[], folder: string): Promise<ReadonlySet<string>> {
    const folders = await createFolders(files, folder);
    const atOnce = createConcurrencyLimiter(FILES_AT_ONCE);
    const copy = ({ hash, path }: SetFile) => this.#parts.blobs.copyTo(hash, join(folder, path));
    await allSettled(files.map((each) => atOnce(() => copy(each))));
    return folders;
  }
}

/** Creates and returns all folders of the files, including the outermost one. */
async function createFolders(files: readonly SetFile[], folder: string): Promise<ReadonlySet<string>> {
  const folders = new Set([folder]);
  for (const { path } of files) {
    for (let above = dirname(path); above !== '.'; above = dirname(above)) {
      folders.add(join(folder, above));
    }
  }
  for (const each of folders) {
    await mkdir(each, { recursive: true, mode: 0o700 });
  }
  return folders;
}
