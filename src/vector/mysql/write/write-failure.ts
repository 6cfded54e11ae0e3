/** Converts write errors of MySQL and MariaDB to public messages. */
import { problem } from '../../../lib/problems/problem.ts';
import { findErrorNumber } from '../connection/failure.ts';

const REQUIRED = 'a required column has no value';
const TOO_LONG = 'a value is too long for its column';
const WRONG_TYPE = 'a value does not match the type of its column';
const FOREIGN_KEY = 'a foreign key constraint is violated';
const CONSTRAINT = 'its values violate a constraint of the table';
const GEOMETRY = 'a geometry does not fit its column';

const featureReasons: Readonly<Record<number, string>> = {
  1048: REQUIRED,
  1364: REQUIRED,
  1062: 'a value of a unique column already exists',
  1586: 'a value of a unique column already exists',
  1153: 'it is larger than the database accepts in one statement (max_allowed_packet)',
  1264: 'a number is outside the range of its column',
  1265: WRONG_TYPE,
  1292: WRONG_TYPE,
  1366: WRONG_TYPE,
  1367: WRONG_TYPE,
  1406: TOO_LONG,
  1416: GEOMETRY,
  3037: GEOMETRY,
  3055: GEOMETRY,
  3616: GEOMETRY,
  3617: GEOMETRY,
  3643: GEOMETRY,
  1451: FOREIGN_KEY,
  1452: FOREIGN_KEY,
  3819: CONSTRAINT,
  4025: CONSTRAINT,
  3140: 'a text is not valid JSON',
  1644: 'a trigger of the database rejects it',
  1690: 'a number is outside the range of its column',
};

/** Errors about the whole table, independent of the features. */
const tableReasons: Readonly<Record<number, string>> = {
  1036: 'the table is read-only',
  1142: 'the database user lacks the permission',
  1143: 'the database user lacks the permission',
  1205: 'another session has locked its rows',
  1213: 'it is locked by another session that waits for this one',
  1288: 'it is a view that is not updatable',
  1290: 'the database is read-only',
  1792: 'the database is read-only',
  1836: 'the database is read-only',
  1393: 'it is a view of several tables',
  1394: 'it is a view of several tables',
  1471: 'it is a view into which nothing can be inserted',
  1665: 'the binary log of the database does not support the transaction; set binlog_format to ROW or MIXED',
  1906: 'one of its columns is computed by the database',
  3105: 'one of its columns is computed by the database',
};

/** Other errors do not concern the features and are returned unchanged. */
export function toWriteProblem(error: unknown, table: string, features: string): unknown {
  const number = findErrorNumber(error) ?? 0;
  const tableReason = tableReasons[number];
  if (tableReason !== undefined) return problem('import-refused', { name: table, reason: tableReason });
  const reason = featureReasons[number];
  if (reason === undefined) return error;
  // The message quotes the value, too, which can be long.
  const [, column] = /column '([^']{1,64})'/i.exec(error instanceof Error ? error.message : '') ?? [];
  return problem('feature-refused', {
    name: table,
    feature: features,
    reason,
    ...(column === undefined ? {} : { column }),
  });
}
