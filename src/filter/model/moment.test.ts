import { describe, expect, test } from 'vitest';
import { formatExactMoment, parseMoment, resolvePeriod } from './moment.ts';

const isoOf = (text: string): string | undefined => {
  const moment = parseMoment(text);
  return moment === undefined ? undefined : formatExactMoment(moment);
};

describe('moments', () => {
  test.each<[string, string | undefined]>([
    ['2008-11-01', '2008-11-01T00:00:00.000Z'],
    ['2008-11-01T12:30', '2008-11-01T12:30:00.000Z'],
    ['2008-11-01T12:30:15Z', '2008-11-01T12:30:15.000Z'],
    ['2008-11-01 12:30:15.25', '2008-11-01T12:30:15.250Z'],
    ['2008-11-01T12:30:15.123456+0130', '2008-11-01T11:00:15.123456Z'],
    ['2008-11-01T12:30:15.123000Z', '2008-11-01T12:30:15.123Z'],
    ['2008-11-01T23:30:00-02:00', '2008-11-02T01:30:00.000Z'],
    ['2008-02-29', '2008-02-29T00:00:00.000Z'],
    ['2008-02-29Z', '2008-02-29T00:00:00.000Z'],
    ['2008-02-29+02:00', '2008-02-28T22:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['2009-02-29', undefined],
    ['2008-11-01T24:00:00Z', undefined],
    ['2008-11-01T10:60:00Z', undefined],
    ['2008-11-01T10:00:00+25:00', undefined],
    ['0000-12-31', undefined],
    ['9999-12-31T23:59:59-01:00', undefined],
    ['2008', undefined],
    ['yesterday', undefined],
  ])('parses %s as %s', (text, expected) => {
    expect(isoOf(text)).toBe(expected);
  });
});

describe('periods', () => {
  test.each<[string, string, readonly [string, string] | undefined]>([
    ['2008-11-01', '2008-11-02', ['2008-11-01', '2008-11-02']],
    ['2008-11-01', '2008-11-01', ['2008-11-01', '2008-11-01']],
    ['2008-11-02', '2008-11-01', undefined],
    ['2008-01-31', 'P1M', ['2008-01-31', '2008-02-29T00:00:00.000Z']],
    ['P1M', '2008-03-31', ['2008-02-29T00:00:00.000Z', '2008-03-31']],
    ['2008-01-31', 'P1Y2M3DT4H5M6S', ['2008-01-31', '2009-04-03T04:05:06.000Z']],
    ['2008-01-31T00:00:00.1234567Z', 'P1D', ['2008-01-31T00:00:00.1234567Z', '2008-02-01T00:00:00.1234567Z']],
    ['2008-01-31T00:00:00.000001Z', '2008-01-31T00:00:00Z', undefined],
    ['2008-01-31', 'P2W', ['2008-01-31', '2008-02-14T00:00:00.000Z']],
    ['2008-01-31', 'PT', undefined],
    ['2008-01-31', 'P', undefined],
    ['2008-01-31', 'P99999Y', undefined],
    ['P1D', 'P1D', undefined],
    ['2008-11-01', '..', ['2008-11-01', '..']],
    ['..', '2008-11-01', ['..', '2008-11-01']],
    ['..', '..', ['..', '..']],
    ['..', 'P1D', undefined],
    ['..', 'never', undefined],
  ])('parses %s/%s as %j', (start, end, expected) => {
    expect(resolvePeriod(start, end)).toEqual(expected);
  });
});
