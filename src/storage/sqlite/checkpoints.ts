/** Moves the write-ahead log into the database, in a thread of its own: it waits for the disk, and nobody else should. */
import { Worker } from 'node:worker_threads';

/** A thread with nothing to do for so long is ended: it takes some megabytes. */
const IDLE_MS = 10_000;

/** About as many writes of rows as fill some megabytes of the log. */
const WRITES_PER_CHECKPOINT = 2_000;

/** So many fill it twice as far: by then SQLite should have begun it anew, which it cannot while it is written to. */
const MAX_WRITES_IN_LOG = 4_000;

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
  #writesInLog = 0;
  #logRound = 0;
  readonly #waiting: (() => void)[] = [];
  #idle: NodeJS.Timeout | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** To be told of every commit, and of how much was written with it. */
  countWrites(writes: number): void {
    this.#writes += writes;
    this.#writesInLog += writes;
    if (this.#writes >= WRITES_PER_CHECKPOINT && !this.#isBusy) this.#begin();
  }

  /** Whether the log has grown for too long; `round` counts how often SQLite has begun it anew. */
  isOverdue(round: () => number): boolean {
    if (this.#writesInLog < MAX_WRITES_IN_LOG) return false;
    const now = round();
    const isOld = now === this.#logRound;
    this.#logRound = now;
    // Either it has just been begun anew, or it is going to be; if that fails, it is tried again after some more writes.
    this.#writesInLog = isOld ? MAX_WRITES_IN_LOG - WRITES_PER_CHECKPOINT : 0;
    return isOld;
  }

  /** Moves all there is; to be waited for while nobody writes. */
  async run(): Promise<void> {
    // One that is under way may have begun too early.
    if (this.#isBusy) await this.#waitForEnd();
    this.#begin();
    await this.#waitForEnd();
  }

  #begin(): void {
    this.#writes = 0;
    this.#isBusy = true;
    clearTimeout(this.#idle);
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage('checkpoint');
  }

  #waitForEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #end(): void {
    this.#isBusy = false;
    for (const go of this.#waiting.splice(0)) go();
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

  #startWorker(): Worker {
    const worker = new Worker(program, {
      eval: true,
      workerData: this.#file,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    });
    worker.unref();
    worker.on('message', () => {
      this.#end();
      this.#idle = setTimeout(() => void this.close(), IDLE_MS);
      this.#idle.unref();
    });
    // It comes back with the next commits; until then the log only grows.
    worker.on('error', () => {
      this.#worker = undefined;
      this.#end();
    });
    return worker;
  }
}
