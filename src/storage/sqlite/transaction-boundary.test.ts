import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { withinTransaction } from './transaction-boundary.ts';

/** A database whose COMMIT itself fails when a child without a parent was written: the rule is checked only then. */
function openFamily(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    CREATE TABLE parents (id INTEGER PRIMARY KEY);
    CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)`);
  return database;
}

function childCount(database: DatabaseSync): unknown {
  return database.prepare('SELECT count(*) FROM children', { returnArrays: true }).get()?.[0];
}

describe('the boundary of a transaction', () => {
  test('what is to be kept is committed, the rest is not', async () => {
    const database = openFamily();
    const addChild = (keep: boolean) => async () => {
      database.exec('INSERT INTO children VALUES (NULL)');
      return { result: 'done', keep };
    };

    expect(await withinTransaction(database, addChild(true))).toBe('done');
    expect(await withinTransaction(database, addChild(false))).toBe('done');

    expect(childCount(database)).toBe(1);
  });

  test('when COMMIT itself fails, nothing is kept and the next transaction works', async () => {
    const database = openFamily();

    const orphan = withinTransaction(database, async () => {
      database.exec('INSERT INTO children VALUES (1)');
      return { result: undefined, keep: true };
    });

    await expect(orphan).rejects.toThrow('FOREIGN KEY');
    expect(database.isTransaction).toBe(false);
    expect(childCount(database)).toBe(0);
    await withinTransaction(database, async () => {
      database.exec('INSERT INTO children VALUES (NULL)');
      return { result: undefined, keep: true };
    });
    expect(childCount(database)).toBe(1);
  });

  test('a transaction that SQLite has already rolled back reports the error that did it', async () => {
    const database = openFamily();
    database.exec("CREATE TRIGGER no BEFORE INSERT ON parents BEGIN SELECT RAISE(ROLLBACK, 'disk gone'); END");

    const failing = withinTransaction(database, async () => {
      database.exec('INSERT INTO children VALUES (NULL)');
      database.exec('INSERT INTO parents VALUES (1)');
      return { result: undefined, keep: true };
    });

    await expect(failing).rejects.toThrow('disk gone');
    expect(childCount(database)).toBe(0);
  });

  test('what an earlier failed rollback left open does not slip into the next commit', async () => {
    const database = openFamily();
    database.exec('BEGIN; INSERT INTO children VALUES (NULL)');

    await withinTransaction(database, async () => ({ result: undefined, keep: true }));

    expect(childCount(database)).toBe(0);
  });
});
