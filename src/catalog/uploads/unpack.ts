/**
 * Unpacks uploaded archives. Those of some megabytes are unpacked in a thread: their bytes go through hundreds of buffers,
 * and the main thread would look at all that the server keeps each time it clears some of them away.
 */
import { stat } from 'node:fs/promises';
import { type ArchiveLimits, type UnpackedFile, unpackArchive } from '../../gates/archive-gate.ts';
import { createHasher, createInlineHasher } from '../../storage/blobs/hash-thread.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { Task } from '../../workers/task.ts';

/** Into a folder that is not there yet; each file comes with its hash. */
export type Unpack = (archive: string, folder: string) => Promise<readonly UnpackedFile[]>;

interface UnpackTask {
  readonly archive: string;
  readonly folder: string;
  readonly limits: ArchiveLimits;
}

/** An archive of this size is unpacked before a thread would have begun. */
const MIN_BYTES_IN_THREAD = 1_048_576;

/** Of a larger one nobody notices a few milliseconds more, but the memory of another thread counts. */
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
      : // The limits of archives bound it, and the disk decides how long it takes.
        pool.run(unpacking, { archive, folder, limits }, { deadlineMs: null });
  };
}

export function unpackAndHash({ archive, folder, limits }: UnpackTask): Promise<readonly UnpackedFile[]> {
  return unpackArchive(archive, folder, { limits, createHasher: createInlineHasher });
}
