/**
 * Unpacks uploaded archives. Archives of several megabytes are unpacked in a worker thread: they allocate hundreds of
 * buffers, and each garbage collection on the main thread would traverse the whole heap of the server.
 */
import { stat } from 'node:fs/promises';
import { type ArchiveLimits, type UnpackedFile, unpackArchive } from '../../gates/archive-gate.ts';
import { createHasher, createInlineHasher } from '../../storage/blobs/hash-thread.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { Task } from '../../workers/task.ts';

/** Unpacks into a folder that does not exist yet; returns each file with its hash. */
export type Unpack = (archive: string, folder: string) => Promise<readonly UnpackedFile[]>;

interface UnpackTask {
  readonly archive: string;
  readonly folder: string;
  readonly limits: ArchiveLimits;
}

/** Smaller archives are unpacked faster than a thread starts. */
const MIN_BYTES_IN_THREAD = 1_048_576;

/** For larger archives the collection pauses are negligible, but the memory of another thread is not. */
const MAX_BYTES_IN_THREAD = 268_435_456;

const unpacking: Task<UnpackTask, readonly UnpackedFile[]> = {
  module: import.meta.url,
  name: 'unpackAndHash',
  work: unpackAndHash,
};

export function openUnpacking(pool: WorkerPool, limits: ArchiveLimits): Unpack {
  return async (archive, folder) => {
    const { size } = await stat(archive);
    return size < MIN_BYTES_IN_THREAD || size > MAX_BYTES_IN_THREAD
      ? unpackArchive(archive, folder, { limits, createHasher: createHasher })
      : // The archive limits bound the work; its duration depends on the disk.
        pool.run(unpacking, { archive, folder, limits }, { deadlineMs: null });
  };
}

export function unpackAndHash({ archive, folder, limits }: UnpackTask): Promise<readonly UnpackedFile[]> {
  return unpackArchive(archive, folder, { limits, createHasher: createInlineHasher });
}
