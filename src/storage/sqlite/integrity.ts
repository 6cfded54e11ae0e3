/** The integrity checks of SQLite. */
import type { DatabaseSync } from 'node:sqlite';

/** Returns one sentence per problem: damaged pages and indexes first, then foreign keys without a target. */
export function findIntegrityProblems(database: DatabaseSync): readonly string[] {
  const damage = database
    .prepare('PRAGMA integrity_check', { returnArrays: true })
    .all()
    .map((row) => String(row[0]))
    .filter((finding) => finding !== 'ok');
  const orphans = database
    .prepare('SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2', { returnArrays: true })
    .all()
    .map((row) => `Rows of ${row[0]} that refer to missing rows of ${row[1]}: ${row[2]}.`);
  return [...damage, ...orphans];
}
