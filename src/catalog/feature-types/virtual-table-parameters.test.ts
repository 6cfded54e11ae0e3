import { describe, expect, it } from 'vitest';
import { expandParameters } from './virtual-table-parameters.ts';

describe('the parameters of a virtual table', () => {
  const parameters = [
    { name: 'a', defaultValue: '1' },
    { name: 'b', defaultValue: '%a%' },
    { name: 'quoted', defaultValue: `o'"x` },
    { name: 'none', defaultValue: '' },
  ];

  it.each([
    ['x = %a%', 'x = 1'],
    ['%a%%a%', '11'],
    ['%b%', '%a%'],
    ["like '%' || '%a%' || '%'", "like '%' || '1' || '%'"],
    ["like '%%a%%'", "like '%1%'"],
    ['100% of %a% and %', '100% of 1 and %'],
    ['%unknown% %none%.', '%unknown% .'],
    [`'%quoted%'`, `'o'"x'`],
  ])('turn %s into %s', (sql, expanded) => {
    expect(expandParameters(sql, parameters, false)).toBe(expanded);
  });

  it('have their quotes doubled where that is asked for', () => {
    expect(expandParameters(`'%quoted%'`, parameters, true)).toBe(`'o''""x'`);
  });

  it('do not make a query grow without end', () => {
    const bomb = [{ name: 'a', defaultValue: 'x'.repeat(50_000) }];

    expect(() => expandParameters('%a%'.repeat(30_000), bomb, false)).toThrow('longer than 100000 characters');
  });

  it('may be none', () => {
    expect(expandParameters('100% %', [], false)).toBe('100% %');
  });
});
