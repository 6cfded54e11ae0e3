/** Adds a deadline to a wait, so that a test fails with a message instead of hanging. */

/** Only failing tests reach the deadline: the slowest machine takes less time. */
export const DEADLINE_MS = 300_000;

/** `what` completes "waited too long for"; a function is evaluated at the deadline, when more details are available. */
export async function within<T>(
  promise: Promise<T>,
  what: string | (() => string),
  deadlineMs: number = DEADLINE_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`Waited ${deadlineMs} ms, which is too long, for ${typeof what === 'string' ? what : what()}.`));
    }, deadlineMs);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
