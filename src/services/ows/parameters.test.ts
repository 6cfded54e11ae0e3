import { describe, expect, it } from 'vitest';
import { readCount, readGroups, readLists, readOptions, readParameters } from './parameters.ts';

describe('key-value pairs', () => {
  it('have names in any case, and empty ones say nothing', () => {
    const parameters = readParameters('SERVICE=WFS&&Request=GetFeature&typeName=&bbox=1%2C2');

    expect([...parameters]).toEqual([
      ['service', 'WFS'],
      ['request', 'GetFeature'],
      ['bbox', '1,2'],
    ]);
  });

  it('may say the same twice, as some clients do', () => {
    expect(readParameters('SERVICE=WFS&service=WFS').get('service')).toBe('WFS');
  });

  it('are refused where they say two things under one name', () => {
    expect(() => readParameters('count=1&COUNT=2')).toThrow("The parameter 'COUNT' is given twice");
  });

  it.each([
    ['a,b', [['a', 'b']]],
    ['(a,b)(c)', [['a', 'b'], ['c']]],
    ['(a) (b)', [['a'], ['b']]],
    [' a , ', [['a']]],
    ['', [[]]],
  ])('hold lists, each for one query: %s', (text, lists) => {
    expect(readLists(text)).toEqual(lists);
  });

  it('keep parentheses that are inside', () => {
    expect(readGroups('(f(a))(g(b))')).toEqual(['f(a)', 'g(b)']);
  });

  it('hold options', () => {
    expect([...readOptions('CHARSET:UTF-8;filename:a:b.zip;odd')]).toEqual([
      ['charset', 'UTF-8'],
      ['filename', 'a:b.zip'],
    ]);
  });

  it.each(['-1', '1.5', 'abc', '1e3', '99999999999999999999'])('have no count of %s', (text) => {
    expect(() => readCount('count', text)).toThrow('a whole number from 0 was expected');
  });
});
