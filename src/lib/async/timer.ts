/** Timers that tests can replace. */

/** Calls back after the time; returns how to prevent that. */
export type StartTimer = (milliseconds: number, ring: () => void) => () => void;

/** Keeps no process alive. */
export const startTimer: StartTimer = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds).unref();
  return () => clearTimeout(timer);
};
