/**
 * Bytes in a folder: `ab/abcd…`, a file for each hash, beside it `abcd….purged` for what somebody wanted gone.
 *
 * A file gets its name by a link to one that is whole and on the disk, so whatever has a name has all its bytes. Of the
 * note and the file, purging makes the note first, and putting removes it last: where both are, a purge was cut off, or
 * bytes were put back that no record names yet, so that the purge may be ended either way.
 */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { allSettled } from '../../lib/all-settled.ts';
import { createFewAtATime } from '../../lib/few-at-a-time.ts';
import { createOneAtATime } from '../../lib/one-at-a-time.ts';
import { type Disk, realDisk } from '../files/disk.ts';
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

/** Files that are written to the disk together: it is faster with several than with one after the other. */
const FILES_AT_ONCE = 8;

/** `folder` need not be there; half-written files lie in `staging`, which is best on the same file system. */
export function openBlobDirectory(options: {
  readonly folder: string;
  readonly staging: () => Promise<string>;
  readonly disk?: Disk;
}): Blobs {
  const { folder, staging, disk = realDisk } = options;
  /** Whoever puts must not take bytes for granted that whoever deletes is about to take away. */
  const oneAtATime = createOneAtATime();
  /** Folders that are on the disk with their names. */
  const made = new Set<string>();

  function placeOf(hash: Hash): string {
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
  function place(hash: Hash, bytes: number | undefined, source: () => Promise<string>): Promise<void> {
    const target = placeOf(hash);
    return oneAtATime(hash, async () => {
      const known = await disk.statusOf(target);
      const isWhole = known !== undefined && known.bytes === bytes;
      if (isWhole) {
        await disk.touch(target);
      } else if (known === undefined) {
        await makeFolder(dirname(target));
        await linkOrCopy(await source(), target);
      } else {
        await copyOver(await source(), target);
      }
      await forgetPurge(target);
    });
  }

  /** Only once the bytes are there again: else a kill would leave neither, and nobody would know what became of them. */
  async function forgetPurge(target: string): Promise<void> {
    const note = `${target}${PURGED}`;
    if ((await disk.entryAt(note)) === undefined) return;
    await disk.syncFolder(dirname(target));
    await disk.removeFile(note);
    await disk.syncFolder(dirname(target));
  }

  async function linkOrCopy(source: string, target: string): Promise<void> {
    if ((await disk.linkFile(source, target)) === 'impossible') await copyOver(source, target);
  }

  async function copyOver(source: string, target: string): Promise<void> {
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

  async function state(hash: Hash): Promise<BlobState> {
    const target = placeOf(hash);
    if ((await disk.entryAt(target)) !== undefined) return 'present';
    return (await disk.entryAt(`${target}${PURGED}`)) === undefined ? 'absent' : 'purged';
  }

  async function missing(hash: Hash): Promise<BlobMissing> {
    return new BlobMissing(hash, await state(hash));
  }

  return {
    state,

    async put(hash, bytes) {
      const file = join(await staging(), `blob-${randomUUID()}`);
      try {
        await place(hash, bytes.length, async () => {
          await disk.writeDurably(file, bytes);
          await disk.makeReadOnly(file);
          return file;
        });
        await disk.syncFolder(dirname(placeOf(hash)));
      } finally {
        await disk.removeFile(file);
      }
    },

    async putFiles(files) {
      const atOnce = createFewAtATime(FILES_AT_ONCE);
      const put = async ({ hash, file }: HashedFile) =>
        place(hash, (await disk.statusOf(file))?.bytes, async () => {
          await disk.syncFile(file);
          await disk.makeReadOnly(file);
          // It is put now, whenever it was written.
          await disk.touch(file);
          return file;
        });
      await allSettled(files.map((each) => atOnce(() => put(each))));
      // Also of those that were there: whoever has put them may not have come this far.
      for (const each of new Set(files.map(({ hash }) => dirname(placeOf(hash))))) await disk.syncFolder(each);
    },

    bytesOf: async (hash) => (await disk.statusOf(placeOf(hash)))?.bytes,

    async isIntact(hash) {
      const file = placeOf(hash);
      return (await disk.statusOf(file)) !== undefined && (await disk.hashOf(file)) === hash;
    },

    async read(hash) {
      const bytes = await disk.readBytes(placeOf(hash));
      if (bytes === undefined) throw await missing(hash);
      return bytes;
    },

    async placeAt(hash, file) {
      const source = placeOf(hash);
      if ((await disk.entryAt(source)) === undefined) throw await missing(hash);
      const outcome = await disk.linkFile(source, file);
      if (outcome === 'taken') throw new Error(`There is something at '${file}' already.`);
      if (outcome === 'impossible') {
        await disk.copyFile(source, file);
        await disk.makeReadOnly(file);
      }
    },

    async copyTo(hash, file) {
      const source = placeOf(hash);
      if ((await disk.entryAt(source)) === undefined) throw await missing(hash);
      await disk.copyFile(source, file);
    },

    delete: (hash, { purged, unless }) =>
      oneAtATime(hash, async () => {
        const target = placeOf(hash);
        const note = `${target}${PURGED}`;
        const status = await disk.statusOf(target);
        if (status === undefined) return false;
        const isHalfPurged = (await disk.entryAt(note)) !== undefined;
        if ((await unless?.({ hash, putAtMs: status.modifiedAtMs, isHalfPurged })) === true) return false;
        if (purged && !isHalfPurged) {
          await disk.writeDurably(note, '');
          await disk.syncFolder(dirname(target));
        }
        await disk.removeFile(target);
        await disk.syncFolder(dirname(target));
        return true;
      }),

    async *list() {
      for (const start of await disk.namesIn(folder)) {
        const found: StoredBlob[] = [];
        const names = new Set(await disk.namesIn(join(folder, start)));
        for (const hash of [...names].filter(isHash)) {
          const status = await disk.statusOf(placeOf(hash));
          const isHalfPurged = names.has(`${hash}${PURGED}`);
          if (status !== undefined) found.push({ hash, putAtMs: status.modifiedAtMs, isHalfPurged });
        }
        yield found;
      }
    },
  };
}
