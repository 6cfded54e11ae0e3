/** How long the data of a store is waited for. */
import { Problem, problem } from '../lib/problems/problem.ts';
import { runWithDeadline, startPausableTimer } from './pausable-timer.ts';

/** By which long work tells that it goes on, so that it is not taken for a source that hangs. */
export interface Deadline {
  /** Something was done: the time begins anew. */
  extend(): void;
  /** There is no end to wait for any more: what follows has its own. */
  cancel(): void;
}

/** Work that does not stop by itself at the deadline is left behind: nobody waits for a database that does not answer. */
export async function withDeadline<T>(
  deadlineMs: number,
  name: string,
  work: (signal: AbortSignal, deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const createTimeoutProblem = () =>
    problem('store-unreachable', { name, reason: `${TIMEOUT_REASON} ${deadlineMs} ms` });
  // The time begins when the work has a thread: the store has not been asked before.
  const timer = startPausableTimer(deadlineMs, () => {
    reject(createTimeoutProblem());
    deadline.abort();
  });
  const control: Deadline = { extend: timer.restart, cancel: timer.stop };
  try {
    return await Promise.race([runWithDeadline(timer.deadline, () => work(deadline.signal, control)), late]);
  } catch (error) {
    throw deadline.signal.aborted && !(error instanceof Problem) ? createTimeoutProblem() : addStoreName(error, name);
  } finally {
    control.cancel();
  }
}

const TIMEOUT_REASON = 'it did not answer within';

/** Whether a source took too long, which may be for what it was asked. */
export function isTimeout(error: unknown): error is Problem {
  return (
    error instanceof Problem &&
    error.code === 'store-unreachable' &&
    String(error.details['reason']).startsWith(`${TIMEOUT_REASON} `)
  );
}

/** A source knows what cannot be had and why, but not what its store is called. */
export function addStoreName(error: unknown, name: string): unknown {
  const code = (['store-unreachable', 'store-refuses'] as const).find(
    (each) => error instanceof Problem && error.code === each,
  );
  return error instanceof Problem && code !== undefined
    ? problem(code, { name, reason: String(error.details['reason']) })
    : error;
}
