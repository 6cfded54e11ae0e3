import { describe, expect, it } from 'vitest';
import { createIsoTimestampReader, createPatternReader } from './timestamp-text.ts';

const low = { isHighTime: false };
const high = { isHighTime: true };

describe('timestamp in a file name', () => {
  it.each([
    ['2008-10-31T12:30:15.250Z', '2008-10-31T12:30:15.250Z', '2008-10-31T12:30:15.250Z'],
    ['20081031T123015250Z', '2008-10-31T12:30:15.250Z', '2008-10-31T12:30:15.250Z'],
    ['20081031T000000000Z', '2008-10-31T00:00:00.000Z', '2008-10-31T00:00:00.000Z'],
    ['20081031T123015Z', '2008-10-31T12:30:15.000Z', '2008-10-31T12:30:15.999Z'],
    ['20081031T123015', '2008-10-31T12:30:15.000Z', '2008-10-31T12:30:15.999Z'],
    ['2008-10-31T12:30', '2008-10-31T12:30:00.000Z', '2008-10-31T12:30:59.999Z'],
    ['20081031T12', '2008-10-31T12:00:00.000Z', '2008-10-31T12:59:59.999Z'],
    ['2008-10-31', '2008-10-31T00:00:00.000Z', '2008-10-31T23:59:59.999Z'],
    ['20081031', '2008-10-31T00:00:00.000Z', '2008-10-31T23:59:59.999Z'],
    ['2008-10', '2008-10-01T00:00:00.000Z', '2008-10-31T23:59:59.999Z'],
    ['200802', '2008-02-01T00:00:00.000Z', '2008-02-29T23:59:59.999Z'],
    ['2008', '2008-01-01T00:00:00.000Z', '2008-12-31T23:59:59.999Z'],
    ['2008-10-31T12:30:00+02:00', '2008-10-31T10:30:00.000Z', '2008-10-31T10:30:00.999Z'],
    ['20080230', undefined, undefined],
    ['2008-10-31T25:00', undefined, undefined],
    ['summer', undefined, undefined],
  ])('%j starts at %j and ends at %j', (text, first, last) => {
    expect([createIsoTimestampReader(low)(text), createIsoTimestampReader(high)(text)]).toEqual([first, last]);
  });

  it.each([
    ['yyyyMMdd', '20081031', '2008-10-31T00:00:00.000Z'],
    ["yyyyMMdd'T'HHmmss'Z'", '20081031T123015Z', '2008-10-31T12:30:15.000Z'],
    ['yyyy-MM-dd_HH-mm', '2008-10-31_12-30', '2008-10-31T12:30:00.000Z'],
    ['yyyyDDD', '2008366', '2008-12-31T00:00:00.000Z'],
    ['yyyyDDDHHmmss', '2008060123015', '2008-02-29T12:30:15.000Z'],
    ['ddMMMyyyy', '31Oct2008', '2008-10-31T00:00:00.000Z'],
    ['d.M.yyyy', '1.2.2008', '2008-02-01T00:00:00.000Z'],
    ['yyMMdd', '081031', '2008-10-31T00:00:00.000Z'],
    ['yyyyMMddHHmmssSSS', '20081031123015250', '2008-10-31T12:30:15.250Z'],
    ["yyyy'year'", '2008year', '2008-01-01T00:00:00.000Z'],
    ['hh.mm a dd MM yyyy', '01.30 PM 31 10 2008', '2008-10-31T13:30:00.000Z'],
    ['yyyyMMdd HHmm X', '20081031 1230 +0200', '2008-10-31T10:30:00.000Z'],
    ['yyyyMMdd', '2008103', undefined],
    ['yyyyMMdd', '20081331', undefined],
    ['yyyyDDD', '2007366', undefined],
    ['ddMMMyyyy', '31Xxx2008', undefined],
  ])('with the pattern %j, %j is %j', (pattern, text, expected) => {
    const made = createPatternReader(pattern, low);

    expect('read' in made ? made.read(text) : made).toBe(expected);
  });

  it.each([
    ['yyyyQQ', "'QQ'"],
    ["yyyy'T", 'not closed'],
    ['--', 'no date letters'],
  ])('rejects the pattern %j and states the reason', (pattern, reason) => {
    expect(createPatternReader(pattern, low)).toEqual({ objection: expect.stringContaining(reason) });
  });

  it('is the end of the period when useHighTime is set', () => {
    const made = createPatternReader('yyyyDDD', high);

    expect('read' in made && made.read('2008060')).toBe('2008-02-29T23:59:59.999Z');
  });
});
