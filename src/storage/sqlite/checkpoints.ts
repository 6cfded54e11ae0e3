/** Moves the write-ahead log into the database in a thread, because it waits for the disk. */
import { Worker } from 'node:worker_threads';

/** An idle thread is ended after this time, because it uses some megabytes. */
const IDLE_MS = 10_000;

/** About the number of row writes that fill some megabytes of the log. */
const WRITES_PER_CHECKPOINT = 2_000;

/** At twice that size SQLite should have restarted the log, which it cannot do during continuous writes. */
const MAX_WRITES_IN_LOG = 4_000;

/** The program of the thread: one connection and one statement. */
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
      // A full or broken disk is met by the next write too, which reports it.
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

  /** Must be called for every commit with the number of written rows. */
  countWrites(writes: number): void {
    this.#writes += writes;
    this.#writesInLog += writes;
    if (this.#writes >= WRITES_PER_CHECKPOINT && !this.#isBusy) this.#begin();
  }

  /** Returns whether the log has grown for too long; `round` returns how often SQLite has restarted it. */
  isOverdue(round: () => number): boolean {
    if (this.#writesInLog < MAX_WRITES_IN_LOG) return false;
    const now = round();
    const isOld = now === this.#logRound;
    this.#logRound = now;
    // The log was just restarted, or will be now. If that fails, it is tried again after more writes.
    this.#writesInLog = isOld ? MAX_WRITES_IN_LOG - WRITES_PER_CHECKPOINT : 0;
    return isOld;
  }

  /** Moves the whole log; must be awaited while there are no writes. */
  async run(): Promise<void> {
    // A running checkpoint may have started too early.
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

  /** Waits for the running checkpoint. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => resolve());
    });
    // From here on the thread keeps the process running.
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
    // The next commits start a new thread; until then the log only grows.
    worker.on('error', () => {
      this.#worker = undefined;
      this.#end();
    });
    return worker;
  }
}
