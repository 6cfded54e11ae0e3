/** Waits for something that cannot be stopped, until somebody gives up. */

/** Fails with the signal's reason as soon as it is given; what becomes of the work then is nobody's business. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
    work.catch(() => {});
  }
}
