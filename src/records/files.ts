/**
 * The files that records name: bytes under their hash, and sets of files, which are opened as folders.
 *
 * Everything is durable before a change names it, and nothing is changed, moved or removed with a change. What no record
 * and no history names any more is collected later (`collect-files.ts`).
 */
import { join } from 'node:path';
import { allSettled } from '../lib/all-settled.ts';
import { createRecentlyUsed } from '../lib/recently-used.ts';
import { openCachedBlobs, type SharedBytes } from '../storage/blobs/cached.ts';
import { type BlobDirectory, openBlobDirectory } from '../storage/blobs/directory.ts';
import { type Blobs, type Hash, hashOfBytes } from '../storage/blobs/port.ts';
import { type Disk, realDisk } from '../storage/files/disk.ts';
import { openStaging, type StagingFolder } from '../storage/files/staging.ts';
import { createFileCache, type FileCacheOptions } from './file-cache.ts';
import { createKeeper, type FileKeeper, type NewFiles } from './file-keeper.ts';
import { type FileSetId, parseFileSet, printFileSet, type SetFile } from './file-sets.ts';
import { createPins } from './pins.ts';
import { purgeFiles } from './purge-files.ts';
import { openPurges, type Purges } from './purges.ts';
import { openSetFolders } from './set-folders.ts';
import { createWaitingBytes } from './waiting-bytes.ts';

export type { HashedFile } from '../storage/blobs/port.ts';
export type { StagingFolder } from '../storage/files/staging.ts';

export interface Files extends Purges {
  createStaging(purpose: string): Promise<StagingFolder>;
  /** Before anything else: ends what a run before has begun, removes what it has left in staging, and counts that. */
  recover(): Promise<number>;
  /** When nothing is left to be written behind what was kept. */
  settled(): Promise<void>;
  /** Runs an operation with its change. What it keeps is not collected before it has ended. */
  keeping<T>(operation: (keeper: FileKeeper) => Promise<T>): Promise<T>;
  /** For many operations that become one change. */
  gather(): GatheredFiles;
  read(hash: Hash): Promise<Buffer>;
  /** The same, from memory where it was small and somebody kept or read it lately: for those who read very many. */
  recall(hash: Hash): Promise<Buffer>;
  /** The folder of a set, whole, with files that nobody may write into; it is made where it is missing. */
  openSet(set: FileSetId): Promise<string>;
  /** Copies the files of a set into a folder, where they may be written. */
  copySet(set: FileSetId, folder: string): Promise<void>;
  /** The same for good, into a folder that is not there yet: false if it is. All is on the disk before it has its name. */
  copyOut(set: FileSetId, folder: string): Promise<boolean>;
  /** To be told whenever something reads the files of a set that it has opened before. While the number that comes back is the same, they are where they were. */
  noteUse(set: FileSetId): number;
  /** At the start: copies of shared files that are too much, or not whole, go. */
  checkCopies(): Promise<void>;
  /** What copies of shared files take of the disk, and may take. */
  copyUsage(): { readonly bytes: number; readonly limitBytes: number };
  /** Takes away what was kept only to be tried, unless somebody else has kept it, too. */
  forget(kept: NewFiles, isNamed: (file: string) => Promise<boolean>): Promise<void>;
  /** For whoever collects, or makes a set that has files of another. */
  readonly kept: KeptFiles;
}

/** Small bytes that are kept wait in memory, and are read there, until all of them are put together. */
export interface GatheredFiles extends Pick<Files, 'keeping' | 'read' | 'recall'> {
  /** Before the change is made that names them. */
  put(): Promise<void>;
}

/** All that is kept, whether anybody names it or not. */
export interface KeptFiles {
  readonly blobs: Blobs;
  /** The lists of the sets. */
  readonly sets: Blobs;
  filesOf(set: FileSetId): Promise<readonly SetFile[]>;
  /** Whether an operation that has not ended has kept this. */
  isUnderWay(file: string): boolean;
  /** The names in the folder of opened sets. */
  openedSets(): Promise<readonly string[]>;
  /** Takes the folder of an opened set away; whoever reads its files goes on. */
  closeSet(set: string): Promise<void>;
}

/** Small bytes that are remembered, together, and what is small. */
const REMEMBERED_BYTES = 8_388_608;
const MAX_REMEMBERED = 16_384;

export interface FilesOptions {
  /** The data directory. */
  readonly root: string;
  readonly disk?: Disk;
  /** Where several nodes keep what they share; without, all of it is in the data directory. */
  readonly shared?: SharedFiles;
}

export interface SharedFiles {
  /** The bytes of a name. */
  readonly bytesOn: (shelf: string) => SharedBytes;
  /** What a set may be long, in bytes, and what whoever has a longer one may do. */
  readonly maxSetBytes: number;
  readonly cache: Pick<FileCacheOptions, 'limitBytes' | 'graceMs' | 'clock' | 'failed'>;
}

export function openFiles({ root, disk = realDisk, shared }: FilesOptions): Files {
  const staging = openStaging({ root, disk });
  const directories: BlobDirectory[] = [];
  function openBlobs(name: string): Blobs {
    const local = openBlobDirectory({ folder: join(root, name), staging: staging.folder, disk });
    directories.push(local);
    return shared === undefined
      ? local
      : openCachedBlobs({
          shared: shared.bytesOn(name),
          local,
          staging: staging.folder,
          disk,
          grown: () => cache?.noteGrowth(),
        });
  }
  const blobs = openBlobs('blobs');
  const sets = openBlobs('sets');
  const folders = openSetFolders({ folder: join(root, 'files'), staging, blobs, filesOf, disk });
  const pins = createPins();

  const remembered = createRecentlyUsed<Uint8Array>(REMEMBERED_BYTES);

  function remember(hash: Hash, bytes: Uint8Array): void {
    if (bytes.length <= MAX_REMEMBERED) remembered.set(hash, bytes, bytes.length);
  }

  async function recall(hash: Hash): Promise<Buffer> {
    const known = remembered.get(hash);
    if (known !== undefined) return Buffer.from(known);
    const bytes = await blobs.read(hash);
    remember(hash, Buffer.from(bytes));
    return bytes;
  }

  async function filesOf(set: FileSetId): Promise<readonly SetFile[]> {
    return parseFileSet((await sets.read(set)).toString());
  }

  const keeperWith = (pin: (file: string) => void) =>
    createKeeper({ blobs, sets, folders, disk, remember, maxSetBytes: shared?.maxSetBytes }, pin);

  function keepingWith(create: typeof keeperWith): Files['keeping'] {
    return async (operation) => {
      const pinned: string[] = [];
      const keeper = create((file) => {
        pinned.push(file);
        pins.pin(file);
      });
      try {
        return await operation(keeper);
      } finally {
        for (const file of pinned) {
          pins.unpin(file);
        }
      }
    };
  }

  const kept: KeptFiles = {
    blobs,
    sets,
    filesOf,
    isUnderWay: (file) => pins.has(file),
    openedSets: folders.names,
    closeSet: folders.close,
  };

  const cache =
    shared &&
    createFileCache({
      ...shared.cache,
      disk,
      copies: join(root, 'blobs'),
      opened: join(root, 'files'),
      filesOf,
      closeSet: kept.closeSet,
    });

  return {
    noteUse: (set) => cache?.noteUse(set) ?? 0,
    checkCopies: async () => cache?.check(),
    copyUsage: () => cache?.usage() ?? { bytes: 0, limitBytes: 0 },
    createStaging: (purpose) => staging.createStaging(purpose),
    async recover() {
      const swept = await staging.sweep();
      for (const each of directories) await each.recover();
      return swept;
    },
    async settled() {
      await allSettled([cache?.settled(), ...directories.map((each) => each.settled())]);
    },
    async openSet(set) {
      cache?.noteUse(set);
      await cache?.closing(set);
      return folders.open(set);
    },
    read: (hash) => blobs.read(hash),
    recall,

    keeping: keepingWith(keeperWith),
    gather() {
      const waiting = createWaitingBytes(blobs);
      return {
        put: waiting.put,
        read: async (hash) => waiting.find(hash) ?? blobs.read(hash),
        recall: async (hash) => waiting.find(hash) ?? recall(hash),
        keeping: keepingWith((pin) => {
          const keeper = keeperWith(pin);
          return {
            ...keeper,
            async keepBytes(bytes) {
              if (!waiting.accepts(bytes)) return keeper.keepBytes(bytes);
              const hash = hashOfBytes(bytes);
              pin(hash);
              await waiting.add(hash, bytes);
              remember(hash, bytes);
              return hash;
            },
          };
        }),
      };
    },

    copySet: folders.copy,
    copyOut: folders.copyOut,

    ...openPurges({
      folder: join(root, 'purges'),
      disk,
      purge: (target, isNamed) => purgeFiles({ ...kept, pins }, target, isNamed),
    }),
    async forget({ sets: triedSets, bytes }, isNamed) {
      const targets = [
        ...triedSets.map((hash) => ({ kind: 'set', hash }) as const),
        ...bytes.map((hash) => ({ kind: 'bytes', hash }) as const),
      ];
      for (const target of targets) {
        await purgeFiles({ ...kept, pins }, target, isNamed, false);
      }
    },
    kept,
  };
}

/** Does all that keeping files takes, and tells what they would be called, but keeps nothing: for dry runs. */
export function withoutKeeping(files: Files): Files {
  return {
    ...files,
    keeping: (operation) =>
      files.keeping((keeper) =>
        operation({
          flush: keeper.flush,
          keepBytes: async (bytes) => hashOfBytes(bytes),
          keepFile: async () => undefined,
          keepSet: async (staged, others = []) =>
            hashOfBytes(Buffer.from(printFileSet([...(await keeper.flush(staged)), ...others]))),
        }),
      ),
    purging: async (_isNamed, _wanted, change) => void (await change()),
  };
}
