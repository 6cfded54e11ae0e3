/** Checks the rows as a whole. PostgreSQL itself checks its pages and foreign keys. */
import { readIntegerColumn } from '../port/columns.ts';
import type { PostgresSession } from './connection/session.ts';

/** Each check counts invalid rows and describes them in a sentence. */
const checks: readonly (readonly [count: string, sentence: (count: number) => string])[] = [
  [
    'SELECT count(*) FROM head h WHERE h.sequence < (SELECT coalesce(max(sequence), 0) FROM changes)',
    () => 'The head is behind the change log.',
  ],
  [
    `SELECT count(*) FROM (SELECT sequence - lag(sequence) OVER (ORDER BY sequence) AS step FROM changes) c WHERE c.step > 1`,
    (count) => `Gaps in the change log: ${count}.`,
  ],
  [
    'SELECT count(*) FROM changes c WHERE NOT EXISTS (SELECT FROM change_items i WHERE i.sequence = c.sequence)',
    (count) => `Changes without a record: ${count}.`,
  ],
  [
    'SELECT count(*) FROM record_keys k JOIN records r ON r.age = k.record_age WHERE r.kind <> k.kind',
    (count) => `Keys whose kind differs from the kind of their record: ${count}.`,
  ],
  [
    'SELECT count(*) FROM records r WHERE r.version > (SELECT sequence FROM head)',
    (count) => `Records with a version newer than the last change: ${count}.`,
  ],
];

export async function findIntegrityProblems(session: PostgresSession): Promise<readonly string[]> {
  const results = await session.run(checks.map(([count]) => count).join('; '));
  return checks.flatMap(([, sentence], index) => {
    const count = readIntegerColumn(results[index]?.[0]?.[0]);
    return count === 0 ? [] : [sentence(count)];
  });
}
