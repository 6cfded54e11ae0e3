/**
 * Rejects pending work when an interruption occurs. `Promise.race` would leak memory here: a long-lived promise that
 * loses many races retains the result of each.
 */
export interface Interruption {
  /** Settles like `work`, or rejects with the reason of the interruption if that comes first. */
  guard<T>(work: Promise<T>): Promise<T>;
  /** Rejects all pending and all later work. */
  interrupt(reason: unknown): void;
}

export function createInterruption(): Interruption {
  const waiting = new Set<(reason: unknown) => void>();
  let interrupted: { readonly reason: unknown } | undefined;
  return {
    guard: (work) =>
      new Promise((resolve, reject) => {
        const end = (): void => void waiting.delete(reject);
        // A late rejection of `work` is handled here, so that it is not reported as unhandled.
        work.then(resolve, reject).finally(end);
        if (interrupted === undefined) waiting.add(reject);
        else reject(interrupted.reason);
      }),
    interrupt(reason) {
      interrupted ??= { reason };
      for (const reject of waiting) reject(reason);
      waiting.clear();
    },
  };
}
