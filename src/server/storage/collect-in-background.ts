/** Lets files that nobody names be collected now and then, for as long as the server runs. */
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
  /** Whether this node does it for all of them, now. */
  readonly isOurs: () => Promise<boolean>;
  /** What else goes with files that are gone. */
  readonly afterwards: () => Promise<void>;
  readonly done: (collected: CollectReport) => void;
  readonly failed: (reason: unknown) => void;
}

/** Gives the way to end it, which waits for the step it is at. */
export function collectInBackground(options: BackgroundCollection): () => Promise<void> {
  const { files, firstMs, everyMs, isOurs, afterwards, done, failed, ...how } = options;
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
      if (await isOurs()) done(await collectFiles(collection));
      else await closeDeletedSets(collection);
      await afterwards();
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
