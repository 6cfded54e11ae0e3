/** The baseline of writes: one durable SQLite transaction without overhead. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { percentile } from './percentile.ts';
import type { WriteCost } from './writes.ts';

export function measureDurableInserts(directory: string, count: number): WriteCost {
  const database = new DatabaseSync(join(directory, 'baseline.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (body TEXT) STRICT');
  const insert = database.prepare('INSERT INTO t VALUES (?)');
  const costs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    database.exec('BEGIN IMMEDIATE');
    insert.run(`{"filler":"${'x'.repeat(400)}"}`);
    database.exec('COMMIT');
    costs.push(performance.now() - startedAt);
  }
  database.close();
  return { p50Ms: percentile(costs, 0.5), p99Ms: percentile(costs, 0.99) };
}
