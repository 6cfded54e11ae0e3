import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { findIntegrityProblems } from './integrity.ts';
import { migrate } from './migrations.ts';

test('a valid database has no integrity problems', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);

  expect(findIntegrityProblems(database)).toEqual([]);
});

test('a record with a missing parent is an integrity problem', () => {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  migrate(database);
  database.exec(`INSERT INTO records (id, kind, parent, name, version, created_at_ms, modified_at_ms, body)
    VALUES ('a', 'store', 'gone', 'a', 1, 1, 1, '{}'), ('b', 'store', 'gone', 'b', 1, 1, 1, '{}')`);

  expect(findIntegrityProblems(database)).toEqual(['Rows of records that refer to missing rows of records: 2.']);
});

test('an index that differs from its table is an integrity problem', () => {
  const database = new DatabaseSync(':memory:', { defensive: false });
  database.exec(`CREATE TABLE t (a, b); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1, 2);
    PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX i ON t (b)' WHERE name = 'i';
    PRAGMA writable_schema = RESET`);

  expect(findIntegrityProblems(database)).not.toEqual([]);
});
