/** The times of scheduled backups. */

/** Every day at a time in UTC, or at an interval in hours. */
export type BackupSchedule =
  | { readonly kind: 'daily'; readonly minuteOfDay: number }
  | { readonly kind: 'interval'; readonly hours: number };

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Thirty days. */
const MAX_HOURS = 720;

/** Returns undefined for anything but `HH:MM` or `Nh`. */
export function parseBackupSchedule(text: string): BackupSchedule | undefined {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour !== undefined) return { kind: 'daily', minuteOfDay: Number(hour) * 60 + Number(minute) };
  const hours = Number(/^(\d{1,3})h$/.exec(text)?.[1] ?? 0);
  return hours >= 1 && hours <= MAX_HOURS ? { kind: 'interval', hours } : undefined;
}

/** Returns the first scheduled time after a time. */
export function computeNextTime(schedule: BackupSchedule, afterMs: number): number {
  if (schedule.kind === 'interval') return afterMs + schedule.hours * HOUR_MS;
  const today = Math.floor(afterMs / DAY_MS) * DAY_MS + schedule.minuteOfDay * MINUTE_MS;
  return today > afterMs ? today : today + DAY_MS;
}

/** Returns the longest time between two backups. */
export function computeIntervalMs(schedule: BackupSchedule): number {
  return schedule.kind === 'interval' ? schedule.hours * HOUR_MS : DAY_MS;
}
