/** Deadlines for the data of stores. */
import { Problem, problem } from '../lib/problems/problem.ts';
import { runWithDeadline, startPausableTimer } from './pausable-timer.ts';

/** Lets long work report progress, so that it is not treated as a hanging source. */
export interface Deadline {
  /** Restarts the time after progress. */
  extend(): void;
  /** Removes the deadline, because the following work has its own. */
  cancel(): void;
}

/** Rejects at the deadline even if the work continues: a database may never respond. */
export async function withDeadline<T>(
  deadlineMs: number,
  name: string,
  work: (signal: AbortSignal, deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const createTimeoutProblem = () =>
    problem('store-unreachable', { name, reason: `${TIMEOUT_REASON} ${deadlineMs} ms` });
  // The time starts when the work has a thread, because the store is not accessed before.
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

/** Whether a source took too long. */
export function isTimeout(error: unknown): error is Problem {
  return (
    error instanceof Problem &&
    error.code === 'store-unreachable' &&
    String(error.details['reason']).startsWith(`${TIMEOUT_REASON} `)
  );
}

/** Adds the name of the store, which sources do not know, to their problems. */
export function addStoreName(error: unknown, name: string): unknown {
  const code = (['store-unreachable', 'store-refuses'] as const).find(
    (each) => error instanceof Problem && error.code === each,
  );
  return error instanceof Problem && code !== undefined
    ? problem(code, { name, reason: String(error.details['reason']), ...selectStep(error) })
    : error;
}

/** The step of a connection that failed, which databases name. */
function selectStep({ details: { step } }: Problem): { readonly step?: string } {
  return typeof step === 'string' ? { step } : {};
}
