/** A lock per key, acquired in call order; aborted waiters are skipped. */

export interface KeyedLock {
  /** Waits for the lock; the returned function releases it. */
  acquire(key: string, signal: AbortSignal): Promise<() => void>;
}

export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<void>>();
  return {
    async acquire(key, signal) {
      signal.throwIfAborted();
      const before = last.get(key);
      const own = Promise.withResolvers<void>();
      const ended = before === undefined ? own.promise : before.then(() => own.promise);
      last.set(key, ended);
      const release = (): void => {
        own.resolve();
        if (last.get(key) === ended) last.delete(key);
      };
      if (before === undefined) return release;
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const abort = (): void => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      try {
        await Promise.race([before, aborted]);
        return release;
      } catch (error) {
        release();
        throw error;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
