/**
 * Runs operations that keep files. What they keep is pinned until they have ended, and when an operation fails, what it has
 * kept is removed again, as far as nothing else needs it: an upload that was refused leaves nothing behind.
 */
import { Problem } from '../lib/problem.ts';
import type { ProblemCode } from '../lib/problem-kinds.ts';
import { type Hash, hashOfBytes } from '../storage/blobs/port.ts';
import { DraftOvertaken } from '../storage/port.ts';
import { Abandoned } from './draft-scope.ts';
import { createKeeper, type FileKeeper, type KeeperOptions } from './file-keeper.ts';
import type { OperationPins, Pins } from './pins.ts';
import { createWaitingBytes, type WaitingBytes } from './waiting-bytes.ts';

/** Runs an operation with its change. What it keeps is not collected before it has ended. */
export type Keeping = <T>(operation: (keeper: FileKeeper) => Promise<T>) => Promise<T>;

export interface KeepOptions extends KeeperOptions {
  readonly pins: Pins;
  /** Removes files that nothing needs. */
  readonly removeUnused: (files: readonly Hash[]) => Promise<void>;
}

/** After these the change may have been committed all the same. What was kept is left to the collector then. */
const unknownOutcomes: ReadonlySet<ProblemCode> = new Set(['storage-unavailable', 'outcome-unknown', 'draining']);

/** A draft that is run again stores most of its files again. */
function mayBeNeeded(error: unknown): boolean {
  const reason = error instanceof Abandoned ? error.cause : error;
  return reason instanceof DraftOvertaken || (reason instanceof Problem && unknownOutcomes.has(reason.code));
}

export function createKeeping(options: KeepOptions): Keeping {
  return (operation) => {
    const own = options.pins.begin();
    return runPinned(own, () => operation(createKeeper(options, own)), { failed: options.removeUnused });
  };
}

/** The same for many operations that become one change: their small bytes wait, and are stored together. */
export function createGatheredKeeping(options: KeepOptions): {
  readonly keeping: Keeping;
  readonly waiting: WaitingBytes;
} {
  const { pins, blobs, remember, removeUnused } = options;
  /** What was stored together is pinned as long as any of the operations is under way. */
  const together = pins.begin();
  let underWay = 0;
  const waiting = createWaitingBytes({
    async putAll(contents) {
      await together.pin([...contents.keys()]);
      await blobs.putAll(contents);
    },
  });

  function gathering(keeper: FileKeeper, own: OperationPins): FileKeeper {
    return {
      ...keeper,
      async keepBytes(bytes) {
        if (!waiting.accepts(bytes)) return keeper.keepBytes(bytes);
        const hash = hashOfBytes(bytes);
        own.pinHere(hash);
        await waiting.add(hash, bytes);
        remember(hash, bytes);
        return hash;
      },
    };
  }

  return {
    waiting,
    keeping: (operation) => {
      const own = pins.begin();
      underWay += 1;
      return runPinned(own, () => operation(gathering(createKeeper(options, own), own)), {
        async ended() {
          underWay -= 1;
          if (underWay === 0) await together.end();
        },
        async failed(files) {
          // What still waits was never stored.
          const stored = files.filter((file) => pins.isPinnedHere(file) || !waiting.drop(file));
          if (stored.length > 0) await removeUnused(stored);
        },
      });
    },
  };
}

async function runPinned<T>(
  own: OperationPins,
  operation: () => Promise<T>,
  { ended, failed }: { readonly ended?: () => Promise<void>; readonly failed: KeepOptions['removeUnused'] },
): Promise<T> {
  let left: readonly Hash[] = [];
  try {
    return await operation();
  } catch (error) {
    if (!mayBeNeeded(error)) left = own.files();
    throw error;
  } finally {
    await own.end();
    await ended?.();
    // Where this fails, the collector removes it later.
    if (left.length > 0) await failed(left).catch(() => undefined);
  }
}
