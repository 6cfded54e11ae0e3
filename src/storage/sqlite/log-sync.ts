/**
 * Waits until the write-ahead log is on disk: in a thread of Node.js, because a disk may be slow; and in place while
 * the disk is fast, because the thread switch takes several times as long as such a disk.
 */
import { fdatasync, fdatasyncSync } from 'node:fs';
import { promisify } from 'node:util';

export interface SyncCalls {
  readonly syncInline: (descriptor: number) => void;
  readonly syncInThread: (descriptor: number) => Promise<void>;
  readonly nowMs: () => number;
}

/** The maximum latency of a fast sync in a thread, including the thread switches. */
const QUICK_ANSWER_MS = 1;

/** The disk is trusted after this many more fast syncs than slow ones. */
const QUICK_ANSWERS = 32;

/** A sync in place that takes longer has blocked the event loop. The disk must be proven fast again. */
const TOO_SLOW_MS = 5;
const QUICK_ANSWERS_AFTER_SLOW = 1_000;

const realCalls: SyncCalls = {
  syncInline: fdatasyncSync,
  syncInThread: promisify(fdatasync),
  nowMs: () => performance.now(),
};

export function createLogSync(calls: SyncCalls = realCalls): (descriptor: number) => Promise<void> {
  const { syncInline: inPlace, syncInThread: beside, nowMs } = calls;
  let toProve = QUICK_ANSWERS;
  return async (descriptor) => {
    const startedMs = nowMs();
    if (toProve === 0) {
      inPlace(descriptor);
      if (nowMs() - startedMs > TOO_SLOW_MS) toProve = QUICK_ANSWERS_AFTER_SLOW;
      return;
    }
    await beside(descriptor);
    const isQuick = nowMs() - startedMs <= QUICK_ANSWER_MS;
    // Bounded: an hour of slow syncs must not require another hour of fast ones.
    toProve = isQuick ? toProve - 1 : Math.max(toProve, Math.min(toProve + 1, QUICK_ANSWERS));
  };
}
