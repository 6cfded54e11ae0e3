/** Tiles in a directory that all nodes mount. */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import type { TileDisk } from '../cache/tile-folder.ts';
import type { StoredTile, TileStore } from './tile-store.ts';

/** A silent file server blocks a thread for each operation. Node has four for the files of all requests. */
const MAX_READS_AT_ONCE = 2;
const MAX_WRITES_AT_ONCE = 1;

/** Follows the name of a file until it is complete. Files of dead nodes are cleaned like tiles. */
const INCOMPLETE = '.incomplete-';

/** Another node can delete an empty folder between its creation and the last step of a write. */
const MAX_ATTEMPTS = 5;

export class DirectoryTileStore implements TileStore {
  readonly shown: string;
  readonly #directory: string;
  readonly #disk: TileDisk;
  readonly #limitReads = createConcurrencyLimiter(MAX_READS_AT_ONCE);
  readonly #limitWrites = createConcurrencyLimiter(MAX_WRITES_AT_ONCE);

  constructor(directory: string, disk: TileDisk) {
    this.shown = `file:${directory}`;
    this.#directory = directory;
    this.#disk = disk;
  }

  read(key: string, signal: AbortSignal): Promise<Buffer | undefined> {
    return this.#limitReads(async () => {
      signal.throwIfAborted();
      return this.#disk.readBytes(join(this.#directory, key));
    });
  }

  write(key: string, content: Buffer, signal: AbortSignal): Promise<void> {
    return this.#limitWrites(async () => {
      signal.throwIfAborted();
      await this.#writeFile(key, content);
    });
  }

  async *list(prefix: string, signal: AbortSignal): AsyncGenerator<readonly StoredTile[]> {
    signal.throwIfAborted();
    const files: StoredTile[] = [];
    const folder = prefix.replace(/\/$/, '');
    for (const name of await this.#disk.listNames(join(this.#directory, folder))) {
      const key = `${folder}/${name}`;
      const status = await this.#disk.findStatus(join(this.#directory, key));
      if (status?.entry === 'folder') yield* this.list(key, signal);
      else if (status?.entry === 'file') files.push({ key, bytes: status.bytes, modifiedAtMs: status.modifiedAtMs });
    }
    if (files.length > 0) yield files;
  }

  async delete(key: string): Promise<void> {
    await this.#disk.removeFile(join(this.#directory, key));
    await this.#disk.removeEmptyFolder(dirname(join(this.#directory, key)));
  }

  close(): void {
    // Files are closed after each operation.
  }

  async #writeFile(key: string, content: Buffer, attempts = MAX_ATTEMPTS): Promise<void> {
    const file = join(this.#directory, key);
    const incomplete = `${file}${INCOMPLETE}${randomUUID()}`;
    try {
      await this.#createFolders(dirname(key));
      await this.#disk.writeUnsynced(incomplete, content);
      await this.#disk.move(incomplete, file);
    } catch (error) {
      // A full disk may have written a part of the file.
      await this.#disk.removeFile(incomplete);
      if (attempts === 1 || findErrorCode(error) !== 'ENOENT') throw error;
      await this.#writeFile(key, content, attempts - 1);
    }
  }

  /** Does not create the directory itself: it may be the mount point of a file system that is not mounted. */
  async #createFolders(path: string): Promise<void> {
    const names = path.split('/');
    for (const [index] of names.entries()) {
      await this.#disk.makePrivateFolder(join(this.#directory, ...names.slice(0, index + 1)));
    }
  }
}
