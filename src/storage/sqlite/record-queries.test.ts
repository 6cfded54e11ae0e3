import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migrate } from './migrations.ts';
import { recordSql } from './record-queries.ts';

test.each(Object.entries(recordSql))('%s walks an index and never scans or sorts', (_name, sql) => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const blanks = Array.from(sql.matchAll(/\?/g), () => 'x');

  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`, { returnArrays: true }).all(...blanks);

  const details = plan.map((row) => String(row[3]));
  expect(details.length).toBeGreaterThan(0);
  for (const detail of details) expect(detail).toMatch(/^SEARCH /);
});
