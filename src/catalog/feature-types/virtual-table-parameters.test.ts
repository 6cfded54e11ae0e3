import { describe, expect, it } from 'vitest';
import { findSqlViewWithValues } from './virtual-table.ts';
import { expandParameters } from './virtual-table-parameters.ts';

describe('parameters of a virtual table', () => {
  const parameters = [
    { name: 'a', value: '1' },
    { name: 'b', value: '%a%' },
    { name: 'quoted', value: `o'"x` },
    { name: 'none', value: '' },
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
  ])('expand %s to %s', (sql, expanded) => {
    expect(expandParameters(sql, parameters, false)).toBe(expanded);
  });

  it('have their quotes doubled if configured', () => {
    expect(expandParameters(`'%quoted%'`, parameters, true)).toBe(`'o''""x'`);
  });

  it('do not expand a query beyond the size limit', () => {
    const bomb = [{ name: 'a', value: 'x'.repeat(50_000) }];

    expect(() => expandParameters('%a%'.repeat(30_000), bomb, false)).toThrow('exceeds 100000 characters');
  });

  it('accept client values that match their validators', () => {
    const member = (name: string, value: string) => ({ name, value });
    const parameter = {
      members: [member('name', 'Least'), member('defaultValue', '0'), member('regexpValidator', '^[0-9]+$')],
    };
    const table = {
      members: [
        member('name', 'big'),
        member('sql', 'select * from t where n > %Least%'),
        { name: 'parameter', value: parameter },
      ],
    };
    const metadata = { JDBC_VIRTUAL_TABLE: { members: [{ name: 'virtualTable', value: table }] } };

    expect(findSqlViewWithValues(metadata, new Map([['least', '7']]))?.sql).toBe('select * from t where n > 7');
    expect(findSqlViewWithValues(metadata, new Map([['other', '7']]))?.sql).toBe('select * from t where n > 0');
    expect(() => findSqlViewWithValues(metadata, new Map([['least', '1 or 1=1']]))).toThrow("Invalid value '1 or 1=1'");
  });

  it('are optional', () => {
    expect(expandParameters('100% %', [], false)).toBe('100% %');
  });
});
