import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migrate } from './migrations.ts';
import { RecordQueries, recordSql } from './record-queries.ts';

test.each(Object.entries(recordSql))('%s uses an index and never scans or sorts', (_name, sql) => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const blanks = Array.from(sql.matchAll(/\?/g), () => 'x');

  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`, { returnArrays: true }).all(...blanks);

  const details = plan.map((row) => String(row[3]));
  expect(details.length).toBeGreaterThan(0);
  for (const detail of details) expect(detail).toMatch(/^SEARCH /);
});

test('every page of a kind starts in the index', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const insert = database.prepare(
    `INSERT INTO records (id, kind, parent, name, version, created_at_ms, modified_at_ms, body)
     VALUES (?, ?, ?, ?, 1, 0, 0, '{}')`,
  );
  const places = [
    [null, 'a'],
    [null, 'b'],
    ['box-1', 'a'],
    ['box-1', 'c'],
    ['box-2', 'a'],
  ] as const;
  for (const id of ['box-1', 'box-2']) insert.run(id, 'box', null, id);
  for (const [index, [parent, name]] of places.entries()) insert.run(`thing-${index}`, 'thing', parent, name);
  const queries = new RecordQueries(database);

  const pages = [queries.listOfKind('thing', undefined, 2)];
  while (pages.at(-1)?.length === 2) pages.push(queries.listOfKind('thing', pages.at(-1)?.at(-1), 2));

  expect(pages.flat().map(({ parent, name }) => [parent, name])).toEqual(places);
  const [plan] = database
    .prepare(`EXPLAIN QUERY PLAN ${recordSql.listOfKind}`, { returnArrays: true })
    .all('thing', '', 2);
  expect(String(plan?.[3])).toContain('<expr>>?');
});
