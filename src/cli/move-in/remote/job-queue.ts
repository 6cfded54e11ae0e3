/** Runs jobs that add further jobs, several at once; the newest first, which keeps the queue of a deep tree short. */

export class JobQueue {
  readonly #waiting: (() => Promise<void>)[] = [];

  add(job: () => Promise<void>): void {
    this.#waiting.push(job);
  }

  /** Returns when no job is left. After a failure, no further job starts. */
  async run(maxRunning: number): Promise<void> {
    const running = new Set<Promise<void>>();
    const failures: unknown[] = [];
    while (this.#waiting.length > 0 || running.size > 0) {
      const job = failures.length === 0 && running.size < maxRunning ? this.#waiting.pop() : undefined;
      if (job === undefined) {
        if (running.size === 0) break;
        await Promise.race(running);
        continue;
      }
      const started = job()
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => running.delete(started));
      running.add(started);
    }
    if (failures.length > 0) throw failures[0];
  }
}
