import { describe, expect, test } from 'vitest';
import { createTimeReader } from './cf-time.ts';

describe('CF time', () => {
  test.each([
    ['days since 1970-01-01', undefined, 0, '1970-01-01T00:00:00.000Z'],
    ['days since 1970-1-1', 'standard', 365.5, '1971-01-01T12:00:00.000Z'],
    ['hours since 2013-03-01 00:00:00', 'gregorian', 6.5, '2013-03-01T06:30:00.000Z'],
    ['seconds since 2000-01-01T00:00:00Z', 'proleptic_gregorian', 1.5, '2000-01-01T00:00:01.500Z'],
    ['minutes since 2000-01-01 00:00 +02:00', undefined, 0, '1999-12-31T22:00:00.000Z'],
    ['hours since 2000-01-01 12:00:00 -5:30', undefined, 1, '2000-01-01T18:30:00.000Z'],
    // The mixed calendar skips 10 days at the Gregorian reform; the proleptic one does not.
    ['days since 1582-10-04', 'standard', 1, '1582-10-15T00:00:00.000Z'],
    ['days since 1582-10-04', 'proleptic_gregorian', 1, '1582-10-05T00:00:00.000Z'],
    ['days since 0001-01-01', 'standard', 730_121, '2000-01-01T00:00:00.000Z'],
    ['days since 2000-01-01', 'julian', 59, '2000-02-29T00:00:00.000Z'],
    ['days since 2000-01-01', 'noleap', 59, '2000-03-01T00:00:00.000Z'],
    ['days since 2000-02-28', '365_day', 366, '2001-03-01T00:00:00.000Z'],
    ['days since 2000-01-01', 'all_leap', 366, '2001-01-01T00:00:00.000Z'],
    ['days since 2000-01-01', '360_day', 360, '2001-01-01T00:00:00.000Z'],
    ['months since 2000-01-01', undefined, 12, '2000-12-31T05:48:45.975Z'],
  ])('%s (%s): %d is %s', (units, calendar, value, expected) => {
    expect(createTimeReader(units, calendar)?.(value)).toBe(expected);
  });

  test.each([
    ['days', undefined],
    ['fortnights since 2000-01-01', undefined],
    ['days since yesterday', undefined],
    ['days since 2000-13-01', undefined],
    ['days since 2000-01-01', 'mayan'],
  ])('rejects the unit %s (%s)', (units, calendar) => {
    expect(createTimeReader(units, calendar)).toBeUndefined();
  });

  test('returns undefined for a day that does not exist', () => {
    expect(createTimeReader('days since 2000-01-01', '360_day')?.(59)).toBeUndefined();
    expect(createTimeReader('days since 2000-01-01', undefined)?.(Number.NaN)).toBeUndefined();
  });
});
