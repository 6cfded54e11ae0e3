/**
 * Waits until the write-ahead log is on the disk: in a thread of Node's, since a slow disk takes its time; and in place
 * while the disk answers at once, since handing the call over and back takes several times as long as such a disk does.
 */
import { fdatasync, fdatasyncSync } from 'node:fs';
import { promisify } from 'node:util';

export interface SyncCalls {
  readonly syncInline: (descriptor: number) => void;
  readonly syncInThread: (descriptor: number) => Promise<void>;
  readonly nowMs: () => number;
}

/** What counts as at once for a call that went through a thread, the way there and back included. */
const QUICK_ANSWER_MS = 1;

/** So many more quick answers than slow ones make a disk trusted. */
const QUICK_ANSWERS = 32;

/** A call in place that took longer than this has held everybody up; the disk has to earn its trust anew. */
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
    // Never above what was asked for: an hour of slow answers must not take another hour to be forgotten.
    toProve = isQuick ? toProve - 1 : Math.max(toProve, Math.min(toProve + 1, QUICK_ANSWERS));
  };
}
