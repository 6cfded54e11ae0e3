/** Stores bytes and file sets before a change refers to them. */
import { problem } from '../../lib/problems/problem.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import { type Blobs, type Hash, type HashedFile, hashContent } from '../../storage/blobs/port.ts';
import { type FileSetId, formatFileSet, type SetFile } from './file-sets.ts';
import type { NewChecksums } from './new-checksums.ts';
import type { OperationPins } from './pins.ts';
import type { SetFolders } from './set-folders.ts';
import { flushFiles, type HashedStagedFile, type StagedFile } from './staged-files.ts';

/** Stores files before the change that refers to them. In a dry run it only computes their hashes. */
export interface FileStoreWriter {
  storeBytes(bytes: Uint8Array): Promise<Hash>;
  /** Stores an existing file, which must not be modified any more. */
  storeFile(file: HashedFile): Promise<void>;
  /** Computes hashes and flushes the files to disk, which takes long and can run in parallel with other work. */
  flush(files: readonly StagedFile[]): Promise<readonly HashedStagedFile[]>;
  /** Stores a set of these files and of files that other sets already contain. */
  storeSet(files: readonly StagedFile[], others?: readonly SetFile[]): Promise<FileSetId>;
}

export interface FileStoreWriterOptions {
  readonly blobs: Blobs;
  /** The lists of the sets. */
  readonly sets: Blobs;
  readonly folders: Pick<SetFolders, 'repair'>;
  readonly disk: Disk;
  readonly remember: (hash: Hash, bytes: Uint8Array) => void;
  readonly checksums: Pick<NewChecksums, 'add'>;
  /** The size limit of a set in shared storage. */
  readonly maxSetBytes: number | undefined;
}

/** Pins everything before it is stored. */
export function createFileStoreWriter(
  { blobs, sets, folders, disk, remember, checksums, maxSetBytes }: FileStoreWriterOptions,
  pins: Pick<OperationPins, 'pin'>,
): FileStoreWriter {
  async function storeBytes(bytes: Uint8Array, where: Blobs): Promise<Hash> {
    const content = hashContent(bytes);
    const { hash } = content;
    await pins.pin([hash]);
    await where.put(hash, bytes);
    checksums.add([content]);
    remember(hash, bytes);
    return hash;
  }
  return {
    storeBytes: (bytes) => storeBytes(bytes, blobs),
    async storeFile(file) {
      await pins.pin([file.hash]);
      await blobs.putFiles([file]);
      checksums.add([file]);
    },
    flush: (files) => flushFiles(files, disk),
    async storeSet(files, others = []) {
      checkSetSize(files, maxSetBytes);
      const hashed = await flushFiles(files, disk);
      await pins.pin([...hashed, ...others].map(({ hash }) => hash));
      await blobs.putFiles(hashed);
      checksums.add(hashed);
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
