/**
 * Room that is kept for deletions, so that a full disk can be emptied through the server.
 *
 * A deletion writes before it frees anything: to the log of the database, and notes of what is to be purged. The reserve is
 * a file of a few megabytes in the data directory. Before a deletion on a disk with less room than that, the file is
 * removed, and nothing else is stored until there is room to write it again. Programs beside this server may fill the disk
 * completely; the reserve holds against them as well.
 */
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { problem } from '../../lib/problems/problem.ts';
import { type Disk, realDisk } from '../blobs/disk.ts';

export interface DiskReserveOptions {
  readonly file: string;
  /** At most this. */
  readonly bytes: number;
  /** On small disks, at most this part of them. */
  readonly share: number;
  readonly disk?: Disk;
}

/** The file is written again when this many times its size is free: the disk must not be full again with it. */
const RESERVE_FREE_FACTOR = 2;

/** Random, so that no file system stores it in fewer bytes. */
const PIECE_BYTES = 65_536;

export class DiskReserve {
  readonly #options: DiskReserveOptions;
  readonly #disk: Disk;
  #isReleased = false;
  #holding: Promise<boolean> | undefined;

  constructor(options: DiskReserveOptions) {
    this.#options = options;
    this.#disk = options.disk ?? realDisk;
  }

  /** To be called before anything is deleted. */
  async prepareDeletion(): Promise<void> {
    const { free, bytes } = await this.#measureSpace();
    if (free >= bytes) return;
    this.#isReleased = true;
    await this.#disk.removeFile(this.#options.file);
  }

  /** To be called before anything is stored: fails while the room is kept for deletions. Undefined means go on. */
  checkStoring(): Promise<void> | undefined {
    if (!this.#isReleased) return undefined;
    return this.ensureHeld().then((isHeld) => {
      if (!isHeld) throw problem('storage-full', {});
    });
  }

  /** Whether room is kept for deletions only. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Writes the file where it is missing and there is room for it; tells whether it is there. */
  ensureHeld(): Promise<boolean> {
    this.#holding ??= this.#write().finally(() => {
      this.#holding = undefined;
    });
    return this.#holding;
  }

  async #measureSpace(): Promise<{ readonly free: number; readonly bytes: number }> {
    const { freeBytes, totalBytes } = await this.#disk.measureSpace(dirname(this.#options.file));
    const { bytes, share } = this.#options;
    return { free: freeBytes, bytes: Math.floor(Math.min(bytes, totalBytes * share)) };
  }

  async #write(): Promise<boolean> {
    const { file } = this.#options;
    const { free, bytes } = await this.#measureSpace();
    const known = (await this.#disk.findStatus(file))?.bytes;
    if (known !== bytes) {
      await this.#disk.removeFile(file);
      if (free + (known ?? 0) < RESERVE_FREE_FACTOR * bytes || !(await fillFile(file, bytes))) {
        await this.#disk.removeFile(file);
        return false;
      }
    }
    this.#isReleased = false;
    return true;
  }
}

/** False where there was no room for it after all. */
async function fillFile(file: string, bytes: number): Promise<boolean> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for (let written = 0; written < bytes; written += PIECE_BYTES) {
      await handle.writeFile(randomBytes(Math.min(PIECE_BYTES, bytes - written)));
    }
    return true;
  } catch (error) {
    if (findDiskProblem(error)?.code === 'storage-full') return false;
    throw error;
  } finally {
    await handle.close();
  }
}
