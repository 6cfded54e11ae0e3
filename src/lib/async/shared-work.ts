/** Work that several want at the same time is done once for all of them, and stopped when nobody wants it any more. */
import { createInterruption } from './interruption.ts';

export interface SharedWork<T> {
  /**
   * What comes of the work of a key: that which is under way, or else `work`, whose signal is given once all who wait have
   * given theirs. Whoever began it stays until it ends, since others rely on what they work with.
   */
  share(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

interface RunningWork<T> {
  readonly result: Promise<T>;
  join(signal: AbortSignal): void;
}

export function createSharedWork<T>(): SharedWork<T> {
  const underWay = new Map<string, RunningWork<T>>();

  function startWork(key: string, work: (signal: AbortSignal) => Promise<T>): RunningWork<T> {
    const stop = new AbortController();
    let waiting = 0;
    const result = work(stop.signal).finally(() => underWay.delete(key));
    return {
      result,
      join(signal) {
        const leaveWork = () => {
          waiting -= 1;
          if (waiting > 0) return;
          underWay.delete(key);
          stop.abort(signal.reason);
        };
        waiting += 1;
        if (signal.aborted) leaveWork();
        else signal.addEventListener('abort', leaveWork, { once: true });
      },
    };
  }

  return {
    async share(key, signal, work) {
      const known = underWay.get(key);
      if (known !== undefined) {
        known.join(signal);
        const leaving = createInterruption();
        signal.addEventListener('abort', () => leaving.interrupt(signal.reason), { once: true });
        return leaving.guard(known.result);
      }
      const own = startWork(key, work);
      underWay.set(key, own);
      own.join(signal);
      return own.result;
    },
  };
}
