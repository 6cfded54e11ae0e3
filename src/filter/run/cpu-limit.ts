/** Stops the evaluation of a filter that exceeds the CPU time for one query. */
import { problem } from '../../lib/problems/problem.ts';

/** CPU time for the filter of one query: a thousand times the usual cost for a whole layer. */
export const MAX_FILTER_CPU_MS = 10_000;

export interface CpuLimit {
  /** Throws `filter-too-slow` if the time is exceeded; cheap enough to be called for each row. */
  check(row: number): void;
  getUsedMs(): number;
}

/** Rows between two reads of the clock. The CPU time of the thread is read less often. */
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
