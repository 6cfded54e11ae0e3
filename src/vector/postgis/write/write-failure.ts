/** Why a database does not take features, in words that a client may read. */

import { findErrorCode } from '../../../lib/problems/error-code.ts';
import { problem } from '../../../lib/problems/problem.ts';

const byCode: Readonly<Record<string, string>> = {
  '22001': 'a text is longer than its column allows',
  '22003': 'a number is too large for its column',
  '22007': 'a text is no date or time',
  '22008': 'a date or time is not within what the database keeps',
  '22021': 'a text holds a character that the database cannot store',
  '22023': 'a geometry does not fit its column',
  '22P02': 'a value is not of the type of its column',
  '22P05': 'a text holds a character that the database cannot store',
  '23502': 'a column that must be filled has no value',
  '23503': 'other data refers to what is there, or is referred to and missing',
  '23505': 'a value that must be unique is there already',
  '23514': 'a rule of the table does not allow its values',
  P0001: 'a trigger of the database refuses it',
};

/** Of the table as a whole, whatever the features are. */
const tableReasons: Readonly<Record<string, string>> = {
  '25006': 'the database can only be read',
  '42501': 'the user of the database has not the permission',
  '42809': 'it is not a table',
  '428C9': 'one of its columns is computed by the database',
  '0A000': 'the database cannot write into it',
  '55000': 'it is a view that cannot be written',
  '55P03': 'somebody else has locked it',
};

/** What else goes wrong is not about the features, and passes as it is. */
export function toWriteProblem(error: unknown, table: string, features: string): unknown {
  const code = findErrorCode(error) ?? '';
  const tableReason = tableReasons[code];
  if (tableReason !== undefined) return problem('import-refused', { name: table, reason: tableReason });
  const reason = byCode[code] ?? (/^2[23]/.test(code) ? `the database reports the error ${code}` : undefined);
  if (reason === undefined) return error;
  const column = error instanceof Error && 'column' in error ? error.column : undefined;
  const where = typeof column === 'string' && column !== '' ? { column } : {};
  return problem('feature-refused', { name: table, feature: features, reason, ...where });
}
