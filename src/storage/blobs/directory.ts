/**
 * Blobs in a folder: one file `ab/abcd…` for each hash, and a marker `abcd….purged` for a purged one. A file gets its
 * name by a link to a complete file on disk, so a file with a name is always complete. A purge creates the marker
 * before it deletes the file, and a put deletes the marker last. If both exist, a purge was interrupted, or the blob
 * was stored again without a reference yet; in both cases the purge may be completed. Many small blobs are durable
 * together in `bundles/` before each has its own file.
 */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { allSettled } from '../../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { type Bundle, type Bundles, openBundles } from './bundles.ts';
import { type Disk, realDisk } from './disk.ts';
import {
  BlobMissing,
  type BlobState,
  type Blobs,
  checkHash,
  type DeleteOptions,
  type Hash,
  type HashedFile,
  isHash,
  type StoredBlob,
} from './port.ts';
import { UnsettledBlobs } from './unsettled-blobs.ts';

const PURGED = '.purged';
const BUNDLES = 'bundles';

export interface BlobDirectory extends Blobs {
  /** Runs before anything else: creates the files of blobs that a previous run left in bundles. */
  recover(): Promise<void>;
  /** Resolves when every stored blob has its own file. */
  settleBundles(): Promise<void>;
}

/** The number of files that are written concurrently, which is faster than one after the other. */
const FILES_AT_ONCE = 8;

export interface BlobDirectoryOptions {
  readonly folder: string;
  readonly staging: () => Promise<string>;
  readonly disk?: Disk;
}

/** `folder` may be missing. Partial files are in `staging`, preferably on the same file system. */
export function openBlobDirectory(options: BlobDirectoryOptions): BlobDirectory {
  return new FileBlobDirectory(options);
}

class FileBlobDirectory implements BlobDirectory {
  readonly #options: BlobDirectoryOptions;
  readonly #disk: Disk;
  /** A put must not rely on a blob that is being deleted. */
  readonly #oneAtATime = createKeyedMutex();
  /** Folders whose names are on disk. */
  readonly #made = new Set<string>();
  readonly #bundles: Bundles;
  readonly #unsettled = new UnsettledBlobs((bundle) => this.#settleBundle(bundle));

  constructor(options: BlobDirectoryOptions) {
    this.#options = options;
    this.#disk = this.#options.disk ?? realDisk;
    this.#bundles = openBundles(
      join(this.#options.folder, BUNDLES),
      () => this.#makeFolder(join(this.#options.folder, BUNDLES)),
      this.#disk,
    );
  }

  async putAll(contents: ReadonlyMap<Hash, Uint8Array>): Promise<void> {
    this.#unsettled.add(await this.#bundles.write(contents));
    // A failure is reported to the caller that waits for the file; the bytes are safe in the bundle.
    this.settleBundles().catch(() => undefined);
  }

  async recover(): Promise<void> {
    for await (const bundle of this.#bundles.listLeftover()) await this.#settleBundle(bundle);
  }

  async findSize(hash: Hash): Promise<number | undefined> {
    return this.#unsettled.find(hash)?.length ?? (await this.#disk.findStatus(this.#getBlobPath(hash)))?.bytes;
  }

  async isIntact(hash: Hash): Promise<boolean> {
    await this.#ensureFile(hash);
    const file = this.#getBlobPath(hash);
    return (await this.#disk.findStatus(file)) !== undefined && (await this.#disk.hashFile(file)).hash === hash;
  }

  async read(hash: Hash): Promise<Buffer> {
    const known = this.#unsettled.find(hash);
    if (known !== undefined) return Buffer.from(known);
    const bytes = await this.#disk.readBytes(this.#getBlobPath(hash));
    if (bytes === undefined) throw await this.#createMissingError(hash);
    return bytes;
  }

  async linkTo(hash: Hash, file: string): Promise<void> {
    const source = this.#getBlobPath(hash);
    await this.#ensureFile(hash);
    if ((await this.#disk.findEntry(source)) === undefined) throw await this.#createMissingError(hash);
    const outcome = await this.#disk.linkFile(source, file);
    if (outcome === 'taken') throw new Error(`'${file}' already exists.`);
    if (outcome === 'impossible') {
      await this.#disk.copyFile(source, file);
      await this.#disk.makeReadOnly(file);
    }
  }

  async copyTo(hash: Hash, file: string): Promise<void> {
    const source = this.#getBlobPath(hash);
    await this.#ensureFile(hash);
    if ((await this.#disk.findEntry(source)) === undefined) throw await this.#createMissingError(hash);
    await this.#disk.copyFile(source, file);
  }

  async delete(hash: Hash, { purged, unless }: DeleteOptions): Promise<boolean> {
    // A bundled blob would return from its bundle.
    if (this.#unsettled.find(hash) !== undefined) await this.settleBundles();
    return this.#oneAtATime(hash, async () => {
      const target = this.#getBlobPath(hash);
      const note = `${target}${PURGED}`;
      const status = await this.#disk.findStatus(target);
      if (status === undefined) return false;
      const isHalfPurged = (await this.#disk.findEntry(note)) !== undefined;
      if ((await unless?.({ hash, bytes: status.bytes, putAtMs: status.modifiedAtMs, isHalfPurged })) === true)
        return false;
      if (purged && !isHalfPurged) {
        await this.#disk.writeDurably(note, '');
        await this.#disk.syncFolder(dirname(target));
      }
      await this.#disk.removeFile(target);
      await this.#disk.syncFolder(dirname(target));
      return true;
    });
  }

  async *list(): AsyncIterable<readonly StoredBlob[]> {
    await this.settleBundles();
    for (const start of await this.#disk.listNames(this.#options.folder)) {
      const found: StoredBlob[] = [];
      const names = new Set(await this.#disk.listNames(join(this.#options.folder, start)));
      for (const hash of [...names].filter(isHash)) {
        const status = await this.#disk.findStatus(this.#getBlobPath(hash));
        const isHalfPurged = names.has(`${hash}${PURGED}`);
        if (status === undefined) continue;
        found.push({ hash, bytes: status.bytes, putAtMs: status.modifiedAtMs, isHalfPurged });
      }
      yield found;
    }
  }

  #getBlobPath(hash: Hash): string {
    checkHash(hash);
    return join(this.#options.folder, hash.slice(0, 2), hash);
  }

  async #makeFolder(path: string): Promise<void> {
    if (this.#made.has(path)) return;
    if (path !== this.#options.folder) await this.#makeFolder(dirname(path));
    await this.#disk.makePrivateFolder(path);
    await this.#disk.syncFolder(dirname(path));
    this.#made.add(path);
  }

  /**
   * `source` returns a complete file on disk that may be linked. It is called only if the blob is missing, or if its
   * file has the wrong size because it was damaged.
   */
  #storeBlob(hash: Hash, bytes: number | undefined, source: () => Promise<string>): Promise<void> {
    const target = this.#getBlobPath(hash);
    return this.#oneAtATime(hash, async () => {
      const known = await this.#disk.findStatus(target);
      const isWhole = known !== undefined && known.bytes === bytes;
      if (isWhole) {
        await this.#disk.touch(target);
      } else if (known === undefined) {
        await this.#makeFolder(dirname(target));
        await this.#linkOrCopy(await source(), target);
      } else {
        await this.#replaceWithCopy(await source(), target);
      }
      await this.#deletePurgeNote(target);
    });
  }

  /**
   * Runs only after the blob exists again: otherwise a crash would leave neither of them, and its state would be
   * unknown.
   */
  async #deletePurgeNote(target: string): Promise<void> {
    const note = `${target}${PURGED}`;
    if ((await this.#disk.findEntry(note)) === undefined) return;
    await this.#disk.syncFolder(dirname(target));
    await this.#disk.removeFile(note);
    await this.#disk.syncFolder(dirname(target));
  }

  async #linkOrCopy(source: string, target: string): Promise<void> {
    if ((await this.#disk.linkFile(source, target)) === 'impossible') await this.#replaceWithCopy(source, target);
  }

  async #replaceWithCopy(source: string, target: string): Promise<void> {
    const copy = join(await this.#options.staging(), `blob-${randomUUID()}`);
    try {
      await this.#disk.copyFile(source, copy);
      await this.#disk.syncFile(copy);
      await this.#disk.makeReadOnly(copy);
      // Writes of one hash are serialized. Replacing the same bytes of another node is harmless.
      await this.#disk.move(copy, target);
    } finally {
      await this.#disk.removeTree(copy);
    }
  }

  async getState(hash: Hash): Promise<BlobState> {
    const target = this.#getBlobPath(hash);
    if (this.#unsettled.find(hash) !== undefined || (await this.#disk.findEntry(target)) !== undefined)
      return 'present';
    return (await this.#disk.findEntry(`${target}${PURGED}`)) === undefined ? 'absent' : 'purged';
  }

  async put(hash: Hash, bytes: Uint8Array): Promise<void> {
    const file = join(await this.#options.staging(), `blob-${randomUUID()}`);
    try {
      await this.#storeBlob(hash, bytes.length, async () => {
        await this.#disk.writeDurably(file, bytes);
        await this.#disk.makeReadOnly(file);
        return file;
      });
      await this.#disk.syncFolder(dirname(this.#getBlobPath(hash)));
    } finally {
      await this.#disk.removeFile(file);
    }
  }

  async putFiles(files: readonly HashedFile[]): Promise<void> {
    const atOnce = createConcurrencyLimiter(FILES_AT_ONCE);
    const putFile = async ({ hash, file }: HashedFile) =>
      this.#storeBlob(hash, (await this.#disk.findStatus(file))?.bytes, async () => {
        await this.#disk.syncFile(file);
        await this.#disk.makeReadOnly(file);
        // The storage time is now, regardless of the age of the file.
        await this.#disk.touch(file);
        return file;
      });
    await allSettled(files.map((each) => atOnce(() => putFile(each))));
    // Also for existing files: the process that stored them may have stopped before this point.
    for (const each of new Set(files.map(({ hash }) => dirname(this.#getBlobPath(hash)))))
      await this.#disk.syncFolder(each);
  }

  /** Creates the files of all blobs in a bundle. */
  async #settleBundle({ contents, remove }: Bundle): Promise<void> {
    const place = join(await this.#options.staging(), `bundle-${randomUUID()}`);
    await this.#disk.makePrivateFolder(place);
    try {
      const files: HashedFile[] = [];
      for (const [hash, bytes] of contents) {
        const file = join(place, hash);
        await this.#disk.writeUnsynced(file, bytes);
        files.push({ hash, file });
      }
      await this.putFiles(files);
    } finally {
      await this.#disk.removeTree(place);
    }
    await remove();
  }

  settleBundles(): Promise<void> {
    return this.#unsettled.settle();
  }

  /** Creates the file of one bundled blob without waiting for the others. */
  async #ensureFile(hash: Hash): Promise<void> {
    const bytes = this.#unsettled.find(hash);
    if (bytes !== undefined) await this.put(hash, bytes);
  }

  async #createMissingError(hash: Hash): Promise<BlobMissing> {
    return new BlobMissing(hash, await this.getState(hash));
  }
}
