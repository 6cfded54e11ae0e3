/** Timers that tests can replace. */

/** Calls back after the time; returns how to prevent that. */
export type Alarm = (milliseconds: number, ring: () => void) => () => void;

/** Keeps no process alive. */
export const alarmAfter: Alarm = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds).unref();
  return () => clearTimeout(timer);
};
