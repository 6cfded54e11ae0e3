/** The folder of a tile cache. A tile is written completely or not at all. */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { FOLDERS } from './tile-key.ts';

export interface TileFileStatus {
  readonly entry: 'file' | 'folder' | 'other';
  readonly modifiedAtMs: number;
  readonly bytes: number;
}

/** The disk operations of the cache. */
export interface TileDisk {
  findStatus(path: string): Promise<TileFileStatus | undefined>;
  /** Returns an empty list for a missing folder. */
  listNames(folder: string): Promise<readonly string[]>;
  /** Returns undefined for a missing file. */
  readBytes(file: string): Promise<Buffer | undefined>;
  /** Creates one folder unless it exists. */
  makePrivateFolder(path: string): Promise<void>;
  writeUnsynced(file: string, content: Uint8Array): Promise<void>;
  /** Renames a file and replaces an existing one. */
  move(from: string, to: string): Promise<void>;
  /** Sets the modification time to now. */
  touch(file: string): Promise<void>;
  removeFile(file: string): Promise<boolean>;
  removeEmptyFolder(path: string): Promise<void>;
  removeTree(path: string): Promise<void>;
}

/** The folder of incomplete files. */
const INCOMING = 'incoming';

/** The number of times that a complete file is moved into its place. */
const MAX_MOVES = 5;

export class TileFolder {
  readonly #folder: string;
  readonly #disk: TileDisk;
  #clearing: Promise<void> | undefined;

  constructor(folder: string, disk: TileDisk) {
    this.#folder = folder;
    this.#disk = disk;
  }

  /** Deletes incomplete files of a previous run. */
  deleteIncoming(): Promise<void> {
    this.#clearing ??= this.#disk.removeTree(join(this.#folder, INCOMING));
    return this.#clearing;
  }

  /** Lists the folders at the top, one for each map. */
  listMaps(): Promise<readonly string[]> {
    return this.#disk.listNames(this.#folder).catch(() => []);
  }

  async *listFiles(path: readonly string[]): AsyncGenerator<readonly string[]> {
    for (const name of await this.#disk.listNames(join(this.#folder, ...path))) {
      if (path.length === 0 && name === INCOMING) continue;
      if (path.length === FOLDERS) yield [...path, name];
      else yield* this.listFiles([...path, name]);
    }
  }

  findStatus(path: string): ReturnType<TileDisk['findStatus']> {
    return this.#disk.findStatus(join(this.#folder, path));
  }

  /** Returns undefined for a missing file. */
  read(path: string): Promise<Buffer | undefined> {
    return this.#disk.readBytes(join(this.#folder, path));
  }

  touch(path: string): Promise<void> {
    return this.#disk.touch(join(this.#folder, path)).catch(ignoreMissing);
  }

  async remove(path: string): Promise<void> {
    await this.#disk.removeFile(join(this.#folder, path));
    await this.#disk.removeEmptyFolder(dirname(join(this.#folder, path)));
  }

  async write(path: readonly string[], content: Buffer): Promise<void> {
    const incoming = join(this.#folder, INCOMING, randomUUID());
    await this.deleteIncoming();
    await this.#createFolders([INCOMING]);
    await this.#createFolders(path.slice(0, -1));
    try {
      await this.#disk.writeUnsynced(incoming, content);
      await this.#moveIntoPlace(incoming, path);
    } catch (error) {
      // A full disk may have written a part of the file.
      await this.#disk.removeFile(incoming);
      throw error;
    }
  }

  /** Deleting an expired tile also deletes its empty folders, possibly between their creation and the move. */
  async #moveIntoPlace(incoming: string, path: readonly string[], attempts = MAX_MOVES): Promise<void> {
    try {
      await this.#disk.move(incoming, join(this.#folder, ...path));
    } catch (error) {
      if (attempts === 1 || findErrorCode(error) !== 'ENOENT') throw error;
      await this.#createFolders(path.slice(0, -1));
      await this.#moveIntoPlace(incoming, path, attempts - 1);
    }
  }

  async #createFolders(path: readonly string[]): Promise<void> {
    await this.#disk.makePrivateFolder(this.#folder);
    for (const [index] of path.entries())
      await this.#disk.makePrivateFolder(join(this.#folder, ...path.slice(0, index + 1)));
  }
}

/** The file may have been deleted, or may still be being written. */
function ignoreMissing(reason: unknown): void {
  if (findErrorCode(reason) !== 'ENOENT') throw reason;
}
