/**
 * Bytes in a folder: `ab/abcd…`, a file for each hash, beside it `abcd….purged` for what somebody wanted gone.
 *
 * A file gets its name by a link to one that is whole and on the disk, so whatever has a name has all its bytes. Of the
 * note and the file, purging makes the note first, and putting removes it last: where both are, a purge was cut off, or
 * bytes were put back that no record names yet, so that the purge may be ended either way.
 *
 * Many small ones are durable together in `bundles/` before each of them has its file.
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
  /** Before anything else: gives those their files that a run before has only left in bundles. */
  recover(): Promise<void>;
  /** When all that was put has its file. */
  settleBundles(): Promise<void>;
}

/** Files that are written to the disk together: it is faster with several than with one after the other. */
const FILES_AT_ONCE = 8;

/** `folder` need not be there; half-written files lie in `staging`, which is best on the same file system. */
export function openBlobDirectory(options: {
  readonly folder: string;
  readonly staging: () => Promise<string>;
  readonly disk?: Disk;
}): BlobDirectory {
  const { folder, staging, disk = realDisk } = options;
  /** Whoever puts must not take bytes for granted that whoever deletes is about to take away. */
  const oneAtATime = createKeyedMutex();
  /** Folders that are on the disk with their names. */
  const made = new Set<string>();
  const bundles = openBundles(join(folder, BUNDLES), () => makeFolder(join(folder, BUNDLES)), disk);
  /** What is durable in a bundle, and has no file of its own yet. */
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
   * `source` gives a whole file that is on the disk and may be linked; it is asked only where the bytes are missing, or
   * where there is a file of another size: a broken disk or somebody's hand has damaged that one.
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

  /** Only once the bytes are there again: else a kill would leave neither, and nobody would know what became of them. */
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
      // No two write one hash at once; over the same bytes of another node it would do no harm.
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
        // It is put now, whenever it was written.
        await disk.touch(file);
        return file;
      });
    await allSettled(files.map((each) => atOnce(() => putFile(each))));
    // Also of those that were there: whoever has put them may not have come this far.
    for (const each of new Set(files.map(({ hash }) => dirname(getBlobPath(hash))))) await disk.syncFolder(each);
  }

  /** Gives all of a bundle their own files. */
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

  /** Bundle by bundle; one that could not be settled is tried again the next time. */
  function settleBundles(): Promise<void> {
    settling = settling
      .catch(() => undefined)
      .then(async () => {
        for (let [next] = unsettled; next !== undefined; [next] = unsettled) {
          await settleBundle(next);
          unsettled.shift();
          // The same bytes may be in a bundle that came later.
          for (const hash of next.contents.keys()) {
            if (!unsettled.some(({ contents }) => contents.has(hash))) behind.delete(hash);
          }
        }
      });
    return settling;
  }

  /** Whoever needs the file of what is still in a bundle does not wait for all the others. */
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
      // What fails is told to whoever waits for it; the bytes are safe.
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
      // What is still in a bundle would come back from it.
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
