/** Timers that tests can replace. */

/** Calls `ring` after the delay; returns a function that cancels the timer. */
export type StartTimer = (milliseconds: number, ring: () => void) => () => void;

/** Does not keep the process alive. */
export const startTimer: StartTimer = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds).unref();
  return () => clearTimeout(timer);
};
