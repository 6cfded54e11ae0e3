/** Runs jobs one at a time in call order. Waiting jobs form a group that is completed together. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { problem } from '../../lib/problems/problem.ts';

/** The shared part of a group of jobs, which run one after the other between `begin` and `finish`. */
export interface Group<S> {
  begin(): Promise<S>;
  /** Returns whether the group should end before the next job. */
  isFull(shared: S): boolean;
  /** Resolves if the whole group is done; a rejection means that none of it is. */
  finish(shared: S): Promise<GroupResult>;
  /** Returns whether a single job may have caused the failure: then each is run again in its own group. */
  isJobFailure(shared: S, error: unknown): boolean;
}

export interface GroupResult {
  /** Callers are notified after this resolves; the next group does not wait for it. Never rejects. */
  readonly shown: Promise<void> | undefined;
}

/** The result of a job before its group ends. */
export type JobOutcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'failed'; readonly error: unknown };

interface Job<S> {
  /** Never rejects: the outcome is held until the group ends. */
  readonly run: (shared: S) => Promise<void>;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/** The context of asynchronous work: inside a running job, or inside one that has ended. */
interface JobContext {
  running: boolean;
}

export class WriteQueue<S> {
  readonly #context = new AsyncLocalStorage<JobContext>();
  readonly #group: Group<S>;
  readonly #waiting: Job<S>[] = [];
  /** The number of first jobs that run in their own group. */
  #aloneCount = 0;
  /** The jobs of the running group. */
  #members: Job<S>[] = [];
  /** Resolves when the callers of former groups were notified. */
  #notified: Promise<void> = Promise.resolve();
  #running: Promise<void> | undefined;
  #closed = false;
  #depth = 0;

  constructor(group: Group<S>) {
    this.#group = group;
  }

  /** The number of waiting and running jobs. */
  get depth(): number {
    return this.#depth;
  }

  /** A job may run more than once until it succeeds. */
  async run<T>(job: (shared: S) => Promise<T>): Promise<T> {
    if (this.#closed) throw problem('draining', {});
    // Such a job would wait for the job that contains it: a deadlock.
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

  /** Resolves when all pending jobs have ended, or once the signal is aborted. Later jobs are rejected. */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closed = true;
    const ended = (this.#running ?? Promise.resolve()).then(() => this.#notified);
    if (signal === undefined) return ended;
    await Promise.race([ended, waitForAbort(signal)]);
    failJobs([...this.#members, ...this.#waiting.splice(0)], problem('draining', {}));
  }

  async #runGroups(): Promise<void> {
    // Requests of the same event loop turn join the first group.
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
        // The group could not begin: reject every job that has waited from the start.
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
