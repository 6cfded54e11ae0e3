import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ChangeLogWriter } from './change-log.ts';
import { migrate } from './migrations.ts';
import { RecordQueries } from './record-queries.ts';
import { RecordWrites } from './record-writes.ts';
import { SqliteTransaction } from './transaction.ts';

test('after SQLite has rolled back by itself nothing more can be written, since it would be committed alone', async () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const statements = {
    queries: new RecordQueries(database),
    writes: new RecordWrites(database),
    log: new ChangeLogWriter(database),
    isInTransaction: () => database.isTransaction,
  };
  database.exec('BEGIN');
  const author = { who: 'admin', what: 'test' };
  const transaction = new SqliteTransaction(statements, { sequence: 1, atMs: 1, author, mask: (_kind, body) => body });
  await transaction.insert({ kind: 'workspace', parent: null, name: 'before', body: {}, keys: {} });

  // As a read does that meets a broken disk.
  database.exec('ROLLBACK');

  const late = transaction.insert({ kind: 'workspace', parent: null, name: 'late', body: {}, keys: {} });
  await expect(late).rejects.toThrow('cut this transaction short');
  expect(() => transaction.hasChanges).toThrow('cut this transaction short');
  expect(statements.queries.count('workspace')).toBe(0);
});
