import { describe, expect, it } from 'vitest';
import { validateQuery } from './sql-view.ts';

describe('virtual table queries', () => {
  it.each([
    'select 1',
    'SELECT * FROM roads',
    '  (select 1) union (select 2)',
    'with a as (select 1) select * from a',
    '-- a remark; with a semicolon\nselect 1',
    '/* ; */ select 1',
    "select 'a;b'",
    "select 'it''s;'",
    'select "a;b" from roads',
    'select $$;$$, $x$ ; $$ $x$',
    'select 1 -- ; at the end',
    'select 1 /* ; never closed',
  ])('accepts %j', (sql) => {
    expect(validateQuery(sql)).toBeUndefined();
  });

  it.each([
    ['', 'SELECT or WITH'],
    ['delete from roads', 'SELECT or WITH'],
    ['selection', 'SELECT or WITH'],
    ['-- select\ndrop table roads', 'SELECT or WITH'],
    ['select 1; select 2', 'single statement'],
    ["select ''; drop table roads", 'single statement'],
    ['select 1 /* a */; /* b */ select 2', 'single statement'],
    ['select $a$ $a$; select 2', 'single statement'],
  ])('rejects %j', (sql, reason) => {
    expect(validateQuery(sql)).toContain(reason);
  });

  it('are validated in linear time', () => {
    const started = performance.now();

    validateQuery(`select ${'/*'.repeat(50_000)}`);
    validateQuery(`select ${'$a$ '.repeat(50_001)}`);
    validateQuery(`select ${"'".repeat(100_001)}`);

    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
