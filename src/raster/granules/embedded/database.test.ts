/** Granule files of earlier versions. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { getDatabase } from './database.ts';

it('a file of an earlier version is opened with the same granule ids', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'granules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'granules.sqlite');
  const former = new DatabaseSync(file);
  former.exec(`
    CREATE TABLE indexes (number INTEGER PRIMARY KEY AUTOINCREMENT, mosaic TEXT NOT NULL, name TEXT NOT NULL,
      schema TEXT NOT NULL, axes TEXT);
    INSERT INTO indexes VALUES (7, 'water', 'water', '{}', NULL);
    CREATE TABLE granules_7 (id INTEGER PRIMARY KEY AUTOINCREMENT, since INTEGER NOT NULL, until INTEGER NOT NULL);
    INSERT INTO granules_7 VALUES (3, 1, 2), (5, 1, 9);
    PRAGMA user_version = 2`);
  former.close();

  const database = getDatabase(file);
  onTestFinished(() => database.close());

  expect(database.prepare('SELECT id, gid FROM granules_7').all()).toEqual([
    { id: 3, gid: 3 },
    { id: 5, gid: 5 },
  ]);
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 3 });
});
