/** Deletes expired entries of the change log in small background steps. */
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
    /** The pause between two steps, so that writers take precedence. */
    readonly pauseMs: number;
  };
  /** Reports the number of deleted entries, if any. */
  readonly report: (entries: number) => void;
  /** Reports a failure; the next run retries. */
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

  /** Does not wait for a running step; closing the storage does. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** `forgotten` counts the entries of the previous steps. */
  #scheduleStep(delayMs: number, deleted: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#deleteStep(deleted), delayMs).unref();
  }

  async #deleteStep(deletedBefore: number): Promise<void> {
    const { storage, days, clock, limits, report, warn } = this.#options;
    try {
      const count = await storage.deleteChanges(clock() - days * DAY_MS, limits.entriesPerStep);
      if (count > 0) {
        this.#scheduleStep(limits.pauseMs, deletedBefore + count);
        return;
      }
      if (deletedBefore > 0) report(deletedBefore);
    } catch (reason) {
      if (!this.#isStopped) warn(reason);
    }
    this.#scheduleStep(limits.everyMs, 0);
  }
}
