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
import { type Bundle, openBundles } from './bundles.ts';
import { type Disk, realDisk } from './disk.ts';
import {
  BlobMissing,
  type BlobState,
  type Blobs,
  checkHash,
  type Hash,
  type HashedFile,
  isHash,
  type StoredBlob,
} from './port.ts';

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

/** `folder` may be missing. Partial files are in `staging`, preferably on the same file system. */
export function openBlobDirectory(options: {
  readonly folder: string;
  readonly staging: () => Promise<string>;
  readonly disk?: Disk;
}): BlobDirectory {
  const { folder, staging, disk = realDisk } = options;
  /** A put must not rely on a blob that is being deleted. */
  const oneAtATime = createKeyedMutex();
  /** Folders whose names are on disk. */
  const made = new Set<string>();
  const bundles = openBundles(join(folder, BUNDLES), () => makeFolder(join(folder, BUNDLES)), disk);
  /** Blobs that are durable in a bundle and have no file yet. */
  const behind = new Map<Hash, Uint8Array>();
  const unsettled: Bundle[] = [];
  let settling: Promise<void> = Promise.resolve();

  function getBlobPath(hash: Hash): string {
    checkHash(hash);
    return join(folder, hash.slice(0, 2), hash);
  }

  async function makeFolder(path: string): Promise<void> {
    if (made.has(path)) return;
    if (path !== folder) await makeFolder(dirname(path));
    await disk.makePrivateFolder(path);
    await disk.syncFolder(dirname(path));
    made.add(path);
  }

  /**
   * `source` returns a complete file on disk that may be linked. It is called only if the blob is missing, or if its
   * file has the wrong size because it was damaged.
   */
  function storeBlob(hash: Hash, bytes: number | undefined, source: () => Promise<string>): Promise<void> {
    const target = getBlobPath(hash);
    return oneAtATime(hash, async () => {
      const known = await disk.findStatus(target);
      const isWhole = known !== undefined && known.bytes === bytes;
      if (isWhole) {
        await disk.touch(target);
      } else if (known === undefined) {
        await makeFolder(dirname(target));
        await linkOrCopy(await source(), target);
      } else {
        await replaceWithCopy(await source(), target);
      }
      await deletePurgeNote(target);
    });
  }

  /**
   * Runs only after the blob exists again: otherwise a crash would leave neither of them, and its state would be
   * unknown.
   */
  async function deletePurgeNote(target: string): Promise<void> {
    const note = `${target}${PURGED}`;
    if ((await disk.findEntry(note)) === undefined) return;
    await disk.syncFolder(dirname(target));
    await disk.removeFile(note);
    await disk.syncFolder(dirname(target));
  }

  async function linkOrCopy(source: string, target: string): Promise<void> {
    if ((await disk.linkFile(source, target)) === 'impossible') await replaceWithCopy(source, target);
  }

  async function replaceWithCopy(source: string, target: string): Promise<void> {
    const copy = join(await staging(), `blob-${randomUUID()}`);
    try {
      await disk.copyFile(source, copy);
      await disk.syncFile(copy);
      await disk.makeReadOnly(copy);
      // Writes of one hash are serialized. Replacing the same bytes of another node is harmless.
      await disk.move(copy, target);
    } finally {
      await disk.removeTree(copy);
    }
  }

  async function getState(hash: Hash): Promise<BlobState> {
    const target = getBlobPath(hash);
    if (behind.has(hash) || (await disk.findEntry(target)) !== undefined) return 'present';
    return (await disk.findEntry(`${target}${PURGED}`)) === undefined ? 'absent' : 'purged';
  }

  async function put(hash: Hash, bytes: Uint8Array): Promise<void> {
    const file = join(await staging(), `blob-${randomUUID()}`);
    try {
      await storeBlob(hash, bytes.length, async () => {
        await disk.writeDurably(file, bytes);
        await disk.makeReadOnly(file);
        return file;
      });
      await disk.syncFolder(dirname(getBlobPath(hash)));
    } finally {
      await disk.removeFile(file);
    }
  }

  async function putFiles(files: readonly HashedFile[]): Promise<void> {
    const atOnce = createConcurrencyLimiter(FILES_AT_ONCE);
    const putFile = async ({ hash, file }: HashedFile) =>
      storeBlob(hash, (await disk.findStatus(file))?.bytes, async () => {
        await disk.syncFile(file);
        await disk.makeReadOnly(file);
        // The storage time is now, regardless of the age of the file.
        await disk.touch(file);
        return file;
      });
    await allSettled(files.map((each) => atOnce(() => putFile(each))));
    // Also for existing files: the process that stored them may have stopped before this point.
    for (const each of new Set(files.map(({ hash }) => dirname(getBlobPath(hash))))) await disk.syncFolder(each);
  }

  /** Creates the files of all blobs in a bundle. */
  async function settleBundle({ contents, remove }: Bundle): Promise<void> {
    const place = join(await staging(), `bundle-${randomUUID()}`);
    await disk.makePrivateFolder(place);
    try {
      const files: HashedFile[] = [];
      for (const [hash, bytes] of contents) {
        const file = join(place, hash);
        await disk.writeUnsynced(file, bytes);
        files.push({ hash, file });
      }
      await putFiles(files);
    } finally {
      await disk.removeTree(place);
    }
    await remove();
  }

  /** Settles one bundle after the other. A bundle that fails is tried again the next time. */
  function settleBundles(): Promise<void> {
    settling = settling
      .catch(() => undefined)
      .then(async () => {
        for (let [next] = unsettled; next !== undefined; [next] = unsettled) {
          await settleBundle(next);
          unsettled.shift();
          // A later bundle may contain the same blob.
          for (const hash of next.contents.keys()) {
            if (!unsettled.some(({ contents }) => contents.has(hash))) behind.delete(hash);
          }
        }
      });
    return settling;
  }

  /** Creates the file of one bundled blob without waiting for the others. */
  async function ensureFile(hash: Hash): Promise<void> {
    const bytes = behind.get(hash);
    if (bytes !== undefined) await put(hash, bytes);
  }

  async function createMissingError(hash: Hash): Promise<BlobMissing> {
    return new BlobMissing(hash, await getState(hash));
  }

  return {
    getState,

    put,

    async putAll(contents) {
      const bundle = await bundles.write(contents);
      for (const [hash, bytes] of contents) behind.set(hash, bytes);
      unsettled.push(bundle);
      // A failure is reported to the caller that waits for the file; the bytes are safe in the bundle.
      settleBundles().catch(() => undefined);
    },

    putFiles,

    async recover() {
      for await (const bundle of bundles.listLeftover()) await settleBundle(bundle);
    },

    settleBundles,

    findSize: async (hash) => behind.get(hash)?.length ?? (await disk.findStatus(getBlobPath(hash)))?.bytes,

    async isIntact(hash) {
      await ensureFile(hash);
      const file = getBlobPath(hash);
      return (await disk.findStatus(file)) !== undefined && (await disk.hashFile(file)) === hash;
    },

    async read(hash) {
      const known = behind.get(hash);
      if (known !== undefined) return Buffer.from(known);
      const bytes = await disk.readBytes(getBlobPath(hash));
      if (bytes === undefined) throw await createMissingError(hash);
      return bytes;
    },

    async linkTo(hash, file) {
      const source = getBlobPath(hash);
      await ensureFile(hash);
      if ((await disk.findEntry(source)) === undefined) throw await createMissingError(hash);
      const outcome = await disk.linkFile(source, file);
      if (outcome === 'taken') throw new Error(`'${file}' already exists.`);
      if (outcome === 'impossible') {
        await disk.copyFile(source, file);
        await disk.makeReadOnly(file);
      }
    },

    async copyTo(hash, file) {
      const source = getBlobPath(hash);
      await ensureFile(hash);
      if ((await disk.findEntry(source)) === undefined) throw await createMissingError(hash);
      await disk.copyFile(source, file);
    },

    async delete(hash, { purged, unless }) {
      // A bundled blob would return from its bundle.
      if (behind.has(hash)) await settleBundles();
      return oneAtATime(hash, async () => {
        const target = getBlobPath(hash);
        const note = `${target}${PURGED}`;
        const status = await disk.findStatus(target);
        if (status === undefined) return false;
        const isHalfPurged = (await disk.findEntry(note)) !== undefined;
        if ((await unless?.({ hash, bytes: status.bytes, putAtMs: status.modifiedAtMs, isHalfPurged })) === true)
          return false;
        if (purged && !isHalfPurged) {
          await disk.writeDurably(note, '');
          await disk.syncFolder(dirname(target));
        }
        await disk.removeFile(target);
        await disk.syncFolder(dirname(target));
        return true;
      });
    },

    async *list() {
      await settleBundles();
      for (const start of await disk.listNames(folder)) {
        const found: StoredBlob[] = [];
        const names = new Set(await disk.listNames(join(folder, start)));
        for (const hash of [...names].filter(isHash)) {
          const status = await disk.findStatus(getBlobPath(hash));
          const isHalfPurged = names.has(`${hash}${PURGED}`);
          if (status === undefined) continue;
          found.push({ hash, bytes: status.bytes, putAtMs: status.modifiedAtMs, isHalfPurged });
        }
        yield found;
      }
    },
  };
}
