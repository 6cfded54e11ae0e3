/** Lets others have their turn during long work. */

/** To be called now and then; gives something to wait for when it is time for the others. */
export type YieldIfDue = () => Promise<void> | undefined;

export interface YieldOptions {
  /** How long work may go on before the others have their turn. */
  readonly everyMs: number;
  readonly now: () => number;
}

/**
 * Work is measured together, whoever does it, from the beginning of a turn of the event loop. Whoever has to wait goes on
 * in a turn of its own, one after the other: many long works at once must not make one long turn.
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
    // The first call of a turn begins its stretch.
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

/** Long enough for a small request, and too short to be noticed by others. */
const STRETCH_MS = 5;

/** For loops over very many records: to be called for each, and waited for where it gives something. */
export const yieldIfDue: YieldIfDue = createYieldIfDue({ everyMs: STRETCH_MS, now: () => performance.now() });
