/** Runs work once for all concurrent callers with the same key, and aborts it when all of them have left. */
import { createInterruption } from './interruption.ts';

export interface SharedWork<T> {
  /**
   * Joins the running work of the key, or starts `work`, whose signal is aborted once the signals of all callers are.
   * The caller that started the work waits until it ends, because the others depend on its resources.
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
