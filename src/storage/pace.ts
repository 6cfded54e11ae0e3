/** Lets others have their turn during long work. */

/** To be called now and then; gives something to wait for when it is time for the others. */
export type Pace = () => Promise<void> | undefined;

export interface PaceOptions {
  /** How long work may go on before the others have their turn. */
  readonly everyMs: number;
  readonly now: () => number;
}

/** Work at a stretch is measured from the last turn of the event loop that was given away here. */
export function createPace({ everyMs, now }: PaceOptions): Pace {
  let sinceMs = now();
  let isFresh = true;
  return () => {
    // The first call after others had their turn anyway begins a stretch of its own.
    if (isFresh) {
      isFresh = false;
      sinceMs = now();
      setImmediate(() => {
        isFresh = true;
      });
      return undefined;
    }
    return now() - sinceMs < everyMs ? undefined : turnOfOthers();
  };
}

function turnOfOthers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
