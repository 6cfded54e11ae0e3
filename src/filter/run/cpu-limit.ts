/** Ends the evaluation of a filter that takes more CPU time of its thread than one reading may. */
import { problem } from '../../lib/problems/problem.ts';

/** CPU time that the filter of one reading may take: a thousand times what usual filters take for a whole layer. */
export const MAX_FILTER_CPU_MS = 10_000;

export interface CpuLimit {
  /** Throws `filter-too-slow` once the time is used up; cheap enough to be called with the number of each row. */
  check(row: number): void;
  getUsedMs(): number;
}

/** The clock is read for each so many rows, and the CPU time of the thread once so much time has passed. */
const LOOK_EVERY_ROWS = 8;
const LOOK_EVERY_MS = 20;

export function createCpuLimit(leftMs: number): CpuLimit {
  const start = readThreadCpuMs();
  let nextLook = performance.now() + LOOK_EVERY_MS;
  return {
    check(row) {
      if (row % LOOK_EVERY_ROWS !== 0) return;
      const now = performance.now();
      if (now < nextLook) return;
      nextLook = now + LOOK_EVERY_MS;
      if (readThreadCpuMs() - start > leftMs) throw createTooSlowProblem();
    },
    getUsedMs: () => readThreadCpuMs() - start,
  };
}

export function createTooSlowProblem(): Error {
  return problem('filter-too-slow', { seconds: MAX_FILTER_CPU_MS / 1_000 });
}

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
