/** Runs jobs one at a time in the order they were asked for; those that wait form a group that ends together. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { problem } from '../../lib/problems/problem.ts';

/** What a group of jobs shares: the jobs run one after the other between `begin` and `finish`. */
export interface Group<S> {
  begin(): Promise<S>;
  /** Whether the group should end before the next job. */
  isFull(shared: S): boolean;
  /** Resolved means that all of it is done; rejected that none of it is. */
  finish(shared: S): Promise<GroupResult>;
  /** Whether one of the jobs may be to blame for that: then each is run again, in a group of its own. */
  isJobFailure(shared: S, error: unknown): boolean;
}

export interface GroupResult {
  /** Until then nobody is told; the next group does not wait for it. Never rejects. */
  readonly shown: Promise<void> | undefined;
}

/** What came of a job before its group has ended. */
export type JobOutcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'failed'; readonly error: unknown };

interface Job<S> {
  /** Never rejects: what it comes to is kept until the group has ended. */
  readonly run: (shared: S) => Promise<void>;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/** Where a piece of asynchronous work stands: inside a job, or inside one that has ended since. */
interface JobContext {
  running: boolean;
}

export class WriteQueue<S> {
  readonly #context = new AsyncLocalStorage<JobContext>();
  readonly #group: Group<S>;
  readonly #waiting: Job<S>[] = [];
  /** So many of them, the first ones, have a group of their own each. */
  #aloneCount = 0;
  /** The jobs of the group that runs. */
  #members: Job<S>[] = [];
  /** Resolved when those of former groups were told. */
  #notified: Promise<void> = Promise.resolve();
  #running: Promise<void> | undefined;
  #closed = false;
  #depth = 0;

  constructor(group: Group<S>) {
    this.#group = group;
  }

  /** How many jobs wait or run. */
  get depth(): number {
    return this.#depth;
  }

  /** A job may be run more than once, as long as nothing came of it. */
  async run<T>(job: (shared: S) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('The storage is closed and accepts no writes.');
    // Such a job would wait for the one it is part of, and every later one for both, for ever.
    if (this.#context.getStore()?.running === true) throw new Error('A write cannot be started inside another write.');

    this.#depth += 1;
    try {
      return await new Promise<T>((resolve, reject) => {
        let outcome: JobOutcome<T> | undefined;
        this.#waiting.push({
          run: async (shared) => {
            outcome = await this.#runAlone(() => job(shared));
          },
          settle: () => {
            if (outcome?.kind === 'done') resolve(outcome.result);
            else reject(outcome?.error);
          },
          fail: reject,
        });
        this.#running ??= this.#runGroups();
      });
    } finally {
      this.#depth -= 1;
    }
  }

  /** Resolved when all jobs asked for so far have ended, or once the signal is given; later ones are refused from now on. */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closed = true;
    const ended = (this.#running ?? Promise.resolve()).then(() => this.#notified);
    if (signal === undefined) return ended;
    await Promise.race([ended, waitForAbort(signal)]);
    failJobs([...this.#members, ...this.#waiting.splice(0)], problem('draining', {}));
  }

  async #runGroups(): Promise<void> {
    // Those whose requests came in the same turn of the event loop belong to the first group as well.
    await turn();
    while (this.#waiting.length > 0) await this.#runGroup();
    this.#running = undefined;
  }

  async #runGroup(): Promise<void> {
    const members: Job<S>[] = [];
    this.#members = members;
    const waitingCount = this.#waiting.length;
    const isAlone = this.#aloneCount > 0;
    let shared: S | undefined;
    try {
      shared = await this.#group.begin();
      for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
        members.push(job);
        await job.run(shared);
        if (isAlone || this.#group.isFull(shared)) break;
      }
      const { shown } = await this.#group.finish(shared);
      this.#members = [];
      if (shown === undefined) settleJobs(members);
      else this.#notified = Promise.all([this.#notified, shown.then(() => settleJobs(members))]).then(() => undefined);
    } catch (error) {
      this.#members = [];
      if (shared === undefined) {
        // Nothing could even begin: all are told so who have waited for it from the start.
        this.#aloneCount = 0;
        failJobs(this.#waiting.splice(0, waitingCount), error);
      } else if (members.length > 1 && this.#group.isJobFailure(shared, error)) {
        this.#aloneCount = members.length;
        this.#waiting.unshift(...members);
        return;
      } else failJobs(members, error);
    }
    if (isAlone && this.#aloneCount > 0) this.#aloneCount -= 1;
  }

  async #runAlone<T>(job: () => Promise<T>): Promise<JobOutcome<T>> {
    const place: JobContext = { running: true };
    try {
      return { kind: 'done', result: await this.#context.run(place, job) };
    } catch (error) {
      return { kind: 'failed', error };
    } finally {
      place.running = false;
    }
  }
}

function settleJobs(jobs: readonly Pick<Job<never>, 'settle'>[]): void {
  for (const job of jobs) job.settle();
}

function failJobs(jobs: readonly Pick<Job<never>, 'fail'>[], error: unknown): void {
  for (const job of jobs) job.fail(error);
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
