/** Forgets, in small steps beside everything else, what the log of changes need not tell any longer. */
import type { Storage } from '../../storage/port/port.ts';

const DAY_MS = 86_400_000;

export interface HistoryRetentionOptions {
  readonly storage: Pick<Storage, 'deleteChanges'>;
  /** 0 keeps everything. */
  readonly days: number;
  readonly clock: () => number;
  readonly limits: {
    readonly firstAfterMs: number;
    readonly everyMs: number;
    readonly entriesPerStep: number;
    /** Between two steps: whoever writes goes first. */
    readonly pauseMs: number;
  };
  /** Hears how many entries were forgotten, where there were any. */
  readonly report: (entries: number) => void;
  /** Hears why it did not work; it is tried again the next time. */
  readonly warn: (reason: unknown) => void;
}

export class HistoryRetention {
  readonly #options: HistoryRetentionOptions;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: HistoryRetentionOptions) {
    this.#options = options;
  }

  start(): void {
    const { days, limits } = this.#options;
    if (days > 0) this.#scheduleStep(limits.firstAfterMs, 0);
  }

  /** Does not wait for a step under way: closing the storage does. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** `forgotten` counts the entries of the steps so far. */
  #scheduleStep(delayMs: number, forgotten: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#deleteStep(forgotten), delayMs).unref();
  }

  async #deleteStep(forgottenBefore: number): Promise<void> {
    const { storage, days, clock, limits, report, warn } = this.#options;
    try {
      const count = await storage.deleteChanges(clock() - days * DAY_MS, limits.entriesPerStep);
      if (count > 0) {
        this.#scheduleStep(limits.pauseMs, forgottenBefore + count);
        return;
      }
      if (forgottenBefore > 0) report(forgottenBefore);
    } catch (reason) {
      if (!this.#isStopped) warn(reason);
    }
    this.#scheduleStep(limits.everyMs, 0);
  }
}
