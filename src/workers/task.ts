/** A task for a worker thread: a function that a module exports. */
import type { Activity } from './activity.ts';

export interface Task<I, O> {
  /** The `import.meta.url` of the module that exports the function. */
  readonly module: string;
  /** The name of the export. */
  readonly name: string;
  /** The function; input and result are copied by structured clone unless they are transferred. */
  readonly work: (input: I) => O | Promise<O>;
}

/** A task as it is sent to a thread. */
export interface SentTask {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
  /** The compile cache of the main thread, so that threads need not compile modules again. */
  readonly compileCache: string | undefined;
  /** Shared memory in which the thread records progress. */
  readonly activity: Activity;
}
