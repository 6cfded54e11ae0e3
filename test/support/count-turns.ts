/** Counts the event loop turns that a piece of work yields, independent of machine speed. */
import { vi } from 'vitest';

/** The clock continues between uses: work would never yield again if the time ran backwards. */
let nowMs = 0;

/** Each read of the clock is a millisecond later than the previous one, so that timed work yields after a few items. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  nowMs = Math.max(nowMs, performance.now());
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += 1;
    return nowMs;
  });
  let turns = 0;
  let isDone = false;
  const next = (): void => {
    turns += 1;
    if (!isDone) setImmediate(next);
  };
  setImmediate(next);
  try {
    await work();
    return turns;
  } finally {
    isDone = true;
    clock.mockRestore();
  }
}
