/** A piece of work that a thread can do: a function that a module exports, named so that the thread finds it. */
import type { Activity } from './activity.ts';

export interface Task<I, O> {
  /** The `import.meta.url` of the module that exports the function. */
  readonly module: string;
  /** What the module exports it as. */
  readonly name: string;
  /** The function itself; what goes in and what comes out is copied by structured clone, unless it is handed over. */
  readonly work: (input: I) => O | Promise<O>;
}

/** A task on its way to a thread. */
export interface SentTask {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
  /** Where the main thread keeps the compiled form of modules, so that a new thread need not compile them again. */
  readonly compileCache: string | undefined;
  /** Where the thread notes its progress. */
  readonly activity: Activity;
}
