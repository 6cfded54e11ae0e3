/**
 * Work that is let go of when something else happens. A race of promises would do so too, but a promise that loses many
 * races keeps what won each of them for as long as it lives itself.
 */
export interface Interruption {
  /** What comes of the work, or the reason of the interruption if that is there first. */
  guard<T>(work: Promise<T>): Promise<T>;
  /** For all that is under way, and all that comes later. */
  interrupt(reason: unknown): void;
}

export function createInterruption(): Interruption {
  const waiting = new Set<(reason: unknown) => void>();
  let interrupted: { readonly reason: unknown } | undefined;
  return {
    guard: (work) =>
      new Promise((resolve, reject) => {
        const end = (): void => void waiting.delete(reject);
        // Also what comes too late is taken, so that nobody else has to.
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
