import { describe, expect, it } from 'vitest';
import { compileFileNamePattern, hasLookAround } from './file-name-pattern.ts';

const find = (regex: string, text: string) =>
  compileFileNamePattern(regex, { what: 'The regex', field: 'regex' }).find(text);

describe('file name pattern', () => {
  it.each([
    ['[0-9]{8}', 'world_20080501_20080502', ['20080501', '20080502']],
    ['_(\\d{4})_(\\d{2})', 'a_2008_05_b', ['200805']],
    ['\\d+', 'none', []],
    ['(?<=_)\\d{4}', '1234_5678_9012', ['5678', '9012']],
    ['(?<=z)\\d+(?=_)', 'z010_z20_z30', ['010', '20']],
    ['(?<!z)\\d{2}', 'z10_20', ['20']],
    ['(?<=_)(\\d{2})(\\d{2})(?=_)', 'a_0102_0304_', ['0102', '0304']],
    [
      '[0-9]{8}T[0-9]{9}Z(?!.*[0-9]{8}T[0-9]{9}Z.*)',
      'a_20081031T000000000Z_20081101T000000000Z',
      ['20081101T000000000Z'],
    ],
    ['a|b', 'abc', ['a', 'b']],
    ['x?', 'axb', ['', 'x', '', '']],
    ['a(?=b)b', 'ab_ac', ['ab']],
    ['\\d+(?!x|\\d)', '10x_200', ['200']],
    ['(?<=a)b|c', 'ab_c_bb', ['b', 'c']],
    ['(?i)(?<=DAY)\\d+', 'day7', ['7']],
    ['\\A(?=a)[a-z]+\\z', 'abc', ['abc']],
    ['(?<=a)b', `${'x'.repeat(254)}ab`, []],
  ])('%j finds in %j the values %j', (regex, text, expected) => {
    expect(find(regex, text)).toEqual(expected);
  });

  it.each([
    ['(?<=a)(', 'valid regular expression'],
    ['(?=[a-z&&[^b]])c', 'intersections'],
    ['(?=a)\\d++', 'valid regular expression'],
    [`(?=a)${'b'.repeat(2_000)}`, 'longer than 2000'],
    ['(', 'not closed'],
  ])('rejects %j and states the reason', (regex, reason) => {
    expect(() => find(regex, '')).toThrow(reason);
  });

  it.each([
    ['(?:a|b)(?<name>c)(?i:d)', false],
    ['\\(\\?=a', false],
    ['[(?=]', false],
    ['a(b(?!c))', true],
    ['(?<!a)b', true],
  ])('%j has look-around: %j', (regex, expected) => {
    expect(hasLookAround(regex)).toBe(expected);
  });
});
