/**
 * Lets connections continue one after the other: rows are decoded where they arrive, and those of several connections in
 * one turn of the event loop would delay all requests.
 */
const waiting: (() => void)[] = [];
let isScheduled = false;

/** Calls `next` in a turn of its own, after those that wait already. */
export function takeTurn(next: () => void): void {
  waiting.push(next);
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(runNext);
}

function runNext(): void {
  const next = waiting.shift();
  isScheduled = waiting.length > 0;
  if (isScheduled) setImmediate(runNext);
  next?.();
}
