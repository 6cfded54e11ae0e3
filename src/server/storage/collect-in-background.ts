/** Collects unreferenced files periodically while the server runs. */
import {
  type CollectReport,
  closeDeletedSets,
  collectFiles,
  type FileReferences,
} from '../../records/files/collect-files.ts';
import type { Files } from '../../records/files/files.ts';

export interface BackgroundCollection {
  readonly files: Files;
  readonly references: FileReferences;
  readonly clock: () => number;
  readonly graceMs: number;
  readonly firstMs: number;
  readonly everyMs: number;
  /** Whether this node currently collects for all nodes. */
  readonly isOurs: () => Promise<boolean>;
  /** Runs a collection again with the disk reserve if the disk is full. */
  readonly withRoom: (work: () => Promise<void>) => Promise<void>;
  /** Cleans up what depends on deleted files. */
  readonly afterwards: () => Promise<void>;
  readonly done: (collected: CollectReport) => void;
  readonly failed: (reason: unknown) => void;
}

/** Returns a function that stops it and waits for the current step. */
export function collectInBackground(options: BackgroundCollection): () => Promise<void> {
  const { files, firstMs, everyMs, isOurs, withRoom, afterwards, done, failed, ...how } = options;
  const stopped = new AbortController();
  let running = Promise.resolve();
  let timer = scheduleRun(firstMs);

  function scheduleRun(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      running = run();
    }, afterMs).unref();
  }

  async function run(): Promise<void> {
    try {
      const collection = { ...how, stored: files.stored, signal: stopped.signal };
      await withRoom(async () => {
        if (await isOurs()) done(await collectFiles(collection));
        else await closeDeletedSets(collection);
        await afterwards();
      });
    } catch (reason) {
      if (!stopped.signal.aborted) {
        failed(reason);
      }
    }
    if (!stopped.signal.aborted) {
      timer = scheduleRun(everyMs);
    }
  }

  return async () => {
    stopped.abort();
    clearTimeout(timer);
    await running;
  };
}
