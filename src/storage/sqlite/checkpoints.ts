/** Moves the write-ahead log into the database, in a thread of its own: it waits for the disk, and nobody else should. */
import { Worker } from 'node:worker_threads';

/** A thread with nothing to do for so long is ended: it takes some megabytes. */
const IDLE_MS = 10_000;

/** About as many writes as fill four megabytes of the log. */
const WRITES_BETWEEN = 1_000;

/** What the thread is made of: no more than a connection and one statement. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData, { timeout: 0 });
  parentPort.on('message', (message) => {
    if (message === 'end') {
      database.close();
      parentPort.close();
      return;
    }
    try {
      database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // A full or broken disk is met by the next write too, which can tell somebody.
    }
    parentPort.postMessage('done');
  });`;

export class Checkpoints {
  readonly #file: string;
  #worker: Worker | undefined;
  #isBusy = false;
  #writes = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** To be told of every commit, and of how much was written with it. */
  count(writes: number): void {
    this.#writes += writes;
    if (this.#writes >= WRITES_BETWEEN && !this.#isBusy) {
      this.#writes = 0;
      this.#isBusy = true;
      clearTimeout(this.#idle);
      this.#worker ??= this.#start();
      this.#worker.postMessage('checkpoint');
    }
  }

  /** Waits for the one under way. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => resolve());
    });
    // Only now it counts as something to wait for.
    worker.ref();
    worker.postMessage('end');
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(program, {
      eval: true,
      workerData: this.#file,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    });
    worker.unref();
    worker.on('message', () => {
      this.#isBusy = false;
      this.#idle = setTimeout(() => void this.close(), IDLE_MS);
      this.#idle.unref();
    });
    // It comes back with the next commits; until then the log only grows.
    worker.on('error', () => {
      this.#isBusy = false;
      this.#worker = undefined;
    });
    return worker;
  }
}
