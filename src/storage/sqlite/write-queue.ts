/** Runs asynchronous jobs one at a time in the order they were asked for, whatever becomes of each. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Where a piece of asynchronous work stands: inside a job, or inside one that has ended since. */
interface JobPlace {
  running: boolean;
}

export class WriteQueue {
  readonly #place = new AsyncLocalStorage<JobPlace>();
  #last: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;
  #depth = 0;

  /** How many jobs wait or run. */
  get depth(): number {
    return this.#depth;
  }

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new Error('The storage is closed: nothing more can be written.');
    // Such a job would wait for the one it is part of, and every later one for both, for ever.
    if (this.#place.getStore()?.running === true) throw new Error('A write cannot be started inside a write.');

    this.#depth += 1;
    const turn = this.#last
      .then(() => this.#runAlone(job))
      .finally(() => {
        this.#depth -= 1;
      });
    this.#last = turn.then(ignore, ignore);
    return turn;
  }

  /** Resolved when all jobs asked for so far have ended; later ones are refused from now on. */
  close(): Promise<void> {
    this.#closed ??= this.#last;
    return this.#closed;
  }

  async #runAlone<T>(job: () => Promise<T>): Promise<T> {
    const place: JobPlace = { running: true };
    try {
      return await this.#place.run(place, job);
    } finally {
      place.running = false;
    }
  }
}

/** Who asked for the job hears of its failure; the queue only needs to know that it has ended. */
function ignore(): void {}
