/**
 * Runs operations that store files. Stored files are pinned until the operation ends. When it fails, its files are
 * deleted unless something else needs them: a rejected upload leaves nothing behind.
 */
import { Problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import { type Hash, hashContent } from '../../storage/blobs/port.ts';
import { TransactionConflict } from '../../storage/port/port.ts';
import { TransactionAbandoned } from '../transaction-scope.ts';
import { createFileStoreWriter, type FileStoreWriter, type FileStoreWriterOptions } from './file-store-writer.ts';
import { createPendingBytes, type PendingBytes } from './pending-bytes.ts';
import type { OperationPins, Pins } from './pins.ts';

/** Runs an operation with its change. Its files are not collected before it ends. */
export type RunFileOperation = <T>(operation: (keeper: FileStoreWriter) => Promise<T>) => Promise<T>;

export interface FileOperationOptions extends FileStoreWriterOptions {
  readonly pins: Pins;
  /** Deletes files without references. */
  readonly removeUnused: (files: readonly Hash[]) => Promise<void>;
}

/** After these errors the change may have been committed. The files are left to the collector. */
const unknownOutcomes: ReadonlySet<ProblemCode> = new Set(['storage-unavailable', 'outcome-unknown', 'draining']);

/** A buffered transaction that is retried stores most of its files again. */
function canStillBeNeeded(error: unknown): boolean {
  const reason = error instanceof TransactionAbandoned ? error.cause : error;
  return reason instanceof TransactionConflict || (reason instanceof Problem && unknownOutcomes.has(reason.code));
}

export function createFileOperationRunner(options: FileOperationOptions): RunFileOperation {
  return (operation) => {
    const own = options.pins.begin();
    return runPinned(own, () => operation(createFileStoreWriter(options, own)), { failed: options.removeUnused });
  };
}

/**
 * Like `createFileOperationRunner`, for several operations in one change: their small bytes wait and are stored
 * together.
 */
export function createBatchedFileOperationRunner(options: FileOperationOptions): {
  readonly runFileOperation: RunFileOperation;
  readonly waiting: PendingBytes;
} {
  const { pins, blobs, remember, checksums, removeUnused } = options;
  /** Files that were stored together are pinned while any of the operations is running. */
  const together = pins.begin();
  let underWay = 0;
  const waiting = createPendingBytes({
    async putAll(contents) {
      await together.pin([...contents.keys()]);
      await blobs.putAll(contents);
    },
  });

  function createBatchedWriter(keeper: FileStoreWriter, own: OperationPins): FileStoreWriter {
    return {
      ...keeper,
      async storeBytes(bytes) {
        if (!waiting.accepts(bytes)) return keeper.storeBytes(bytes);
        const content = hashContent(bytes);
        const { hash } = content;
        // The checksum of bytes that are not stored after all does no harm.
        checksums.add([content]);
        own.pinLocally(hash);
        await waiting.add(hash, bytes);
        remember(hash, bytes);
        return hash;
      },
    };
  }

  return {
    waiting,
    runFileOperation: (operation) => {
      const own = pins.begin();
      underWay += 1;
      return runPinned(own, () => operation(createBatchedWriter(createFileStoreWriter(options, own), own)), {
        async ended() {
          underWay -= 1;
          if (underWay === 0) await together.end();
        },
        async failed(files) {
          // Waiting bytes were never stored.
          const stored = files.filter((file) => pins.isPinnedLocally(file) || !waiting.drop(file));
          if (stored.length > 0) await removeUnused(stored);
        },
      });
    },
  };
}

async function runPinned<T>(
  own: OperationPins,
  operation: () => Promise<T>,
  { ended, failed }: { readonly ended?: () => Promise<void>; readonly failed: FileOperationOptions['removeUnused'] },
): Promise<T> {
  let left: readonly Hash[] = [];
  try {
    return await operation();
  } catch (error) {
    if (!canStillBeNeeded(error)) left = own.files();
    throw error;
  } finally {
    await own.end();
    await ended?.();
    // If this fails, the collector deletes them later.
    if (left.length > 0) await failed(left).catch(() => undefined);
  }
}
