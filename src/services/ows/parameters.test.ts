import { describe, expect, it } from 'vitest';
import { parseCount, readFormParameters, readGroups, readLists, readOptions, readParameters } from './parameters.ts';

describe('key-value pairs', () => {
  it('have case-insensitive names and ignore empty values', () => {
    const parameters = readParameters('SERVICE=WFS&&Request=GetFeature&typeName=&bbox=1%2C2');

    expect([...parameters]).toEqual([
      ['service', 'WFS'],
      ['request', 'GetFeature'],
      ['bbox', '1,2'],
    ]);
  });

  it('may be repeated with the same value', () => {
    expect(readParameters('SERVICE=WFS&service=WFS').get('service')).toBe('WFS');
  });

  it('are rejected if repeated with different values', () => {
    expect(() => readParameters('count=1&COUNT=2')).toThrow("The parameter 'COUNT' is given twice");
  });

  it('are the same in a large form, wherever its pieces end', async () => {
    for (const unit of [
      'a+b%2B',
      '%E6%97%A5%F0%9F%99%82',
      'é日',
      '%',
      '%E6%97x',
      '%97%97',
      '=?#%26',
      'a🙂',
      '%x%9%',
      '%F0%9F%9F%9F%9F%9F%9F',
    ])
      for (const offset of ['', 'x', 'xx', 'xxxx']) {
        const form = `Name=1&empty=&sld_body=${offset}${unit.repeat(30_000)}&&last`;

        expect([...(await readFormParameters(form))], unit).toEqual([...readParameters(form)]);
      }
  });

  it.each([
    ['a,b', [['a', 'b']]],
    ['(a,b)(c)', [['a', 'b'], ['c']]],
    ['(a) (b)', [['a'], ['b']]],
    [' a , ', [['a']]],
    ['', [[]]],
  ])('contain one list per query: %s', (text, lists) => {
    expect(readLists(text)).toEqual(lists);
  });

  it('keep inner parentheses', () => {
    expect(readGroups('(f(a))(g(b))')).toEqual(['f(a)', 'g(b)']);
  });

  it('contain options', () => {
    expect([...readOptions('CHARSET:UTF-8;filename:a:b.zip;odd')]).toEqual([
      ['charset', 'UTF-8'],
      ['filename', 'a:b.zip'],
    ]);
  });

  it.each(['-1', '1.5', 'abc', '1e3', '99999999999999999999'])('reject %s as a count', (text) => {
    expect(parseCount(text)).toBeUndefined();
  });
});
