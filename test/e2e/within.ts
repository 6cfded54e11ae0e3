/** Gives a wait its deadline, so that a test fails with a sentence instead of hanging. */

/** It only ends tests that fail: the slowest machine takes less. */
export const DEADLINE_MS = 300_000;

/** `what` completes "waited too long for"; a function is asked at the end, when there is more to tell. */
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
