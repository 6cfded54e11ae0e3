/** Keeps bytes and sets of files before a change names them. */
import { problem } from '../../lib/problems/problem.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import { type Blobs, type Hash, type HashedFile, hashBytes } from '../../storage/blobs/port.ts';
import { type FileSetId, formatFileSet, type SetFile } from './file-sets.ts';
import type { OperationPins } from './pins.ts';
import type { SetFolders } from './set-folders.ts';
import { flushFiles, type HashedStagedFile, type StagedFile } from './staged-files.ts';

/** Keeps files before the change that names them; a dry run has one that only tells what they would be called. */
export interface FileStoreWriter {
  storeBytes(bytes: Uint8Array): Promise<Hash>;
  /** Bytes that lie in a file already; nobody writes into it any more. */
  storeFile(file: HashedFile): Promise<void>;
  /** What takes long before files can be kept: their hashes, and the disk. It can be done beside other work. */
  flush(files: readonly StagedFile[]): Promise<readonly HashedStagedFile[]>;
  /** A set of these files, and of files of other sets that are kept already. */
  storeSet(files: readonly StagedFile[], others?: readonly SetFile[]): Promise<FileSetId>;
}

export interface FileStoreWriterOptions {
  readonly blobs: Blobs;
  /** The lists of the sets. */
  readonly sets: Blobs;
  readonly folders: Pick<SetFolders, 'repair'>;
  readonly disk: Disk;
  readonly remember: (hash: Hash, bytes: Uint8Array) => void;
  /** What a set may be long, where others share it. */
  readonly maxSetBytes: number | undefined;
}

/** Everything is pinned before it is kept. */
export function createFileStoreWriter(
  { blobs, sets, folders, disk, remember, maxSetBytes }: FileStoreWriterOptions,
  pins: Pick<OperationPins, 'pin'>,
): FileStoreWriter {
  async function storeBytes(bytes: Uint8Array, where: Blobs): Promise<Hash> {
    const hash = hashBytes(bytes);
    await pins.pin([hash]);
    await where.put(hash, bytes);
    remember(hash, bytes);
    return hash;
  }
  return {
    storeBytes: (bytes) => storeBytes(bytes, blobs),
    async storeFile(file) {
      await pins.pin([file.hash]);
      await blobs.putFiles([file]);
    },
    flush: (files) => flushFiles(files, disk),
    async storeSet(files, others = []) {
      checkSetSize(files, maxSetBytes);
      const hashed = await flushFiles(files, disk);
      await pins.pin([...hashed, ...others].map(({ hash }) => hash));
      await blobs.putFiles(hashed);
      const set = await storeBytes(Buffer.from(formatFileSet([...hashed, ...others])), sets);
      await folders.repair(set, hashed);
      return set;
    },
  };
}

function checkSetSize(files: readonly StagedFile[], limitBytes: number | undefined): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (limitBytes !== undefined && bytes > limitBytes) {
    throw problem('upload-beyond-storage', { bytes, limitBytes });
  }
}
