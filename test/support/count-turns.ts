/** Counts the turns of the event loop that a piece of work leaves to others, however fast the machine is. */
import { vi } from 'vitest';

/** Goes on from one use to the next: a clock that runs backwards would never let a stretch end. */
let nowMs = 0;

/** Each look at the clock is a millisecond later than the one before: what paces itself by it waits after a few items. */
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
