/**
 * Disk space reserved for deletions, so that a full disk can be cleaned up through the server. A deletion writes before
 * it frees space: to the database log, and purge notes. The reserve is a file of a few megabytes in the data directory.
 * Before a deletion on a disk with less free space than that, the file is removed, and nothing else is stored until
 * there is space to write it again. Other programs may fill the disk completely; the reserve protects against them as
 * well.
 */
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { type Disk, realDisk } from '../blobs/disk.ts';

export interface DiskReserveOptions {
  readonly file: string;
  /** The maximum size. */
  readonly bytes: number;
  /** The maximum share of a small disk. */
  readonly share: number;
  readonly disk?: Disk;
}

/** The file is written again when this many times its size is free, so that the disk is not full again with it. */
const RESERVE_FREE_FACTOR = 2;

/** Random data, so that no file system compresses it. */
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

  /** Must be called before a deletion. */
  async prepareDeletion(): Promise<void> {
    const { free, bytes } = await this.#measureSpace();
    if (free >= bytes) return;
    this.#isReleased = true;
    await this.#disk.removeFile(this.#options.file);
  }

  /**
   * Must be called before anything is stored; rejects while the space is reserved for deletions. Undefined means
   * continue.
   */
  checkStoring(): Promise<void> | undefined {
    if (!this.#isReleased) return undefined;
    return this.ensureHeld().then((isHeld) => {
      if (!isHeld) throw problem('storage-full', {});
    });
  }

  /** Whether the space is reserved for deletions. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Writes the file if it is missing and there is space for it. Returns whether it exists. */
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

/** Runs work that may free space; if the disk is too full for it, releases the reserve and runs it again. */
export async function withRoom<T>(reserve: DiskReserve, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const found = error instanceof Problem ? error : findDiskProblem(error);
    if (found?.code !== 'storage-full') throw error;
    await reserve.prepareDeletion();
    return work();
  }
}

/** Returns false if the space did not suffice. */
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
