/** Yields to the event loop during long work. */

/** Call this repeatedly during long work, and await the promise if it returns one. */
export type YieldIfDue = () => Promise<void> | undefined;

export interface YieldOptions {
  /** The time that work may take within one turn of the event loop. */
  readonly everyMs: number;
  readonly now: () => number;
}

/**
 * The time of all callers counts together, from the start of a turn of the event loop. Each waiting caller continues in
 * a separate turn, in order: many concurrent long tasks must not add up to one long turn.
 */
export function createYieldIfDue({ everyMs, now }: YieldOptions): YieldIfDue {
  const waiting: (() => void)[] = [];
  let sinceMs = now();
  let isFresh = true;

  function beginTurn(): void {
    isFresh = false;
    sinceMs = now();
    setImmediate(endTurn);
  }

  function endTurn(): void {
    isFresh = true;
    const next = waiting.shift();
    if (next !== undefined) {
      beginTurn();
      next();
    }
  }

  return () => {
    // The first call of a turn starts the measurement.
    if (isFresh && waiting.length === 0) {
      beginTurn();
      return undefined;
    }
    if (waiting.length === 0 && now() - sinceMs < everyMs) {
      return undefined;
    }
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  };
}

/** Long enough for a small request, and too short to delay other requests noticeably. */
const STRETCH_MS = 5;

/** For loops over many records: call it for each record, and await the promise if it returns one. */
export const yieldIfDue: YieldIfDue = createYieldIfDue({ everyMs: STRETCH_MS, now: () => performance.now() });
