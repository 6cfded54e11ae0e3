import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { toFileProblem } from './failure.ts';

/** Creates the SQLite error for a database that cannot grow. */
function fullError(): unknown {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA max_page_count = 2; CREATE TABLE t (a)');
  try {
    database.exec('INSERT INTO t VALUES (zeroblob(100000))');
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
  throw new Error('The database did not fill up.');
}

describe('GeoPackage failures', () => {
  it('a full disk is not reported as a fault of the file', () => {
    const error = fullError();

    expect(toFileProblem(error, '/data/a.gpkg')).toMatchObject({ code: 'storage-full', status: 507, cause: error });
  });

  it('too many open files are not reported as a fault of the file', () => {
    const error = Object.assign(new Error('EMFILE'), { code: 'EMFILE', syscall: 'open' });

    expect(toFileProblem(error, '/data/a.gpkg')).toMatchObject({ code: 'storage-unavailable', status: 503 });
  });
});
