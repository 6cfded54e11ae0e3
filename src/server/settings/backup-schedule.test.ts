import { expect, test } from 'vitest';
import { computeNextTime, parseBackupSchedule } from './backup-schedule.ts';

const at = (text: string) => Date.parse(`2026-03-01T${text}Z`);

test('a time of day is the next such time in UTC, today or tomorrow', () => {
  const schedule = { kind: 'daily', minuteOfDay: 150 } as const;

  expect(parseBackupSchedule('02:30')).toEqual(schedule);
  expect(computeNextTime(schedule, at('02:29:59'))).toBe(at('02:30:00'));
  expect(computeNextTime(schedule, at('02:30:00'))).toBe(at('02:30:00') + 86_400_000);
});

test('a number of hours counts from the last backup', () => {
  expect(parseBackupSchedule('6h')).toEqual({ kind: 'interval', hours: 6 });
  expect(computeNextTime({ kind: 'interval', hours: 6 }, at('01:00:00'))).toBe(at('07:00:00'));
});

test.each(['', '24:00', '2:30', '02:60', '0h', '721h', '6', 'daily'])('%o is not a schedule', (text) => {
  expect(parseBackupSchedule(text)).toBeUndefined();
});
